import { countCodePoints, offsetAfterCodePoints } from "../util/textSize";
import { onlyTrailersFollow } from "./hermesWrapping";
import { notice, type Recognition, type Region } from "./recognition";
import { COUNT, findLastWithin, hasAt, lineEnd, readShape } from "./textScan";

const LARGE = "\n\n[Large tool response: ";
const LARGE_END = "\nUse read_file or search_files on that path to access the rest.]";
const TRUNCATED = "\n\n[Truncated: tool response was ";
const NOT_SAVED = " chars. Full output could not be saved to sandbox.]";
const HEAD = "--- head ---";
/** `tools/tool_result_storage.py`: longest preview, code points. */
const PREVIEW_LIMIT = 1500;

/** Notices that stand behind the beginning of the result (hermes.md 3.2). They must end the region. */
export function recogniseTail(text: string, region: Region, strict: boolean): Recognition | undefined {
  return recogniseLargeResponse(text, region) ?? recogniseTruncated(text, region, strict);
}

function recogniseLargeResponse(text: string, region: Region): Recognition | undefined {
  const at = findLastWithin(text, LARGE, region.start, region.end);
  if (at < 0) return undefined;
  const head = readShape(text, at, region.end, [
    LARGE,
    COUNT,
    " characters total — only the first ",
    COUNT,
    " shown above. Full output saved to: ",
  ]);
  const [stated, shown] = head?.counts ?? [];
  if (head === undefined || stated === undefined || shown === undefined) return undefined;
  const stop = lineEnd(text, head.end, region.end);
  if (stop < 0 || !hasAt(text, LARGE_END, stop, region.end)) return undefined;
  if (!onlyTrailersFollow(text, stop + LARGE_END.length, region.end)) return undefined;
  // The beginning is a raw slice of the stated length; masking may have changed it, but never by much.
  const length = countCodePoints(text.slice(region.start, at));
  if (Math.abs(length - shown) > shown / 2) return undefined;
  return notice("hermes-large-response", {
    unit: "codePoints",
    stated,
    path: text.slice(head.end, stop).trim() || undefined,
    preview: { start: region.start, end: at },
  });
}

function recogniseTruncated(text: string, region: Region, strict: boolean): Recognition | undefined {
  const at = startOfLastLineBlock(text, region);
  if (at < 0) return undefined;
  const head = readShape(text, at, region.end, [TRUNCATED, COUNT]);
  const stated = head?.counts[0];
  if (head === undefined || stated === undefined) return undefined;
  const preview = { start: region.start, end: at };
  if (hasAt(text, NOT_SAVED, head.end, region.end)) {
    if (!onlyTrailersFollow(text, head.end + NOT_SAVED.length, region.end)) return undefined;
    if (strict && !isPreview(text, preview)) return undefined;
    return notice("hermes-truncated", { unit: "codePoints", stated, preview });
  }
  const limit = readShape(text, head.end, region.end, [
    " chars, exceeding the ",
    COUNT,
    " char limit. File save failed: ",
  ]);
  const shown = limit?.counts[0];
  if (limit === undefined || shown === undefined || !text.endsWith("]", region.end)) return undefined;
  if (strict && countCodePoints(text.slice(preview.start, preview.end)) !== shown) return undefined;
  return notice("hermes-truncated-2026-04", { unit: "codePoints", stated, preview });
}

function startOfLastLineBlock(text: string, region: Region): number {
  return findLastWithin(text, TRUNCATED, region.start, region.end);
}

/** True for what the preview rule can leave of a longer text: 1,500 code points, or a cut just after a line feed. */
function isPreview(text: string, range: Region): boolean {
  const cut = offsetAfterCodePoints(text, PREVIEW_LIMIT, range.start);
  return cut === range.end || (cut > range.end && text.charAt(range.end - 1) === "\n");
}

/**
 * Output spilled by a hook (hermes.md 3.9): one line, then the head and the tail of the text.
 */
export function recogniseHook(text: string, region: Region): Recognition | undefined {
  if (!hasAt(text, "[", region.start, region.end)) return undefined;
  const stop = lineEnd(text, region.start, region.end);
  const label = skipLineFeeds(text, stop);
  if (stop < 0 || text.charAt(stop - 1) !== "]" || !hasAt(text, HEAD, label, region.end)) return undefined;
  const middle = findLastWithin(text, " output truncated — ", region.start, stop);
  if (middle < 0) return undefined;
  const size = readShape(text, middle, stop, [" output truncated — ", COUNT, " chars; full content "]);
  const stated = size?.counts[0];
  if (size === undefined || stated === undefined) return undefined;
  const facts = { unit: "codePoints", stated, preview: hookHead(text, label + HEAD.length, region.end) } as const;
  if (hasAt(text, "unavailable", size.end, stop)) return notice("hermes-hook-failed", facts);
  if (!hasAt(text, "saved to ", size.end, stop)) return undefined;
  return notice("hermes-hook", { ...facts, path: text.slice(size.end + 9, stop - 1).trim() || undefined });
}

function hookHead(text: string, after: number, end: number): Region {
  const start = Math.min(end, after + 1);
  const tail = findLastWithin(text, "\n--- tail ---", start, end);
  return { start, end: tail < 0 ? end : tail };
}

function skipLineFeeds(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === 0x0a) next++;
  return next;
}
