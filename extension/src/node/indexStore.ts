import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Checksum, checksum, type Part, packedPieces, unpacked } from "../core/util/packed";
import { tellError } from "../core/util/tellError";
import { openFile } from "./openFile";

/** Changes with the layout of the file; what is inside changes with the readers (`IndexStoreOptions.reader`). */
const FORMAT = 2;
const MAGIC = 0x58494243;
const HEAD_BYTES = 80;
/** Bytes of the head before its own sum. */
const SUMMED = 64;
const SUFFIX = ".index";
/** A temporary file that is so old belongs to nobody any more, milliseconds. */
const STALE_MS = 60 * 60 * 1000;

export interface IndexStoreOptions {
  /** Made when it is not there. */
  readonly folder: string;
  /** Bytes of all stored indexes together; those that were not used for longest go first. */
  readonly limitBytes: number;
  /** Names the readers that made an index: what others made is not used. */
  readonly reader: string;
  /** Hears what went wrong, as a sentence; reading goes on without the store. */
  readonly trouble: (message: string) => void;
}

/**
 * What is looked at only when it is needed, in pieces that are written before the next one is asked for; all but the last have a
 * multiple of 16 bytes. Ends with false when it is not whole: then there is none.
 */
export type LatePieces = AsyncGenerator<Uint8Array, boolean>;

/** One stored index. */
export interface StoredIndex {
  readonly parts: ReadonlyMap<string, Part>;
  /** What is looked at only when it is needed; undefined when there is none or it is damaged. */
  late(): Promise<Uint8Array | undefined>;
}

/**
 * Indexes of transcripts in files of a folder, one per key. A file is written beside its place and renamed, so that it is
 * there as a whole or not at all, also with several windows at once; there is no lock. What is damaged or was made by other
 * readers is removed. Nothing here rejects because of the disk: trouble is told, and the answer is "nothing stored".
 */
export class IndexStore {
  constructor(private readonly options: IndexStoreOptions) {}

  async load(key: string): Promise<StoredIndex | undefined> {
    const path = this.pathOf(key);
    let file: FileHandle;
    try {
      file = await openFile(path, constants.O_RDONLY);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") this.trouble("A stored index cannot be opened", error);
      return undefined;
    }
    try {
      const found = await this.read(file, key, path);
      if (found === undefined) await this.drop(key);
      else await this.used(path);
      return found;
    } catch (error) {
      this.trouble("A stored index cannot be read", error);
      return undefined;
    } finally {
      await file.close();
    }
  }

  private async used(path: string): Promise<void> {
    const now = new Date();
    await utimes(path, now, now).catch((error: unknown) =>
      this.trouble("A stored index cannot be marked as used", error),
    );
  }

  private async read(file: FileHandle, key: string, path: string): Promise<StoredIndex | undefined> {
    const head = await this.head(file, key);
    if (head === undefined) return undefined;
    const { main, mainSum, late, lateSum, mainAt } = head;
    const { size } = await file.stat();
    if (size !== mainAt + main + late) return undefined;
    const content = await summed(file, mainAt, main);
    if (content === undefined || content.sum !== mainSum) return undefined;
    const parts = unpacked(content.bytes);
    if (parts === undefined) return undefined;
    return { parts, late: () => this.late(path, mainAt + main, late, lateSum) };
  }

  private async head(file: FileHandle, key: string): Promise<Head | undefined> {
    const head = await fill(file, 0, HEAD_BYTES);
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    if (head.length < HEAD_BYTES || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== FORMAT)
      return undefined;
    if (view.getFloat64(SUMMED, true) !== checksum([head.subarray(0, SUMMED)])) return undefined;
    if (view.getFloat64(8, true) !== this.stamp(key)) return undefined;
    const [main = 0, mainSum, late = 0, lateSum, glance = 0, glanceSum] = [16, 24, 32, 40, 48, 56].map((at) =>
      view.getFloat64(at, true),
    );
    return { main, mainSum, late, lateSum, glance, glanceSum, mainAt: HEAD_BYTES + aligned(glance) };
  }

  /** What `save` was given to be shown before all else; undefined where there is none, or none that can be read. */
  async glance(key: string): Promise<Uint8Array | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await openFile(this.pathOf(key), constants.O_RDONLY);
      const head = await this.head(file, key);
      if (head === undefined || head.glance === 0) return undefined;
      const bytes = await fill(file, HEAD_BYTES, head.glance);
      return bytes.length === head.glance && checksum([bytes]) === head.glanceSum ? bytes : undefined;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") this.trouble("A stored index cannot be looked at", error);
      return undefined;
    } finally {
      await file?.close();
    }
  }

  private async late(
    path: string,
    at: number,
    bytes: number,
    sum: number | undefined,
  ): Promise<Uint8Array | undefined> {
    if (bytes === 0) return undefined;
    let file: FileHandle | undefined;
    try {
      file = await openFile(path, constants.O_RDONLY);
      const found = await fill(file, at, bytes);
      // Another window may have put a newer one in its place: then the sum is another one.
      return found.length === bytes && checksum([found]) === sum ? found : undefined;
    } catch (error) {
      this.trouble("A stored index cannot be read", error);
      return undefined;
    } finally {
      await file?.close();
    }
  }

  /**
   * Stores parts under a key in place of what was there, and removes others when all take too much. `late`: see `LatePieces`;
   * `glance`: what can be read without the rest.
   */
  async save(key: string, parts: readonly Part[], late?: LatePieces, glance: Uint8Array = NO_BYTES): Promise<void> {
    const pieces = packedPieces(parts);
    // What would push out all others at once is not worth it.
    if (HEAD_BYTES + aligned(glance.length) + bytesOf(pieces) > this.options.limitBytes / 2) return;
    const path = this.pathOf(key);
    const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
    try {
      await mkdir(this.options.folder, { recursive: true });
      if (await this.write(temporary, key, pieces, glance, late)) await rename(temporary, path);
      else await rm(temporary, { force: true });
      await this.trim();
    } catch (error) {
      this.trouble("An index cannot be stored", error);
      await rm(temporary, { force: true }).catch((again: unknown) => this.trouble("", again));
    }
  }

  /** False when it becomes too large. */
  private async write(
    path: string,
    key: string,
    main: readonly Uint8Array[],
    glance: Uint8Array,
    late?: LatePieces,
  ): Promise<boolean> {
    const head = new Uint8Array(HEAD_BYTES);
    const view = new DataView(head.buffer);
    view.setUint32(0, MAGIC, true);
    view.setUint32(4, FORMAT, true);
    view.setFloat64(8, this.stamp(key), true);
    view.setFloat64(16, bytesOf(main), true);
    view.setFloat64(24, checksum(main), true);
    view.setFloat64(48, glance.length, true);
    view.setFloat64(56, checksum([glance]), true);
    const padding = new Uint8Array(aligned(glance.length) - glance.length);
    // Only this user reads what stands in their sessions.
    const file = await openFile(path, "wx", 0o600);
    try {
      // The head comes last: until then the file is none.
      await put(file, [new Uint8Array(HEAD_BYTES), glance, padding, ...main], 0);
      const lateAt = HEAD_BYTES + aligned(glance.length) + bytesOf(main);
      const written = late === undefined ? NO_LATE : await this.writeLate(file, lateAt, late);
      if (written === undefined) return false;
      if (written.bytes === 0) await file.truncate(lateAt);
      view.setFloat64(32, written.bytes, true);
      view.setFloat64(40, written.sum, true);
      view.setFloat64(SUMMED, checksum([head.subarray(0, SUMMED)]), true);
      await put(file, [head], 0);
      return true;
    } finally {
      await file.close();
    }
  }

  /** Undefined when it becomes too large. */
  private async writeLate(
    file: FileHandle,
    start: number,
    late: LatePieces,
  ): Promise<{ readonly bytes: number; readonly sum: number } | undefined> {
    const sum = new Checksum();
    let at = start;
    try {
      for (;;) {
        const next = await late.next();
        if (next.done === true) return next.value ? { bytes: at - start, sum: sum.value } : NO_LATE;
        await put(file, [next.value], at);
        sum.add(next.value);
        at += next.value.length;
        if (at > this.options.limitBytes / 2) return undefined;
      }
    } finally {
      await late.return(false);
    }
  }

  async drop(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true }).catch((error: unknown) => this.trouble("A stored index stays", error));
  }

  /** Removes every stored index; how many there were. */
  async clear(): Promise<number> {
    const files = await this.files();
    for (const { path } of files) await rm(path, { force: true });
    return files.filter(({ path }) => path.endsWith(SUFFIX)).length;
  }

  private async trim(): Promise<void> {
    const files = [...(await this.files())].sort((a, b) => b.usedMs - a.usedMs);
    let sum = 0;
    for (const { path, bytes, usedMs } of files) {
      const stale = !path.endsWith(SUFFIX) && Date.now() - usedMs > STALE_MS;
      sum += bytes;
      if (stale || sum > this.options.limitBytes) await rm(path, { force: true });
    }
  }

  private async files(): Promise<
    readonly { readonly path: string; readonly bytes: number; readonly usedMs: number }[]
  > {
    const { folder } = this.options;
    const names = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    });
    const files = await Promise.all(
      names
        .filter((name) => name.endsWith(SUFFIX) || name.endsWith(".tmp"))
        .map(async (name) => {
          const path = join(folder, name);
          // Another window may have removed it by now.
          const info = await stat(path).catch(() => undefined);
          return info?.isFile() === true ? [{ path, bytes: info.size, usedMs: info.mtimeMs }] : [];
        }),
    );
    return files.flat();
  }

  private pathOf(key: string): string {
    return join(this.options.folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}${SUFFIX}`);
  }

  /** Key and readers as a number below 2^48. */
  private stamp(key: string): number {
    return createHash("sha256").update(`${this.options.reader}\n${key}`).digest().readUIntBE(0, 6);
  }

  private trouble(what: string, error: unknown): void {
    const why = tellError(error).message;
    this.options.trouble(what === "" ? why : `${what}: ${why}`);
  }
}

/** Bytes of each part of a stored index, and their checksums. */
interface Head {
  readonly main: number;
  readonly mainSum: number | undefined;
  readonly late: number;
  readonly lateSum: number | undefined;
  readonly glance: number;
  readonly glanceSum: number | undefined;
  /** Where the main part begins. */
  readonly mainAt: number;
}

const NO_BYTES = new Uint8Array(0);
const NO_LATE = { bytes: 0, sum: checksum([]) };

/** What follows begins at a multiple of 16. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

async function put(file: FileHandle, pieces: readonly Uint8Array[], at: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces, at);
  const bytes = bytesOf(pieces);
  if (bytesWritten < bytes) throw new Error(`only ${bytesWritten} of ${bytes} bytes could be written`);
}

/** Bytes that are summed while the next ones are read; a multiple of 16. */
const STEP_BYTES = 2 * 1024 * 1024;

/** Like `fill`, with the checksum of the bytes; undefined where the file ends before. */
async function summed(
  file: FileHandle,
  start: number,
  length: number,
): Promise<{ readonly bytes: Uint8Array; readonly sum: number } | undefined> {
  const bytes = new Uint8Array(length);
  const sum = new Checksum();
  const read = (at: number): Promise<boolean> => fillPart(file, start + at, bytes.subarray(at, at + STEP_BYTES));
  let reading = read(0);
  for (let at = 0; at < length; at += STEP_BYTES) {
    if (!(await reading)) return undefined;
    const next = at + STEP_BYTES;
    if (next < length) reading = read(next);
    sum.add(bytes.subarray(at, next));
  }
  return { bytes, sum: sum.value };
}

/** False where the file ends before. */
async function fillPart(file: FileHandle, start: number, into: Uint8Array): Promise<boolean> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, start + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}

/** Memory of its own, so that lists of numbers can be viewed in it; empty where the file ends before. */
async function fill(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  return (await fillPart(file, start, bytes)) ? bytes : new Uint8Array(0);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
