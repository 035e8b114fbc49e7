import { parentPort, workerData } from "node:worker_threads";
import { isSimulateRequest } from "../protocol/simulation";
import { isTableRequest } from "../protocol/tableWorker";
import { isRowsRequest, isSearchRequest } from "../protocol/worker";
import { tellLoaded } from "./openFile";

/**
 * Entry point of dist/worker.mjs: keeps the index of one transcript and answers about it, or answers for the rows of one
 * database, or searches, or simulates. Each loads what it needs and no more: a thread that only shows
 * a stored index is there in half the time. Cancelling means ending this thread.
 */
async function main(): Promise<void> {
  const port = parentPort;
  const request: unknown = workerData;
  if (port === null) throw new Error("the reading thread was started as a process");
  else if (isTableRequest(request)) {
    const { serveTable } = await loading(import("./serveTable"));
    serveTable(request, port);
  } else if (isRowsRequest(request)) {
    const { serveRows } = await loading(import("./serveRows"));
    serveRows(request.rowsOf, port);
  } else if (isSearchRequest(request)) {
    const { searchFile } = await loading(import("./searchFile"));
    await searchFile(request, port);
  } else if (isSimulateRequest(request)) {
    const { serveSimulation } = await loading(import("./serveSimulation"));
    serveSimulation(request, port);
  } else throw new Error("the reading thread was started without a request");
}

/** Gives what was loaded, and tells who started this thread that it is there. */
async function loading<T>(module: Promise<T>): Promise<T> {
  const loaded = await module;
  tellLoaded();
  return loaded;
}

main().catch((error: unknown) => {
  // Not lost as a rejection that nobody handles: it ends the thread, and whoever started it hears of it.
  setImmediate(() => {
    throw error;
  });
});
