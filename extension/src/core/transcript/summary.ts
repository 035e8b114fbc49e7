import type { CompositionTotals, ThreadTotals, TranscriptTotals } from "../model/totals";
import type {
  CharUnit,
  Compaction,
  Message,
  ModelCall,
  TextSize,
  Thread,
  ToolResult,
  TranscriptHeader,
} from "../model/transcript";
import type { TranscriptEvent } from "./events";

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
  usage: ModelCall | undefined;

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
  private readonly counted: (Counted | undefined)[] = [];
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
          count.calls = Math.max(count.calls, event.call.number);
          this.observer?.call(event.call, count.chars);
          const newest = count.usage?.number ?? 0;
          if (event.call.usage !== undefined && event.call.number >= newest) count.usage = event.call;
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
    if (compaction.atMessage >= count.messages) count.usage = undefined;
    if (compaction.scope === "all") {
      count.compact();
      // System prompts stay, except those that are told to have left.
      for (const message of compaction.gone.messages) if (message.role === "system") this.weigh(count, message, -1);
      return;
    }
    for (const message of compaction.gone.messages) this.weigh(count, message, -1);
    for (const index of compaction.gone.results) {
      const counted = this.counted[index];
      if (counted === undefined || counted.era !== count.era) continue;
      this.apply(count, counted, -1);
      const gone = { ...counted, era: OUT_OF_CONTEXT };
      this.counted[index] = gone;
      this.apply(count, gone, 1);
    }
  }

  private result(result: ToolResult): void {
    const count = this.threadCounts.get(result.threadId);
    if (count === undefined) return;
    const old = this.counted[result.index];
    if (old !== undefined) this.apply(count, old, -1);
    const chars = this.length(result.size);
    const kept = result.state === "persisted" || result.state === "handle";
    const stated = result.persisted?.statedChars;
    const next: Counted = {
      chars,
      keptOut: kept && stated !== undefined ? Math.max(0, stated - chars) : 0,
      notice: kept || result.state === "truncated",
      kept,
      era: old?.era ?? count.era,
    };
    this.counted[result.index] = next;
    this.apply(count, next, 1);
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
    const newest = shown.map((count) => count.usage).findLast((usage) => usage !== undefined);
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
      measuredTokens: contextTokens(newest),
    };
  }
}

/** Tokens in context of one call; undefined parts count nothing, but a call that states none of them is unknown. */
function contextTokens(call: ModelCall | undefined): number | null {
  const usage = call?.usage;
  if (usage === undefined) return null;
  const { input, cacheRead, cacheWrite } = usage;
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return null;
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}
