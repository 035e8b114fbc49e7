import { basename } from "node:path";
import type { TableView } from "../../core/model/openTable";
import type { Problem } from "../../core/model/problem";
import type { FileReport } from "../../core/results/fileCheck";
import { Summary } from "../../core/transcript/summary";
import type { Header, ProblemRow } from "../../protocol/webview";

/** What is shown of a transcript before anything was read. */
export function emptyView(): TableView {
  return {
    header: undefined,
    totals: new Summary().totals(),
    threads: [],
    count: 0,
    rows: 0,
    problems: [],
    problemsOmitted: 0,
  };
}

/** What is said of the transcript as a whole; null while nothing of it is known. */
export function headerOf(path: string, { header, totals }: TableView): Header | null {
  if (!header) return null;
  const { format, agent, unit, model, sessionId } = header;
  return { ...totals, file: path, title: sessionId ?? basename(path), format, agent, unit, model: model ?? null };
}

export function problemRow({ code, severity, message, at }: Problem): ProblemRow {
  return { code, severity, message, line: at?.line ?? null };
}

/** Nobody can look before the agent is known. */
export const NOT_CHECKED: FileReport = {
  status: "not-checked",
  resolvedPath: undefined,
  realChars: undefined,
  realBytes: undefined,
  ageMs: undefined,
  inKnownFolder: false,
  canRebase: false,
  notes: [],
};

export function noSuchRow(index: number): Problem {
  return {
    code: "no-such-row",
    severity: "error",
    message: `There is no result with number ${index + 1} any more; reload the transcript.`,
  };
}
