import type { Problem } from "../../core/model/problem";
import type { RecordPlace, Thread, ToolResult, TranscriptHeader } from "../../core/model/transcript";
import type { TranscriptEvent } from "../../core/model/transcriptEvent";
import type { UsageLedger } from "../../core/model/usageLedger";
import { LeftContext } from "../../core/transcript/leftContext";
import { Summary } from "../../core/transcript/summary";
import { ContextTimeline } from "../../core/transcript/timeline";
import type { Phase, ProblemRow, Progress } from "../../protocol/webview";
import type { Disposable } from "../lifetime";
import { LocalRows } from "./rowSource";

/** Rows kept and shown; a transcript with more says so. */
export const MAX_ROWS = 250_000;
/** Problems kept; the others are counted. */
export const MAX_PROBLEMS = 500;

/** One reading of the transcript. A reload starts a new one, and what the old one still says is not heard. */
export interface Run {
  readonly summary: Summary;
  readonly timeline: ContextTimeline;
  readonly threads: Map<string, Thread>;
  ledger: UsageLedger | undefined;
  phase: Phase;
  header: TranscriptHeader | undefined;
  error: string | null;
  progress: Progress;
  readonly results: ToolResult[];
  readonly left: LeftContext;
  rows: LocalRows;
  readonly problems: ProblemRow[];
  /** By 1-based line. */
  readonly problemPlaces: Map<number, RecordPlace>;
  problemsOmitted: number;
  /** Indexes of rows that the page has not heard of in their present form. */
  fresh: Set<number>;
  freshProblems: ProblemRow[];
  told: boolean;
  capped: boolean;
  flush: Disposable | undefined;
}

export function newRun(): Run {
  const timeline = new ContextTimeline();
  return {
    summary: new Summary(timeline),
    timeline,
    threads: new Map(),
    ledger: undefined,
    phase: "reading",
    header: undefined,
    error: null,
    progress: { doneBytes: 0, totalBytes: 0 },
    results: [],
    left: new LeftContext(),
    rows: new LocalRows(),
    problems: [],
    problemPlaces: new Map(),
    problemsOmitted: 0,
    fresh: new Set(),
    freshProblems: [],
    told: false,
    capped: false,
    flush: undefined,
  };
}

/** A header can come again and know better; sizes in another unit mean other rows. */
function takeHeader(run: Run, header: TranscriptHeader): void {
  if (run.header && run.header.unit !== header.unit) for (const result of run.results) run.fresh.add(result.index);
  run.header = header;
}

function takeResult(run: Run, result: ToolResult): void {
  if (result.index >= MAX_ROWS) {
    if (!run.capped) {
      takeProblem(run, {
        code: "rows-capped",
        severity: "warning",
        message: `Only the first ${MAX_ROWS} tool results are listed; the totals count all of them.`,
      });
    }
    run.capped = true;
    return;
  }
  run.results[result.index] = result;
  run.fresh.add(result.index);
}

function takeProblem(run: Run, problem: Problem): void {
  if (run.problems.length >= MAX_PROBLEMS) {
    run.problemsOmitted++;
    return;
  }
  const row: ProblemRow = {
    code: problem.code,
    severity: problem.severity,
    message: problem.message,
    line: problem.at?.line ?? null,
  };
  run.problems.push(row);
  if (problem.at) run.problemPlaces.set(problem.at.line, problem.at);
  run.freshProblems.push(row);
}

/** Takes what a reader told. */
export function takeEvents(run: Run, events: readonly TranscriptEvent[]): void {
  run.summary.add(events);
  run.left.add(events, (index) => {
    if (index < MAX_ROWS) run.fresh.add(index);
  });
  for (const event of events) {
    switch (event.kind) {
      case "header":
        takeHeader(run, event.header);
        break;
      case "thread":
        run.threads.set(event.thread.id, event.thread);
        break;
      case "result":
        takeResult(run, event.result);
        break;
      case "ledger":
        run.ledger = event.ledger;
        break;
      case "problem":
        takeProblem(run, event.problem);
        break;
      case "progress":
        run.progress = { doneBytes: event.doneBytes, totalBytes: event.totalBytes };
        break;
      case "message":
      case "call":
      case "compaction":
        break;
    }
  }
}
