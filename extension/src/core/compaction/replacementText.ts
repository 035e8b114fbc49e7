import type { AgentId } from "../model/transcript";
import type { Digest } from "../ports";
import { notSavedText, persistText } from "../results/block";
import { spillFileName } from "../results/fileName";
import { headCodePoints, tailCodePoints } from "../util/textSize";
import { decidedRegion } from "./facts";
import { DUPLICATE_NOTICE, oneLineSummary, truncateArguments } from "./hermes/oneLine";
import { pruneText } from "./hermes/pruneText";
import type { PersistPolicy, Policy } from "./policy";
import type { Action } from "./stage";

/** The text that a policy replaced, and what its rules look at. */
export interface ReplacedText {
  readonly text: string;
  readonly agent: AgentId;
  readonly tool: string | undefined;
  readonly callId: string | undefined;
  /** Arguments of the tool call as written; undefined = unknown. */
  readonly args: string | undefined;
}

/**
 * What the model would read instead, for a before/after view. Of the length that the simulator counted, but for masks, whose
 * exact wording is not public, and one-line summaries without known arguments.
 */
export function replacementText(policy: Policy, action: Action, replaced: ReplacedText, digest: Digest): string {
  const { text } = replaced;
  switch (action) {
    case "persisted":
    case "not-saved":
    case "turn-budget":
      return policy.kind === "persist" ? persisted(policy, action, replaced, digest) : text;
    case "pruned":
      return policy.kind === "prune" ? pruneText(text, policy) : text;
    case "blanked":
      return policy.kind === "micro" ? policy.placeholder : text;
    case "cleared":
      return cleared(policy, text);
    case "masked":
      return policy.kind === "window" ? masked(text, policy.head, policy.tail) : text;
    case "duplicate":
      return DUPLICATE_NOTICE;
    case "one-line":
      return oneLineSummary(replaced.tool ?? "unknown", replaced.args ?? "", text);
    case "shortened":
      return truncateArguments(text);
  }
}

function persisted(policy: PersistPolicy, action: Action, replaced: ReplacedText, digest: Digest): string {
  const { text } = replaced;
  const name = spillFileName(replaced.callId?.split("|", 1)[0], digest);
  const path = `${policy.folder}/${name.ok ? name.value : "tool_result.txt"}`;
  if (action === "turn-budget") return persistText(text, path, policy.era).block;
  const { start, end } = replaced.agent === "hermes" ? decidedRegion(text) : { start: 0, end: text.length };
  const raw = text.slice(start, end);
  const notice = action === "not-saved" ? notSavedText(raw) : persistText(raw, path, policy.era).block;
  return text.slice(0, start) + notice + text.slice(end);
}

/** opencode's placeholder; another one is as long as the policy says. */
const OPENCODE_PLACEHOLDER = "[Old tool result content cleared]";

function cleared(policy: Policy, text: string): string {
  if (policy.kind === "clear") return policy.placeholder;
  if (policy.kind === "window") return OPENCODE_PLACEHOLDER.slice(0, policy.notice).padEnd(policy.notice, ".");
  return text;
}

function masked(text: string, head: number, tail: number): string {
  return `<tool_output_masked>\n${headCodePoints(text, head)}\n…\n${tailCodePoints(text, tail)}\n</tool_output_masked>`;
}
