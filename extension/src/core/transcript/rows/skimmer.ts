import type { BlockingReader, FastBytes, PieceRange, Utf8, Wasm, WasmInstance } from "../../ports";
import { recognise } from "../../results/recognise";
import { NEWLINE, type ScanOptions } from "../lines";
import { isWrittenByPerson, PROMPT_HEAD } from "../readers/claudePrompt";
import { isSilent } from "../readers/silentTypes";
import { unescapeJson, wholeUntil } from "../skim";
import type { Notice, PieceSizes, Skimmed, SkimRoom, SlotFilling } from "./layout";
import * as row from "./layout";
import { SKIM_MODULE } from "./skimModule";

/** Bytes of a file that are skimmed at once: they stay in the processor's cache between being read and being looked at. */
export const PIECE_BYTES = 1024 * 1024;
/** How far the last line of a piece is followed. */
export const TAIL_BYTES = 256 * 1024;
const TAIL_STEP = 16 * 1024;

/** Address of the first thread's own part. */
const FIRST_OWN = 0x4000;
/** Room that the module needs for itself (extension/wasm/layout.ts), and where it leaves three words. */
const SCRATCH = 0x1c000;
const RESULT = 0x4000;
/** Where it leaves the places of the rows to look at, and of how many at most. */
const LOOKS = 0x8000;
const MOST_LOOKS = 0xfff;
/** Bytes behind the last one that the module may touch. */
const SLACK = 256;

const NO_NOTICES: ReadonlyMap<number, Notice> = new Map();

/** Its notices do not depend on the tool. */
const CLAUDE_CODE = { agent: "claude-code", tool: undefined } as const;

function ownBytes({ piece, tail }: PieceSizes): number {
  return SCRATCH + roundUp(1 + piece + tail + SLACK);
}

/** The memory of the threads that skim one file. */
export interface SkimMemory {
  readonly wasm: WasmInstance;
  /** One for each thread. */
  readonly rooms: readonly SkimRoom[];
  /** Address of the first byte behind all of it. */
  readonly end: number;
}

export function pieceSizes({ chunkBytes = PIECE_BYTES, tailBytes = TAIL_BYTES }: ScanOptions): PieceSizes {
  return { piece: chunkBytes, tail: tailBytes };
}

/** The memory of one thread that skims alone. */
export function skimmingMemory(wasm: Wasm | undefined, utf8: Utf8, scan: ScanOptions): SkimMemory | undefined {
  return skimMemory(wasm, utf8, pieceSizes(scan), 1, 1);
}

/** Undefined where the platform does not have what it takes. */
export function skimMemory(
  wasm: Wasm | undefined,
  utf8: Utf8,
  sizes: PieceSizes,
  threads: number,
  slots: number,
): SkimMemory | undefined {
  if (wasm === undefined || utf8.fast === undefined) return undefined;
  const own = ownBytes(sizes);
  const first = roundUp(FIRST_OWN + own * threads);
  const end = first + row.SLOT_BYTES * slots;
  const instance = wasm.instantiate(SKIM_MODULE, end);
  if (instance === undefined) return undefined;
  const { shared } = instance;
  const rooms = Array.from({ length: threads }, (_, i) => ({ sizes, shared, own: FIRST_OWN + own * i, slots: first }));
  return { wasm: instance, rooms, end };
}

/** Makes rows of pieces of a Claude Code session. */
export class Skimmer {
  private readonly bytes: Uint8Array;
  private readonly words: Int32Array;
  /** Address of the bytes of a piece. */
  private readonly input: number;

  constructor(
    private readonly module: WasmInstance,
    private readonly room: SkimRoom,
    private readonly utf8: Utf8,
    private readonly fast: FastBytes,
  ) {
    this.bytes = new Uint8Array(module.memory);
    this.words = new Int32Array(module.memory);
    this.input = room.own + SCRATCH;
    module.call("openScratch", room.own);
  }

  /** What is in a slot. */
  piece(filling: SlotFilling): Skimmed {
    const { bytes, words, fast } = this;
    const rowsAt = this.room.slots + filling.slot * row.SLOT_BYTES;
    const namesAt = rowsAt + row.SLOT_ROWS;
    let names: string | undefined;
    return {
      ...filling,
      rows: words.subarray(rowsAt >> 2, (rowsAt >> 2) + filling.words),
      rowsAt,
      namesAt,
      get names(): string {
        names ??= fast.latin1(bytes, namesAt, namesAt + filling.nameBytes);
        return names;
      },
    };
  }

  /**
   * Puts into a slot the rows of the lines that begin in the half-open range; undefined when none does. `total`: bytes of the
   * file. With `first` a line begins at the start of the range, whatever stands before it.
   */
  skim(file: BlockingReader, range: PieceRange, total: number, slot: number): SlotFilling | undefined {
    const { from, to, first } = range;
    const { input, bytes } = this;
    const { tail } = this.room.sizes;
    // The byte before tells whether a line begins at the start.
    const start = first ? from : from - 1;
    const got = file.fill(bytes.subarray(input, input + to - start), start);
    let begin = input;
    if (!first) {
      const newline = this.newline(input, input + got);
      if (newline === -1 || newline + 1 >= input + to - start) return undefined;
      begin = newline + 1;
    }
    let end = input + got;
    // The file may have become shorter.
    let whole = start + got >= total || got < to - start;
    if (!whole && bytes[end - 1] !== NEWLINE) {
      const last = input + (to - start) + tail;
      for (let step = Math.min(TAIL_STEP, tail); end < last; step *= 4) {
        const wanted = Math.min(step, last - end);
        const more = file.fill(bytes.subarray(end, end + wanted), start + end - input);
        const found = this.newline(end, end + more);
        end = found === -1 ? end + more : found + 1;
        whole = found === -1 && (more < wanted || start + end - input >= total);
        if (found !== -1 || whole) break;
      }
    }
    const limit = Math.min(input + (to - start), end);
    if (begin >= limit) return undefined;
    const rowsAt = this.room.slots + slot * row.SLOT_BYTES;
    const rowsEnd = rowsAt + row.SLOT_ROWS;
    const namesEnd = rowsEnd + row.SLOT_NAMES;
    const words = this.module.call("skim", begin, limit, end, whole ? 1 : 0, rowsAt, rowsEnd, rowsEnd, namesEnd);
    const result = (this.room.own + RESULT) >> 2;
    const [lines = 0, nameBytes = 0, looks = 0] = this.words.subarray(result, result + 3);
    const notices =
      looks === 0
        ? NO_NOTICES
        : this.look(this.words.subarray(rowsAt >> 2, (rowsAt >> 2) + words), looks, rowsEnd, begin);
    return { slot, words, nameBytes, start: start + begin - input, lines, notices };
  }

  /** Address of the first newline in the half-open range, or -1. The platform's search is slow in shared memory. */
  private newline(from: number, to: number): number {
    const found = this.module.call("newlineIn", from, to);
    return found === to ? -1 : found;
  }

  /** Looks at what the module leaves open; it depends on nothing but the record. */
  private look(rows: Int32Array, looks: number, namesAt: number, begin: number): ReadonlyMap<number, Notice> {
    const notices = new Map<number, Notice>();
    if (looks > MOST_LOOKS) {
      for (let at = 0; at < rows.length; at += row.rowWords(rows, at)) this.lookAt(rows, at, namesAt, begin, notices);
      return notices;
    }
    const places = (this.room.own + LOOKS) >> 2;
    for (let i = 0; i < looks; i++) this.lookAt(rows, this.words[places + i] ?? 0, namesAt, begin, notices);
    return notices;
  }

  private lookAt(rows: Int32Array, at: number, namesAt: number, begin: number, notices: Map<number, Notice>): void {
    const head = rows[at] ?? 0;
    if ((head & row.LOOK) === 0) return;
    const kind = head & row.KIND;
    if (kind === row.OTHER) {
      const name = namesAt + (rows[at + 8] ?? 0);
      if (isSilent(this.fast.latin1(this.bytes, name, name + (rows[at + 9] ?? 0)))) rows[at] = head | row.SILENT;
    } else if ((rows[at + 38] ?? 0) > 0) {
      if (!this.findNotices(rows, at, begin, notices)) rows[at] = head | row.PLAIN;
    } else if (kind === row.USER && (head & (row.NO_PROMPT | row.PROMPT)) === 0 && this.isPrompt(rows, at, begin)) {
      rows[at] = head | row.PROMPT;
    }
  }

  private isPrompt(rows: Int32Array, at: number, begin: number): boolean {
    if (rows[at + 24] === 0) return false;
    const first = begin + (rows[at + 28] ?? 0);
    const content = this.bytes.subarray(first, first + (rows[at + 29] ?? 0));
    // A unit takes six bytes at most: `\u000a`.
    return isWrittenByPerson(this.textOf(content.subarray(0, wholeUntil(content, PROMPT_HEAD * 6))));
  }

  /** Notes the results of a record that are notices; false when that takes more than one text and its sizes. */
  private findNotices(rows: Int32Array, at: number, begin: number, notices: Map<number, Notice>): boolean {
    const results = rows[at + 38] ?? 0;
    for (let i = 0, block = at + row.HEAD_WORDS; i < results; i++, block += row.BLOCK_WORDS) {
      // One of several texts may be a notice for itself.
      if ((rows[block + 4] ?? 0) > 1) return false;
      if (((rows[block + 3] ?? 0) & row.MAYBE_NOTICE) === 0) continue;
      const from = begin + (rows[block + 8] ?? 0);
      const text = this.textOf(this.bytes.subarray(from, from + (rows[block + 9] ?? 0)));
      const { state, persisted } = recognise(text, CLAUDE_CODE);
      if (state === "inline") {
        rows[block + 3] = (rows[block + 3] ?? 0) & ~row.MAYBE_NOTICE;
        continue;
      }
      if (results === 1 && rows[at + 34] === row.COPY_OTHER) return false;
      notices.set(block, { state, persisted, row: at });
    }
    return true;
  }

  private textOf(content: Uint8Array): string {
    // Not every platform decodes shared memory.
    const { fast } = this;
    const isAscii = fast.isAscii(content);
    const text = isAscii ? fast.latin1(content, 0, content.length) : this.utf8.decode(content.slice()).text;
    return isAscii && !text.includes("\\") ? text : unescapeJson(text);
  }
}

/** To whole words of 16 bytes. */
function roundUp(bytes: number): number {
  return (bytes + 15) & ~15;
}
