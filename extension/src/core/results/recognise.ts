import type { AgentId } from "../model/transcript";
import { recogniseClaudeCode } from "./claudeCode";
import { recogniseCodexOutput } from "./codex";
import { recogniseHermes } from "./hermes";
import { unwrap } from "./hermesWrapping";
import type { VariantId } from "./markers";
import { recogniseOpenMausBot } from "./openmausbot";
import { recogniseOpencodeTwo, recogniseOthers } from "./otherAgents";
import { INLINE, type RecogniseContext, type Recognition } from "./recognition";

export type { RecogniseContext, Recognition } from "./recognition";

/**
 * Which form a tool result has: whole, or one of the notices and placeholders of `markers.ts`. Ranges are UTF-16 offsets
 * into `text`, the flattened body.
 *
 * Texts quote notices all the time, so each owner's notice counts only where that owner puts it: as the whole text, at
 * its beginning, or at its end behind a preview of the stated length. The notice that spans the text wins over those it
 * quotes. Works in one pass per notice; time grows in proportion to the text whatever it holds.
 */
export function recognise(text: string, context: RecogniseContext): Recognition {
  if (text === "") return INLINE;
  const mausbot = recogniseOpenMausBot(text, unwrap(text));
  if (mausbot !== undefined) return mausbot;
  switch (context.agent) {
    case "claude-code":
      return recogniseClaudeCode(text) ?? INLINE;
    case "hermes":
      return recogniseHermes(text, context) ?? recogniseCleared(text) ?? INLINE;
    case "codex":
      return recogniseCodexOutput(text) ?? INLINE;
    case "opencode":
      return recogniseOwn(text, context.agent) ?? recogniseOpencodeTwo(text, unwrap(text)) ?? INLINE;
    case "gemini-cli":
    case "copilot":
    case "openhuman":
    case "langchain":
    case "swe-agent":
    case "mini-swe-agent":
    case "openhands":
      return recogniseOwn(text, context.agent) ?? INLINE;
    case "openmausbot":
    case "unknown":
      return (
        recogniseClaudeCode(text) ?? recogniseHermes(text, context) ?? recogniseOthers(text, unwrap(text)) ?? INLINE
      );
  }
}

/** Notices that each of these agents leaves; others in its transcripts are quotations. */
const OWN: Readonly<Partial<Record<AgentId, readonly VariantId[]>>> = {
  "gemini-cli": ["gemini-file", "gemini-masked"],
  opencode: ["opencode-file", "content-cleared"],
  copilot: ["copilot-file"],
  openhuman: ["openhuman-offload", "openhuman-artifact", "content-cleared"],
  langchain: ["langchain-cleared"],
  "swe-agent": ["swe-agent-omitted", "swe-agent-clipped"],
  "mini-swe-agent": ["mini-swe-elided"],
  openhands: ["swe-agent-clipped"],
};

function recogniseOwn(text: string, agent: AgentId): Recognition | undefined {
  const found = recogniseOthers(text, unwrap(text));
  return found?.variant !== undefined && OWN[agent]?.includes(found.variant) === true ? found : undefined;
}

/** Salvaged Hermes sessions also hold the placeholder that several agents share. */
function recogniseCleared(text: string): Recognition | undefined {
  const others = recogniseOthers(text, unwrap(text));
  return others?.state === "cleared" ? others : undefined;
}
