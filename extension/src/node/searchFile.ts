import { createContext, Script } from "node:vm";
import type { MessagePort } from "node:worker_threads";
import type { Result } from "../core/model/problem";
import type { BodyRef } from "../core/model/transcript";
import { type FileSource, NEVER_CANCELLED } from "../core/ports";
import { BodyReader } from "../core/transcript/body";
import { readRowBody } from "../core/transcript/database/rowBody";
import { openedSource } from "../core/transcript/inflated";
import { searchTexts } from "../core/transcript/search";
import { targetsOf } from "../core/transcript/table/searchTargets";
import { tellError } from "../core/util/tellError";
import { type SearchRequest, WORKER_PROTOCOL, type WorkerFrame } from "../protocol/worker";
import { blockingReader, nodeFiles } from "./files";
import { openDatabase } from "./sqlite";
import { nodeUnpacker } from "./unpack";
import { nodeUtf8 } from "./utf8";

type ReadText = (ref: BodyRef) => Promise<Result<{ readonly text: string }>>;

/** Searches the texts of one transcript and posts what it finds. Cancelling means ending this thread. */
export async function searchFile(request: SearchRequest, port: MessagePort): Promise<void> {
  const post = (frame: WorkerFrame) => port.postMessage(frame);
  let close = (): void => undefined;
  try {
    const texts = await opened(request, post, (closing) => {
      close = closing;
    });
    for await (const step of searchTexts(
      [...targetsOf(request.targets)],
      request.query,
      { readText: texts, guarded: guard() },
      NEVER_CANCELLED,
    )) {
      post({ v: WORKER_PROTOCOL, t: "found", step });
    }
    post({ v: WORKER_PROTOCOL, t: "done" });
  } catch (error) {
    post({ v: WORKER_PROTOCOL, t: "failed", ...tellError(error) });
  } finally {
    close();
    port.close();
  }
}

/** A file that cannot be opened has unreadable texts. */
async function opened(
  { searchIn: path, targets }: SearchRequest,
  post: (frame: WorkerFrame) => void,
  closing: (close: () => void) => void,
): Promise<ReadText> {
  if (targets.rows.length > 0) {
    const onFolder = (folder: string) => post({ v: WORKER_PROTOCOL, t: "folder", path: folder });
    const database = await openDatabase(path, { onFolder }, NEVER_CANCELLED);
    if (!database.ok) return async () => database;
    const { value } = database;
    if (value === undefined) throw new Error("opening was cancelled, though nobody can");
    closing(() => value.close());
    return async (ref) => readRowBody(value, ref, { utf8: nodeUtf8 });
  }
  const ports = { utf8: nodeUtf8, unpacker: nodeUnpacker, files: nodeFiles };
  const source = await openedSource(held(await nodeFiles.open(path), closing), ports);
  if (!source.ok) return async () => source;
  const reader = new BodyReader(source.value.source, nodeUtf8);
  return (ref) => reader.read(ref);
}

/** The same file through one handle that stays open: thousands of short texts are read. This thread has nothing else to do. */
function held(file: FileSource, closing: (close: () => void) => void): FileSource {
  const reader = blockingReader(file.path);
  closing(() => reader.close());
  return {
    path: file.path,
    bytes: file.bytes,
    read: async (start, end) => reader.take(start, Math.min(end, file.bytes)),
  };
}

/** The engine ends what runs too long, also inside a regular expression (Node's `vm`, option `timeout`). */
export function guard(): (ms: number, run: () => void) => boolean {
  const script = new Script("run()");
  // One context for all runs: making one costs more than most searches.
  const box: { run: () => void } = { run: () => undefined };
  const context = createContext(box);
  return (ms, run) => {
    box.run = run;
    try {
      script.runInContext(context, { timeout: ms });
      return true;
    } catch (error) {
      // It belongs to the context, so that it is no `Error` of this one.
      const isObject = typeof error === "object" && error !== null;
      if (isObject && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
      throw error;
    }
  };
}
