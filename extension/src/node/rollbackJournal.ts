import type { FileHandle } from "node:fs/promises";
import { openFile } from "./openFile";

/** The beginning of each part of a rollback journal (sqlite.org/fileformat2.html, 3). */
const MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const HEADER_BYTES = 28;
/** Stands for as many records as there are. */
const ALL = 0xffffffff;
/** Every this many-th byte of a page, counted from its end, goes into its checksum. */
const CHECKSUM_STEP = 200;

interface Part {
  readonly records: number;
  readonly nonce: number;
  /** Pages of the database before the transaction. */
  readonly pages: number;
  readonly sectorBytes: number;
  readonly pageBytes: number;
}

/**
 * Puts back into a copied database what an unfinished transaction changed, as SQLite does when it finds such a journal.
 * The engine here takes its own lock for another writer's and would leave the database half changed. A journal of no
 * transaction (kept with an empty header, or never written to the disk whole) changes nothing.
 */
export async function rollBack(databasePath: string, journalPath: string): Promise<void> {
  const journal = await openFile(journalPath, "r");
  try {
    const { size } = await journal.stat();
    const first = await partAt(journal, 0);
    if (first === undefined) return;
    const database = await openFile(databasePath, "r+");
    try {
      const { size: now } = await database.stat();
      const before = first.pages * first.pageBytes;
      // What a transaction cut off is in its journal, so a larger size than both together is made up.
      if (before > now + size) return;
      let at = 0;
      for (let part: Part | undefined = first; part !== undefined; part = await partAt(journal, at)) {
        const end = await putBack(journal, database, part, first.pages, at + part.sectorBytes, size);
        if (end === undefined) break;
        // Parts begin at whole sectors.
        at = Math.ceil(end / part.sectorBytes) * part.sectorBytes;
      }
      if (before < now) await database.truncate(before);
    } finally {
      await database.close();
    }
  } finally {
    await journal.close();
  }
}

async function partAt(journal: FileHandle, at: number): Promise<Part | undefined> {
  const { buffer, bytesRead } = await journal.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, at);
  if (bytesRead < HEADER_BYTES || buffer.compare(MAGIC, 0, MAGIC.length, 0, MAGIC.length) !== 0) return undefined;
  const [records = 0, nonce = 0, pages = 0, sectorBytes = 0, pageBytes = 0] = [8, 12, 16, 20, 24].map((offset) =>
    buffer.readUInt32BE(offset),
  );
  const isPower = (bytes: number): boolean => bytes >= 32 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
  if (!isPower(sectorBytes) || !isPower(pageBytes) || pageBytes < 512) return undefined;
  return { records, nonce, pages, sectorBytes, pageBytes };
}

/** The offset after the part's records; undefined where they end in the middle or one is not whole. */
async function putBack(
  journal: FileHandle,
  database: FileHandle,
  part: Part,
  pages: number,
  start: number,
  size: number,
): Promise<number | undefined> {
  const recordBytes = part.pageBytes + 8;
  const buffer = Buffer.alloc(recordBytes);
  let at = start;
  for (let done = 0; part.records === ALL ? at + recordBytes <= size : done < part.records; done++) {
    const { bytesRead } = await journal.read(buffer, 0, recordBytes, at);
    if (bytesRead < recordBytes) return undefined;
    const page = buffer.readUInt32BE(0);
    const content = buffer.subarray(4, 4 + part.pageBytes);
    if (page === 0 || checksum(content, part.nonce) !== buffer.readUInt32BE(4 + part.pageBytes)) return undefined;
    if (page <= pages) await database.write(content, 0, part.pageBytes, (page - 1) * part.pageBytes);
    at += recordBytes;
  }
  return at;
}

function checksum(page: Buffer, nonce: number): number {
  let sum = nonce;
  for (let at = page.length - CHECKSUM_STEP; at > 0; at -= CHECKSUM_STEP) sum = (sum + (page[at] ?? 0)) >>> 0;
  return sum;
}
