import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { isSkimRequest, type SkimRequest } from "../protocol/worker";
import { EARLY } from "./earlyThread";
import { tellLoaded } from "./openFile";
import { serveSkim } from "./serveSkim";

/**
 * Entry point of dist/skim.js: skims for another thread. It is one small file and no ES module, because the thread that asks
 * reads alone until this one is there: so it is there in two thirds of the time.
 */
tellLoaded();
if (workerData === EARLY) parentPort?.once("message", serve);
else serve(workerData);

function serve(request: unknown): void {
  if (!isSkimRequest(request)) throw new Error("the skimming thread was started without a request");
  serveSkim(request, (request as SkimRequest & { readonly port: MessagePort }).port);
}
