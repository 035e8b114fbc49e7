import type { FileSource } from "../ports";
import type { Opened } from "./inflated";
import { own, scalarText } from "./json";
import { ascii, StoreFiles, type StorePiece, type StorePorts, sourceOf } from "./storeFiles";

/** `…/storage/session/<project>/<session>.json`, with either platform's separators. */
const SESSION_FILE = /^(.*[\\/]storage)([\\/])session[\\/][^\\/]+[\\/]([^\\/]+)\.json$/;

/** The folder `storage`, the platform's separator and the session's id out of the path of a session's file; undefined for any other path. */
export function opencodePlace(
  path: string,
): { readonly storage: string; readonly separator: string; readonly session: string } | undefined {
  const found = SESSION_FILE.exec(path);
  if (found === null) return undefined;
  const [, storage = "", separator = "/", session = ""] = found;
  return { storage, separator, session };
}

/**
 * A session of opencode's storage tree as one document of the export's shape, in memory: the tree keeps a session in one
 * file, and each of its messages and their parts in files of their own (transcripts.md 8). Undefined for any other file,
 * and for a session without messages. The session's own facts come last, so that what is added later moves nothing.
 */
export async function composeOpencodeSession(file: FileSource, ports: StorePorts): Promise<Opened | undefined> {
  const place = opencodePlace(file.path);
  if (place === undefined) return undefined;
  const { storage, separator, session } = place;
  const store = new StoreFiles(ports, storage, "Export it (opencode export) and open the result.");
  // Files by name: opencode's ids grow with time. An id comes from a file; as a path it must stay inside the store.
  const readAll = async (kind: "message" | "part", id: string, from = file.path): Promise<StorePiece[]> => {
    if (/^[\w-]+$/.test(id)) return store.readAll([storage, kind, id].join(separator), separator);
    store.leaveOut(from);
    return [];
  };
  const messages = await readAll("message", session);
  if (messages.length === 0) return undefined;
  const createdMs = (piece: StorePiece): number => Number(scalarText(own(own(piece.value, "time"), "created"))) || 0;
  messages.sort((a, b) => createdMs(a) - createdMs(b) || (a.name < b.name ? -1 : 1));
  const chunks: Uint8Array[] = [ascii('{"messages":[')];
  for (const [i, message] of messages.entries()) {
    chunks.push(ascii(`${i === 0 ? "" : ","}\n{"info":`), message.bytes, ascii(',"parts":['));
    const id = own(message.value, "id");
    const from = [storage, "message", session, `${message.name}.json`].join(separator);
    const parts = await readAll("part", typeof id === "string" ? id : message.name, from);
    for (const [k, part] of parts.entries()) {
      if (k > 0) chunks.push(ascii(","));
      chunks.push(part.bytes);
    }
    chunks.push(ascii("]}"));
  }
  chunks.push(ascii('],\n"info":'), await file.read(0, file.bytes), ascii("}\n"));
  return { source: sourceOf(file.path, chunks), problems: store.problems(), spread: true };
}
