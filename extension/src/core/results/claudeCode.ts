import { notice, placeholder, type Recognition, type Region } from "./recognition";
import { COUNT, findWithin, hasAt, isExactly, lineEnd, readShape, trimRegion } from "./textScan";

const OPEN = "<persisted-output>";
const CLOSE = "</persisted-output>";
const SIZE_LINE = "Output too large (";
const OLD_LINE = "Tool result saved to: ";
const MCP_HEAD = "Error: result (";
const MCP_SAVED = ") exceeds maximum allowed tokens. Output has been saved to ";
const UNITS: Readonly<Record<string, number>> = {
  bytes: 1,
  B: 1,
  KB: 1024,
  MB: 1024 * 1024,
  GB: 1024 * 1024 * 1024,
};

/**
 * Claude Code's notices. Agents often read and quote them, so a block counts only when it is the whole text
 * (transcripts.md 2). The stated size is characters ÷ 1024 rounded to one decimal, UTF-16 units.
 */
export function recogniseClaudeCode(text: string): Recognition | undefined {
  const region = trimRegion(text, { start: 0, end: text.length });
  if (isExactly(text, "[Old tool result content cleared]", region)) return placeholder("content-cleared");
  if (hasAt(text, MCP_HEAD, region.start, region.end)) return recogniseMcp(text, region);
  if (!hasAt(text, OPEN, region.start, region.end) || !text.endsWith(CLOSE, region.end)) return undefined;
  const inner = { start: region.start + OPEN.length, end: region.end - CLOSE.length };
  if (inner.end < inner.start) return undefined;
  return hasAt(text, OLD_LINE, inner.start, inner.end) ? recogniseOld(text, inner) : recogniseBlock(text, inner);
}

function recogniseBlock(text: string, inner: Region): Recognition | undefined {
  const head = inner.start + 1;
  if (text.charAt(inner.start) !== "\n" || !hasAt(text, SIZE_LINE, head, inner.end)) return undefined;
  const stop = lineEnd(text, head, inner.end);
  if (stop < 0) return undefined;
  const saved = findWithin(text, "). Full output saved to: ", head, stop);
  if (saved < 0) return undefined;
  const stated = readSize(text.slice(head + SIZE_LINE.length, saved));
  if (stated === undefined) return undefined;
  const preview = readPreview(text, stop, inner.end);
  return notice("claude-block", {
    unit: "utf16",
    stated: stated.chars,
    rounded: stated.rounded,
    path: text.slice(saved + 25, stop).trim() || undefined,
    ...(preview === undefined ? {} : { preview: preview.range }),
    hasMore: preview?.hasMore ?? true,
  });
}

function readPreview(text: string, from: number, end: number): { range: Region; hasMore: boolean } | undefined {
  const label = skipLineFeeds(text, from, end);
  if (!hasAt(text, "Preview (first ", label, end)) return undefined;
  const start = lineEnd(text, label, end) + 1;
  if (start === 0) return undefined;
  // The closing tag stands on a line of its own.
  const stop = Math.max(start, text.charAt(end - 1) === "\n" ? end - 1 : end);
  const hasMore = hasAt(text, "\n...", stop - 4, stop) && stop - 4 >= start;
  return { range: { start, end: hasMore ? stop - 4 : stop }, hasMore };
}

const WRITTEN =
  /^<persisted-output>\\nOutput too large \((\d{1,12}(?:\.\d{1,3})?) ?([A-Za-z]{1,5})\)\. Full output saved to: ([ !#-[\]-~]*)\\n(?:\\n)*Preview \(first [ !#-[\]-~]*\\n/;

/**
 * What `recognise` says about a block with a preview that ends with three dots, from the beginning of the content of a JSON string
 * as agents write it (extension/wasm/written.ts finds those). Undefined where it does not have that form. `units`: UTF-16 units of
 * the whole text that is meant.
 */
export function recogniseWritten(head: string, units: number): Recognition | undefined {
  const match = WRITTEN.exec(head);
  if (match === null) return undefined;
  const [written, amount = "", unit = "", path = ""] = match;
  const stated = sizeOf(amount, unit);
  if (stated === undefined) return undefined;
  return notice("claude-block", {
    unit: "utf16",
    stated: stated.chars,
    rounded: stated.rounded,
    path: path.trim() || undefined,
    // A line end is written as two characters, and nothing else in the match is.
    preview: { start: written.length - (written.split("\\").length - 1), end: units - CLOSE.length - 5 },
    hasMore: true,
  });
}

function recogniseOld(text: string, inner: Region): Recognition | undefined {
  const start = inner.start + OLD_LINE.length;
  const stop = lineEnd(text, start, inner.end);
  const path = text.slice(start, stop < 0 ? inner.end : stop).trim();
  return path === "" ? undefined : notice("claude-block-old", { unit: "utf16", path });
}

/** The size may be followed by a line count; the path ends with the sentence, so one full stop at its end is not part of it. */
function recogniseMcp(text: string, region: Region): Recognition | undefined {
  const size = readShape(text, region.start, region.end, [MCP_HEAD, COUNT, " characters"]);
  const stated = size?.counts[0];
  if (size === undefined || stated === undefined) return undefined;
  const stop = lineEnd(text, size.end, region.end);
  const line = stop < 0 ? region.end : stop;
  const saved = findWithin(text, MCP_SAVED, size.end, Math.min(line, size.end + 256));
  if (saved < 0) return undefined;
  const written = text.slice(saved + MCP_SAVED.length, line).trim();
  const path = written.endsWith(".") ? written.slice(0, -1) : written;
  return path === "" ? undefined : notice("claude-mcp", { unit: "utf16", stated, path });
}

/** `83.7KB`, `64KB`, `1.2MB`, `512 bytes`. */
function readSize(written: string): { readonly chars: number; readonly rounded: boolean } | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,3})?) ?([A-Za-z]{1,5})$/.exec(written.trim());
  return match === null ? undefined : sizeOf(match[1] ?? "", match[2] ?? "");
}

function sizeOf(amount: string, unit: string): { readonly chars: number; readonly rounded: boolean } | undefined {
  const factor = UNITS[unit];
  return factor === undefined ? undefined : { chars: Math.round(Number(amount) * factor), rounded: factor > 1 };
}

function skipLineFeeds(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && text.charCodeAt(next) === 0x0a) next++;
  return next;
}
