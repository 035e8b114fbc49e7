import { notice, type Recognition } from "./recognition";
import { COUNT, findLastWithin, findWithin, readShape } from "./textScan";

/** Head lines of a formatted tool output end before this many UTF-16 units. */
const HEAD_UNITS = 400;
/** An output that was cut at the default limit of 10,000 tokens is far longer than this. */
const CUT_UNITS = 4000;
const MARKS = [" tokens truncated…", " chars truncated…"] as const;

/**
 * Output that Codex cut in its middle; nothing is kept elsewhere. The marker also stands in committed source files, so it
 * counts only under one of Codex' head lines, or in the middle of a long text (codex-rs core truncation; transcripts.md 3).
 */
export function recogniseCodexOutput(text: string): Recognition | undefined {
  const { inner, shifted } = innerOutput(text);
  const mark = middleMark(inner);
  if (mark === undefined) return undefined;
  const head = findWithin(inner, "Total output lines: ", 0, Math.min(inner.length, HEAD_UNITS));
  const counted = findWithin(inner, "Original token count: ", 0, Math.min(inner.length, HEAD_UNITS));
  const tail = inner.length - mark.end;
  const isMiddle = inner.length >= CUT_UNITS && Math.abs(mark.start - tail) <= inner.length / 5;
  if (head < 0 && counted < 0 && !isMiddle) return undefined;
  return notice("codex-truncated", {
    unit: "codePoints",
    ...(shifted ? {} : { preview: { start: 0, end: inner.length } }),
  });
}

/** Up to 2025 the output stood in a JSON text beside its exit code. */
function innerOutput(text: string): { readonly inner: string; readonly shifted: boolean } {
  if (!text.startsWith('{"output":')) return { inner: text, shifted: false };
  try {
    const value: unknown = JSON.parse(text);
    const output = typeof value === "object" && value !== null && "output" in value ? value.output : undefined;
    return typeof output === "string" ? { inner: output, shifted: true } : { inner: text, shifted: false };
  } catch {
    // Not the structured form: the text stands for itself.
    return { inner: text, shifted: false };
  }
}

function middleMark(text: string): { readonly start: number; readonly end: number } | undefined {
  for (const mark of MARKS) {
    for (let at = findWithin(text, mark, 0, text.length); at >= 0; at = findWithin(text, mark, at + 1, text.length)) {
      const start = findLastWithin(text, "…", Math.max(0, at - 24), at);
      if (start < 0) continue;
      const shape = readShape(text, start, text.length, ["…", COUNT, mark]);
      if (shape !== undefined) return { start, end: shape.end };
    }
  }
  return undefined;
}
