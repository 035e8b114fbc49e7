/** Every door from core to the world. Core imports no runtime; edges pass these in. */

/** Random access to a file's bytes. A read past the end gives fewer bytes. Nothing here ever writes. */
export interface FileSource {
  readonly path: string;
  /** Length in bytes at the time it was opened. */
  readonly bytes: number;
  /** Bytes of the half-open range. Rejects with an Error whose `code` is the platform's (ENOENT, EISDIR, EACCES). */
  read(start: number, end: number): Promise<Uint8Array>;
}

export type FileStat =
  | {
      readonly kind: "file" | "directory" | "other";
      readonly bytes: number;
      readonly mtimeMs: number;
      readonly realPath: string;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Looking at files without changing them. */
export interface FileAccess {
  stat(path: string): Promise<FileStat>;
  open(path: string): Promise<FileSource>;
  /** Names in a folder, unsorted; empty when it does not exist. */
  list(path: string): Promise<readonly string[]>;
}

export interface Utf8 {
  /** Decodes UTF-8; invalid sequences become U+FFFD and `valid` is false. A BOM is kept. */
  decode(bytes: Uint8Array): { readonly text: string; readonly valid: boolean };
  /** Cheaper views of the same bytes, where the platform has them. Readers work without, only slower. */
  readonly fast?: FastBytes;
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
