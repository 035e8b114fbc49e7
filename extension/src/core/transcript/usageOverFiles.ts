import type { ModelCall, RecordPlace, Usage } from "../model/transcript";
import { LEDGER_PLACES } from "../model/usageLedger";
import type { TranscriptEvent } from "./events";
import type { UsageTotals } from "./timeline";

/** Calls of a file that are copies of those in another one that was read before it. */
export interface CopiedCalls {
  readonly of: string;
  readonly count: number;
  /** Where the first of them stand, at most `LEDGER_PLACES`. */
  readonly places: readonly RecordPlace[];
}

export interface FileShare {
  readonly file: string;
  readonly calls: number;
  /** By the file that they are copies of, in the order met. */
  readonly copies: readonly CopiedCalls[];
}

/** Usage over several transcripts, in which each request to a model counts once. */
export interface UsageOverFiles {
  /** Requests, copies left out. */
  readonly calls: number;
  readonly copies: number;
  /** `calls` = those that state usage; undefined when none does. */
  readonly usage: UsageTotals | undefined;
  /** In the order read. */
  readonly files: readonly FileShare[];
}

const PARTS = ["input", "cacheRead", "cacheWrite", "output"] as const;

interface Told {
  readonly call: ModelCall;
  readonly identity: number | undefined;
}

interface Counted {
  file: string;
  usage: Usage | undefined;
}

/**
 * Adds up the usage of transcripts that are read one after another. A request that stands in several of them (a resumed or
 * forked session begins with its history) counts where it stood first, with the largest figures that any copy states.
 */
export class UsageSum {
  private readonly known = new Map<number, Counted>();
  private readonly files: FileShare[] = [];
  private readonly sums: Partial<Record<(typeof PARTS)[number], number>> = {};
  private calls = 0;
  private copies = 0;
  private stated = 0;
  private told = new Map<string, Told>();

  /** Events of the file at hand. */
  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      if (event.kind !== "call") continue;
      const { call, identity } = event;
      this.told.set(`${call.number} ${call.threadId}`, { call, identity });
    }
  }

  /** The file at hand has been read; what is added from here on belongs to the next one. */
  end(file: string): void {
    const copies = new Map<string, { of: string; count: number; places: RecordPlace[] }>();
    for (const { call, identity } of this.told.values()) {
      const first = identity === undefined ? undefined : this.known.get(identity);
      if (first === undefined) {
        this.calls++;
        this.count(undefined, call.usage);
        if (identity !== undefined) this.known.set(identity, { file, usage: call.usage });
        continue;
      }
      this.copies++;
      first.usage = this.count(first.usage, call.usage);
      let tally = copies.get(first.file);
      if (tally === undefined) {
        tally = { of: first.file, count: 0, places: [] };
        copies.set(first.file, tally);
      }
      tally.count++;
      if (tally.places.length < LEDGER_PLACES) tally.places.push(call.place);
    }
    this.files.push({ file, calls: this.told.size, copies: [...copies.values()] });
    this.told = new Map();
  }

  total(): UsageOverFiles {
    const { calls, copies, stated, files, sums } = this;
    const { input, cacheRead, cacheWrite, output } = sums;
    const usage = stated === 0 ? undefined : { calls: stated, input, cacheRead, cacheWrite, output };
    return { calls, copies, usage, files: [...files] };
  }

  /** Adds what a record states beyond what is counted already; the larger of both. */
  private count(known: Usage | undefined, more: Usage | undefined): Usage | undefined {
    if (more === undefined) return known;
    if (known === undefined) this.stated++;
    const usage: { -readonly [part in keyof Usage]: Usage[part] } = {
      input: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
      output: undefined,
    };
    for (const part of PARTS) {
      const [old, now] = [known?.[part], more[part]];
      usage[part] = old === undefined || now === undefined ? (old ?? now) : Math.max(old, now);
      const value = usage[part];
      if (value !== undefined) this.sums[part] = (this.sums[part] ?? 0) + value - (old ?? 0);
    }
    return usage;
  }
}
