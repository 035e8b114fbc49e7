import type { Problem } from "../model/problem";
import type { RecordPlace } from "../model/transcript";
import type { Cancel, FileSource, Utf8 } from "../ports";
import { parseRecord } from "./json";
import { CHUNK_BYTES, lineBlocks, MAX_LINE_BYTES, NEWLINE, type ScanOptions } from "./lines";
import type { ProblemLog } from "./problems";
import { plural } from "./problems";
import type { Reader } from "./readers/reader";
import type { Layout } from "./sniff";
import { type Piece, StructureScanner } from "./structure";

/** Nesting that a record may have. Real ones stay below 30; a bomb of a few hundred MB would take gigabytes once parsed. */
export const MAX_DEPTH = 2000;
/** Records up to this size are parsed without looking at their nesting first: at worst they take some 75 times their size. */
const UNCHECKED_BYTES = 1024 * 1024;

const CARRIAGE_RETURN = 0x0d;
const NO_ARRAYS: ReadonlySet<string> = new Set();

export interface Feed {
  readonly source: FileSource;
  readonly utf8: Utf8;
  readonly reader: Reader;
  readonly problems: ProblemLog;
  readonly cancel: Cancel;
  readonly scan: ScanOptions;
}

/**
 * Feeds a file to its reader, record by record, from the offset `start` on, which begins `line`. Yields the number of bytes
 * that are done after each block, so that the caller can hand on what was found and be cancelled; returns the line behind
 * the last one. One block and one record are in memory at a time.
 */
export async function* feedRecords(
  feed: Feed,
  layout: Layout,
  start: number,
  first = 1,
): AsyncGenerator<number, number> {
  let line = first;
  if (layout === "document") {
    yield* feedDocument(feed, start, feed.source.bytes, line);
    return line;
  }
  for await (const block of lineBlocks(feed.source, start, feed.cancel, feed.scan)) {
    if (block.kind === "huge") {
      if (layout === "lineDocuments") yield* feedDocument(feed, block.start, block.end, line);
      else feed.problems.add(tooLong({ ...block, line }, feed.scan.maxLineBytes ?? MAX_LINE_BYTES));
      line++;
      yield block.end;
      continue;
    }
    line = feedLines(feed, block.bytes, block.start, line, layout === "lineDocuments");
    yield block.start + block.bytes.length;
  }
  return line;
}

/** Feeds whole lines that begin at the offset `start`, on `line`; the line behind them. */
export function feedLines(feed: Feed, bytes: Uint8Array, start: number, line: number, documents = false): number {
  let number = line;
  for (let at = 0; at < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, at);
    const stop = newline === -1 ? bytes.length : newline;
    let end = stop;
    while (end > at && (bytes[end - 1] === CARRIAGE_RETURN || bytes[end - 1] === 0x20)) end--;
    if (end > at) {
      const place = { line: number, start: start + at, end: start + end };
      const record = bytes.subarray(at, end);
      if (isNothing(record)) nulLine(feed, record, place);
      else if (documents) feedLineDocument(feed, record, place);
      else feedLine(feed, record, place, newline !== -1);
    }
    at = stop + 1;
  }
  return number;
}

/** White space and NULs only. */
function isNothing(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  return first <= 0x20 && bytes.every((byte) => byte <= 0x20);
}

function nulLine(feed: Feed, bytes: Uint8Array, place: RecordPlace): void {
  if (!bytes.includes(0)) return;
  const say = (count: number) =>
    `${plural(count, "line")} of nothing but NUL bytes (a crashed writer leaves those); passed over.`;
  feed.problems.tally("nul-line", "info", place, say);
}

function feedLine(feed: Feed, bytes: Uint8Array, place: RecordPlace, ended: boolean): void {
  if (bytes.length > UNCHECKED_BYTES && depthOf(bytes) > MAX_DEPTH) {
    feed.problems.add(tooDeep(place));
    return;
  }
  const parsed = parseRecord(bytes, feed.utf8);
  if (parsed.ok) {
    if (!parsed.validUtf8) feed.problems.add(badUtf8(place));
    feed.reader.record({ value: parsed.value, texts: parsed.texts, place });
    return;
  }
  const rest = feedGlued(feed, bytes, place);
  if (rest === undefined) return;
  const torn = !ended && place.end >= feed.source.bytes;
  feed.problems.add(torn ? tornLine(rest) : badLine(rest, parsed.reason));
}

/**
 * A line that holds several values without a newline between them (two writers at once). Feeds those that are whole and
 * returns the place of what is left over, if anything.
 */
function feedGlued(feed: Feed, bytes: Uint8Array, place: RecordPlace): RecordPlace | undefined {
  const scanner = new StructureScanner(NO_ARRAYS, place.start, place.line);
  const pieces = [...scanner.feed(bytes, place.start), ...scanner.finish()];
  let fed = 0;
  let left = place.start;
  let bad: RecordPlace | undefined;
  for (const piece of pieces) {
    if (piece.kind !== "end" && piece.kind !== "scalar") continue;
    const at: RecordPlace = { line: piece.line, start: piece.start, end: piece.end };
    const parsed = parseRecord(bytes.subarray(piece.start - place.start, piece.end - place.start), feed.utf8);
    if (parsed.ok && piece.kind === "end") {
      if (!parsed.validUtf8) feed.problems.add(badUtf8(at));
      feed.reader.record({ value: parsed.value, texts: parsed.texts, place: at });
      fed++;
      left = piece.end;
    } else bad ??= at;
  }
  if (fed === 0) return place;
  if (scanner.open) bad ??= { line: place.line, start: left, end: place.end };
  const say = (count: number) =>
    `${plural(count, "line")} holding several records without a line end between them; each whole one is read.`;
  if (fed > 1 || bad === undefined) feed.problems.tally("glued-records", "info", place, say);
  return bad;
}

function feedLineDocument(feed: Feed, bytes: Uint8Array, place: RecordPlace): void {
  const { reader } = feed;
  const scanner = new StructureScanner(reader.arrays, place.start, place.line);
  const pieces = [...scanner.feed(bytes, place.start), ...scanner.finish()];
  if (!pieces.some((piece) => piece.kind === "begin")) {
    feed.problems.add(badLine(place, "it is not a JSON object"));
    return;
  }
  for (const piece of pieces) {
    feedPiece(feed, piece, bytes.subarray(piece.start - place.start, piece.end - place.start));
  }
  if (scanner.open) feed.problems.add(cutOff({ ...scanner.openPlace, end: place.end }));
}

/** A JSON value of any size: its structure is scanned chunk by chunk, its pieces are parsed one at a time. */
async function* feedDocument(feed: Feed, start: number, stop: number, line: number): AsyncGenerator<number> {
  const { source, reader, cancel } = feed;
  const chunk = feed.scan.chunkBytes ?? CHUNK_BYTES;
  const scanner = new StructureScanner(reader.arrays, start, line);
  let any = false;
  for (let at = start; at < stop && !cancel.isCancellationRequested; ) {
    const bytes = await source.read(at, Math.min(at + chunk, stop));
    if (bytes.length === 0) break;
    for (const piece of scanner.feed(bytes, at)) {
      any = true;
      if (!isWanted(feed, piece)) {
        feedPiece(feed, piece, undefined);
        continue;
      }
      const inside = piece.start >= at;
      feedPiece(
        feed,
        piece,
        inside ? bytes.subarray(piece.start - at, piece.end - at) : await source.read(piece.start, piece.end),
      );
      if (cancel.isCancellationRequested) return;
    }
    at += bytes.length;
    yield at;
  }
  if (cancel.isCancellationRequested) return;
  for (const piece of scanner.finish()) feedPiece(feed, piece, undefined);
  if (scanner.open) feed.problems.add(cutOff({ ...scanner.openPlace, end: stop }));
  else if (!any) feed.problems.add(badLine({ line, start, end: stop }, "it holds no JSON object"));
}

function isWanted(feed: Feed, piece: Piece): boolean {
  if (piece.end - piece.start > MAX_LINE_BYTES || piece.depth > MAX_DEPTH) return false;
  return piece.kind === "element" || (piece.kind === "member" && feed.reader.members.has(piece.key ?? ""));
}

function feedPiece(feed: Feed, piece: Piece, bytes: Uint8Array | undefined): void {
  const { reader, problems } = feed;
  const place: RecordPlace = { line: piece.line, start: piece.start, end: piece.end };
  switch (piece.kind) {
    case "begin":
      reader.begin(place);
      return;
    case "end":
      reader.end(place);
      return;
    case "scalar":
      problems.add(badLine(place, "it is not a JSON object"));
      return;
    default:
  }
  if (piece.depth > MAX_DEPTH) {
    problems.add(tooDeep(place));
    return;
  }
  if (piece.end - piece.start > MAX_LINE_BYTES) {
    if (piece.kind === "element") problems.add(tooLong(place, MAX_LINE_BYTES));
    return;
  }
  if (bytes === undefined || !isWanted(feed, piece)) return;
  const parsed = parseRecord(bytes, feed.utf8);
  if (!parsed.ok) {
    problems.add(badLine(place, parsed.reason));
    return;
  }
  if (!parsed.validUtf8) problems.add(badUtf8(place));
  const item = { value: parsed.value, texts: parsed.texts, place };
  if (piece.kind === "member") reader.member(piece.key ?? "", item);
  else if (piece.key === undefined) reader.record(item);
  else reader.element(piece.key, item);
}

/** Deepest nesting of one JSON value. */
export function depthOf(bytes: Uint8Array): number {
  const scanner = new StructureScanner(NO_ARRAYS, 0, 1);
  scanner.feed(bytes, 0);
  return scanner.maxDepth;
}

const millions = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** A record that is larger than what is taken into memory. */
export function tooLong(place: RecordPlace, limit: number): Problem {
  const message = `Line ${place.line}: a record of ${millions(place.end - place.start)} is left out; the limit is ${millions(limit)}.`;
  return { code: "record-too-long", severity: "error", message, at: at(place) };
}

function tooDeep(place: RecordPlace): Problem {
  const message = `Line ${place.line}: a record nested more than ${MAX_DEPTH} levels deep is left out; no agent writes such records.`;
  return { code: "record-too-deep", severity: "error", message, at: at(place) };
}

function badLine(place: RecordPlace, reason: string): Problem {
  const message = `Line ${place.line} cannot be read: ${reason}. It is left out; every other line is read.`;
  return { code: "bad-record", severity: "error", message, at: at(place) };
}

/** The end of a record is missing, and no line end says that nothing more comes. */
export function tornLine(place: RecordPlace): Problem {
  const message = `Line ${place.line}, the last one, is cut off. Its writer may still be at it; reload when it is done.`;
  return { code: "torn-last-line", severity: "warning", message, at: at(place) };
}

function cutOff(place: RecordPlace): Problem {
  const message = `The file is cut off inside the value that begins on line ${place.line}. What stands before it is read.`;
  return { code: "cut-off", severity: "error", message, at: at(place) };
}

function badUtf8(place: RecordPlace): Problem {
  const message = `Line ${place.line} holds bytes that are not UTF-8. Each is read as U+FFFD, so its sizes may be off by a few.`;
  return { code: "invalid-utf8", severity: "warning", message, at: at(place) };
}

function at(place: RecordPlace): RecordPlace {
  return { line: place.line, start: place.start, end: place.end };
}
