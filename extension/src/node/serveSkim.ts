import type { MessagePort } from "node:worker_threads";
import type { PieceRange } from "../core/ports";
import { Skimmer } from "../core/transcript/rows/skimmer";
import type { SkimRequest } from "../protocol/worker";
import { blockingReader } from "./files";
import type { SkimAnswer } from "./skimHelper";
import { nodeUtf8 } from "./utf8";
import { nodeWasm } from "./wasm";

/** The other end of `skimHelpers`: skims the ranges that it is asked for, until it is ended. */
export function serveSkim(request: SkimRequest, port: MessagePort): void {
  const counter = new Int32Array(request.answers);
  const post = (answer: SkimAnswer, transfer: readonly ArrayBuffer[] = []): void => {
    port.postMessage(answer, transfer);
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
  };
  const sizes = { piece: request.pieceBytes, tail: request.tailBytes };
  const skimmer = Skimmer.create(nodeWasm, nodeUtf8, sizes);
  if (skimmer === undefined) throw new Error("the helping thread cannot skim what the asking thread can");
  const file = blockingReader(request.skim);
  port.on("message", (range: PieceRange) => {
    try {
      const skimmed = skimmer.skim(file, range, request.totalBytes);
      if (skimmed === undefined) post({ skimmed: null });
      else {
        const rows = skimmed.rows.slice();
        post({ skimmed: { ...skimmed, rows } }, [rows.buffer]);
      }
    } catch (error) {
      post({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
  // Ready.
  post({ skimmed: null });
}
