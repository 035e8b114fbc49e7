import type { Message, RecordPlace } from "../../model/transcript";
import { type ProblemLog, plural } from "../problems";

/**
 * Newest messages since the last compaction that a rewind can take out. A context window of a million tokens holds a tenth
 * of them; of a longer stretch only these leave.
 */
export const KEPT = 10_000;

export interface PathEntry {
  /** Number of its record among those of the file. */
  readonly order: number;
  /** Time of the record as written, in ISO form: texts of the same form compare like the times. */
  readonly at: string;
  readonly message: Message;
  /** Index of its first result, and how many follow one another from there. */
  readonly firstResult: number;
  readonly results: number;
}

export interface LeavingParts {
  readonly messages: readonly Message[];
  /** Indexes of results. */
  readonly results: readonly number[];
}

/** What a reader asks of a session's path. */
export type Path = Pick<LivePath, "add" | "continueAt" | "compact" | "goesOn">;

/** The messages on a session's live path, as the records tell it that name the record before them. */
export class LivePath {
  private entries: PathEntry[] = [];
  private complete = true;
  /** Half-open ranges of records that lie on branches that were left. */
  private readonly branches: { readonly from: number; readonly to: number }[] = [];

  get size(): number {
    return this.entries.length;
  }

  /** Number of the newest record that holds more than results; 0 when there is none. */
  get newestSaid(): number {
    return this.entries.findLast(({ message }) => message.role !== "tool")?.order ?? 0;
  }

  /** No record from this number on lies on a branch that was left. */
  get branchesEnd(): number {
    return this.branches.reduce((end, { to }) => Math.max(end, to), 0);
  }

  /** A record that follows on the one with this number certainly takes nothing out of context. */
  goesOn(parent: number): boolean {
    return parent >= this.newestSaid && parent >= this.branchesEnd;
  }

  /** The messages before this are no longer known. */
  forget(): void {
    this.entries = [];
    this.complete = false;
  }

  add(entry: PathEntry): void {
    this.entries.push(entry);
    if (this.entries.length <= 2 * KEPT) return;
    this.entries = this.entries.slice(-KEPT);
    this.complete = false;
  }

  /**
   * A record that no tool result is in (number `order`) follows on the record `parent`. What leaves is what was written
   * behind that one and is not older. Nothing leaves when it is the newest; when only results stand behind it (those of
   * parallel calls branch off from their calls); and when something behind it is newer than the record, for then the lines
   * are out of order. "left": the parent lies on a branch that was left before.
   */
  continueAt(parent: number, order: number, at: string): LeavingParts | "left" | undefined {
    if (this.branches.some(({ from, to }) => parent >= from && parent < to)) return "left";
    const { entries } = this;
    if ((entries.at(-1)?.order ?? 0) <= parent) return undefined;
    const newest = entries.findLastIndex((entry) => entry.order <= parent);
    const since = entries[newest]?.at ?? "";
    const isBehind = (entry: PathEntry, i: number): boolean => i > newest && entry.at >= since;
    const answered = entries.findIndex((entry, i) => isBehind(entry, i) && entry.message.role !== "tool");
    if (answered < 0) return undefined;
    const gone = entries.filter((entry, i) => i >= answered && isBehind(entry, i));
    if (gone.some((entry) => entry.at > at)) return undefined;
    this.entries = entries.filter((entry, i) => i < answered || !isBehind(entry, i));
    this.branches.push({ from: gone[0]?.order ?? order, to: order });
    return partsOf(gone);
  }

  /**
   * A compaction: what leaves when the records `preserved` (by number) stay; undefined: everything. What stays stands
   * before what follows.
   */
  compact(preserved: (order: number) => boolean): LeavingParts | undefined {
    const { entries, complete } = this;
    this.entries = complete ? entries.filter(({ order }) => preserved(order)) : [];
    this.complete = true;
    if (this.entries.length === 0) return undefined;
    return partsOf(entries.filter(({ order }) => !preserved(order)));
  }
}

function partsOf(entries: readonly PathEntry[]): LeavingParts {
  return {
    messages: entries.map(({ message }) => message),
    results: entries.flatMap(({ firstResult, results }) => Array.from({ length: results }, (_, i) => firstResult + i)),
  };
}

/** A record goes on with a branch that was left: what left the context is not brought back. */
export function branchResumed(problems: ProblemLog, place: RecordPlace): void {
  problems.tally(
    "branch-resumed",
    "info",
    place,
    (count) =>
      `${plural(count, "record")} that go on with a branch that was left before (a rewind was taken back, or two programs wrote this session at once). Texts of that branch are not in the totals.`,
  );
}
