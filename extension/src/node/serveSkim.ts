import type { MessagePort } from "node:worker_threads";
import { Skimmer } from "../core/transcript/rows/skimmer";
import type { SkimRequest } from "../protocol/worker";
import { blockingReader } from "./files";
import type { SkimAnswer, SkimQuestion } from "./skimHelper";
import { nodeUtf8 } from "./utf8";
import { nodeWasm } from "./wasm";

/** The other end of `skimHelpers`: skims the ranges that it is asked for, until it is ended. */
export function serveSkim(request: SkimRequest, port: MessagePort): void {
  const counter = new Int32Array(request.answers);
  const post = (answer: SkimAnswer): void => {
    port.postMessage(answer);
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
  };
  const { room } = request;
  const { fast } = nodeUtf8;
  if (fast === undefined) throw new Error("the helping thread cannot skim what the asking thread can");
  const skimmer = new Skimmer(nodeWasm.join(room.shared), room, nodeUtf8, fast);
  const file = blockingReader(request.skim);
  port.on("message", ({ range, slot }: SkimQuestion) => {
    try {
      post({ filling: skimmer.skim(file, range, request.totalBytes, slot) ?? null });
    } catch (error) {
      post({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
  // Ready.
  post({ filling: null });
}
