import type { BlockingReader, Wasm } from "../../ports";
import { findNewline, MAX_LINE_BYTES } from "../lines";
import { type Feed, feedLines, tooLong } from "../records";
import type { Skimmed } from "./layout";
import * as row from "./layout";
import { PIECE_BYTES, Skimmer, TAIL_BYTES } from "./skimmer";

/** The first piece is small so that the first rows appear at once; each next one is twice as large, up to the full size. */
const FIRST_BYTES = 64 * 1024;

/** One after the other; nothing is held beyond the piece at hand. */
export interface RowFeed extends Feed {
  readonly skimmer: Skimmer;
  readonly file: BlockingReader;
}

/** Undefined where a file of lines cannot be read as rows: by its reader, or on this platform. */
export function skimmerFor(feed: Feed, wasm: Wasm | undefined): Skimmer | undefined {
  if (feed.reader.rows === undefined || feed.source.blocking === undefined) return undefined;
  const { chunkBytes: piece = PIECE_BYTES, tailBytes: tail = TAIL_BYTES } = feed.scan;
  return Skimmer.create(wasm, feed.utf8, { piece, tail });
}

/** Like `feedRecords` for a file of lines: records that a row tells are never parsed. */
export async function* feedRows(feed: Feed, skimmer: Skimmer, start: number): AsyncGenerator<number> {
  const file = feed.source.blocking?.();
  if (file === undefined) return;
  try {
    yield* feedPieces({ ...feed, skimmer, file }, start);
  } finally {
    file.close();
  }
}

async function* feedPieces(feed: RowFeed, start: number): AsyncGenerator<number> {
  const { skimmer, file, source, cancel } = feed;
  const piece = feed.scan.chunkBytes ?? PIECE_BYTES;
  const total = source.bytes;
  let line = 1;
  /** What lies before was taken in already. */
  let done = start;
  let size = Math.min(piece, FIRST_BYTES);
  for (let from = start; from < total && !cancel.isCancellationRequested; size = Math.min(piece, size * 2)) {
    const to = Math.min(total, from + size);
    if (to > done) {
      const skimmed = skimmer.skim(file, from, to, total, from === start);
      if (skimmed !== undefined) {
        const unended = takePiece(feed, skimmed, line);
        line += skimmed.lines;
        if (unended !== undefined) done = await feedLong(feed, unended, to, line - 1);
      }
      yield Math.max(done, to);
    }
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
