import { clip } from "../core/config/messages";
import { markdownCode } from "../core/util/markdown";

/** Inline code that survives any content, and of which at most `max` UTF-16 units are shown. */
export function inlineCode(text: string, max?: number): string {
  return markdownCode(clip(text, max));
}
