import { err, ok, type Problem, type Result } from "../model/problem";
import type { FileFormatId } from "../model/transcript";
import type { FileSource, Utf8 } from "../ports";
import { type Detected, detectLines, detectList, detectObject } from "./formatTables";
import { inflated, type TextPorts } from "./inflated";
import { type JsonObject, parseRecord } from "./json";
import { NEWLINE } from "./lines";
import { readableKind } from "./readableKinds";
import { isRecordOf } from "./recordShape";
import { type Piece, StructureScanner } from "./structure";
import { unreadable } from "./unreadable";

export { unreadable };

/**
 * How a file of a format is cut. lines: each line is a record · document: the whole file is one JSON value, cut into
 * members and elements · lineDocuments: each line is such a value.
 */
export type Layout = "lines" | "document" | "lineDocuments";

export interface Sniffed {
  readonly format: FileFormatId;
  readonly layout: Layout;
  /** Bytes of the byte order mark before the content. */
  readonly skip: number;
}

/** Bytes looked at before giving up; a session's tool schemas stand before its messages and can take hundreds of KB. */
const HEAD_STEPS = [64 * 1024, 1024 * 1024, 8 * 1024 * 1024] as const;
const SAMPLE = 20;
/** Members larger than this are not parsed while sniffing. */
const MEMBER_BYTES = 256 * 1024;
/** Arrays whose first elements decide. */
const LOOKED_INTO: ReadonlySet<string> = new Set([
  "messages",
  "traj",
  "requests",
  "history",
  "trajectory",
  "output",
  "input",
  "conversations",
]);

/** The format of a file, by content; its name is never looked at. */
export async function sniff(source: FileSource, ports: TextPorts): Promise<Result<FileFormatId>> {
  // Unpacking Zstandard waits for nothing, so the smaller part first; it is enough for nearly all.
  const opened = await inflated(source, ports, HEAD_STEPS[1]);
  if (!opened.ok) return opened;
  const head = opened.value.source;
  const found = await formatOf(head, ports);
  if (found.ok || head === source || head.bytes < HEAD_STEPS[1]) return found;
  const more = await inflated(source, ports, HEAD_STEPS[2]);
  return more.ok ? formatOf(more.value.source, ports) : more;
}

async function formatOf(source: FileSource, ports: TextPorts): Promise<Result<FileFormatId>> {
  const found = await sniffLayout(source, ports);
  return found.ok ? ok(found.value.format) : found;
}

/** The format and how its file is cut. With `wanted` only the cut is found out. */
export async function sniffLayout(
  source: FileSource,
  ports: { readonly utf8: Utf8 },
  wanted?: FileFormatId,
): Promise<Result<Sniffed>> {
  if (source.bytes === 0) return err(problem(source, "empty-file", "is empty. There is nothing to show."));
  for (const step of HEAD_STEPS) {
    let head: Uint8Array;
    try {
      head = await source.read(0, Math.min(step, source.bytes));
    } catch (error) {
      return err(unreadable(source, error));
    }
    const whole = head.length >= source.bytes;
    const foreign = foreignKind(head);
    if (foreign !== undefined) return err(problem(source, "not-a-transcript", foreign));
    const skip = hasBom(head) ? 3 : 0;
    const found = inspect(head.subarray(skip), whole, ports.utf8, wanted);
    if (found !== undefined) return ok({ ...found, skip });
    const content = head.subarray(skip);
    const readable = readableKind(content, readRoot(content, ports.utf8)?.value, ports.utf8);
    if (readable !== undefined) return err(problem(source, "not-a-transcript", readable));
    if (whole) break;
  }
  const text =
    "is not a transcript of a known format. Known are the sessions, logs and exports of Hermes, Claude Code, Codex, Gemini CLI, " +
    "opencode, Copilot, OpenMausBot, openhuman, LangChain, SWE-agent and OpenHands, and the messages of the OpenAI and " +
    "Anthropic interfaces, as JSON or JSON Lines.";
  return err(problem(source, "unknown-format", text));
}

function problem(source: FileSource, code: string, text: string): Problem {
  return { code, severity: "error", message: `${source.path} ${text}` };
}

function hasBom(head: Uint8Array): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

const SQLITE = "SQLite format 3\u0000";

/** What a file that is not UTF-8 text plainly is, and what to do about it. */
function foreignKind(head: Uint8Array): string | undefined {
  const starts = (...bytes: readonly number[]) => bytes.every((byte, i) => head[i] === byte);
  if (starts(...[...SQLITE].map((c) => c.charCodeAt(0)))) {
    return "is a SQLite database, not a file of records. Open it without naming a format.";
  }
  if (starts(0x1f, 0x8b)) return "is compressed with gzip. Unpack it first (gzip -d) and open the result.";
  if (starts(0x28, 0xb5, 0x2f, 0xfd))
    return "is compressed with Zstandard. Unpack it first (zstd -d) and open the result.";
  if (starts(0x50, 0x4b, 0x03, 0x04)) return "is a ZIP archive. Unpack it first and open a file from it.";
  if (starts(0xff, 0xfe) || starts(0xfe, 0xff)) {
    return "is UTF-16 text. Transcripts are UTF-8; convert it first (iconv -f UTF-16 -t UTF-8).";
  }
  if (!looksBinary(head)) return undefined;
  return "is a binary file, not a transcript. Should it be a database, then it is encrypted or its beginning is damaged.";
}

/** Control characters that no JSON text holds, outside lines that are nothing but NULs (crashed writers leave those). */
function looksBinary(head: Uint8Array): boolean {
  const length = Math.min(head.length, 8192);
  let controls = 0;
  let nulRun = 0;
  for (let i = 0; i < length; i++) {
    const byte = head[i] ?? 0;
    if (byte === 0) {
      nulRun++;
      continue;
    }
    // A run of NULs that fills a line counts for nothing; one inside a line counts once.
    if (nulRun > 0 && byte !== NEWLINE && byte !== 0x0d) controls++;
    nulRun = 0;
    if (byte < 0x20 && byte !== 0x09 && byte !== NEWLINE && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) controls++;
  }
  return controls > 8 && controls * 50 > length;
}

type Found = { readonly format: FileFormatId; readonly layout: Layout };

function inspect(head: Uint8Array, whole: boolean, utf8: Utf8, wanted: FileFormatId | undefined): Found | undefined {
  const lines = firstLines(head, whole, utf8);
  const root = readRoot(head, utf8);
  // One value per line: the first line is a value of its own and more follow, or it is all there is on one line.
  const isLines = lines.firstIsValue && (lines.values.length > 1 || lines.more);
  const isDocument = !isLines && root !== undefined;
  if (wanted !== undefined) {
    if (!whole && !isLines && root === undefined) return undefined;
    return { format: wanted, layout: layoutOf(wanted, !isDocument || wanted === "claude-code", root) };
  }
  let found: Detected | undefined;
  if (isLines) found = detectLines(lines.values);
  else if (root !== undefined) {
    found = root.list === undefined ? detectObject(root.value) : detectList(root.list);
    // A file of one line, or whose only complete line came first.
    if (found === undefined && root.list === undefined) found = detectLines([root.value]);
    // Of a document that is spread over lines hardly any line is a value of its own; those that are say nothing.
    if (found === undefined && lines.values.length * 2 >= lines.seen) found = detectLines(lines.values);
  } else found = detectLines(lines.values);
  if (found === undefined) return undefined;
  return { format: found.format, layout: layoutOf(found.format, !isDocument, root) };
}

function layoutOf(format: FileFormatId, lines: boolean, root: Root | undefined): Layout {
  switch (format) {
    case "claude-code":
    case "hermes-gateway":
    case "codex":
    case "codex-exec":
    case "copilot-debug":
    case "copilot-events":
    case "tinyagents-run":
    case "openhuman":
      return lines || root?.list === undefined ? "lines" : "document";
    case "openmausbot-native":
      return "lineDocuments";
    case "hermes-trajectory":
    case "hermes-export":
      return lines ? "lineDocuments" : "document";
    default:
      return lines || (root?.list === undefined && isRecordOf(format, root?.value)) ? "lines" : "document";
  }
}

interface FirstLines {
  /** Values of the first lines that parse. */
  readonly values: readonly unknown[];
  readonly firstIsValue: boolean;
  /** Lines looked at, blank ones aside. */
  readonly seen: number;
  /** True when more lines follow than were looked at. */
  readonly more: boolean;
}

/** Parses the first lines; lines that do not parse are passed over. */
function firstLines(head: Uint8Array, whole: boolean, utf8: Utf8): FirstLines {
  const values: unknown[] = [];
  let firstIsValue = false;
  let seen = 0;
  let more = false;
  for (let at = 0; at < head.length && !more; ) {
    const newline = head.indexOf(NEWLINE, at);
    const end = newline === -1 ? head.length : newline;
    // Without its end a line says nothing, unless the file ends here.
    const complete = newline !== -1 || whole;
    const bytes = head.subarray(at, end);
    at = end + 1;
    if (!complete || isBlank(bytes)) continue;
    if (values.length >= SAMPLE || seen >= 10 * SAMPLE) {
      more = true;
      continue;
    }
    const parsed = parseRecord(bytes, utf8);
    const isValue = parsed.ok && typeof parsed.value === "object" && parsed.value !== null;
    if (seen === 0) firstIsValue = isValue;
    seen++;
    if (isValue) values.push(parsed.value);
  }
  return { values, firstIsValue, seen, more: more || (!whole && seen > 0) };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0x20);
}

interface Root {
  /** Members of a root object as far as they were seen; arrays that decide are cut after their first elements. */
  readonly value: JsonObject;
  /** First elements of a root list. */
  readonly list: readonly unknown[] | undefined;
}

/** The first root value of the file as far as the head shows it; undefined when it is neither object nor list. */
function readRoot(head: Uint8Array, utf8: Utf8): Root | undefined {
  const scanner = new StructureScanner(LOOKED_INTO, 0, 1);
  const members: [string, unknown][] = [];
  const lists = new Map<string, unknown[]>();
  let list: unknown[] | undefined;
  let begun = false;
  for (const piece of scanner.feed(head, 0)) {
    if (piece.kind === "scalar") return undefined;
    if (piece.kind === "end") break;
    if (piece.kind === "begin") {
      begun = true;
      if (head[piece.start] === 0x5b) list = [];
      continue;
    }
    if (piece.kind === "member") {
      if (piece.key !== undefined) members.push([piece.key, memberValue(head, piece, utf8)]);
      continue;
    }
    const into = piece.key === undefined ? list : lists.get(piece.key);
    if (into !== undefined && into.length >= SAMPLE) continue;
    const value = memberValue(head, piece, utf8);
    if (into !== undefined) into.push(value);
    else if (piece.key !== undefined) lists.set(piece.key, [value]);
  }
  if (!begun) return undefined;
  // A member that is larger than the head still tells that it is there, and whether it is a list.
  const { openKey } = scanner;
  const unfinished: [string, unknown][] =
    openKey === undefined || lists.has(openKey) || members.some(([key]) => key === openKey)
      ? []
      : [[openKey, LOOKED_INTO.has(openKey) ? [] : {}]];
  return { value: Object.fromEntries([...unfinished, ...members, ...lists]), list };
}

/** The value of a piece; for one too large to parse here, an empty value of its kind. */
function memberValue(head: Uint8Array, piece: Piece, utf8: Utf8): unknown {
  const bytes = head.subarray(piece.start, piece.end);
  if (bytes.length > MEMBER_BYTES) return bytes[0] === 0x5b ? [] : bytes[0] === 0x7b ? {} : "";
  const parsed = parseRecord(bytes, utf8);
  return parsed.ok ? parsed.value : undefined;
}
