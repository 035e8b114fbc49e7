import type { BlockingReader, PieceRange, SkimHelper, StartHelper, Wasm } from "../../ports";
import { findNewline, MAX_LINE_BYTES } from "../lines";
import { type Feed, feedLines, tooLong } from "../records";
import type { Skimmed } from "./layout";
import * as row from "./layout";
import { PIECE_BYTES, Skimmer, TAIL_BYTES } from "./skimmer";

/** The first piece is small so that the first rows appear at once; each next one is twice as large, up to the full size. */
const FIRST_BYTES = 64 * 1024;

/** Smaller files are read before a second thread has started. */
const HELPED_BYTES = 16 * 1024 * 1024;
/** Pieces that are asked for or done ahead of the one that is taken in. */
const AHEAD = 6;

/** What it takes to read a file as rows. */
export interface RowPorts {
  readonly wasm?: Wasm | undefined;
  readonly helper?: StartHelper | undefined;
}

export interface RowFeed extends Feed {
  readonly skimmer: Skimmer;
  readonly file: BlockingReader;
  readonly helper: SkimHelper | undefined;
}

/** Undefined where a file of lines cannot be read as rows: by its reader, or on this platform. `start` begins the line `first`. */
export function rowsOf(
  feed: Feed,
  ports: RowPorts,
  start: number,
  first = 1,
): AsyncGenerator<number, number> | undefined {
  const { reader, source, utf8, scan } = feed;
  if (reader.rows === undefined || source.blocking === undefined) return undefined;
  const { chunkBytes: piece = PIECE_BYTES, tailBytes: tail = TAIL_BYTES } = scan;
  const sizes = { piece, tail };
  const skimmer = Skimmer.create(ports.wasm, utf8, sizes);
  if (skimmer === undefined) return undefined;
  const helper = source.bytes < (scan.helpedBytes ?? HELPED_BYTES) ? undefined : ports.helper;
  return feedRows(feed, skimmer, source.blocking, () => helper?.(source.path, source.bytes, sizes), start, first);
}

/** Like `feedRecords` for a file of lines: records that a row tells are never parsed. */
async function* feedRows(
  feed: Feed,
  skimmer: Skimmer,
  open: () => BlockingReader,
  help: () => SkimHelper | undefined,
  start: number,
  first: number,
): AsyncGenerator<number, number> {
  const file = open();
  const helper = help();
  try {
    return yield* feedPieces({ ...feed, skimmer, file, helper }, start, first);
  } finally {
    helper?.close();
    file.close();
  }
}

async function* feedPieces(feed: RowFeed, start: number, first: number): AsyncGenerator<number, number> {
  const { source, cancel } = feed;
  let line = first;
  let done = start;
  for (const { range, skimmed } of pieces(feed, start)) {
    if (skimmed !== undefined) {
      const unended = takePiece(feed, skimmed, line);
      line += skimmed.lines;
      if (unended !== undefined) done = await feedLong(feed, unended, range.to, line - 1);
    }
    done = Math.max(done, range.to);
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
  const own = (range: PieceRange): Piece => ({ range, skimmed: skimmer.skim(file, range, source.bytes) });
  /** In the order of the file; without `piece` the helper was asked for it. */
  const queue: { readonly range: PieceRange; readonly piece?: Piece }[] = [];
  let rest = ranges.next();
  const next = (): PieceRange | undefined => {
    const range = rest.done === true ? undefined : rest.value;
    rest = ranges.next();
    return range;
  };
  for (;;) {
    while (helper?.isReady === true && queue.length < AHEAD) {
      const range = next();
      if (range === undefined) break;
      helper.ask(range);
      queue.push({ range });
    }
    const head = queue[0];
    if (head === undefined) {
      const range = next();
      if (range === undefined) return;
      yield own(range);
      continue;
    }
    if (head.piece === undefined) {
      const ahead = queue.length < 2 * AHEAD ? next() : undefined;
      const answer = helper === undefined ? "none" : helper.answer(ahead === undefined);
      if (ahead !== undefined) {
        if (answer === "none") queue.push({ range: ahead, piece: copied(own(ahead)) });
        else {
          helper?.ask(ahead);
          queue.push({ range: ahead });
        }
      }
      if (answer === "none") {
        if (ahead === undefined) yield own(head.range);
        else continue;
      } else yield { range: head.range, skimmed: answer };
    } else yield head.piece;
    queue.shift();
  }
}

/** Not in the memory that the next call uses again. */
function copied({ range, skimmed }: Piece): Piece {
  return { range, skimmed: skimmed === undefined ? undefined : row.pieceOf(skimmed.rows.slice(), skimmed) };
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

/** A line that begins at `start` and goes on behind `seen`; the offset of the next one. */
async function feedLong(feed: RowFeed, start: number, seen: number, line: number): Promise<number> {
  const { source, cancel } = feed;
  const maxLine = feed.scan.maxLineBytes ?? MAX_LINE_BYTES;
  const found = await findNewline(source, seen, feed.scan.chunkBytes ?? PIECE_BYTES, cancel);
  if (cancel.isCancellationRequested) return source.bytes;
  const end = found === -1 ? source.bytes : found;
  const next = found === -1 ? end : end + 1;
  if (end - start > maxLine) feed.problems.add(tooLong({ line, start, end }, maxLine));
  else feedLines(feed, feed.file.take(start, next), start, line);
  return next;
}
