import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { PieceRange, SkimHelper, StartHelper } from "../core/ports";
import type { SkimRoom, SlotFilling } from "../core/transcript/rows/layout";
import { type SkimRequest, WORKER_PROTOCOL } from "../protocol/worker";
import { canHelp, type SkimThread, skimFile, watched } from "./earlyThread";
import { sharedOpenings } from "./openFile";

/** A thread that does not answer for so long is given up; the pieces it was asked for are skimmed here. */
const PATIENCE_MS = 10_000;

/** What a skimming thread is asked. */
export interface SkimQuestion {
  readonly range: PieceRange;
  readonly slot: number;
}

/** What it answers: what it put into the slot, null when no line begins in the range, or nothing it could read. */
export type SkimAnswer = { readonly filling: SlotFilling | null } | { readonly failed: string };

/**
 * Helping threads out of a bundle of their own, beside the running one; none on a single processor, or where it is absent. `early`
 * is the first one, if it was started already.
 */
export function skimHelpers(workerFile = skimFile(), early?: SkimThread): StartHelper | undefined {
  if (!canHelp(workerFile)) return undefined;
  let waiting = early;
  return (path, total, room) => {
    const thread = waiting?.isGone() === false ? waiting : undefined;
    waiting = undefined;
    return startHelper(thread ?? workerFile, path, total, room);
  };
}

function startHelper(thread: SkimThread | string, path: string, total: number, room: SkimRoom): SkimHelper {
  const answers = new SharedArrayBuffer(4);
  const counter = new Int32Array(answers);
  const { port1: port, port2 } = new MessageChannel();
  const request: SkimRequest = {
    v: WORKER_PROTOCOL,
    skim: path,
    totalBytes: total,
    room,
    answers,
  };
  const asked = { ...request, port: port2 };
  let started: SkimThread;
  if (typeof thread === "string") {
    const workerData = { ...asked, ...sharedOpenings() };
    started = watched(new Worker(thread, { workerData, transferList: [port2] }));
  } else {
    started = thread;
    started.worker.postMessage(asked, [port2]);
  }
  const { worker, isGone } = started;
  port.unref();
  let givenUp = false;
  /** Answers that were taken; the first one says that the thread is ready. */
  let taken = 0;
  const receive = (wait: boolean): SkimAnswer | undefined => {
    if (givenUp || isGone()) return undefined;
    if (Atomics.load(counter, 0) <= taken && wait) Atomics.wait(counter, 0, taken, PATIENCE_MS);
    if (Atomics.load(counter, 0) <= taken) {
      if (wait) givenUp = true;
      return undefined;
    }
    const received = receiveMessageOnPort(port);
    if (received === undefined) return undefined;
    taken++;
    return received.message as SkimAnswer;
  };
  return {
    get isReady(): boolean {
      return !givenUp && !isGone() && (taken > 0 || receive(false) !== undefined);
    },
    ask: (range, slot) => {
      const question: SkimQuestion = { range, slot };
      port.postMessage(question);
    },
    answer: (wait) => {
      const answer = receive(wait);
      if (answer === undefined) return "none";
      // Whoever skims the piece next meets the same error and tells it.
      if ("failed" in answer) {
        givenUp = true;
        return "none";
      }
      return answer.filling ?? undefined;
    },
    close: () => {
      givenUp = true;
      port.close();
      void worker.terminate();
    },
  };
}
