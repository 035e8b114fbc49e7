import type { BodyRef, RecordPlace, TextSize, ToolResult, Usage } from "../../model/transcript";
import { NO_TEXT, type ThreadState } from "../builder";
import { callIdentity } from "../callIdentity";
import type { Measured } from "../flatten";
import type { Skimmed } from "../rows/layout";
import * as row from "../rows/layout";
import { type ClaudeCodeReader, fullTextUnits, isSilent } from "./claudeCode";

/** Path of a result's content, by the index of its block; a row has no more than 64. */
const PATHS: readonly (readonly (string | number)[])[] = Array.from({ length: 64 }, (_, index) => [
  "message",
  "content",
  index,
  "content",
]);

interface NamedRequest {
  readonly id: string;
  readonly request: string;
  readonly named: { readonly key: string | number; readonly identity: number | undefined };
}

/** Does for rows what `ClaudeCodeReader.record` does for parsed records. */
export class ClaudeRows {
  /** The request at hand; its records follow one another. */
  private last: NamedRequest | undefined;

  constructor(private readonly reader: ClaudeCodeReader) {}

  /**
   * Takes in one record. False when its row does not say enough: nothing was noted then, and the record itself is to be read.
   * `line`: the line on which the piece begins.
   */
  take(piece: Skimmed, at: number, line: number): boolean {
    const { rows, names } = piece;
    const head = rows[at] ?? 0;
    if ((head & row.PLAIN) !== 0) return false;
    const kind = head & row.KIND;
    // A row does not say on which record it follows; only these may go on with an older one.
    if (kind === row.SYSTEM || (kind === row.USER && (rows[at + 38] ?? 0) === 0)) return false;
    if (kind === row.USER || kind === row.ASSISTANT) {
      const state = this.threadOf(piece, at);
      if (state === undefined || !this.isNew(piece, at)) return false;
      const place = placeOf(piece, at, line);
      if (kind === row.ASSISTANT) this.assistant(piece, at, state, place);
      else this.user(piece, at, state, place);
      return true;
    }
    // Copies of a sub-agent's records are looked at for the usage that they repeat.
    if ((head & row.AGENT_PROGRESS) !== 0) return false;
    if (kind === row.OTHER && !isSilent(nameAt(names, rows, at + 8))) return false;
    return this.isNew(piece, at);
  }

  /** Notes the record's id; false, and nothing noted, when it was there before. */
  private isNew({ rows, names }: Skimmed, at: number): boolean {
    const head = rows[at] ?? 0;
    const { seen } = this.reader;
    if ((head & row.UUID_WORDS) !== 0) {
      return seen.addWords(rows[at + 4] ?? 0, rows[at + 5] ?? 0, rows[at + 6] ?? 0, rows[at + 7] ?? 0);
    }
    return (head & row.UUID_TEXT) === 0 || seen.add(nameAt(names, rows, at + 4));
  }

  /** Only threads that are known: the first record of each tells more than a row. */
  private threadOf({ rows, names }: Skimmed, at: number): ThreadState | undefined {
    if (((rows[at] ?? 0) & row.SIDECHAIN) === 0) return this.reader.main;
    return this.reader.sidechains.get(nameAt(names, rows, at + 10));
  }

  private assistant(piece: Skimmed, at: number, state: ThreadState, place: RecordPlace): void {
    const { rows, names } = piece;
    const { builder } = this.reader;
    const known = state.thread.model;
    const model = known !== undefined && isName(names, rows, at + 18, known) ? known : nameAt(names, rows, at + 18);
    const usage = usageAt(rows, at);
    const synthetic = model === "<synthetic>";
    if (synthetic && usage !== undefined) builder.usage.skip("synthetic", place);
    const call = synthetic
      ? undefined
      : this.reader.request(state, {
          ...this.keyOf(piece, at),
          model,
          at: nameAt(names, rows, at + 12),
          usage,
          place,
        });
    const uses = rows[at + 37] ?? 0;
    for (let i = 0, block = at + row.HEAD_WORDS; i < uses; i++, block += row.BLOCK_WORDS) {
      const tool = nameAt(names, rows, block + 2);
      const id = nameAt(names, rows, block);
      builder.toolCall(state, { id, tool, call, turn: state.turn, place }, rows[block + 11]);
    }
    const args = uses === 0 ? NO_TEXT : sizeAt(rows, at + 31);
    const content = { size: sizeAt(rows, at + 25), images: rows[at + 30] ?? 0, args };
    const told = builder.message(state, "assistant", place, content);
    this.reader.keep(state, told, this.results(piece, at, state, place), nameAt(names, rows, at + 12));
  }

  private user(piece: Skimmed, at: number, state: ThreadState, place: RecordPlace): void {
    const { rows } = piece;
    const size = sizeAt(rows, at + 25);
    const images = rows[at + 30] ?? 0;
    const total = this.results(piece, at, state, place);
    const onlyResults = (rows[at + 38] ?? 0) > 0 && size.utf16 === 0 && images === 0;
    const content = {
      size: onlyResults ? total.size : size,
      images: onlyResults ? total.images : images,
      args: NO_TEXT,
    };
    const told = this.reader.builder.message(state, onlyResults ? "tool" : "user", place, content);
    this.reader.keep(state, told, total, nameAt(piece.names, rows, at + 12));
  }

  private results(piece: Skimmed, at: number, thread: ThreadState, place: RecordPlace) {
    const { rows, names } = piece;
    const count = rows[at + 38] ?? 0;
    let size = NO_TEXT;
    let images = 0;
    let first = 0;
    for (let i = 0, block = at + row.HEAD_WORDS; i < count; i++, block += row.BLOCK_WORDS) {
      const notice = piece.notices.size === 0 ? undefined : piece.notices.get(block);
      const state = notice?.state ?? "inline";
      const measured: Measured = { size: sizeAt(rows, block + 5), state, persisted: notice?.persisted };
      const callId = nameAt(names, rows, block);
      const facts = {
        callId,
        tool: undefined,
        place,
        path: PATHS[rows[block + 2] ?? 0] ?? [],
        isError: ((rows[block + 3] ?? 0) & row.IS_ERROR) !== 0,
        images: rows[block + 10] ?? 0,
        hash: rows[block + 11] ?? 0,
      };
      const result = this.reader.builder.measured(
        thread,
        facts,
        measured,
        notice === undefined || count > 1 ? undefined : (found) => ({ fullText: fullText(rows, at, found) }),
      );
      this.reader.remember(result);
      images += result.images;
      if (i === 0) first = result.index;
      size = i === 0 ? result.size : sum(size, result.size);
    }
    return { size, images, first, count };
  }

  private keyOf({ rows, names }: Skimmed, at: number): NamedRequest["named"] {
    const { last } = this;
    if (last !== undefined && isName(names, rows, at + 16, last.id) && isName(names, rows, at + 14, last.request)) {
      return last.named;
    }
    const id = nameAt(names, rows, at + 16);
    const request = nameAt(names, rows, at + 14);
    const key = this.reader.keyOf(id, request, rows[at + 40]);
    const named = { key, identity: callIdentity(id, request) };
    this.last = { id, request, named };
    return named;
  }
}

/** Where the record itself still holds the text that a notice speaks of. */
function fullText(rows: Int32Array, at: number, result: ToolResult): BodyRef | undefined {
  const needed = fullTextUnits(result);
  const kind = rows[at + 34] ?? 0;
  if (needed === undefined || kind === 0) return undefined;
  const { place } = result;
  if (kind === row.COPY_TEXT) return (rows[at + 35] ?? 0) >= needed ? { place, path: ["toolUseResult"] } : undefined;
  for (const [key, word] of COPIES) {
    if ((rows[at + word] ?? 0) >= needed) return { place, path: ["toolUseResult", key] };
  }
  return undefined;
}

const COPIES = [
  ["stdout", 35],
  ["content", 36],
  ["result", 39],
] as const;

function placeOf({ rows, start }: Skimmed, at: number, line: number): RecordPlace {
  return { line: line + (rows[at + 3] ?? 0), start: start + (rows[at + 1] ?? 0), end: start + (rows[at + 2] ?? 0) };
}

function nameAt(names: string, rows: Int32Array, at: number): string {
  const from = rows[at] ?? 0;
  return names.slice(from, from + (rows[at + 1] ?? 0));
}

function isName(names: string, rows: Int32Array, at: number, name: string): boolean {
  return rows[at + 1] === name.length && names.startsWith(name, rows[at]);
}

function sizeAt(rows: Int32Array, at: number): TextSize {
  const bytes = rows[at] ?? 0;
  if (bytes === 0) return NO_TEXT;
  const codePoints = bytes - (rows[at + 1] ?? 0);
  return { codePoints, utf16: codePoints + (rows[at + 2] ?? 0), bytes };
}

function sum(a: TextSize, b: TextSize): TextSize {
  return { codePoints: a.codePoints + b.codePoints, utf16: a.utf16 + b.utf16, bytes: a.bytes + b.bytes };
}

function usageAt(rows: Int32Array, at: number): Usage | undefined {
  if (((rows[at] ?? 0) & row.HAS_USAGE) === 0) return undefined;
  const count = (word: number): number | undefined => {
    const value = rows[at + word] ?? -1;
    return value < 0 ? undefined : value;
  };
  const usage = { input: count(20), cacheRead: count(21), cacheWrite: count(22), output: count(23) };
  return usage.input === undefined &&
    usage.cacheRead === undefined &&
    usage.cacheWrite === undefined &&
    usage.output === undefined
    ? undefined
    : usage;
}
