import { grouped } from "../util/numbers";
import { countCodePoints } from "../util/textSize";
import { unwrapMcpEnvelope } from "./mcpEnvelope";
import { cutPreview, PREVIEW_CHARS } from "./preview";

/** `recovery` since v2026.8 sources @025d8a23; `plain` from PR #6085 (v0.8.0) to v2026.8.16.2. */
export type BlockEra = "recovery" | "plain";

/** First line of the block. Hermes leaves alone any result that holds this text, also one that only quotes it. */
export const PERSISTED_TAG = "<persisted-output>";

const USE_READ_FILE = "Use the read_file tool with offset and limit to access specific sections of this output.";
const RECOVERY =
  "Recovery: page through the saved file with read_file (offset/limit) or process it with execute_code — do NOT " +
  "re-request the same data from the remote API; the full result is already on disk.";

/** What Hermes writes to the file and what it leaves in context. */
export interface PersistedText {
  /** The notice that the model sees. */
  readonly block: string;
  /** The text in the file: unwrapped from an MCP envelope. Lone surrogates become `?` there. */
  readonly fileText: string;
  /** Code points of `fileText`; the number the notice states, which may be below the threshold. */
  readonly chars: number;
}

/** Persists one text result (layer 2, or layer 3 with threshold 0). Whether it is due is decided on the raw text. */
export function persistText(
  raw: string,
  path: string,
  era: BlockEra = "recovery",
  previewChars: number = PREVIEW_CHARS,
): PersistedText {
  const fileText = (era === "recovery" ? unwrapMcpEnvelope(raw) : undefined) ?? raw;
  const chars = countCodePoints(fileText);
  const preview = cutPreview(fileText, previewChars);
  const lines = [
    PERSISTED_TAG,
    `This tool result was too large (${grouped(chars)} characters, ${formatSize(chars)}).`,
    `Full output saved to: ${path}`,
    USE_READ_FILE,
    ...(era === "recovery" ? [RECOVERY] : []),
    "",
    `Preview (first ${preview.chars} chars):`,
    preview.text,
    ...(preview.hasMore ? ["..."] : []),
    "</persisted-output>",
  ];
  return { block: lines.join("\n"), fileText, chars };
}

/** What stays when the file could not be written (since PR #6085). */
export function notSavedText(raw: string, previewChars: number = PREVIEW_CHARS): string {
  const preview = cutPreview(raw, previewChars);
  const chars = countCodePoints(raw);
  return `${preview.text}\n\n[Truncated: tool response was ${grouped(chars)} chars. Full output could not be saved to sandbox.]`;
}

/** Characters ÷ 1024 with one decimal, or ÷ 1024² from 1,048,576 on; ties go to the even digit, as in Python. */
export function formatSize(chars: number): string {
  const mega = chars >= 1_048_576;
  const divisor = mega ? 1_048_576 : 1024;
  const scaled = chars * 10;
  const floor = Math.floor(scaled / divisor);
  const rest = scaled - floor * divisor;
  const up = rest * 2 > divisor || (rest * 2 === divisor && floor % 2 === 1);
  const tenths = up ? floor + 1 : floor;
  return `${Math.floor(tenths / 10)}.${tenths % 10} ${mega ? "MB" : "KB"}`;
}
