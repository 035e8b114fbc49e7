import type { Problem } from "../model/problem";
import type { FileAccess, FileSource, Utf8 } from "../ports";
import { isObject, own } from "./json";

/** Files and bytes of one session that are put together; real ones stay below a tenth. */
const MAX_FILES = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** `…/storage/session/<project>/<session>.json`, with either platform's separators. */
const SESSION_FILE = /^(.*[\\/]storage)([\\/])session[\\/][^\\/]+[\\/]([^\\/]+)\.json$/;

export interface StorePorts {
  readonly utf8: Utf8;
  readonly files: FileAccess;
}

export interface ComposedSession {
  readonly source: FileSource;
  readonly problems: readonly Problem[];
}

interface Piece {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/**
 * A session of opencode's storage tree as one document of the export's shape, in memory: the tree keeps a session in one
 * file, and each of its messages and their parts in files of their own (transcripts.md 8). Undefined for any other file,
 * and for a session without messages. The session's own facts come last, so that what is added later moves nothing.
 */
export async function composeOpencodeSession(
  file: FileSource,
  ports: StorePorts,
): Promise<ComposedSession | undefined> {
  const found = SESSION_FILE.exec(file.path);
  if (found === null) return undefined;
  const [, storage = "", separator = "/", session = ""] = found;
  const store = new Store(ports, storage, separator);
  const messages = await store.readAll("message", session);
  if (messages.length === 0) return undefined;
  const createdMs = (piece: Piece): number => Number(own(own(piece.value, "time"), "created")) || 0;
  messages.sort((a, b) => createdMs(a) - createdMs(b) || (a.name < b.name ? -1 : 1));
  const chunks: Uint8Array[] = [ascii('{"messages":[')];
  for (const [i, message] of messages.entries()) {
    chunks.push(ascii(`${i === 0 ? "" : ","}\n{"info":`), message.bytes, ascii(',"parts":['));
    const id = own(message.value, "id");
    const parts = await store.readAll("part", typeof id === "string" ? id : message.name);
    for (const [k, part] of parts.entries()) {
      if (k > 0) chunks.push(ascii(","));
      chunks.push(part.bytes);
    }
    chunks.push(ascii("]}"));
  }
  chunks.push(ascii('],\n"info":'), await file.read(0, file.bytes), ascii("}\n"));
  const bytes = joined(chunks);
  const read = (start: number, end: number): Promise<Uint8Array> => Promise.resolve(bytes.subarray(start, end));
  return { source: { path: file.path, bytes: bytes.length, read }, problems: store.problems() };
}

/** The files of one session, bounded; those that cannot be read or parsed are left out and said. */
class Store {
  private files = 0;
  private bytes = 0;
  private capped = false;
  private readonly bad: string[] = [];

  constructor(
    private readonly ports: StorePorts,
    private readonly storage: string,
    private readonly separator: string,
  ) {}

  /** Files of a folder below the store, by name: opencode's ids grow with time. */
  async readAll(kind: "message" | "part", id: string): Promise<Piece[]> {
    // An id comes from a file; as a path it must stay inside the store.
    if (!/^[\w-]+$/.test(id)) return [];
    const folder = [this.storage, kind, id].join(this.separator);
    const names = (await this.ports.files.list(folder)).filter((name) => name.endsWith(".json")).sort();
    const pieces: Piece[] = [];
    for (const name of names) {
      const piece = await this.read(`${folder}${this.separator}${name}`, name.slice(0, -".json".length));
      if (piece !== undefined) pieces.push(piece);
    }
    return pieces;
  }

  private async read(path: string, name: string): Promise<Piece | undefined> {
    if (this.files >= MAX_FILES || this.bytes >= MAX_BYTES) {
      this.capped = true;
      return undefined;
    }
    this.files++;
    try {
      const source = await this.ports.files.open(path);
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

  problems(): readonly Problem[] {
    const problems: Problem[] = [];
    if (this.bad.length > 0) {
      const message = `${this.bad.length} of the session's files cannot be read and are left out, first ${this.bad[0]}. Check its permissions and content.`;
      problems.push({ code: "bad-part", severity: "error", message });
    }
    if (this.capped) {
      const message = `The session has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MB; only that much is read. Export it (opencode export) and open the result.`;
      problems.push({ code: "store-too-large", severity: "error", message });
    }
    return problems;
  }
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
