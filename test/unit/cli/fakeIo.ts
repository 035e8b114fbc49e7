import { type CliIo, type Out, PipeClosed } from "../../../extension/src/cli/io";
import { NO_FILES } from "../../../extension/src/core/config/surroundings";
import type { FileAccess, FileSource, FileStat, Utf8 } from "../../../extension/src/core/ports";
import { secretFinder } from "../../../extension/src/node/secrets";

/** What one in-memory file is: bytes or text, or a failure with the platform's code. */
export type FakeFile = string | Uint8Array | { readonly fails: string };

export class FakeOut implements Out {
  readonly isTTY: boolean;
  text = "";
  /** Writes accepted before the reader goes away. */
  readonly #room: number;
  #writes = 0;

  constructor(options: { readonly isTTY?: boolean; readonly closesAfter?: number } = {}) {
    this.isTTY = options.isTTY ?? false;
    this.#room = options.closesAfter ?? Number.POSITIVE_INFINITY;
  }

  async write(text: string): Promise<void> {
    this.#writes += 1;
    if (this.#writes > this.#room) throw new PipeClosed();
    this.text += text;
  }
}

export interface FakeIo extends CliIo {
  readonly stdout: FakeOut;
  readonly stderr: FakeOut;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lax = new TextDecoder("utf-8", { ignoreBOM: true });

export const fakeUtf8: Utf8 = {
  decode(bytes) {
    try {
      return { text: strict.decode(bytes), valid: true };
    } catch {
      return { text: lax.decode(bytes), valid: false }; // invalid bytes are the expected failure here
    }
  },
};

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Files by absolute path; folders follow from the paths. */
export function memoryFiles(files: Readonly<Record<string, FakeFile>>, mtimeMs = 0): FileAccess {
  const folders = new Map<string, Set<string>>();
  for (const path of Object.keys(files)) {
    const parts = path.split("/").slice(1);
    for (let depth = 0; depth < parts.length; depth += 1) {
      const folder = `/${parts.slice(0, depth).join("/")}`;
      folders.set(folder, (folders.get(folder) ?? new Set()).add(parts[depth] ?? ""));
    }
  }
  const bytesOf = (file: string | Uint8Array): Uint8Array =>
    typeof file === "string" ? new TextEncoder().encode(file) : file;
  return {
    async stat(path): Promise<FileStat> {
      if (folders.has(path)) return { kind: "directory", bytes: 0, mtimeMs, realPath: path };
      const file = files[path];
      if (file === undefined) return { kind: "missing" };
      if (typeof file === "object" && "fails" in file) return { kind: "unreadable", reason: file.fails };
      return { kind: "file", bytes: bytesOf(file).length, mtimeMs, realPath: path };
    },
    async open(path): Promise<FileSource> {
      if (folders.has(path)) throw failure("EISDIR");
      const file = files[path];
      if (file === undefined) throw failure("ENOENT");
      if (typeof file === "object" && "fails" in file) throw failure(file.fails);
      const bytes = bytesOf(file);
      return { path, bytes: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
    },
    list: async (path) => [...(folders.get(path) ?? [])],
  };
}

export function fakeIo(files: Readonly<Record<string, FakeFile>> = {}, changes: Partial<FakeIo> = {}): FakeIo {
  return {
    stdout: new FakeOut(),
    stderr: new FakeOut(),
    pipes: () => {
      throw new Error("no test here talks over pipes");
    },
    environment: { env: {}, platform: "linux", homeFolder: "/home/someone", tempFolder: "/tmp" },
    cwd: "/work",
    files: memoryFiles(files),
    utf8: fakeUtf8,
    clock: { now: () => 0 },
    secrets: secretFinder(),
    openDatabase: async (path) => {
      throw new Error(`${path} is opened as a database, which no test here has`);
    },
    colour: true,
    surroundings: { env: {}, envName: "the environment", local: NO_FILES },
    places: async () => ({
      homeFolder: "/home/someone",
      tempFolders: ["/tmp"],
      hermesHomes: ["/home/someone/.hermes"],
      claudeProjects: ["/home/someone/.claude/projects"],
    }),
    version: () => "9.9.9",
    ...changes,
  };
}
