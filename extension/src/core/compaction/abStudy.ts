import type { LoggedCall, LoggedTool } from "./agentLog";
import type { ResultFacts } from "./facts";
import { ITEM, measuredInput, ROLES, type SimThread } from "./simThread";

/** One request of a study. Tokens; undefined = not stated. */
export interface StudyCall {
  readonly input: number | undefined;
  readonly cached: number;
  /** Position in `AbStudy.segments`. */
  readonly segment: number;
}

/** How a result found the request that first carried it. */
export type Attribution = "known" | "run" | "next" | "none";

export interface StudyResult {
  readonly tool: string;
  /** Length before any persistence, code points. */
  readonly chars: number;
  readonly by: Attribution;
  /** Position in `AbStudy.calls`; undefined where no request carried it. */
  readonly firstCall: number | undefined;
}

/** Requests and tool results with what carried what: all that the comparison of thresholds needs. */
export interface AbStudy {
  /** In the order of their times; those of one segment ascend. */
  readonly calls: readonly StudyCall[];
  readonly segments: readonly { readonly thread: string | undefined; readonly calls: readonly number[] }[];
  readonly results: readonly StudyResult[];
  /** Requests of background work, which belong to no turn and are left out. */
  readonly leftOut: number;
}

/** A tool result of a source that does not know which request carried it. */
export interface LooseResult {
  readonly tool: string;
  readonly chars: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string | undefined;
  /** Session, where a join gives it. */
  readonly thread: string | undefined;
}

export interface StudyOptions {
  /** Both ends belong to the study; milliseconds since the epoch, null = open. */
  readonly since: number | null;
  readonly until: number | null;
  /**
   * True (the default): a segment also ends where the log opens a turn, and requests outside any turn are left out. False:
   * only the counter counts, as in the study of PR #86171.
   */
  readonly useTurns?: boolean;
}

/**
 * A study from logged calls and loose results. Threads split into segments wherever the counter of calls returns to 1. A
 * result goes (i) with its run: all results of one run id go to the segment whose interval alone holds their median time;
 * (ii) otherwise to the nearest next request. Within its segment the next request carries it first.
 */
export function studyFromLog(
  logged: readonly LoggedCall[],
  loose: readonly LooseResult[],
  options: StudyOptions,
): AbStudy {
  const { since, until, useTurns = true } = options;
  const within = (at: number): boolean => (since === null || at >= since) && (until === null || at <= until);
  const inBounds = logged.filter((call) => within(call.at)).sort((a, b) => a.at - b.at || a.number - b.number);
  const kept = useTurns ? inBounds.filter((call) => !call.outsideTurn) : inBounds;
  const segments = splitSegments(kept, useTurns);
  const segmentOf = new Int32Array(kept.length);
  for (const [segment, { calls }] of segments.entries()) for (const call of calls) segmentOf[call] = segment;
  const results = loose.filter((result) => within(result.at)).sort((a, b) => a.at - b.at);
  const runs = attributeRuns(results, segments, kept);
  const carriers = new Carriers(kept);
  return {
    calls: kept.map(({ input, cached }, call) => ({ input, cached, segment: segmentOf[call] ?? 0 })),
    segments,
    results: results.map((result): StudyResult => {
      const { tool, chars } = result;
      const segment = result.runId === undefined ? undefined : runs.get(result.runId);
      if (segment !== undefined)
        return { tool, chars, by: "run", firstCall: nextCall(result, segments[segment]?.calls ?? [], kept) };
      const firstCall = nextCall(result, carriers.of(result.thread), kept);
      return { tool, chars, by: firstCall === undefined ? "none" : "next", firstCall };
    }),
    leftOut: inBounds.length - kept.length,
  };
}

/** Clocks of the log and of a database may differ by so much for one and the same result. Milliseconds. */
const SAME_RESULT_MS = 2000;

/**
 * Results with their lengths before persistence, as far as the log tells them: the nearest finished tool of the same name
 * and session, each once. Failed tools are logged without a length; theirs stays.
 */
export function withLoggedSizes(loose: readonly LooseResult[], tools: readonly LoggedTool[]): readonly LooseResult[] {
  const byTool = new Map<string, LoggedTool[]>();
  for (const tool of [...tools].sort((a, b) => a.at - b.at)) {
    const own = byTool.get(tool.tool);
    if (own === undefined) byTool.set(tool.tool, [tool]);
    else own.push(tool);
  }
  const used = new Set<LoggedTool>();
  const starts = new Map<string, number>();
  const sized = new Map<LooseResult, number>();
  for (const result of [...loose].sort((a, b) => a.at - b.at)) {
    const own = byTool.get(result.tool) ?? [];
    let start = starts.get(result.tool) ?? 0;
    while (start < own.length && (own[start]?.at ?? 0) < result.at - SAME_RESULT_MS) start++;
    starts.set(result.tool, start);
    let best: LoggedTool | undefined;
    for (let i = start; i < own.length; i++) {
      const tool = own[i];
      if (tool === undefined || tool.at > result.at + SAME_RESULT_MS) break;
      const other = result.thread !== undefined && tool.thread !== undefined && result.thread !== tool.thread;
      if (used.has(tool) || other) continue;
      if (best === undefined || Math.abs(tool.at - result.at) < Math.abs(best.at - result.at)) best = tool;
    }
    if (best === undefined) continue;
    used.add(best);
    sized.set(result, best.chars);
  }
  return loose.map((result) => ({ ...result, chars: sized.get(result) ?? result.chars }));
}

interface Segment {
  readonly thread: string | undefined;
  readonly calls: number[];
}

function splitSegments(calls: readonly LoggedCall[], useTurns: boolean): readonly Segment[] {
  const segments: Segment[] = [];
  const open = new Map<string | undefined, { readonly segment: Segment; readonly turn: number }>();
  for (const [position, call] of calls.entries()) {
    const known = open.get(call.thread);
    const goesOn = known !== undefined && call.number !== 1 && (!useTurns || known.turn === call.turn);
    const segment = goesOn ? known.segment : { thread: call.thread, calls: [] };
    if (!goesOn) segments.push(segment);
    segment.calls.push(position);
    open.set(call.thread, { segment, turn: call.turn });
  }
  return segments;
}

/** Segment of each run id whose median time lies in exactly one segment's interval, ends included. */
function attributeRuns(
  results: readonly LooseResult[],
  segments: readonly Segment[],
  calls: readonly LoggedCall[],
): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>();
  for (const { at, runId } of results) {
    if (runId === undefined) continue;
    const own = times.get(runId);
    if (own === undefined) times.set(runId, [at]);
    else own.push(at);
  }
  const intervals = segments.map(({ calls: own }) => {
    const first = calls[own[0] ?? -1];
    const last = calls[own.at(-1) ?? -1];
    return { from: (first?.at ?? 0) - (first?.latencyMs ?? 0), to: last?.at ?? 0 };
  });
  const found = new Map<string, number>();
  for (const [runId, own] of times) {
    const median = medianOf(own);
    const inside = intervals.flatMap(({ from, to }, segment) => (median >= from && median <= to ? [segment] : []));
    const only = inside.length === 1 ? inside[0] : undefined;
    if (only !== undefined) found.set(runId, only);
  }
  return found;
}

/** Times are sorted. */
function medianOf(times: readonly number[]): number {
  const middle = times.length >> 1;
  const upper = times[middle] ?? 0;
  return times.length % 2 === 1 ? upper : ((times[middle - 1] ?? 0) + upper) / 2;
}

/** Requests that may carry a result: one of a known session is not carried by another one's requests. */
class Carriers {
  private readonly all: readonly number[];
  private readonly byThread = new Map<string, readonly number[]>();

  constructor(private readonly calls: readonly LoggedCall[]) {
    this.all = calls.map((_, position) => position);
  }

  /** Positions of requests, ascending. */
  of(thread: string | undefined): readonly number[] {
    if (thread === undefined) return this.all;
    let own = this.byThread.get(thread);
    if (own === undefined) {
      own = this.all.filter((position) => {
        const other = this.calls[position]?.thread;
        return other === undefined || other === thread;
      });
      this.byThread.set(thread, own);
    }
    return own;
  }
}

/** The first of some ascending calls that was answered after the result was there. */
function nextCall(result: LooseResult, own: readonly number[], calls: readonly LoggedCall[]): number | undefined {
  let low = 0;
  let high = own.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[own[middle] ?? 0]?.at ?? 0) > result.at) high = middle;
    else low = middle + 1;
  }
  return own[low];
}

/**
 * A study from one thread, whose transcript tells what carried what. A segment is a turn: it starts at a user message. With
 * bounds only requests whose time lies within them belong to it, and the results that they carried first.
 */
export function studyFromThread(
  thread: SimThread,
  facts: ResultFacts,
  { since, until }: Pick<StudyOptions, "since" | "until"> = { since: null, until: null },
): AbStudy {
  const { calls, items, results } = thread;
  const bounded = since !== null || until !== null;
  // A request without a time is in no bounds: every comparison with NaN is false.
  const within = (call: number): boolean => {
    const at = calls.at[call] ?? Number.NaN;
    return !bounded || (at >= (since ?? -Infinity) && at <= (until ?? Infinity));
  };
  const segments: Segment[] = [];
  const kept: StudyCall[] = [];
  /** Position in `kept` of each request; −1 = out of bounds. */
  const positionOf = new Int32Array(calls.count).fill(-1);
  let from = 0;
  let asked = true;
  for (let call = 0; call < calls.count; call++) {
    const to = calls.seen[call] ?? 0;
    for (let item = from; item < to; item++)
      if (items.kind[item] === ITEM.text && ROLES[items.role[item] ?? 0] === "user") asked = true;
    from = to;
    if (!within(call)) continue;
    if (asked) segments.push({ thread: thread.id, calls: [] });
    asked = false;
    segments.at(-1)?.calls.push(kept.length);
    positionOf[call] = kept.length;
    const input = measuredInput(thread, call);
    const cached = calls.measured.cacheRead[call] ?? Number.NaN;
    kept.push({
      input: Number.isNaN(input) ? undefined : input,
      cached: Number.isNaN(cached) ? 0 : cached,
      segment: segments.length - 1,
    });
  }
  const found: StudyResult[] = [];
  for (let result = 0; result < results.count; result++) {
    const firstCall = positionOf[items.firstCall[results.item[result] ?? 0] ?? calls.count] ?? -1;
    const carried = firstCall >= 0;
    // Where there are bounds, nothing tells when a result came that no request within them carried first.
    if (!carried && bounded) continue;
    found.push({
      tool: thread.tools[results.tool[result] ?? 0] ?? "",
      chars: facts.rawChars[result] ?? 0,
      by: carried ? "known" : "none",
      firstCall: carried ? firstCall : undefined,
    });
  }
  return { calls: kept, segments, results: found, leftOut: 0 };
}
