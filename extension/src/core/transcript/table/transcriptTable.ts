import type { Problem } from "../../model/problem";
import type { Compaction, Message, ModelCall, Thread, ToolResult, TranscriptHeader } from "../../model/transcript";
import type { UsageLedger } from "../../model/usageLedger";
import type { TranscriptEvent, TranscriptIndex } from "../events";
import type { LeftBy } from "../leftContext";
import { expectedRecords } from "../rows/expectedRecords";
import { CallRows } from "./callRows";
import { MessageRows } from "./messageRows";
import { ResultRows, type SharedTexts, sharedTexts } from "./resultRows";

/** What a table was when it was marked, as far as it was changed since. Plain data. */
export interface TableMark {
  readonly rows: { readonly results: number; readonly calls: number; readonly messages: number };
  readonly compactions: number;
  readonly problems: number;
  readonly threads: readonly Thread[];
  readonly header: TranscriptHeader | undefined;
  readonly ledger: UsageLedger | undefined;
  /** Rows that were there and have been told again, the first change first. */
  readonly results: { readonly row: number; readonly before: ToolResult | undefined }[];
  readonly calls: { readonly row: number; readonly before: ModelCall }[];
  readonly messages: { readonly row: number; readonly before: Message }[];
  readonly left: { readonly row: number; readonly before: number }[];
}

/** Ids and times of a record. */
const TEXT_BYTES = 24;

/**
 * A transcript's index in columns: some 100 bytes per result and 40 per call or message, and no bodies. What a reader tells is
 * added as events (`add`) or one by one (`result`, `call`, `message`, …: what a source of rows calls without making events);
 * both mean the same, and what comes again replaces what came before, as `TranscriptEvent` says. Facts are made into objects
 * when they are asked for.
 */
export class TranscriptTable {
  readonly shared: SharedTexts;
  readonly results: ResultRows;
  readonly calls: CallRows;
  readonly messages: MessageRows;
  /** By id, in the order told. */
  threads = new Map<string, Thread>();
  compactions: Compaction[] = [];
  problems: Problem[] = [];
  header: TranscriptHeader | undefined;
  /** Undefined until the transcript was read to its end. */
  ledger: UsageLedger | undefined;
  /** Set while what is added is to be taken back. */
  marked: TableMark | undefined;
  /** Compactions by the number that the results' column `left` holds. */
  exits: LeftBy[] = [];
  /** Hears of a result that was there and is another now; undefined: any of them may be, or is gone. */
  changed: ((row: number | undefined) => void) | undefined;
  /** Hears of a result that was there and names another file now, or none. */
  repathed: ((row: number) => void) | undefined;

  constructor(shared = sharedTexts()) {
    this.shared = shared;
    this.results = new ResultRows(shared);
    this.calls = new CallRows(shared);
    this.messages = new MessageRows(shared);
  }

  /** The file has so many bytes: there is room at once for what usually stands in one. */
  expect(bytes: number): void {
    const { results, calls, messages, shared } = this;
    const records = expectedRecords(bytes);
    // Of three messages one has a result, and one ends a call of the model.
    for (const column of Object.values(messages.columns)) column.expect(records);
    for (const { columns } of [results, calls])
      for (const column of Object.values(columns)) column.expect(Math.ceil(records / 2));
    shared.texts.expect(records, records * TEXT_BYTES);
  }

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "header":
          this.describe(event.header);
          break;
        case "thread":
          this.thread(event.thread);
          break;
        case "message":
          this.message(event.message, event.replaces);
          break;
        case "call":
          this.call(event.call);
          break;
        case "result":
          this.result(event.result);
          break;
        case "problem":
          this.problem(event.problem);
          break;
        case "compaction": {
          const { kind: _, ...compaction } = event;
          this.compactions.push(compaction);
          break;
        }
        case "ledger":
          this.ledger = event.ledger;
          break;
        case "progress":
          break;
      }
    }
  }

  describe(header: TranscriptHeader): void {
    if (header.unit !== this.header?.unit) this.changed?.(undefined);
    this.header = header;
  }

  problem(problem: Problem): void {
    this.problems.push(problem);
  }

  thread(thread: Thread): void {
    this.threads.set(thread.id, thread);
  }

  /** `replaces`: the message that was told before at the same place of its thread. */
  message(message: Message, replaces?: Message): void {
    const { messages, marked } = this;
    const at = replaces === undefined ? -1 : messages.findLast(message.threadId, message.index);
    if (marked !== undefined && at >= 0 && at < marked.rows.messages) {
      const before = messages.get(at);
      if (before !== undefined) marked.messages.push({ row: at, before });
    }
    messages.set(at < 0 ? messages.rows : at, message);
  }

  /** A call with the thread and the number of an earlier one replaces it. */
  call(call: ModelCall): void {
    const { calls } = this;
    const at = calls.find(call.threadId, call.number);
    this.keepCall(at);
    calls.set(at < 0 ? calls.rows : at, call);
  }

  /** Notes what is known of a call that is about to be told again; its row, or -1. */
  keepCall(row: number): void {
    const { calls, marked } = this;
    if (marked === undefined || row < 0 || row >= marked.rows.calls) return;
    const before = calls.get(row);
    if (before !== undefined) marked.calls.push({ row, before });
  }

  /** Row `result.index`; a result that is there is replaced. */
  result(result: ToolResult): void {
    const { results, marked } = this;
    const row = result.index;
    if (marked !== undefined && row < marked.rows.results) marked.results.push({ row, before: results.get(row) });
    if (row >= results.rows) {
      results.set(row, result);
      return;
    }
    const path = results.columns.path.at(row);
    results.set(row, result);
    if (results.columns.path.at(row) !== path) this.repathed?.(row);
    this.changed?.(row);
  }

  /** A compaction took the result out of context. */
  left(row: number, by: LeftBy): void {
    const { exits, marked } = this;
    const { left } = this.results.columns;
    if (exits.at(-1) !== by) exits.push(by);
    if (marked !== undefined && row < marked.rows.results) marked.left.push({ row, before: left.at(row) });
    left.set(row, exits.length);
    this.changed?.(row);
  }

  /** The compaction that took the result out of context; undefined while it stands there. */
  leftBy(row: number): LeftBy | undefined {
    return this.exits[this.results.columns.left.at(row) - 1];
  }

  /** What is added from now on can be taken back. */
  mark(): void {
    const { results, calls, messages, compactions, problems, threads, header, ledger } = this;
    this.marked = {
      rows: { results: results.rows, calls: calls.rows, messages: messages.rows },
      compactions: compactions.length,
      problems: problems.length,
      threads: [...threads.values()],
      header,
      ledger,
      results: [],
      calls: [],
      messages: [],
      left: [],
    };
  }

  /** The table is again what it was when it was marked. */
  takeBack(): void {
    const { marked } = this;
    if (marked === undefined) return;
    this.marked = undefined;
    for (const { row, before } of marked.left.toReversed()) this.results.columns.left.set(row, before);
    for (const { row, before } of marked.messages.toReversed()) this.messages.set(row, before);
    for (const { row, before } of marked.calls.toReversed()) this.calls.set(row, before);
    for (const { row, before } of marked.results.toReversed()) {
      if (before === undefined) this.results.remove(row);
      else this.results.set(row, before);
    }
    this.results.truncate(marked.rows.results);
    this.calls.truncate(marked.rows.calls);
    this.messages.truncate(marked.rows.messages);
    this.compactions.length = marked.compactions;
    this.problems.length = marked.problems;
    this.threads = new Map(marked.threads.map((thread) => [thread.id, thread]));
    this.header = marked.header;
    this.ledger = marked.ledger;
    this.changed?.(undefined);
  }

  /** All of it as objects, for whoever needs them at once. An index that was skipped is a hole in `results`. */
  toIndex(): TranscriptIndex {
    const { header, ledger, problems, compactions } = this;
    const results: ToolResult[] = [];
    for (let row = 0; row < this.results.rows; row++) {
      const result = this.results.get(row);
      if (result !== undefined) results[row] = result;
    }
    const calls = Array.from({ length: this.calls.rows }, (_, row) => this.calls.get(row) ?? []).flat();
    const messages = Array.from({ length: this.messages.rows }, (_, row) => this.messages.get(row) ?? []).flat();
    return { header, threads: [...this.threads.values()], messages, calls, results, compactions, problems, ledger };
  }
}
