import type { BlockingReader, FileSource, PieceRange, SkimHelper, StartHelper, Utf8, Wasm } from "../../ports";
import { MAX_LINE_BYTES, NEWLINE, type ScanOptions } from "../lines";
import { type Feed, feedLines, tooLong } from "../records";
import { HELPED_BYTES } from "./helped";
import type { Skimmed, SlotFilling } from "./layout";
import * as row from "./layout";
import type { RowFold } from "./rowFold";
import { PIECE_BYTES, pieceSizes, type SkimMemory, Skimmer, skimMemory } from "./skimmer";

/** The first piece is small so that the first rows appear at once; each next one is twice as large, up to the full size. */
const FIRST_BYTES = 64 * 1024;

/** Pieces that are asked for or done ahead of the one that is taken in. */
const AHEAD = 6;
/** Those, one that is taken in, and one for a piece that a lost helper was asked for. */
const SLOTS = 2 * AHEAD + 2;

/** What it takes to read a file as rows. */
export interface RowPorts {
  readonly wasm?: Wasm | undefined;
  readonly helper?: StartHelper | undefined;
}

export interface RowFeed extends Feed {
  readonly skimmer: Skimmer;
  readonly file: BlockingReader;
  readonly helper: SkimHelper | undefined;
  /** Takes in the rows; without it they are taken in by the reader, one by one. */
  readonly fold?: RowFold | undefined;
}

/** What skims a file. */
export interface RowSource {
  readonly memory: SkimMemory;
  readonly open: () => BlockingReader;
  readonly help: StartHelper | undefined;
}

/** Undefined where a file of lines cannot be read as rows on this platform. */
export function rowSource(
  source: FileSource,
  utf8: Utf8,
  ports: RowPorts,
  scan: ScanOptions,
  helped = HELPED_BYTES,
): RowSource | undefined {
  const { blocking } = source;
  if (blocking === undefined) return undefined;
  const help = source.bytes < (scan.helpedBytes ?? helped) ? undefined : ports.helper;
  const [threads, slots] = help === undefined ? [1, 1] : [2, SLOTS];
  const memory = skimMemory(ports.wasm, utf8, pieceSizes(scan), threads, slots);
  return memory === undefined ? undefined : { memory, open: blocking, help };
}

/** The same with memory that was made for it before. `start`: where reading begins. */
export function rowSourceIn(
  memory: SkimMemory,
  { blocking, bytes }: FileSource,
  ports: RowPorts,
  scan: ScanOptions,
  start: number,
): RowSource | undefined {
  const help = memory.rooms.length < 2 || bytes - start < (scan.helpedBytes ?? HELPED_BYTES) ? undefined : ports.helper;
  return blocking === undefined ? undefined : { memory, open: blocking, help };
}

/** Undefined where a file of lines cannot be read as rows: by its reader, or on this platform. `start` begins the line `first`. */
export function rowsOf(
  feed: Feed,
  ports: RowPorts,
  start: number,
  first = 1,
): AsyncGenerator<number, number> | undefined {
  const { reader, source, utf8, scan } = feed;
  const rows = reader.rows === undefined ? undefined : rowSource(source, utf8, ports, scan);
  return rows === undefined ? undefined : feedRows(feed, rows, start, first);
}

/** Like `feedRecords` for a file of lines: records that a row tells are never parsed. */
export async function* feedRows(
  feed: Feed,
  { memory, open, help }: RowSource,
  start: number,
  first: number,
  fold?: RowFold,
): AsyncGenerator<number, number> {
  const { source, utf8 } = feed;
  const [own, other] = memory.rooms;
  if (own === undefined || utf8.fast === undefined) throw new Error("a skimmer needs room and fast bytes");
  const file = open();
  const helper = other === undefined ? undefined : help?.(source.path, source.bytes, other);
  try {
    const skimmer = new Skimmer(memory.wasm, own, utf8, utf8.fast);
    return yield* feedPieces({ ...feed, skimmer, file, helper, fold }, start, first);
  } finally {
    helper?.close();
    file.close();
  }
}

async function* feedPieces(feed: RowFeed, start: number, first: number): AsyncGenerator<number, number> {
  const { source, cancel } = feed;
  let line = first;
  let done = start;
  let folded = 0;
  for (const { range, skimmed } of pieces(feed, start)) {
    const { fold } = feed;
    if (skimmed !== undefined) {
      const unended = fold === undefined ? takePiece(feed, skimmed, line) : foldPiece(feed, fold, skimmed, line);
      line += skimmed.lines;
      if (unended !== undefined) {
        const long = feedLong(feed, unended, range.to, line - 1);
        let step = long.next();
        for (; step.done !== true; step = long.next()) yield Math.min(Math.max(done, step.value), source.bytes);
        done = step.value;
      }
    }
    done = Math.max(done, range.to);
    if (fold !== undefined && ++folded % fold.piecesAtOnce !== 0) continue;
    yield Math.min(done, source.bytes);
    if (cancel.isCancellationRequested) break;
  }
  return line;
}

interface Piece {
  readonly range: PieceRange;
  readonly skimmed: Skimmed | undefined;
}

/** The pieces of a file in order. With a helper, both threads skim ahead of the piece that is taken in. */
function* pieces(feed: RowFeed, start: number): Generator<Piece> {
  const { skimmer, file, helper, source } = feed;
  const ranges = rangesOf(start, source.bytes, feed.scan.chunkBytes ?? PIECE_BYTES);
  const free = Array.from({ length: helper === undefined ? 1 : SLOTS }, (_, slot) => slot);
  const own = (range: PieceRange): Asked => {
    const slot = free.pop() ?? 0;
    return { range, slot, filling: skimmer.skim(file, range, source.bytes, slot) };
  };
  const asked = (to: SkimHelper, range: PieceRange): Asked => {
    const slot = free.pop() ?? 0;
    to.ask(range, slot);
    return { range, slot, filling: "asked" };
  };
  /** In the order of the file. */
  const queue: Asked[] = [];
  let rest = ranges.next();
  const next = (): PieceRange | undefined => {
    const range = rest.done === true ? undefined : rest.value;
    rest = ranges.next();
    return range;
  };
  const piece = ({ range, filling }: Asked): Piece => ({
    range,
    skimmed: filling === undefined || filling === "asked" ? undefined : skimmer.piece(filling),
  });
  for (;;) {
    while (helper?.isReady === true && queue.length < AHEAD) {
      const range = next();
      if (range === undefined) break;
      queue.push(asked(helper, range));
    }
    let head = queue.shift();
    if (head === undefined) {
      const range = next();
      if (range === undefined) return;
      head = own(range);
    } else if (head.filling === "asked") {
      // One slot stays free for a piece whose answer does not come.
      const ahead = queue.length < 2 * AHEAD - 1 && free.length > 1 ? next() : undefined;
      const answer = helper === undefined ? "none" : helper.answer(ahead === undefined);
      if (ahead !== undefined)
        queue.push(answer === "none" || helper === undefined ? own(ahead) : asked(helper, ahead));
      if (answer === "none" && ahead !== undefined) {
        queue.unshift(head);
        continue;
      }
      // A thread that is given up may still write into its slots; they are not used again.
      head = answer === "none" ? own(head.range) : { ...head, filling: answer };
    }
    yield piece(head);
    free.push(head.slot);
  }
}

interface Asked {
  readonly range: PieceRange;
  readonly slot: number;
  /** Undefined: no line begins in the range. */
  readonly filling: SlotFilling | undefined | "asked";
}

function* rangesOf(start: number, total: number, piece: number): Generator<PieceRange> {
  let size = Math.min(piece, FIRST_BYTES);
  for (let from = start; from < total; size = Math.min(piece, size * 2)) {
    const to = Math.min(total, from + size);
    yield { from, to, first: from === start };
    from = to;
  }
}

/** Takes in the rows of one piece, which begins on `line`. The offset of a line whose end was not seen, which comes last. */
export function takePiece(feed: RowFeed, skimmed: Skimmed, line: number): number | undefined {
  const { rows, start } = skimmed;
  const taker = feed.reader.rows;
  for (let at = 0; at < rows.length; at += row.rowWords(rows, at)) {
    const kind = (rows[at] ?? 0) & row.KIND;
    if (kind === row.UNENDED) return start + (rows[at + 1] ?? 0);
    if (kind !== row.LINES && taker?.take(skimmed, at, line) === true) continue;
    const from = start + (rows[at + 1] ?? 0);
    feedLines(feed, feed.file.take(from, start + (rows[at + 2] ?? 0)), from, line + (rows[at + 3] ?? 0));
  }
  return undefined;
}

/** The same through the fold: runs of rows that need no reader are handed on as they are. */
function foldPiece(feed: RowFeed, fold: RowFold, piece: Skimmed, line: number): number | undefined {
  const { rows, start } = piece;
  for (let at = 0; at < rows.length; ) {
    const stop = fold.take(piece, at, line);
    if (stop >= rows.length) break;
    const from = start + (rows[stop + 1] ?? 0);
    if (((rows[stop] ?? 0) & row.KIND) === row.UNENDED) return from;
    feedLines(feed, feed.file.take(from, start + (rows[stop + 2] ?? 0)), from, line + (rows[stop + 3] ?? 0));
    at = stop + row.rowWords(rows, stop);
  }
  return undefined;
}

/** A line that begins at `start` and goes on behind `seen`. Yields how far its end was looked for; returns the offset of the next one. */
function* feedLong(feed: RowFeed, start: number, seen: number, line: number): Generator<number, number> {
  const { source, cancel, file } = feed;
  const maxLine = feed.scan.maxLineBytes ?? MAX_LINE_BYTES;
  // The same memory for all of it: what a long line takes at once is the line itself.
  const room = file.take(seen, Math.min(seen + (feed.scan.chunkBytes ?? PIECE_BYTES), source.bytes));
  let end = source.bytes;
  let next = end;
  for (let at = seen, part = room; part.length > 0; ) {
    const found = part.indexOf(NEWLINE);
    if (found !== -1) {
      end = at + found;
      next = end + 1;
      break;
    }
    at += part.length;
    if (cancel.isCancellationRequested) return source.bytes;
    yield at;
    // What was written since the file was opened is not looked at.
    part = room.subarray(0, source.bytes - at);
    part = part.subarray(0, file.fill(part, at));
  }
  if (end - start > maxLine) feed.problems.add(tooLong({ line, start, end }, maxLine));
  else feedLines(feed, file.take(start, next), start, line);
  return next;
}
