import { notice, type Recognition, type Region } from "./recognition";
import { COUNT, findLastWithin, hasAt, lineEnd, readShape } from "./textScan";

const LARGE = "\n\n[Large tool result: showing the first ";
const SUMMARY = "\n\n[OpenMausBot summarized this large tool result: ";
const TRIMMED = "[Astra trimmed this tool result to fit the conversation: ";
const SAVED = " characters. The remaining redacted result is temporarily saved. ";
const BOUNDED = " characters. Only a bounded portion was retained; the remaining tail was omitted. ";
const FAILED = " characters. The remaining output could not be saved. ";
const READ = 'tool_result_read with id "';
const READ_SUMMARY = 'tool_result_read id "';
/** `r-` and 36 of `[0-9a-f-]`. */
const HANDLE_LENGTH = 38;

/**
 * OpenMausBot's notices (transcripts.md 11). A notice ends the text and counts the units in front of it, which no
 * quotation does by chance.
 */
export function recogniseOpenMausBot(text: string, region: Region): Recognition | undefined {
  if (!text.endsWith("]", region.end)) return recogniseTrim(text, region);
  return recogniseLarge(text, region) ?? recogniseSummary(text, region) ?? recogniseTrim(text, region);
}

function recogniseLarge(text: string, region: Region): Recognition | undefined {
  const at = findLastWithin(text, LARGE, 0, region.end);
  if (at < 0) return undefined;
  const size = readShape(text, at, region.end, [LARGE, COUNT]);
  const shown = size?.counts[0];
  // The preview counts from the result's first unit, or from the wrapper's content when another agent wrapped it.
  if (size === undefined || shown === undefined) return undefined;
  const start = at - shown;
  if (start !== 0 && start !== region.start) return undefined;
  const preview = { start, end: at };
  if (hasAt(text, FAILED, size.end, region.end)) return notice("openmausbot-failed", { unit: "utf16", preview });
  const variant = hasAt(text, SAVED, size.end, region.end)
    ? "openmausbot-saved"
    : hasAt(text, BOUNDED, size.end, region.end)
      ? "openmausbot-bounded"
      : undefined;
  const handle = readHandle(text, READ, size.end, region.end);
  if (variant === undefined || handle === undefined) return undefined;
  return notice(variant, { unit: "utf16", handle: handle.id, nextOffset: handle.offset, preview });
}

function recogniseSummary(text: string, region: Region): Recognition | undefined {
  const at = findLastWithin(text, SUMMARY, region.start, region.end);
  if (at < 0) return undefined;
  const size = readShape(text, at, region.end, [SUMMARY, COUNT, " → ", COUNT, " characters. "]);
  const [stated, kept] = size?.counts ?? [];
  if (size === undefined || stated === undefined || kept !== at - region.start) return undefined;
  const handle = readHandle(text, READ_SUMMARY, size.end, region.end);
  if (handle === undefined) return undefined;
  return notice("openmausbot-summary", {
    unit: "utf16",
    stated,
    handle: handle.id,
    nextOffset: handle.offset,
    preview: { start: region.start, end: at },
  });
}

function readHandle(
  text: string,
  before: string,
  from: number,
  end: number,
): { readonly id: string; readonly offset: number } | undefined {
  const at = text.slice(from, end).indexOf(before);
  if (at < 0) return undefined;
  const start = from + at + before.length;
  const id = text.slice(start, start + HANDLE_LENGTH);
  if (!/^r-[0-9a-f-]{36}$/.test(id)) return undefined;
  const offset = readShape(text, start + HANDLE_LENGTH, end, ['" and offset ', COUNT]);
  const value = offset?.counts[0];
  return value === undefined ? undefined : { id, offset: value };
}

/** The conversation trim states both sizes; it begins or ends the text. */
function recogniseTrim(text: string, region: Region): Recognition | undefined {
  const leading = hasAt(text, TRIMMED, region.start, region.end);
  if (!leading && !text.endsWith("]", region.end)) return undefined;
  const at = leading ? region.start : findLastWithin(text, `\n${TRIMMED}`, region.start, region.end) + 1;
  if (!leading && at === 0) return undefined;
  const size = readShape(text, at, region.end, [TRIMMED, COUNT, " → ", COUNT, " characters."]);
  const stated = size?.counts[0];
  if (size === undefined || stated === undefined) return undefined;
  const stop = lineEnd(text, size.end, region.end);
  if (!leading && stop >= 0) return undefined;
  const preview = leading
    ? { start: stop < 0 ? region.end : stop + 1, end: region.end }
    : { start: region.start, end: at - 1 };
  return notice("openmausbot-trimmed", { unit: "utf16", stated, preview });
}
