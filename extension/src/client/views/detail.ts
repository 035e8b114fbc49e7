import type { CharUnit, ToolResult } from "../../core/model/transcript";
import type { SecretSpan } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import { maskedPart, secretKind } from "../../core/secrets/mask";
import type { LeftBy } from "../../core/transcript/leftContext";
import { planOpening } from "../../node/openRules";
import type { Detail } from "../../protocol/webview";
import type { Numbers } from "./numbers";
import { charsOf, initialFileStatus } from "./rows";

/** UTF-16 units of a text that the detail pane shows; the rest is a click away. */
export const DETAIL_TEXT_LIMIT = 20_000;

export interface DetailInput {
  readonly result: ToolResult;
  readonly unit: CharUnit;
  /** The result's whole text as it stands in the transcript; undefined when there is none or it could not be read. */
  readonly body: string | undefined;
  /** Secrets in the text that is shown. */
  readonly secrets: readonly SecretSpan[];
  /** Why the text could not be read. */
  readonly bodyProblem: string | undefined;
  /** What became of the spill file; undefined when the result names none. */
  readonly report: FileReport | undefined;
  /** The compaction that took the result out of context. */
  readonly leftBy: LeftBy | undefined;
  readonly numbers: Numbers;
}

/** What the detail pane shows for one result. */
export function toDetail(input: DetailInput): Detail {
  const { result, body, report, leftBy } = input;
  const shown = previewOf(result, body ?? "");
  const text = cut(shown, DETAIL_TEXT_LIMIT);
  const masked = maskedPart(shown, input.secrets, 0, text.length);
  const plan = planOpening(result, report).from;
  const fullInTranscript = result.fullText !== undefined || result.state === "inline";
  return {
    index: result.index,
    text: masked.text,
    masks: masked.masks.map(({ rule, ...mask }) => ({ ...mask, kind: secretKind(rule) })),
    textStart: result.persisted?.preview?.start ?? 0,
    capped: text.length < shown.length,
    summary: summaryOf(input),
    path: result.persisted?.path ?? null,
    resolvedPath: report?.resolvedPath ?? null,
    handle: result.persisted?.handle ?? null,
    nextOffset: result.persisted?.nextOffset ?? null,
    file: report?.status ?? initialFileStatus(result),
    notes: notesOf(input),
    canOpenFull: plan !== "nowhere",
    canPage: plan === "known-file" || plan === "transcript",
    fullInTranscript,
    canRebase: report?.canRebase ?? false,
    left: leftBy === undefined ? null : { line: leftBy.place.line, what: leftBy.what, trigger: leftBy.trigger ?? null },
  };
}

/** The preview inside a notice, or the whole text where there is no notice. */
export function previewOf(result: ToolResult, body: string): string {
  const range = result.persisted?.preview;
  return range ? body.slice(range.start, range.end) : body;
}

/** What the result is, in a sentence or two: its state, its sizes, and where the rest is. */
function summaryOf({ result, unit, numbers, leftBy }: DetailInput): string {
  const now = charsOf(result.size, unit);
  const inContext = numbers.chars(now);
  const full = statedSize(result, numbers);
  const failed = result.isError ? " The tool reported an error." : "";
  const left = leftBy === undefined ? "" : " Then a compaction took it out of context.";
  return `${stateSentence(result, inContext, full, leftBy !== undefined, numbers)}${imagesSentence(result, numbers)}${failed}${left}`;
}

function stateSentence(
  result: ToolResult,
  inContext: string,
  full: string | undefined,
  hasLeft: boolean,
  numbers: Numbers,
): string {
  const of = full ? ` of ${full}` : "";
  switch (result.state) {
    case "inline":
      return `Inline: the whole text, ${inContext}, ${hasLeft ? "was" : "is"} in context.`;
    case "persisted":
      return `Persisted: the full text${of} was taken out of context; a preview and a path were left, ${inContext} in all.`;
    case "truncated":
      return `Truncated: ${inContext}${full ? ` of ${full}` : ""} ${hasLeft ? "were" : "are"} in context; the rest was not saved and is lost.`;
    case "handle":
      return `Handle: a preview was left, ${inContext} in all; the full text${of} is with the agent, to be read page by page${
        result.persisted?.nextOffset === undefined ? "" : ` from offset ${numbers.count(result.persisted.nextOffset)}`
      }.`;
    case "cleared":
      return "Cleared: the text was replaced by a placeholder to free context; the transcript no longer holds it.";
    case "pruned":
      return `Pruned: the text was shortened in place to ${inContext}; the rest is not in the transcript.`;
    case "duplicate":
      return "Duplicate: the same text stands again later in the transcript, so this copy was replaced by a pointer.";
    case "missing":
      return "Missing: the call was made, but its result never came (the run was interrupted, or the transcript ends here).";
  }
}

function statedSize(result: ToolResult, numbers: Numbers): string | undefined {
  const stated = result.persisted?.statedChars;
  if (stated === undefined) return undefined;
  return result.persisted?.statedRounded ? `about ${numbers.chars(stated)}` : numbers.chars(stated);
}

function imagesSentence(result: ToolResult, numbers: Numbers): string {
  if (result.images === 0) return "";
  return ` ${numbers.of(result.images, "image")} in it ${result.images === 1 ? "is" : "are"} not shown here.`;
}

function notesOf({ result, report, bodyProblem }: DetailInput): readonly string[] {
  const notes: string[] = [];
  if (bodyProblem !== undefined) notes.push(bodyProblem);
  notes.push(...(report?.notes ?? []));
  if (result.fullText && result.state !== "inline") {
    notes.push("The transcript itself still holds the full text beside the notice.");
  }
  if (result.state === "handle" && result.persisted?.path === undefined) {
    notes.push(
      "A handle works only inside the agent that gave it, and only for a while; it cannot be opened from here.",
    );
  }
  if (result.orphan) {
    notes.push(
      result.state === "missing"
        ? "The call has no result in this transcript."
        : "No call in this transcript asked for this result.",
    );
  }
  return notes;
}

/** The first units of a text, without half a surrogate pair at the end. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
