import { err, ok, type Result } from "../core/model/problem";
import type { ToolResult } from "../core/model/transcript";
import type { FileReport } from "../core/results/fileCheck";
import { formatFilePath, parseFilePath } from "../core/util/filePath";

/** Longest path of Linux (`PATH_MAX`), and of Windows in characters of at most three bytes. Bytes of UTF-8. */
const PATH_BYTES = 4096;
const WINDOWS_PATH_BYTES = 3 * 32_767;

/** Where the full text of a result is to be taken from. */
export type OpenPlan =
  /** A file inside a known spill folder of the agent: needs no question. */
  | { readonly from: "known-file"; readonly path: string; readonly identity: string | undefined }
  /** The text stands in the transcript. */
  | { readonly from: "transcript" }
  /** A path that only the transcript vouches for: the user must see it in full and agree first. */
  | { readonly from: "ask"; readonly path: string; readonly why: "outside" | "not-trusted" }
  | { readonly from: "nowhere"; readonly why: string };

/**
 * The path rule: a path named by a transcript is followed without a question only inside the known spill folders of the agent that
 * wrote it, links resolved, and in a workspace that is not trusted nowhere. A text in the transcript itself is preferred to asking.
 */
export function planOpening(result: ToolResult, report: FileReport | undefined): OpenPlan {
  if (report?.resolvedPath !== undefined && report.inKnownFolder) {
    return { from: "known-file", path: report.resolvedPath, identity: report.identity };
  }
  if (result.state === "inline" || result.fullText) return { from: "transcript" };
  const path = result.persisted?.path;
  if (report?.unseen !== undefined) return { from: "ask", path: report.unseen, why: "not-trusted" };
  if (path !== undefined && report?.status === "outside") {
    return { from: "ask", path: report.resolvedPath ?? path, why: "outside" };
  }
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

/** The machine on which a path would be followed. */
export interface Ground {
  readonly platform: string;
  readonly homeFolder: string;
}

/**
 * The one place on this machine that a path names, as it may be shown and, after a click, be followed; else a sentence why not.
 * Relative paths mean nothing here, and network paths (`\\\\host\\share`) would leave the machine by merely being looked at.
 */
export function followable(path: string, { platform, homeFolder }: Ground): Result<string, string> {
  const isWindows = platform === "win32";
  if (new TextEncoder().encode(path).length > (isWindows ? WINDOWS_PATH_BYTES : PATH_BYTES)) {
    return err(`${visible(path.slice(0, 200))}… is longer than any path, so it cannot be followed.`);
  }
  const expanded = (isWindows ? /^~[/\\]/ : /^~\//).test(path) ? `${homeFolder}/${path.slice(2)}` : path;
  if (isWindows && /^[/\\]{2}/.test(expanded)) {
    return err(`${visible(path)} is a network path, and nothing is read over the network.`);
  }
  const parsed = parseFilePath(expanded);
  if (parsed === undefined || (parsed.style === "windows") !== isWindows) {
    return err(`${visible(path)} is not the full path of a file here, so it cannot be followed.`);
  }
  return ok(formatFilePath(parsed));
}

/**
 * What must not stand in a question about a path: control, format and default-ignorable characters, half surrogate pairs, private
 * and unassigned ones; blanks other than a single space between other characters (many would push the rest out of sight); and what
 * looks like a separator or a dot, or like nothing.
 */
const HIDING =
  /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800\u2044\u2215\u2216\u29f5\u29f8\u29f9\uff0f\uff3c\ufe68\u2024\u2025\u2026\uff0e\ufe52]|[^\S ]| (?= |$)|(?<=^| ) /gu;

/** A path with every character visible, so that none can hide, move or imitate a part of it. */
export function visible(path: string): string {
  return path.replace(HIDING, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
