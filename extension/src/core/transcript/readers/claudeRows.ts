import type { RecordPlace, TextSize } from "../../model/transcript";
import { NO_TEXT, type ThreadState } from "../builder";
import { callIdentity } from "../callIdentity";
import type { Measured } from "../flatten";
import { fullTextOf, fullTextUnits } from "../rows/fullText";
import type { Skimmed } from "../rows/layout";
import * as row from "../rows/layout";
import { nameAt, noticeAt, placeOf, sizeAt, usageAt } from "../rows/layout";
import type { ClaudeCodeReader } from "./claudeCode";

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
    const { rows } = piece;
    const head = rows[at] ?? 0;
    if ((head & row.PLAIN) !== 0) return false;
    const kind = head & row.KIND;
    if (this.branchesOff(rows, at)) return false;
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
    if (kind === row.OTHER && (head & row.SILENT) === 0) return false;
    return this.isNew(piece, at);
  }

  /** The record follows on an older one than the newest, in a way that may take something out of context. */
  private branchesOff(rows: Int32Array, at: number): boolean {
    const head = rows[at] ?? 0;
    if ((head & row.PARENT_TEXT) !== 0) return true;
    if ((head & row.PARENT) === 0) return false;
    const { seen, path } = this.reader;
    const words = at + ((head & row.KIND) === row.SYSTEM ? 10 : 44);
    const parent = seen.numberOfWords(
      rows[words] ?? 0,
      rows[words + 1] ?? 0,
      rows[words + 2] ?? 0,
      rows[words + 3] ?? 0,
    );
    return parent !== undefined && !path.goesOn(parent);
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
    if (((rows[at] ?? 0) & row.PROMPT) !== 0) state.nextTurn();
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
      const notice = noticeAt(piece, block);
      const state = notice?.state ?? "inline";
      const measured: Measured = { size: sizeAt(rows, block + 5), state, persisted: notice?.persisted };
      const callId = nameAt(names, rows, block);
      const facts = {
        callId,
        tool: undefined,
        place,
        path: row.PATHS[rows[block + 2] ?? 0] ?? [],
        isError: ((rows[block + 3] ?? 0) & row.IS_ERROR) !== 0,
        images: rows[block + 10] ?? 0,
        hash: rows[block + 11] ?? 0,
      };
      const result = this.reader.builder.measured(
        thread,
        facts,
        measured,
        notice === undefined || count > 1
          ? undefined
          : (found) => ({ fullText: fullTextOf(rows, at, place, fullTextUnits(found)) }),
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

function isName(names: string, rows: Int32Array, at: number, name: string): boolean {
  return rows[at + 1] === name.length && names.startsWith(name, rows[at]);
}

function sum(a: TextSize, b: TextSize): TextSize {
  return { codePoints: a.codePoints + b.codePoints, utf16: a.utf16 + b.utf16, bytes: a.bytes + b.bytes };
}
