import { offsetAfterCodePoints } from "../util/textSize";
import { PERSISTED_TAG } from "./block";
import { onlyTrailersFollow } from "./hermesWrapping";
import { notice, type Recognition, type Region } from "./recognition";
import { COUNT, findWithin, hasAt, lineEnd, readShape } from "./textScan";

const OPEN = `${PERSISTED_TAG}\n`;
const CLOSE = "\n</persisted-output>";
const MORE = "\n...";
const SIZE_LINE = "This tool result was too large (";
const PATH_LINE = "Full output saved to: ";
const RECOVERY_LINE = "Recovery: page through";
const PREVIEW_LINE = "Preview (first ";
/** Lines between the tag and the preview; the real blocks have five. */
const HEADER_LINES = 12;
/** Starts that are tried after other text, and the longest preview tried there (code points; real ones have 1,500). */
const LATER_STARTS = 64;
const LATER_PREVIEW = 4096;

interface BlockHeader {
  readonly stated: number;
  readonly path: string | undefined;
  readonly recovery: boolean;
  /** Offset of the preview's first character; undefined when the block breaks off before it. */
  readonly previewStart: number | undefined;
  /** Code points the preview says it has; undefined when it states another unit (forks: `2KB`). */
  readonly previewLength: number | undefined;
}

/**
 * The block at the beginning of the region (hermes.md 3.1, 3.2), whatever its preview quotes.
 * `anyTail`: text that Hermes is not known to append may follow the closing tag.
 */
export function recogniseBlockAtStart(text: string, region: Region, anyTail: boolean): Recognition | undefined {
  const header = readHeader(text, region.start, region.end);
  if (header === undefined) return undefined;
  const body = findPreview(text, header, region.end);
  if (body === undefined) return undefined;
  if (!anyTail && !onlyTrailersFollow(text, body.after, region.end)) return undefined;
  return toRecognition(header, body);
}

/**
 * A block after other text, as in a result with several text parts. Accepted only when it is complete, its preview has
 * exactly the stated length and nothing foreign follows: a result that merely quotes a block goes on after it.
 */
export function recogniseBlockLater(text: string, region: Region): Recognition | undefined {
  let at = region.start;
  for (let tries = 0; tries < LATER_STARTS; tries++) {
    at = findWithin(text, OPEN + SIZE_LINE, at + 1, region.end);
    if (at < 0) return undefined;
    const header = readHeader(text, at, region.end);
    const length = header?.previewLength;
    if (header === undefined || length === undefined || length > LATER_PREVIEW) continue;
    const body = previewAtStatedLength(text, header, region.end);
    if (body !== undefined && onlyTrailersFollow(text, body.after, region.end)) return toRecognition(header, body);
  }
  return undefined;
}

function readHeader(text: string, at: number, end: number): BlockHeader | undefined {
  if (!hasAt(text, OPEN + SIZE_LINE, at, end)) return undefined;
  const size = readShape(text, at + OPEN.length, end, [SIZE_LINE, COUNT, " characters"]);
  const stated = size?.counts[0];
  if (size === undefined || stated === undefined) return undefined;
  let path: string | undefined;
  let recovery = false;
  let line = lineEnd(text, size.end, end) + 1;
  for (let i = 0; i < HEADER_LINES && line > 0; i++) {
    const stop = lineEnd(text, line, end);
    if (hasAt(text, PREVIEW_LINE, line, end)) {
      if (stop < 0) break;
      const shape = readShape(text, line, stop, [PREVIEW_LINE, COUNT, " chars):"]);
      return { stated, path, recovery, previewStart: stop + 1, previewLength: shape?.counts[0] };
    }
    if (path === undefined && hasAt(text, PATH_LINE, line, end)) {
      path = text.slice(line + PATH_LINE.length, stop < 0 ? end : stop).trim() || undefined;
    }
    recovery ||= hasAt(text, RECOVERY_LINE, line, end);
    line = stop + 1;
  }
  // A block that was cut off before its preview still says where the text lies.
  return path === undefined ? undefined : { stated, path, recovery, previewStart: undefined, previewLength: undefined };
}

interface Preview {
  readonly range: Region | undefined;
  readonly hasMore: boolean;
  /** Offset after the closing tag. */
  readonly after: number;
}

function findPreview(text: string, header: BlockHeader, end: number): Preview | undefined {
  const start = header.previewStart;
  if (start === undefined) return { range: undefined, hasMore: true, after: end };
  const exact = previewAtStatedLength(text, header, end);
  if (exact !== undefined) return exact;
  // Secrets are masked after the block was made, so the preview may have another length: take the closing tag that ends
  // the region, or else the one nearest to the stated length. Without any, the transcript itself was cut.
  const expected = start + (header.previewLength ?? 0);
  const close = hasAt(text, CLOSE, end - CLOSE.length, end)
    ? Math.max(start, end - CLOSE.length)
    : nearestClose(text, start, expected, end);
  if (close < 0) return { range: { start, end }, hasMore: true, after: end };
  return endingAt(text, start, close);
}

function previewAtStatedLength(text: string, header: BlockHeader, end: number): Preview | undefined {
  const { previewStart: start, previewLength: length } = header;
  if (start === undefined || length === undefined || start + length > end) return undefined;
  const stop = offsetAfterCodePoints(text, length, start);
  if (hasAt(text, MORE + CLOSE, stop, end)) {
    return { range: { start, end: stop }, hasMore: true, after: stop + MORE.length + CLOSE.length };
  }
  if (hasAt(text, CLOSE, stop, end)) return { range: { start, end: stop }, hasMore: false, after: stop + CLOSE.length };
  return undefined;
}

function endingAt(text: string, start: number, close: number): Preview {
  const hasMore = close - MORE.length >= start && hasAt(text, MORE, close - MORE.length, close);
  return { range: { start, end: hasMore ? close - MORE.length : close }, hasMore, after: close + CLOSE.length };
}

function nearestClose(text: string, start: number, expected: number, end: number): number {
  let best = -1;
  for (let at = findWithin(text, CLOSE, start - 1, end); at >= 0; ) {
    if (best >= 0 && Math.abs(at - expected) > Math.abs(best - expected)) break;
    best = at;
    const next = text.indexOf(CLOSE, at + 1);
    at = next >= 0 && next + CLOSE.length <= end ? next : -1;
  }
  return best;
}

function toRecognition(header: BlockHeader, preview: Preview): Recognition {
  return notice(header.recovery ? "hermes-block" : "hermes-block-2026-04", {
    unit: "codePoints",
    stated: header.stated,
    path: header.path,
    ...(preview.range ? { preview: preview.range } : {}),
    hasMore: preview.hasMore,
  });
}
