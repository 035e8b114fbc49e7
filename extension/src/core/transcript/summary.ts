import type { CompositionTotals, ThreadTotals, TranscriptTotals } from "../model/totals";
import type {
  CharUnit,
  Compaction,
  Message,
  ModelCall,
  ResultState,
  TextSize,
  Thread,
  ToolResult,
  TranscriptHeader,
  Usage,
} from "../model/transcript";
import type { TranscriptEvent } from "./events";
import * as row from "./rows/layout";
import { usageAt } from "./rows/layout";
import type { RowRun } from "./rows/rowFold";

export type { CompositionTotals, ThreadTotals, TranscriptTotals };

interface Counted {
  readonly chars: number;
  readonly keptOut: number;
  readonly notice: boolean;
  readonly kept: boolean;
  /** Number of compactions before it; a result from before the newest one is out of context. */
  readonly era: number;
}

const OUT_OF_CONTEXT = -1;

/** Results by their index, in a few bytes each. */
export class CountedResults {
  private chars = new Float64Array(256);
  /** 0: no such result; else these bits, and from bit 3 on the era and 1. */
  private marks = new Int32Array(256);
  /** Where it is not 0. */
  private readonly keptOut = new Map<number, number>();

  get(index: number): Counted | undefined {
    const mark = this.marks[index] ?? 0;
    if (mark === 0) return undefined;
    return {
      chars: this.chars[index] ?? 0,
      keptOut: this.keptOut.get(index) ?? 0,
      notice: (mark & MARK.notice) !== 0,
      kept: (mark & MARK.kept) !== 0,
      era: (mark >> 3) - 1,
    };
  }

  set(index: number, { chars, keptOut, notice, kept, era }: Counted): void {
    this.add(index, chars, era);
    if (notice) this.mark(index, MARK.notice);
    if (kept) this.mark(index, MARK.kept);
    if (keptOut !== 0) this.keptOut.set(index, keptOut);
    else this.keptOut.delete(index);
  }

  /** A result that is no notice. */
  add(index: number, chars: number, era: number): void {
    if (index >= this.marks.length) this.grow(index + 1);
    this.chars[index] = chars;
    this.marks[index] = MARK.there | ((era + 1) << 3);
  }

  private mark(index: number, bit: number): void {
    this.marks[index] = (this.marks[index] ?? 0) | bit;
  }

  private grow(least: number): void {
    const length = Math.max(least, this.marks.length * 2);
    const [chars, marks] = [new Float64Array(length), new Int32Array(length)];
    chars.set(this.chars);
    marks.set(this.marks);
    this.chars = chars;
    this.marks = marks;
  }
}

const MARK = { there: 1, notice: 2, kept: 4 } as const;

export class ThreadCount {
  calls = 0;
  messages = 0;
  era = 0;
  system = 0;
  user = 0;
  assistant = 0;
  inline = 0;
  notices = 0;
  /** Results that a compaction took out, and their characters. */
  resultsLeft = 0;
  charsLeft = 0;
  /** Results that stand in context. */
  private resultsIn = 0;
  /** Number of the newest call that states usage, 0 for none, and the tokens in its context. */
  newest = 0;
  context: number | null = null;

  constructor(public thread: Thread) {}

  get chars(): number {
    return this.system + this.user + this.assistant + this.inline + this.notices;
  }

  /** Takes a result into the sums, or out of them. */
  weighResult(counted: Counted, sign: 1 | -1): void {
    const chars = sign * counted.chars;
    if (counted.era !== this.era) {
      this.resultsLeft += sign;
      this.charsLeft += chars;
      return;
    }
    this.resultsIn += sign;
    if (counted.notice) this.notices += chars;
    else this.inline += chars;
  }

  /** Takes a result of the plainest kind into the sums. */
  addInline(chars: number): void {
    this.resultsIn++;
    this.inline += chars;
  }

  /** A call; what it states is in context, unless a newer one says otherwise. */
  called(number: number, usage: Usage | undefined): void {
    this.calls = Math.max(this.calls, number);
    if (usage === undefined || number < this.newest) return;
    this.newest = number;
    this.context = contextTokens(usage);
  }

  compact(): void {
    this.era++;
    this.resultsLeft += this.resultsIn;
    this.charsLeft += this.inline + this.notices;
    this.resultsIn = 0;
    this.user = 0;
    this.assistant = 0;
    this.inline = 0;
    this.notices = 0;
  }
}

/** Hears how a thread's context grew: characters in it, in the transcript's unit. */
export interface SummaryObserver {
  /** A call, also when it is told again; `chars` stood in context before its answer. */
  call(call: ModelCall, chars: number): void;
  compaction(compaction: Compaction, charsBefore: number, charsAfter: number): void;
}

/** Running totals over a transcript's events: the figures of the inspector's header, at any moment while it is read. */
export class Summary {
  constructor(private readonly observer?: SummaryObserver) {}

  private header: TranscriptHeader | undefined;
  private readonly threadCounts = new Map<string, ThreadCount>();
  private readonly counted = new CountedResults();
  private results = 0;
  private persisted = 0;
  private keptOut = 0;

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case "header":
          this.header = event.header;
          break;
        case "thread": {
          const known = this.threadCounts.get(event.thread.id);
          if (known === undefined) this.threadCounts.set(event.thread.id, new ThreadCount(event.thread));
          else known.thread = event.thread;
          break;
        }
        case "message": {
          const { message, replaces } = event;
          const count = this.threadCounts.get(message.threadId);
          if (count === undefined) break;
          if (replaces !== undefined) this.weigh(count, replaces, -1);
          else if (message.index >= 0) count.messages++;
          this.weigh(count, message, 1);
          break;
        }
        case "call": {
          const count = this.threadCounts.get(event.call.threadId);
          if (count === undefined) break;
          this.observer?.call(event.call, count.chars);
          count.called(event.call.number, event.call.usage);
          break;
        }
        case "result":
          this.result(event.result);
          break;
        case "compaction":
          this.compact(event);
          break;
        case "ledger":
        case "problem":
        case "progress":
          break;
      }
    }
  }

  /** Takes a message's own text into its thread's sums, or out of them. Results count by themselves. */
  private weigh(count: ThreadCount, message: Message, sign: 1 | -1): void {
    const chars = sign * this.length(message.size);
    if (message.role === "system") count.system += chars;
    else if (message.role === "user" || message.role === "other") count.user += chars;
    else if (message.role === "assistant") count.assistant += chars + sign * this.length(message.args);
  }

  private compact(compaction: Compaction): void {
    const count = this.threadCounts.get(compaction.threadId);
    if (count === undefined) return;
    const before = count.chars;
    this.leave(count, compaction);
    this.observer?.compaction(compaction, before, count.chars);
  }

  private leave(count: ThreadCount, compaction: Compaction): void {
    // What is in context now only the next call tells; a compaction that is told late says nothing about the present.
    if (compaction.atMessage >= count.messages) {
      count.newest = 0;
      count.context = null;
    }
    if (compaction.scope === "all") {
      count.compact();
      // System prompts stay, except those that are told to have left.
      for (const message of compaction.gone.messages) if (message.role === "system") this.weigh(count, message, -1);
      return;
    }
    for (const message of compaction.gone.messages) this.weigh(count, message, -1);
    for (const index of compaction.gone.results) {
      const counted = this.counted.get(index);
      if (counted === undefined || counted.era !== count.era) continue;
      this.apply(count, counted, -1);
      const gone = { ...counted, era: OUT_OF_CONTEXT };
      this.counted.set(index, gone);
      this.apply(count, gone, 1);
    }
  }

  private result(result: ToolResult): void {
    const count = this.threadCounts.get(result.threadId);
    const stated = result.persisted?.statedChars;
    if (count !== undefined) this.countResult(count, result.index, this.length(result.size), result.state, stated);
  }

  private countResult(
    count: ThreadCount,
    index: number,
    chars: number,
    state: ResultState,
    stated: number | undefined,
  ): void {
    const old = this.counted.get(index);
    if (old !== undefined) this.apply(count, old, -1);
    const kept = state === "persisted" || state === "handle";
    const next: Counted = {
      chars,
      keptOut: kept && stated !== undefined ? Math.max(0, stated - chars) : 0,
      notice: kept || state === "truncated",
      kept,
      era: old?.era ?? count.era,
    };
    this.counted.set(index, next);
    this.apply(count, next, 1);
  }

  /** What `add` does for the events of a run of rows; makes nothing of most of them. For a summary without observer. */
  rows({ piece, from, to, books, notices }: RowRun): void {
    const { rows } = piece;
    const { counted } = this;
    const fours = this.header?.unit === "utf16" ? 1 : 0;
    let thread = -1;
    let count: ThreadCount | undefined;
    for (let at = from; at < to; at += row.rowWords(rows, at)) {
      const head = rows[at] ?? 0;
      const kind = head & row.KIND;
      if (kind !== row.USER && kind !== row.ASSISTANT) continue;
      const number = rows[at + 41] ?? 0;
      if (number !== thread) {
        thread = number;
        count = this.threadCounts.get(books.threads[number]?.id ?? "");
      }
      if (count === undefined) continue;
      count.messages++;
      const results = rows[at + 38] ?? 0;
      const chars = (rows[at + 25] ?? 0) - (rows[at + 26] ?? 0) + fours * (rows[at + 27] ?? 0);
      if (kind === row.ASSISTANT) {
        if ((head & (row.NEW_CALL | row.GROWN)) !== 0) count.called(rows[at + 28] ?? 0, usageAt(rows, at));
        count.assistant += chars + (rows[at + 31] ?? 0) - (rows[at + 32] ?? 0) + fours * (rows[at + 33] ?? 0);
      } else if (results === 0 || !row.isOnlyResults(rows, at)) count.user += chars;
      for (let i = 0, block = at + row.HEAD_WORDS; i < results; i++, block += row.BLOCK_WORDS) {
        const length = (rows[block + 5] ?? 0) - (rows[block + 6] ?? 0) + fours * (rows[block + 7] ?? 0);
        const notice = notices.size === 0 ? undefined : notices.get(block);
        const index = rows[block + 8] ?? 0;
        if (notice !== undefined) {
          this.countResult(count, index, length, notice.state, notice.persisted?.statedChars);
          continue;
        }
        counted.add(index, length, count.era);
        this.results++;
        count.addInline(length);
      }
    }
  }

  private apply(count: ThreadCount, counted: Counted, sign: 1 | -1): void {
    this.results += sign;
    if (counted.kept) this.persisted += sign;
    this.keptOut += sign * counted.keptOut;
    count.weighResult(counted, sign);
  }

  private length(size: TextSize): number {
    const unit: CharUnit = this.header?.unit ?? "codePoints";
    return unit === "utf16" ? size.utf16 : size.codePoints;
  }

  /** The header as told so far; undefined until the file is known to be a transcript. */
  get transcript(): TranscriptHeader | undefined {
    return this.header;
  }

  threads(): readonly ThreadTotals[] {
    return [...this.threadCounts.values()].map(({ thread, calls, messages }) => {
      const { id, title, kind } = thread;
      return { id, title, kind, calls, messages };
    });
  }

  totals(): TranscriptTotals {
    const all = [...this.threadCounts.values()];
    const mains = all.filter((count) => count.thread.kind === "main");
    const shown = mains.length > 0 ? mains : all.slice(0, 1);
    const sum = (of: readonly ThreadCount[], pick: (count: ThreadCount) => number) =>
      of.reduce((total, count) => total + pick(count), 0);
    const composition: CompositionTotals = {
      system: sum(shown, (count) => count.system),
      user: sum(shown, (count) => count.user),
      assistant: sum(shown, (count) => count.assistant),
      inlineResults: sum(shown, (count) => count.inline),
      persistedPreviews: sum(shown, (count) => count.notices),
    };
    const { system, user, assistant, inlineResults, persistedPreviews } = composition;
    const newest = shown.findLast((count) => count.newest > 0);
    return {
      calls: sum(all, (count) => count.calls),
      messages: sum(all, (count) => count.messages),
      results: this.results,
      persisted: this.persisted,
      chars: system + user + assistant + inlineResults + persistedPreviews,
      charsKeptOut: this.keptOut,
      composition,
      resultsLeft: sum(shown, (count) => count.resultsLeft),
      charsLeft: sum(shown, (count) => count.charsLeft),
      measuredTokens: newest?.context ?? null,
    };
  }
}

/** Tokens in context of a call by its usage; undefined parts count nothing, but a call that states none of them is unknown. */
function contextTokens(usage: Usage): number | null {
  const { input, cacheRead, cacheWrite } = usage;
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return null;
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}
