import type { Problem } from "../model/problem";
import type { FileAccess, FileSource, Utf8 } from "../ports";
import { isObject, type JsonObject } from "./json";

/** Files and bytes of one session that are put together; real ones stay below a tenth. */
const MAX_FILES = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;

export interface StorePorts {
  readonly utf8: Utf8;
  readonly files: FileAccess;
}

/** One file of a session: a JSON object. */
export interface StorePiece {
  /** File name without its extension. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly value: JsonObject;
}

/** The files of a session that an agent keeps in many, bounded; those that cannot be read or parsed are left out and said. */
export class StoreFiles {
  private files = 0;
  private bytes = 0;
  private capped = false;
  private readonly bad: string[] = [];

  /** Where `root` leads; undefined when it is not there. */
  private readonly realRoot: Promise<string | undefined>;

  /**
   * @param root folder of the store: what is read lies inside, links resolved
   * @param remedy what to do with a session that is too large, as a sentence
   */
  constructor(
    private readonly ports: StorePorts,
    root: string,
    private readonly remedy: string,
  ) {
    this.realRoot = ports.files.stat(root).then((stat) => (stat.kind === "directory" ? stat.realPath : undefined));
  }

  /** The JSON files of a folder whose name passes, in the order of `compare`. */
  async readAll(
    folder: string,
    separator: string,
    passes: (name: string) => boolean = () => true,
    compare?: (a: string, b: string) => number,
  ): Promise<StorePiece[]> {
    if (!(await this.isInside(folder, separator))) {
      this.bad.push(folder);
      return [];
    }
    const names = (await this.ports.files.list(folder)).filter((name) => name.endsWith(".json") && passes(name));
    const pieces: StorePiece[] = [];
    for (const name of names.sort(compare)) {
      const piece = await this.read(`${folder}${separator}${name}`, name.slice(0, -".json".length));
      if (piece !== undefined) pieces.push(piece);
    }
    return pieces;
  }

  async read(path: string, name: string): Promise<StorePiece | undefined> {
    if (this.files >= MAX_FILES || this.bytes >= MAX_BYTES) {
      this.capped = true;
      return undefined;
    }
    this.files++;
    try {
      // No link: a store holds files, and whoever made a link chose where it leads.
      const source = await this.ports.files.open(path, {});
      if (source.bytes > MAX_BYTES - this.bytes) {
        this.capped = true;
        return undefined;
      }
      const bytes = await source.read(0, source.bytes);
      this.bytes += bytes.length;
      const value: unknown = JSON.parse(this.ports.utf8.decode(bytes).text);
      if (isObject(value)) return { name, bytes, value };
    } catch (error) {
      // A vanished file, no permission, or text that is not JSON; anything else is a bug.
      if (!(error instanceof SyntaxError || (error instanceof Error && "code" in error))) throw error;
    }
    this.bad.push(path);
    return undefined;
  }

  /** What the file at this path leads to is left out, because an id in it is no name of a file. */
  leaveOut(path: string): void {
    this.bad.push(path);
  }

  /** A folder that is not there has no files either. */
  private async isInside(folder: string, separator: string): Promise<boolean> {
    const stat = await this.ports.files.stat(folder);
    if (stat.kind !== "directory") return true;
    const root = await this.realRoot;
    return root !== undefined && stat.realPath.startsWith(root + separator);
  }

  problems(): readonly Problem[] {
    const problems: Problem[] = [];
    if (this.bad.length > 0) {
      const message = `${this.bad.length} of the session's files cannot be read and are left out, first ${this.bad[0]}. Check its permissions and content, and that neither a link nor an id leads out of its store.`;
      problems.push({ code: "bad-part", severity: "error", message });
    }
    if (this.capped) {
      const message = `The session has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MB; only that much is read. ${this.remedy}`;
      problems.push({ code: "store-too-large", severity: "error", message });
    }
    return problems;
  }
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** The chunks one behind the other, as the content of a file with that path. */
export function sourceOf(path: string, chunks: readonly Uint8Array[]): FileSource {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { path, bytes: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) };
}
