import { countCodePoints } from "../util/textSize";
import { onlyTrailersFollow } from "./hermesWrapping";
import { notice, type RecogniseContext, type Recognition, type Region } from "./recognition";
import { COUNT, findWithin, readShape } from "./textScan";

const TRUNCATED = "\n\n... [OUTPUT TRUNCATED - ";
/** Longest JSON result that is parsed for its fields, UTF-16 units; the tools cap theirs far below. */
const PARSE_LIMIT = 4_000_000;

/** Results of `terminal` and `execute_code` that name their spill file, or lost the middle of their output (hermes.md 3.9). */
export function recogniseJson(text: string, region: Region, context: RecogniseContext): Recognition | undefined {
  if (text.charCodeAt(region.start) !== 0x7b || region.end - region.start > PARSE_LIMIT) return undefined;
  if (
    !text.includes('"full_output_path"') &&
    !text.includes('"stdout_spill_path"') &&
    !text.includes("[OUTPUT TRUNCATED - ")
  ) {
    return undefined;
  }
  const record = parseObject(text.slice(region.start, endOfJson(text, region)));
  if (record === undefined) return undefined;
  const tool = context.tool ?? "";
  const spill = record["stdout_spill_path"];
  if (typeof spill === "string" && spill !== "" && (tool === "" || tool === "execute_code")) {
    return notice("hermes-execute-code", { unit: "codePoints", stated: undefined, path: spill });
  }
  if (tool !== "" && tool !== "terminal" && tool !== "process") return undefined;
  const output = record["output"];
  const path = record["full_output_path"];
  const cut = typeof output === "string" ? readCut(output) : undefined;
  if (typeof path === "string" && path !== "") {
    const total = record["output_total_chars"];
    const stated = typeof total === "number" && Number.isSafeInteger(total) && total >= 0 ? total : cut;
    return notice("hermes-terminal-file", { unit: "codePoints", stated, path });
  }
  return cut === undefined ? undefined : notice("hermes-terminal", { unit: "codePoints", stated: cut });
}

/**
 * Length of the whole output that the cut states, in code points. The two ends must add up with it, give or take what
 * masking and stripping changed afterwards; otherwise the output only quotes such a line.
 */
function readCut(output: string): number | undefined {
  const at = output.indexOf(TRUNCATED);
  if (at < 0) return undefined;
  const shape = readShape(output, at, output.length, [
    TRUNCATED,
    COUNT,
    " chars omitted out of ",
    COUNT,
    " total] ...\n\n",
  ]);
  const [omitted, total] = shape?.counts ?? [];
  if (shape === undefined || omitted === undefined || total === undefined || omitted > total) return undefined;
  const kept = countCodePoints(output.slice(0, at)) + countCodePoints(output.slice(shape.end));
  return Math.abs(total - omitted - kept) <= (total - omitted) / 10 ? total : undefined;
}

/** The tools write JSON on one line; hints and notes that Hermes appends begin with a line feed. */
function endOfJson(text: string, region: Region): number {
  const lineFeed = findWithin(text, "\n", region.start, region.end);
  return lineFeed >= 0 && onlyTrailersFollow(text, lineFeed, region.end) ? lineFeed : region.end;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    // Not JSON: an ordinary text that happens to begin with a brace.
    return undefined;
  }
}
