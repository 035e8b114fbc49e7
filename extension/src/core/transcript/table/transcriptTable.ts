import type { Problem } from "../../model/problem";
import type { Compaction, Message, ModelCall, Thread, ToolResult, TranscriptHeader } from "../../model/transcript";
import type { UsageLedger } from "../../model/usageLedger";
import type { TranscriptEvent, TranscriptIndex } from "../events";
import { CallRows } from "./callRows";
import { MessageRows } from "./messageRows";
import { ResultRows, type SharedTexts, sharedTexts } from "./resultRows";

/**
 * A transcript's index in columns: about 120 bytes per result and 60 per call or message, and no bodies. What a reader tells is
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

  constructor(shared = sharedTexts()) {
    this.shared = shared;
    this.results = new ResultRows(shared);
    this.calls = new CallRows(shared);
    this.messages = new MessageRows(shared);
  }

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "header":
          this.header = event.header;
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
          this.problems.push(event.problem);
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

  thread(thread: Thread): void {
    this.threads.set(thread.id, thread);
  }

  /** `replaces`: the message that was told before at the same place of its thread. */
  message(message: Message, replaces?: Message): void {
    const { messages } = this;
    const at = replaces === undefined ? -1 : messages.findLast(message.threadId, message.index);
    messages.set(at < 0 ? messages.rows : at, message);
  }

  /** A call with the thread and the number of an earlier one replaces it. */
  call(call: ModelCall): void {
    const { calls } = this;
    const at = calls.find(call.threadId, call.number);
    calls.set(at < 0 ? calls.rows : at, call);
  }

  /** Row `result.index`; a result that is there is replaced. */
  result(result: ToolResult): void {
    this.results.set(result.index, result);
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
