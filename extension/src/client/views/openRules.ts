import type { ToolResult } from "../../core/model/transcript";
import type { FileReport } from "../../core/results/fileCheck";

/** Where the full text of a result is to be taken from. */
export type OpenPlan =
  /** A file inside a known spill folder of the agent: needs no question. */
  | { readonly from: "known-file"; readonly path: string }
  /** The text stands in the transcript. */
  | { readonly from: "transcript" }
  /** A path that only the transcript vouches for: the user must see it in full and agree first. */
  | { readonly from: "ask"; readonly path: string }
  | { readonly from: "nowhere"; readonly why: string };

/**
 * The path rule: a path named by a transcript is followed without a question only inside the known spill folders of the agent that
 * wrote it, links resolved. A text in the transcript itself is preferred to asking.
 */
export function planOpening(result: ToolResult, report: FileReport | undefined): OpenPlan {
  if (report?.resolvedPath !== undefined && report.inKnownFolder) {
    return { from: "known-file", path: report.resolvedPath };
  }
  if (result.state === "inline" || result.fullText) return { from: "transcript" };
  const path = result.persisted?.path;
  if (path !== undefined && report?.status === "outside") return { from: "ask", path: report.resolvedPath ?? path };
  return { from: "nowhere", why: whyNowhere(result, report) };
}

function whyNowhere(result: ToolResult, report: FileReport | undefined): string {
  if (result.persisted?.path !== undefined) {
    const reason = report?.notes[0];
    return reason ?? `${result.persisted.path} is not on this machine.`;
  }
  switch (result.state) {
    case "handle":
      return `The full text is with the agent, under the handle ${result.persisted?.handle ?? "in the notice"}; only the agent can read it, and only for a while.`;
    case "missing":
      return "This call has no result in the transcript.";
    case "cleared":
    case "pruned":
    case "truncated":
      return "The full text is in neither the transcript nor a file; only what the detail pane shows is left.";
    default:
      return "The notice names no file, so there is nothing more to open than the detail pane shows.";
  }
}
