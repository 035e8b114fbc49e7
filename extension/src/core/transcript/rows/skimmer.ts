import type { BlockingReader, FastBytes, PieceRange, Utf8, Wasm, WasmInstance } from "../../ports";
import { recognise } from "../../results/recognise";
import { NEWLINE } from "../lines";
import { isWrittenByPerson } from "../readers/claudePrompt";
import { unescapeJson, wholeUntil } from "../skim";
import type { Notice, PieceSizes, Skimmed } from "./layout";
import * as row from "./layout";
import { SKIM_MODULE } from "./skimModule";

/** Bytes of a file that are skimmed at once: they stay in the processor's cache between being read and being looked at. */
export const PIECE_BYTES = 1024 * 1024;
/** How far the last line of a piece is followed. */
export const TAIL_BYTES = 256 * 1024;
const TAIL_STEP = 16 * 1024;

// Places in the module's memory (extension/wasm): two words that it leaves, and the first byte that is ours.
const RESULT = 0x8000;
const FREE = 0x10000;
/** Bytes behind the last one that the module may touch. */
const SLACK = 256;
/** Room for rows and names of a piece; what goes beyond is told as ranges of lines. */
const ROW_BYTES = 4 * 1024 * 1024;
const NAME_BYTES = 1024 * 1024;

/** Its notices do not depend on the tool. */
const CLAUDE_CODE = { agent: "claude-code", tool: undefined } as const;

/** Makes rows of pieces of a Claude Code session. Holds the memory for one piece. */
export class Skimmer {
  private readonly bytes: Uint8Array;
  private readonly words: Int32Array;
  private readonly rowsAt: number;
  private readonly namesAt: number;

  private constructor(
    private readonly module: WasmInstance,
    private readonly utf8: Utf8,
    private readonly fast: FastBytes,
    private readonly sizes: PieceSizes,
  ) {
    this.bytes = new Uint8Array(module.memory);
    this.words = new Int32Array(module.memory);
    this.rowsAt = FREE + roundUp(1 + sizes.piece + sizes.tail + SLACK);
    this.namesAt = this.rowsAt + ROW_BYTES;
  }

  /** Undefined where the platform does not have what it takes. */
  static create(wasm: Wasm | undefined, utf8: Utf8, sizes: PieceSizes): Skimmer | undefined {
    const { fast } = utf8;
    if (wasm === undefined || fast === undefined) return undefined;
    const memory = FREE + roundUp(1 + sizes.piece + sizes.tail + SLACK) + ROW_BYTES + NAME_BYTES;
    const module = wasm.instantiate(SKIM_MODULE, memory);
    return module === undefined ? undefined : new Skimmer(module, utf8, fast, sizes);
  }

  /**
   * Rows of the lines that begin in the half-open range; undefined when none does. `total`: bytes of the file. With `first` a
   * line begins at the start of the range, whatever stands before it. The rows lie in memory that the next
   * call uses again.
   */
  skim(file: BlockingReader, { from, to, first }: PieceRange, total: number): Skimmed | undefined {
    // The byte before tells whether a line begins at the start.
    const start = first ? from : from - 1;
    const got = file.fill(this.bytes.subarray(FREE, FREE + to - start), start);
    let begin = FREE;
    if (!first) {
      const newline = this.bytes.subarray(FREE, FREE + got).indexOf(NEWLINE);
      if (newline === -1 || newline + 1 >= to - start) return undefined;
      begin = FREE + newline + 1;
    }
    let end = FREE + got;
    // The file may have become shorter.
    let whole = start + got >= total || got < to - start;
    if (!whole && this.bytes[end - 1] !== NEWLINE) {
      const last = FREE + (to - start) + this.sizes.tail;
      for (let step = Math.min(TAIL_STEP, this.sizes.tail); end < last; step *= 4) {
        const wanted = Math.min(step, last - end);
        const more = file.fill(this.bytes.subarray(end, end + wanted), start + end - FREE);
        const found = this.bytes.subarray(end, end + more).indexOf(NEWLINE);
        end += found === -1 ? more : found + 1;
        whole = found === -1 && (more < wanted || start + end - FREE >= total);
        if (found !== -1 || whole) break;
      }
    }
    const limit = Math.min(FREE + (to - start), end);
    if (begin >= limit) return undefined;
    const { rowsAt, namesAt } = this;
    const namesEnd = namesAt + NAME_BYTES;
    const count = this.module.call("skim", begin, limit, end, whole ? 1 : 0, rowsAt, namesAt, namesAt, namesEnd);
    const rows = this.words.subarray(rowsAt >> 2, (rowsAt >> 2) + count);
    const names = this.fast.latin1(this.bytes, namesAt, namesAt + (this.words[(RESULT >> 2) + 1] ?? 0));
    const notices = this.look(rows, begin);
    const lines = this.words[RESULT >> 2] ?? 0;
    return row.pieceOf(rows, { names, notices, start: start + begin - FREE, lines });
  }

  /** Looks at what the module leaves open; it depends on nothing but the record. */
  private look(rows: Int32Array, begin: number): ReadonlyMap<number, Notice> {
    const notices = new Map<number, Notice>();
    for (let at = 0; at < rows.length; at += row.rowWords(rows, at)) {
      const head = rows[at] ?? 0;
      const kind = head & row.KIND;
      if (kind === row.LINES || kind === row.UNENDED) continue;
      const [from, to] = [begin + (rows[at + 1] ?? 0), begin + (rows[at + 2] ?? 0)];
      const unsound = (head & row.HIGH) !== 0 && !this.fast.isValid(this.bytes.subarray(from, to));
      if (unsound || (kind <= row.ASSISTANT && !this.findNotices(rows, at, begin, notices)))
        rows[at] = head | row.PLAIN;
      else if (kind === row.USER && (head & row.NO_PROMPT) === 0 && this.isPrompt(rows, at, begin)) {
        rows[at] = head | row.PROMPT;
      }
    }
    return notices;
  }

  private isPrompt(rows: Int32Array, at: number, begin: number): boolean {
    if ((rows[at + 38] ?? 0) > 0) return false;
    if (rows[at + 24] === 0) return (rows[at + 30] ?? 0) > 0;
    const first = begin + (rows[at + 28] ?? 0);
    const content = this.bytes.subarray(first, first + (rows[at + 29] ?? 0));
    return isLetter(content[0]) || isWrittenByPerson(this.textOf(content.subarray(0, wholeUntil(content, 600))));
  }

  /** Notes the results of a record that are notices; false when that takes more than one text and its sizes. */
  private findNotices(rows: Int32Array, at: number, begin: number, notices: Map<number, Notice>): boolean {
    const results = rows[at + 38] ?? 0;
    for (let i = 0, block = at + row.HEAD_WORDS; i < results; i++, block += row.BLOCK_WORDS) {
      // One of several texts may be a notice for itself.
      if ((rows[block + 4] ?? 0) > 1) return false;
      if (((rows[block + 3] ?? 0) & row.MAYBE_NOTICE) === 0) continue;
      const from = begin + (rows[block + 8] ?? 0);
      const { state, persisted } = recognise(
        this.textOf(this.bytes.subarray(from, from + (rows[block + 9] ?? 0))),
        CLAUDE_CODE,
      );
      if (state === "inline") continue;
      if (results === 1 && rows[at + 34] === row.COPY_OTHER) return false;
      notices.set(block, { state, persisted });
    }
    return true;
  }

  private textOf(content: Uint8Array): string {
    return unescapeJson(this.utf8.decode(content).text);
  }
}

/** To whole words, so that what lies behind can be read as words. */
function roundUp(bytes: number): number {
  return (bytes + 15) & ~15;
}

/** An ASCII letter that begins none of the texts that a program writes itself, or a digit. */
function isLetter(byte: number | undefined): boolean {
  if (byte === undefined || byte === 0x43) return false;
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
