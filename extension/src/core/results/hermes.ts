import { recogniseBlockAtStart, recogniseBlockLater } from "./hermesBlock";
import { recogniseJson } from "./hermesJson";
import { recogniseHook, recogniseTail } from "./hermesNotices";
import { recognisePlaceholder } from "./hermesPlaceholders";
import { unwrap } from "./hermesWrapping";
import type { RecogniseContext, Recognition } from "./recognition";

/**
 * Hermes' notices and placeholders. Those that must end the text come first: what they stand behind may itself begin
 * with a block. `strict` for transcripts of an unknown agent, whose tools return raw text that may quote anything.
 */
export function recogniseHermes(text: string, context: RecogniseContext): Recognition | undefined {
  const strict = context.agent !== "hermes";
  const region = unwrap(text);
  return (
    recogniseTail(text, region, strict) ??
    recogniseBlockAtStart(text, region, !strict) ??
    recogniseHook(text, region) ??
    recognisePlaceholder(text, region, context) ??
    recogniseJson(text, region, context) ??
    recogniseBlockLater(text, region)
  );
}
