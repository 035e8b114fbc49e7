import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { NEVER_CANCELLED } from "../core/ports";
import { isSimulateRequest } from "../protocol/simulation";
import { isTableRequest } from "../protocol/tableWorker";
import {
  BATCHES_UNDER_WAY,
  isIndexRequest,
  isMoreFrame,
  isRowsRequest,
  isSearchRequest,
  isSkimRequest,
  type SkimRequest,
  WORKER_PROTOCOL,
  type WorkerFrame,
} from "../protocol/worker";
import { indexFile } from "./indexFile";
import { searchFile } from "./searchFile";
import { serveRows } from "./serveRows";
import { serveSkim } from "./serveSkim";
import { serveTable } from "./serveTable";

/**
 * Entry point of dist/worker.mjs: reads one transcript and posts its events, or keeps its index and answers about it,
 * or answers for the rows of one database, or searches, or simulates.
 * Cancelling means ending this thread.
 */
async function main(): Promise<void> {
  const port = parentPort;
  const request: unknown = workerData;
  if (port !== null && isRowsRequest(request)) {
    serveRows(request.rowsOf, port);
    return;
  }
  if (port !== null && isTableRequest(request)) {
    serveTable(request, port);
    return;
  }
  if (port !== null && isSimulateRequest(request)) {
    // The simulator is a fifth of what can be loaded here, and reading a transcript must not wait for it.
    const { serveSimulation } = await import("./serveSimulation");
    serveSimulation(request, port);
    return;
  }
  if (port !== null && isSearchRequest(request)) {
    await searchFile(request, port);
    return;
  }
  if (isSkimRequest(request)) {
    const { port: answers } = request as SkimRequest & { readonly port: MessagePort };
    serveSkim(request, answers);
    return;
  }
  if (port === null || !isIndexRequest(request)) throw new Error("the reading thread was started without a request");
  const post = (frame: WorkerFrame) => port.postMessage(frame);
  const onFolder = (path: string) => post({ v: WORKER_PROTOCOL, t: "folder", path });
  let credit = BATCHES_UNDER_WAY;
  let wake: (() => void) | undefined;
  port.on("message", (message: unknown) => {
    if (!isMoreFrame(message)) return;
    credit++;
    wake?.();
  });
  try {
    for await (const events of indexFile(request.path, request.format ?? undefined, NEVER_CANCELLED, { onFolder })) {
      while (credit === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      credit--;
      post({ v: WORKER_PROTOCOL, t: "batch", events });
    }
    post({ v: WORKER_PROTOCOL, t: "done" });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ v: WORKER_PROTOCOL, t: "failed", message, stack: stack ?? "" });
  } finally {
    port.close();
  }
}

void main();
