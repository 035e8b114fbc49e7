import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders that a client may have open; an editor has a handful. */
const MAX_ROOTS = 100;

/** Folders whose files may be read: those of the command line, and those that the client has open. */
export class McpRoots {
  readonly #given: readonly string[];
  #open: readonly string[] = [];

  /** @param given as they were written on the command line */
  constructor(given: readonly string[], cwd: string) {
    this.#given = given.map((folder) => resolve(cwd, folder));
  }

  /** Absolute paths, each once. */
  get folders(): readonly string[] {
    return [...new Set([...this.#given, ...this.#open])];
  }

  /** Takes what the client says it has open, instead of what it said before. Other machines and other schemes do not count. */
  use(uris: readonly string[]): void {
    this.#open = uris.slice(0, MAX_ROOTS).flatMap(localFolder);
  }
}

/** Nothing for an address that is no folder of this machine. */
function localFolder(uri: string): readonly string[] {
  if (!URL.canParse(uri)) return [];
  const url = new URL(uri);
  if (url.protocol !== "file:" || (url.hostname !== "" && url.hostname !== "localhost")) return [];
  // An encoded slash cannot be part of a name; `fileURLToPath` throws on it, and on a host.
  if (/%2f|%5c|%00/i.test(url.pathname)) return [];
  try {
    return [fileURLToPath(`file://${url.pathname}`)];
  } catch (error) {
    // A percent sign that begins no escape, or escapes that are no UTF-8: no name of a folder.
    if (error instanceof URIError) return [];
    throw error;
  }
}
