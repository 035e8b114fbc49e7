import type { PersistedInfo } from "../model/transcript";
import type { Cancel, FileSource, FileStat } from "../ports";
import { grouped } from "../util/numbers";
import { lengthIn, measureText } from "../util/textSize";
import type { FileCheckPorts } from "./fileCheck";
import type { VariantId } from "./markers";
import { unwrapMcpEnvelope } from "./mcpEnvelope";

/** Larger files are compared by their bytes and their beginning only. */
const DECODE_LIMIT_BYTES = 8 * 1024 * 1024;

/** Notices whose preview is the beginning of the file; others show both ends or a summary. */
const BEGINNINGS: ReadonlySet<string> = new Set<VariantId>([
  "hermes-block",
  "hermes-block-2026-04",
  "hermes-large-response",
  "hermes-hook",
  "claude-block",
  "opencode-file",
]);

export type ContentReport =
  | {
      readonly ok: true;
      readonly realChars: number | undefined;
      readonly sizeDiffers: boolean;
      readonly previewDiffers: boolean;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly status: "unreadable" | "not-checked"; readonly note: string };

/** Compares a spill file, as it was looked at, with the size and the preview that its notice states. */
export async function compareContents(
  {
    realPath: path,
    bytes,
    identity,
  }: Pick<FileStat & { readonly kind: "file" | "directory" | "other" }, "realPath" | "bytes" | "identity">,
  persisted: PersistedInfo,
  preview: string | undefined,
  ports: FileCheckPorts,
  cancel: Cancel,
): Promise<ContentReport> {
  const whole = bytes <= DECODE_LIMIT_BYTES;
  const wanted = whole ? bytes : Math.min(bytes, measureText(preview ?? "").bytes + 4);
  let data: Uint8Array;
  try {
    const source: FileSource = await ports.files.open(path, { identity });
    data = await source.read(0, wanted);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, status: "unreadable", note: `${path} cannot be read (${reason}).` };
  }
  if (cancel.isCancellationRequested) return { ok: false, status: "not-checked", note: "The check was cancelled." };
  const { text, valid } = ports.utf8.decode(data);
  const comparable = preview !== undefined && preview !== "" && BEGINNINGS.has(persisted.variant);
  const previewDiffers = comparable && !startsWith(text, preview);
  const notes: string[] = [];
  if (previewDiffers) {
    notes.push("The file does not begin with the preview: it was replaced, or secrets were masked in one of them.");
  } else if (comparable) notes.push("The preview is the file's beginning.");
  if (whole && !valid) notes.push("The file is not valid UTF-8; broken bytes count as one character each.");
  const size = whole ? compareText(text, persisted) : compareBytes(bytes, persisted);
  return { ok: true, previewDiffers, ...size, notes: [...notes, ...size.notes] };
}

/** The transcript may hold half of a surrogate pair where the file holds `?` or U+FFFD. */
function startsWith(text: string, preview: string): boolean {
  if (text.startsWith(preview)) return true;
  const loose = (part: string): string => part.replace(/[?\ufffd]|\p{Surrogate}/gu, "?");
  return loose(text.slice(0, preview.length)) === loose(preview);
}

interface SizeReport {
  readonly realChars: number | undefined;
  readonly sizeDiffers: boolean;
  readonly notes: readonly string[];
}

function compareText(text: string, persisted: PersistedInfo): SizeReport {
  const realChars = lengthIn(text, persisted.statedUnit);
  const stated = persisted.statedChars;
  if (stated === undefined)
    return { realChars, sizeDiffers: false, notes: [`The file holds ${grouped(realChars)} characters.`] };
  if (fits(realChars, persisted)) {
    const agreement = persisted.statedRounded ? `the notice states about ${grouped(stated)}` : "as stated";
    return { realChars, sizeDiffers: false, notes: [`The file holds ${grouped(realChars)} characters, ${agreement}.`] };
  }
  const tolerated = tolerate(text, realChars, persisted);
  if (tolerated !== undefined) return { realChars, sizeDiffers: false, notes: [tolerated] };
  const about = persisted.statedRounded ? "about " : "";
  const note = `The file holds ${grouped(realChars)} characters, the notice states ${about}${grouped(stated)}.`;
  return { realChars, sizeDiffers: true, notes: [note] };
}

/** Known reasons for another length. */
function tolerate(text: string, realChars: number, persisted: PersistedInfo): string | undefined {
  if (persisted.variant === "hermes-block-2026-04" && text.endsWith("\n") && fits(realChars - 1, persisted)) {
    return `The file holds ${grouped(realChars)} characters: one line feed more than stated, which Hermes v0.8.0 added.`;
  }
  const plain = persisted.variant.startsWith("hermes") ? unwrapMcpEnvelope(text) : undefined;
  if (plain !== undefined && fits(lengthIn(plain, persisted.statedUnit), persisted)) {
    return `The file holds an MCP envelope of ${grouped(realChars)} characters around the text of stated length.`;
  }
  const parts = persisted.variant === "claude-mcp" ? textOfParts(text) : undefined;
  if (parts !== undefined && fits(parts.length, persisted)) {
    return `The file holds a list of text parts, together ${grouped(parts.length)} characters, as stated.`;
  }
  return undefined;
}

/** Claude Code may save an MCP result as a JSON array of `{type, text}`. */
function textOfParts(text: string): string | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts)) return undefined;
    return parts.map((part: unknown) => readText(part)).join("");
  } catch {
    // Not JSON: a plain text that begins with a bracket.
    return undefined;
  }
}

function readText(part: unknown): string {
  const text = typeof part === "object" && part !== null && "text" in part ? part.text : undefined;
  return typeof text === "string" ? text : "";
}

/** True when a length agrees with the stated one, within what its rounding allows. */
function fits(chars: number, persisted: PersistedInfo): boolean {
  const stated = persisted.statedChars ?? chars;
  if (!persisted.statedRounded) return chars === stated;
  // One decimal of kilobytes or megabytes; VS Code Copilot rounds to whole kilobytes.
  const unit = stated >= 1_048_576 ? 1_048_576 : 1024;
  const half = persisted.variant === "copilot-file" ? unit / 2 : unit / 20;
  return Math.abs(chars - stated) <= half + 1;
}

function compareBytes(bytes: number, persisted: PersistedInfo): SizeReport {
  const stated = persisted.statedChars;
  const note = `The file has ${grouped(bytes)} bytes, too many to count its characters here.`;
  if (stated === undefined) return { realChars: undefined, sizeDiffers: false, notes: [note] };
  // A character takes one to four bytes as a code point, one to three as a UTF-16 unit.
  const most = stated * (persisted.statedUnit === "utf16" ? 3 : 4);
  const slack = persisted.statedRounded ? 1_048_576 / 10 : 1;
  const possible = bytes >= stated - slack && bytes <= most + slack;
  return {
    realChars: undefined,
    sizeDiffers: !possible,
    notes: [possible ? note : `${note} The stated ${grouped(stated)} characters cannot take that many.`],
  };
}
