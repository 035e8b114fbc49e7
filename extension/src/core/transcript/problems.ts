import type { Problem, Severity } from "../model/problem";
import type { RecordPlace } from "../model/transcript";

/** Problems of one code that are listed singly; the rest is one sentence with their number. */
const LISTED_PER_CODE = 100;
/** Different names (record types, block types) that one summary sentence spells out. */
const NAMED = 8;

interface Tally {
  readonly severity: Severity;
  readonly place: RecordPlace;
  /** The sentence for one, and for many with stand-ins for count and names: text, so that what is known can be stored. */
  readonly one: string;
  readonly many: string;
  readonly names: Map<string, number>;
  count: number;
}

/** Stand-ins in a sentence; no count is as large, and no name holds the other. */
const SOME_COUNT = 9_007_199_254_740_991;
const SOME_NAMES = "\u0000names";

/** Hears problems. */
export interface ProblemSink {
  problem(problem: Problem): void;
}

/** Collects problems so that each kind is said, none floods the list, and every count is right. */
export class ProblemLog {
  private readonly listed = new Map<string, { count: number; last: Problem }>();
  private readonly tallies = new Map<string, Tally>();

  constructor(private readonly sink: ProblemSink) {}

  /** A problem of its own, with its place. */
  add(problem: Problem): void {
    const seen = this.listed.get(problem.code);
    if (seen === undefined) this.listed.set(problem.code, { count: 1, last: problem });
    else {
      seen.count++;
      seen.last = problem;
      if (seen.count > LISTED_PER_CODE) return;
    }
    this.sink.problem(problem);
  }

  /** One of many alike: said once, at the first place, with the count (and the names, if any) when the file is read. */
  tally(
    code: string,
    severity: Severity,
    place: RecordPlace,
    say: (count: number, names: string) => string,
    name?: string,
  ): void {
    let entry = this.tallies.get(code);
    if (entry === undefined) {
      const one = say(1, SOME_NAMES);
      entry = { severity, place, one, many: say(SOME_COUNT, SOME_NAMES), names: new Map(), count: 0 };
      this.tallies.set(code, entry);
    }
    entry.count++;
    if (name === undefined) return;
    const short = name.length > 60 ? `${name.slice(0, 60)}…` : name;
    const known = entry.names.get(short);
    if (known !== undefined || entry.names.size < 1000) entry.names.set(short, (known ?? 0) + 1);
  }

  /** What was only counted, as problems of its own. */
  counted(): readonly Problem[] {
    const problems: Problem[] = [];
    for (const [code, { count, last }] of this.listed) {
      if (count <= LISTED_PER_CODE) continue;
      const more = count - LISTED_PER_CODE;
      problems.push({ ...last, code, message: `${more} more like this, up to here: ${last.message}` });
    }
    for (const [code, { severity, place, one, many, names, count }] of this.tallies) {
      const most = [...names].sort((a, b) => b[1] - a[1]);
      const spelled = most.slice(0, NAMED).map(([name, times]) => (times === 1 ? name : `${name} (${times}×)`));
      if (most.length > NAMED) spelled.push(`${most.length - NAMED} more`);
      const text = count === 1 ? one : many.replaceAll(String(SOME_COUNT), () => String(count));
      const message = text.replaceAll(SOME_NAMES, () => spelled.join(", "));
      problems.push({ code, severity, message, at: place });
    }
    return problems;
  }
}

/** `1 record`, `2 records`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
