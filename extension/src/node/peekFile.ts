import { constants } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { openFile } from "./openFile";

/** Both ends of a file at one moment. */
export interface Peek {
  readonly bytes: number;
  readonly mtimeMs: number;
  /** The first bytes as text; invalid UTF-8 became U+FFFD. */
  readonly head: string;
  /** The last bytes as text, empty when `head` reaches to the end. */
  readonly tail: string;
}

/** Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads up to `headBytes` of the beginning and `tailBytes` of the end. Undefined when there is no regular file that this user
 * may read; the platform's code tells why, and a list of sessions has no use for it.
 */
export async function peekFile(path: string, headBytes: number, tailBytes: number): Promise<Peek | undefined> {
  let file: FileHandle | undefined;
  try {
    // Before opening: a link in a home may lead to a device that reacts to being opened.
    if (!(await stat(path)).isFile()) return undefined;
    file = await openFile(path, FLAGS);
    const info = await file.stat();
    if (!info.isFile()) return undefined;
    const head = await textAt(file, 0, Math.min(info.size, headBytes));
    const rest = Math.min(tailBytes, info.size - headBytes);
    const tail = rest > 0 ? await textAt(file, info.size - rest, rest) : "";
    return { bytes: info.size, mtimeMs: info.mtimeMs, head, tail };
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}

async function textAt(file: FileHandle, start: number, bytes: number): Promise<string> {
  // Not pooled: thousands of these would keep whole slabs alive.
  const buffer = Buffer.allocUnsafeSlow(bytes);
  let done = 0;
  while (done < bytes) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.toString("utf8", 0, done);
}
