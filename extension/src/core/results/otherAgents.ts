import { offsetAfterCodePoints } from "../util/textSize";
import { notice, placeholder, type Recognition, type Region } from "./recognition";
import { COUNT, findLastWithin, findWithin, hasAt, isExactly, lineEnd, readShape } from "./textScan";

/** Notices of agents whose transcripts come as plain chat messages (transcripts.md 7–9, 12–14, 16). */
export function recogniseOthers(text: string, region: Region): Recognition | undefined {
  return recogniseWhole(text, region) ?? recogniseStart(text, region) ?? recogniseEnd(text, region);
}

function recogniseWhole(text: string, region: Region): Recognition | undefined {
  if (isExactly(text, "[Old tool result content cleared]", region)) return placeholder("content-cleared");
  if (isExactly(text, "[cleared]", region)) return placeholder("langchain-cleared");
  const omitted = readShape(text, region.start, region.end, ["Old environment output: (", COUNT, " lines omitted)"]);
  return omitted?.end === region.end ? placeholder("swe-agent-omitted") : undefined;
}

function recogniseStart(text: string, region: Region): Recognition | undefined {
  switch (text.charAt(region.start)) {
    case "[":
      return recogniseOffload(text, region) ?? recogniseArtifact(text, region);
    case "L":
      return recogniseCopilot(text, region);
    case "O":
      return recogniseGemini(text, region);
    case "T":
      return recogniseCodex(text, region);
    case "<":
      return recogniseGeminiMasked(text, region) ?? recogniseMiniSwe(text, region);
    default:
      return undefined;
  }
}

/** openhuman states tokens and bytes, no characters; its handles die with the run. */
function recogniseOffload(text: string, region: Region): Recognition | undefined {
  const head = readShape(text, region.start, region.end, [
    "[oversized tool output: ",
    COUNT,
    " tokens (",
    COUNT,
    ' bytes) — stashed as result_id="',
  ]);
  if (head === undefined) return undefined;
  const close = findWithin(text, '"]', head.end, Math.min(region.end, head.end + 128));
  if (close < 0) return undefined;
  const label = readShape(text, close + 2, region.end, ["\nPreview (first ", COUNT, " chars):\n"]);
  const length = label?.counts[0];
  const facts = { unit: "codePoints", handle: text.slice(head.end, close) } as const;
  if (label === undefined || length === undefined) return notice("openhuman-offload", facts);
  const end = length > region.end - label.end ? region.end : offsetAfterCodePoints(text, length, label.end);
  return notice("openhuman-offload", { ...facts, preview: { start: label.end, end: Math.min(end, region.end) } });
}

function recogniseArtifact(text: string, region: Region): Recognition | undefined {
  const head = "[artifact] kind=output path=";
  if (!hasAt(text, head, region.start, region.end)) return undefined;
  const stop = lineEnd(text, region.start, region.end);
  const line = stop < 0 ? region.end : stop;
  const bytes = findLastWithin(text, " bytes=", region.start, line);
  if (bytes < 0) return undefined;
  const path = text.slice(region.start + head.length, bytes).trim();
  const abstract = findWithin(text, "\n[abstract]", line, region.end);
  const preview = abstract < 0 ? undefined : { start: abstract + 11, end: region.end };
  return path === ""
    ? undefined
    : notice("openhuman-artifact", { unit: "codePoints", path, ...(preview && { preview }) });
}

/** VS Code Copilot rounds to whole kilobytes and leaves no preview. */
function recogniseCopilot(text: string, region: Region): Recognition | undefined {
  const size = readShape(text, region.start, region.end, ["Large tool result (", COUNT, "kb) written to file. "]);
  const kilobytes = size?.counts[0];
  if (size === undefined || kilobytes === undefined) return undefined;
  const before = "access the content at: ";
  const stop = lineEnd(text, size.end, region.end);
  const line = stop < 0 ? region.end : stop;
  const at = findWithin(text, before, size.end, line);
  if (at < 0) return undefined;
  return notice("copilot-file", {
    unit: "utf16",
    stated: kilobytes * 1024,
    rounded: true,
    path: text.slice(at + before.length, line).trim() || undefined,
  });
}

/** The body names how much it left out, so the whole size follows. */
function recogniseGemini(text: string, region: Region): Recognition | undefined {
  if (!hasAt(text, "Output too large. Showing ", region.start, region.end)) return undefined;
  const before = " For full output see: ";
  const stop = lineEnd(text, region.start, region.end);
  const line = stop < 0 ? region.end : stop;
  const at = findWithin(text, before, region.start, line);
  if (at < 0) return undefined;
  const path = text.slice(at + before.length, line).trim() || undefined;
  const preview = stop < 0 ? undefined : { start: stop + 1, end: region.end };
  const shown = readShape(text, region.start, line, [
    "Output too large. Showing first ",
    COUNT,
    " and last ",
    COUNT,
    " characters.",
  ]);
  const [head, tail] = shown?.counts ?? [];
  const omitted = head === undefined || tail === undefined ? undefined : readOmitted(text, line, region.end);
  const stated = omitted === undefined ? undefined : (head ?? 0) + (tail ?? 0) + omitted;
  return notice("gemini-file", { unit: "utf16", stated, path, ...(preview && { preview }) });
}

function readOmitted(text: string, from: number, end: number): number | undefined {
  const at = findWithin(text, "... [", from, end);
  return at < 0 ? undefined : readShape(text, at, end, ["... [", COUNT, " characters omitted] ..."])?.counts[0];
}

function recogniseGeminiMasked(text: string, region: Region): Recognition | undefined {
  if (!hasAt(text, "<tool_output_masked>", region.start, region.end)) return undefined;
  const before = "masked to preserve context window. Full output saved to: ";
  const at = findLastWithin(text, before, region.start, region.end);
  if (at < 0) return undefined;
  const stop = lineEnd(text, at, region.end);
  const written = text.slice(at + before.length, stop < 0 ? region.end : stop).trim();
  const path = written.endsWith("]") ? written.slice(0, -1) : written;
  const start = region.start + 20;
  const label = findLastWithin(text, "[Tool output (", start, at);
  return notice("gemini-masked", {
    unit: "utf16",
    path: path || undefined,
    ...(label < 0 ? {} : { preview: { start, end: label } }),
  });
}

/** The inner marker alone proves nothing, since it also occurs in source files; the head line belongs to Codex only. */
function recogniseCodex(text: string, region: Region): Recognition | undefined {
  const head = readShape(text, region.start, region.end, ["Total output lines: ", COUNT, "\n"]);
  if (head === undefined) return undefined;
  const tokens = findWithin(text, " tokens truncated…", head.end, region.end);
  const chars = findWithin(text, " chars truncated…", head.end, region.end);
  return tokens < 0 && chars < 0
    ? undefined
    : notice("codex-truncated", { unit: "codePoints", preview: { start: head.end, end: region.end } });
}

function recogniseMiniSwe(text: string, region: Region): Recognition | undefined {
  if (!hasAt(text, "<returncode>", region.start, region.end)) return undefined;
  const head = findWithin(text, "<output_head>", region.start, region.end);
  const elided = head < 0 ? -1 : findWithin(text, "<elided_chars>", head, region.end);
  return elided < 0
    ? undefined
    : notice("mini-swe-elided", { unit: "codePoints", preview: { start: head + 13, end: elided } });
}

function recogniseEnd(text: string, region: Region): Recognition | undefined {
  return recogniseOpencode(text, region) ?? recogniseClipped(text, region);
}

/** The notice ends the text, with at most a hint of a few lines behind the path. */
function recogniseOpencode(text: string, region: Region): Recognition | undefined {
  const before = "The tool call succeeded but the output was truncated. Full output saved to: ";
  const at = findLastWithin(text, before, region.start, region.end);
  if (at < 0 || region.end - at > 4096) return undefined;
  if (at > region.start && text.charAt(at - 1) !== "\n") return undefined;
  const cut = findLastWithin(text, " truncated...", Math.max(region.start, at - 64), at);
  if (cut < 0 && at > region.start) return undefined;
  const stop = lineEnd(text, at, region.end);
  const path = text.slice(at + before.length, stop < 0 ? region.end : stop).trim() || undefined;
  const dots = cut < 0 ? -1 : findLastWithin(text, "...", Math.max(region.start, cut - 32), cut);
  const preview = dots < 0 ? undefined : { start: region.start, end: dots };
  return notice("opencode-file", { unit: "utf16", path, ...(preview && { preview }) });
}

/**
 * Version 2 of opencode keeps both ends and puts the notice between them, in a paragraph of its own; it stands last where
 * no end is kept.
 */
export function recogniseOpencodeTwo(text: string, region: Region): Recognition | undefined {
  const before = "... output truncated; full content saved to ";
  const after = " ...";
  const at = findLastWithin(text, before, region.start, region.end);
  if (at < 0 || (at > region.start && (at - 2 < region.start || !hasAt(text, "\n\n", at - 2, at)))) return undefined;
  const stop = lineEnd(text, at, region.end);
  const end = stop < 0 ? region.end : stop;
  if (end < region.end && !hasAt(text, "\n\n", end, region.end)) return undefined;
  if (end - after.length < at + before.length || !hasAt(text, after, end - after.length, end)) return undefined;
  const path = text.slice(at + before.length, end - after.length).trim();
  if (path === "") return undefined;
  const preview = at > region.start ? { start: region.start, end: at - 2 } : undefined;
  return notice("opencode-file-2", { unit: "utf16", path, ...(preview && { preview }) });
}

/** The clip note ends the text, or stands on a line of its own between head and tail. */
function recogniseClipped(text: string, region: Region): Recognition | undefined {
  const marker = "<response clipped><NOTE>";
  const at = findLastWithin(text, marker, region.start, region.end);
  if (at < 0 || (at > region.start && text.charAt(at - 1) !== "\n" && !text.endsWith("</NOTE>", region.end))) {
    return undefined;
  }
  const close = findWithin(text, "</NOTE>", at, Math.min(region.end, at + 4096));
  if (close < 0 || (close + 7 !== region.end && !hasAt(text, "\n", close + 7, region.end))) return undefined;
  return notice("swe-agent-clipped", { unit: "codePoints", preview: { start: region.start, end: at } });
}
