import type { Problem, Severity } from "./problem";

/** A finding in a transcript, as reports hold it. */
export interface ReportProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** 1-based physical line; null when the problem is about the whole file. */
  readonly line: number | null;
}

/** A problem of a transcript as reports hold it: its line instead of its bytes. */
export function reportProblem({ code, severity, message, at }: Problem): ReportProblem {
  return { code, severity, message, line: at?.line ?? null };
}
