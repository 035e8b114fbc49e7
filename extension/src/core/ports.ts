import type { SecretSpan } from "./model/secretSpan";
import type { SkimRoom, SlotFilling } from "./transcript/rows/layout";

/** Every door from core to the world. Core imports no runtime; edges pass these in. */

/** Random access to a file's bytes. A read past the end gives fewer bytes. Nothing here ever writes. */
export interface FileSource {
  readonly path: string;
  /** Length in bytes at the time it was opened. */
  readonly bytes: number;
  /** Bytes of the half-open range. Rejects with an Error whose `code` is the platform's (ENOENT, EISDIR, EACCES). */
  read(start: number, end: number): Promise<Uint8Array>;
  /** The same file for a thread that may wait for its disk, where the platform has such reads. Whoever opens it closes it. */
  readonly blocking?: () => BlockingReader;
}

/** Reads without a detour through the event loop. Throws what `FileSource.read` rejects with. */
export interface BlockingReader {
  /** Fills `into` from the offset `start` on; fewer bytes only at the end of the file. Returns how many. */
  fill(into: Uint8Array, start: number): number;
  /** Bytes of the half-open range, in memory of their own. */
  take(start: number, end: number): Uint8Array;
  close(): void;
}

/** Runs WebAssembly. */
export interface Wasm {
  /**
   * Makes an instance of a module (base64) that imports nothing but a memory that threads share, of at least so many bytes.
   * Undefined where the engine does not have what the module needs.
   */
  instantiate(module: string, memoryBytes: number): WasmInstance | undefined;
  /** Makes another instance over the same memory, in another thread, of what `WasmInstance.shared` gave there. */
  join(shared: unknown): WasmInstance;
}

/** A piece of a file that is to be skimmed: the lines that begin in a half-open range of bytes. */
export interface PieceRange {
  readonly from: number;
  readonly to: number;
  /** A line begins at `from`, whatever stands before it. */
  readonly first: boolean;
}

/** A second thread that skims pieces of one file. Works off what it is asked for in that order; nothing here waits for the event loop. */
export interface SkimHelper {
  /** False while it is starting. */
  readonly isReady: boolean;
  /** `slot`: number of the room in the shared memory that its rows are to be put into. */
  ask(range: PieceRange, slot: number): void;
  /**
   * The answer to the oldest question that has none: what is in its slot, or undefined when no line begins in the range. With
   * `wait` it waits for it; otherwise, or when the thread is gone, "none".
   */
  answer(wait: boolean): SlotFilling | undefined | "none";
  close(): void;
}

/** Starts a helper for a file of `total` bytes; undefined where a second thread would gain nothing. */
export type StartHelper = (path: string, total: number, room: SkimRoom) => SkimHelper | undefined;

/** Code of the Error that a module's function throws when its memory cannot grow. */
export const OUT_OF_ROOM = "OUT_OF_ROOM";

export interface WasmInstance {
  /** All of it now; another buffer once it has grown, while older ones still show the part they know. */
  readonly memory: SharedArrayBuffer;
  /** For `Wasm.join` in another thread, which it may be posted to. */
  readonly shared: unknown;
  /**
   * Calls an exported function with 32-bit numbers. Throws an Error whose `code` is `OUT_OF_ROOM` where the memory cannot grow as the
   * function needs it: what the function was about may be half done then.
   */
  call(name: string, ...args: readonly number[]): number;
}

export type FileStat =
  | {
      readonly kind: "file" | "directory" | "other";
      readonly bytes: number;
      readonly mtimeMs: number;
      /** Where the path leads once links are resolved; the other facts are of what lies there. */
      readonly realPath: string;
      /** Tells this file from any other on the machine; undefined where the platform has no such thing. */
      readonly identity?: string;
      /** Names that the file has (hard links); a folder's number says nothing. */
      readonly names?: number;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What may be opened under a path that was looked at before. No link at its end is followed. */
export interface OnlyFile {
  /** `FileStat.identity` of what was looked at: nothing else is read, now and in later reads (code ESTALE). Undefined: any file. */
  readonly identity?: string | undefined;
  /** The path is a `FileStat.realPath`: no link on the way to it is followed either (code ESTALE), where the platform tells. */
  readonly isReal?: boolean;
}

/** Looking at files without changing them. */
export interface FileAccess {
  stat(path: string): Promise<FileStat>;
  /** A regular file; anything else is refused without waiting on it. With `only` as it says. */
  open(path: string, only?: OnlyFile): Promise<FileSource>;
  /** Names in a folder, unsorted; empty when it does not exist. */
  list(path: string): Promise<readonly string[]>;
}

/** A value of a database: TEXT, INTEGER (bigint outside the safe range), REAL, BLOB, NULL. */
export type SqlValue = string | bigint | number | Uint8Array | null;

/** An ordinary table. Views and virtual tables are never shown or read: their definition could run anything. */
export interface DatabaseTable {
  readonly name: string;
  /** Stored columns only; names as written in the schema. */
  readonly columns: readonly string[];
}

export interface RowQuery {
  readonly table: string;
  /** In the order of the values wanted. Names that the table does not have fail with code `SQLITE_ERROR`. */
  readonly columns: readonly string[];
  /** Columns that must equal a value; `rowid` stands for the row id. */
  readonly where?: Readonly<Record<string, SqlValue>>;
  /** Only rows with a greater row id. */
  readonly after?: number;
  /** `rowid` (the default) goes through the table itself; `any` may take an index. */
  readonly order?: "rowid" | "any";
}

export interface Row {
  /** SQLite's row id. */
  readonly id: number;
  /** A text is whole, NUL characters included. */
  readonly values: readonly SqlValue[];
  /** Columns whose value is longer than `maxValueBytes`; their value is null. */
  readonly tooLong: readonly string[];
  /** Columns whose text is not UTF-8; each bad sequence was read as U+FFFD. */
  readonly badUtf8: readonly string[];
}

/**
 * An agent's database, read only and as it was at one moment. All calls block. They throw an Error whose `code` is
 * SQLite's name of it (SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_ERROR) for what is wrong with the file.
 */
export interface Database {
  /** The agent's own file, which is not touched. */
  readonly path: string;
  /** Bytes of the database and its write-ahead log; no table can hold more. */
  readonly bytes: number;
  readonly maxValueBytes: number;
  tables(): readonly DatabaseTable[];
  rows(query: RowQuery): Iterable<Row>;
  close(): void;
}

export interface Utf8 {
  /** Decodes UTF-8; invalid sequences become U+FFFD and `valid` is false. A BOM is kept. */
  decode(bytes: Uint8Array): { readonly text: string; readonly valid: boolean };
  /** Cheaper views of the same bytes, where the platform has them. Readers work without, only slower. */
  readonly fast?: FastBytes;
}

/** What came out of a packed file. `window`: it cannot be unpacked here, because it asks for too much memory at once. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  readonly state: "whole" | "capped" | "damaged" | "window";
}

/**
 * Unpacks files with all members that stand one after another. At most `maxBytes` of output: then `capped`. Damaged or cut
 * input gives what came before the damage. Never rejects.
 */
export interface Unpacker {
  gunzip(bytes: Uint8Array, maxBytes: number): Promise<Unpacked>;
  unzstd(bytes: Uint8Array, maxBytes: number): Promise<Unpacked>;
}

export interface FastBytes {
  /** One UTF-16 unit per byte of the half-open range: U+0000 to U+00FF. */
  latin1(bytes: Uint8Array, start: number, end: number): string;
  /** True when no byte is above 0x7F. */
  isAscii(bytes: Uint8Array): boolean;
  /** True when `decode` would not replace anything. */
  isValid(bytes: Uint8Array): boolean;
}

export interface Digest {
  /** SHA-256 of the text's UTF-8 bytes, 64 lower-case hex digits. A lone surrogate is digested as U+FFFD. */
  sha256Hex(text: string): string;
}

export type { SecretSpan };

/** Finds secrets by a kept set of rules. */
export interface SecretFinder {
  /** Sorted, not overlapping. Rejects where the text could not be checked: then it is not to be shown as one without secrets. */
  find(text: string): Promise<readonly SecretSpan[]>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Cooperative cancellation; checked after each await. Compatible with VS Code's and LSP's tokens. */
export interface Cancel {
  readonly isCancellationRequested: boolean;
}

export const NEVER_CANCELLED: Cancel = { isCancellationRequested: false };
