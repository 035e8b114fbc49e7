import type { CompositionTotals, Figures, ThreadTotals, TranscriptTotals } from "../model/totals";
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
import type { RowBooks } from "./rows/rowBooks";
import type { RowTotals } from "./rows/rowFold";

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
    if (index >= this.marks.length) this.grow(index + 1);
    this.chars[index] = chars;
    this.marks[index] = MARK.there | (notice ? MARK.notice : 0) | (kept ? MARK.kept : 0) | ((era + 1) << 3);
    if (keptOut !== 0) this.keptOut.set(index, keptOut);
    else this.keptOut.delete(index);
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
  /** Results that were told, those of them in state persisted or handle, and what these kept out. */
  results = 0;
  persisted = 0;
  keptOut = 0;
  /** Results that a compaction took out, and their characters. */
  resultsLeft = 0;
  charsLeft = 0;
  /** Results that stand in context. */
  private resultsIn = 0;
  /** Of each compaction, how many results of the transcript were told before it. */
  private readonly eras: number[] = [];
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
    this.results += sign;
    if (counted.kept) this.persisted += sign;
    this.keptOut += sign * counted.keptOut;
    if (counted.era !== this.era) {
      this.resultsLeft += sign;
      this.charsLeft += chars;
      return;
    }
    this.resultsIn += sign;
    if (counted.notice) this.notices += chars;
    else this.inline += chars;
  }

  /** Takes results into the sums that stand in context: characters and number of those that are whole, and of notices with what they kept out. */
  addResults(inline: number, whole: number, noticed: number, notices: number, keptOut: number): void {
    this.results += whole + notices;
    this.persisted += notices;
    this.keptOut += keptOut;
    this.resultsIn += whole + notices;
    this.inline += inline;
    this.notices += noticed;
  }

  /** The era in which a result was told. */
  eraOf(index: number): number {
    let era = this.eras.length;
    while (era > 0 && index < (this.eras[era - 1] ?? 0)) era--;
    return era;
  }

  /** A call; what it states is in context, unless a newer one says otherwise. */
  called(number: number, usage: Usage | undefined): void {
    this.calls = Math.max(this.calls, number);
    if (usage === undefined || number < this.newest) return;
    this.newest = number;
    this.context = contextTokens(usage);
  }

  /** `told`: results of the transcript that were told before it. */
  compact(told: number): void {
    this.era++;
    this.eras.push(told);
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
  /** Index behind the newest result that was told. */
  private told = 0;
  /** Where the results of rows are known. */
  private books: RowBooks | undefined;

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
      count.compact(this.told);
      // System prompts stay, except those that are told to have left.
      for (const message of compaction.gone.messages) if (message.role === "system") this.weigh(count, message, -1);
      return;
    }
    for (const message of compaction.gone.messages) this.weigh(count, message, -1);
    for (const index of compaction.gone.results) {
      const counted = this.countedOf(count, index);
      if (counted === undefined || counted.era !== count.era) continue;
      count.weighResult(counted, -1);
      const gone = { ...counted, era: OUT_OF_CONTEXT };
      this.counted.set(index, gone);
      count.weighResult(gone, 1);
    }
  }

  /** A result that is told, first or again. */
  result(result: Pick<ToolResult, "index" | "threadId" | "size" | "state" | "persisted">): void {
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
    const old = this.countedOf(count, index);
    if (old !== undefined) count.weighResult(old, -1);
    const kept = state === "persisted" || state === "handle";
    const next: Counted = {
      chars,
      keptOut: kept && stated !== undefined ? Math.max(0, stated - chars) : 0,
      notice: kept || state === "truncated",
      kept,
      era: old?.era ?? count.era,
    };
    this.counted.set(index, next);
    count.weighResult(next, 1);
    this.told = Math.max(this.told, index + 1);
  }

  private countedOf(count: ThreadCount, index: number): Counted | undefined {
    const counted = this.counted.get(index);
    const text = counted === undefined ? this.books?.textOf(index) : undefined;
    if (text === undefined) return counted;
    const chars = this.header?.unit === "utf16" ? text.utf16 : text.codePoints;
    const notice = this.books?.written(index);
    const keptOut = Math.max(0, (notice?.persisted?.statedChars ?? 0) - chars);
    // A compaction may name a result of another thread.
    const era = (this.threadCounts.get(text.threadId) ?? count).eraOf(index);
    return { chars, keptOut, notice: notice !== undefined, kept: notice !== undefined, era };
  }

  /** Results of rows that are told one by one are known there. */
  lookUp(books: RowBooks): void {
    this.books = books;
  }

  /** Counts of a thread, for messages and calls of rows. */
  countOf(thread: string): ThreadCount | undefined {
    return this.threadCounts.get(thread);
  }

  /** A result of a row that is no notice, or the usual one. `chars`: in the transcript's unit; `stated`: undefined for no notice. */
  rowResult(count: ThreadCount | undefined, index: number, chars: number, stated: number | undefined): void {
    this.told = index + 1;
    if (count === undefined) return;
    if (stated === undefined) count.addResults(chars, 1, 0, 0, 0);
    else count.addResults(0, 0, chars, 1, Math.max(0, stated - chars));
  }

  /** What `add` does for the events of rows. For a summary without observer. */
  rows({ books, threads, notices }: RowTotals): void {
    this.books = books;
    for (const sums of threads) {
      const { messages, calls, newest, user, assistant, inlineResults, writtenResults, keptOut } = sums;
      const count = this.threadCounts.get(sums.thread);
      if (count === undefined) continue;
      count.messages += messages;
      count.called(calls, undefined);
      if (newest !== undefined) count.called(newest.number, newest.usage);
      count.user += this.length(user);
      count.assistant += this.length(assistant);
      count.addResults(this.length(sums.inline), inlineResults, this.length(sums.written), writtenResults, keptOut);
    }
    for (const { index, threadId, size, state, persisted } of notices) {
      const count = this.threadCounts.get(threadId);
      if (count !== undefined) this.countResult(count, index, this.length(size), state, persisted?.statedChars);
    }
    this.told = books.results;
  }

  /** Characters in the transcript's unit. */
  length(size: TextSize): number {
    const unit: CharUnit = this.header?.unit ?? "codePoints";
    return unit === "utf16" ? size.utf16 : size.codePoints;
  }

  /** The header as told so far; undefined until the file is known to be a transcript. */
  get transcript(): TranscriptHeader | undefined {
    return this.header;
  }

  threads(): readonly ThreadTotals[] {
    return [...this.threadCounts.values()].map((count) => {
      const { id, title, kind, model } = count.thread;
      return { id, title, kind, model: model ?? null, ...figuresOf([count], [count]) };
    });
  }

  totals(): TranscriptTotals {
    const all = [...this.threadCounts.values()];
    const mains = all.filter((count) => count.thread.kind === "main");
    return figuresOf(all, mains.length > 0 ? mains : all.slice(0, 1));
  }
}

/** `shown`: those whose contexts are meant. */
function figuresOf(all: readonly ThreadCount[], shown: readonly ThreadCount[]): Figures {
  const sum = (of: readonly ThreadCount[], pick: (count: ThreadCount) => number) =>
    of.reduce((total, count) => total + pick(count), 0);
  const composition: CompositionTotals = {
    system: sum(shown, (count) => count.system),
    user: sum(shown, (count) => count.user),
    assistant: sum(shown, (count) => count.assistant),
    inlineResults: sum(shown, (count) => count.inline),
    persistedPreviews: sum(shown, (count) => count.notices),
  };
  const newest = shown.findLast((count) => count.newest > 0);
  return {
    calls: sum(all, (count) => count.calls),
    messages: sum(all, (count) => count.messages),
    results: sum(all, (count) => count.results),
    persisted: sum(all, (count) => count.persisted),
    chars: sum(shown, (count) => count.chars),
    charsKeptOut: sum(all, (count) => count.keptOut),
    composition,
    resultsLeft: sum(shown, (count) => count.resultsLeft),
    charsLeft: sum(shown, (count) => count.charsLeft),
    measuredTokens: newest?.context ?? null,
  };
}

/** Tokens in context of a call by its usage; undefined parts count nothing, but a call that states none of them is unknown. */
function contextTokens(usage: Usage): number | null {
  const { input, cacheRead, cacheWrite } = usage;
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return null;
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}
