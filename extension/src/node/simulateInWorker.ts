import type { Worker } from "node:worker_threads";
import type { Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { tellError } from "../core/util/tellError";
import {
  isSimulationFrame,
  type SimulateRequest,
  type SimulationAnswer,
  type SimulationFrame,
  type SimulationQuestionName,
  type SimulationQuestions,
} from "../protocol/simulation";
import type { WhatIfEvents } from "../protocol/whatIf";
import { WORKER_PROTOCOL } from "../protocol/worker";
import { ReadingThread } from "./readingThread";
import { type IndexOptions, realFile, type StoreOptions, storeRequest, workerFileOf } from "./workerFile";

/** A read transcript takes room; without questions for so long it is given up and read again when one comes. */
const IDLE_MS = 600_000;

/** Nobody waits for the question any more: it was cancelled, or a newer one of its kind came. */
export const DROPPED = "dropped";

/** A cancel token that can also wake somebody who waits. */
export interface Cancellable {
  readonly isCancellationRequested: boolean;
  onCancel(listener: () => void): { dispose(): unknown };
}

export interface SimulationOptions extends Pick<IndexOptions, "workerFile" | "isReal"> {
  readonly format?: FileFormatId;
  /** Where the transcript's index may be stored. */
  readonly store?: StoreOptions | undefined;
  readonly idleMs?: number;
  /** Hears how far the reading is. */
  readonly onProgress?: (progress: WhatIfEvents["whatIf/progress"]) => void;
}

interface Waiting {
  readonly id: number;
  readonly ask: SimulationQuestionName;
  readonly body: unknown;
  /** A newer question of the same kind and lane takes its place. */
  readonly lane: unknown;
  readonly settle: (answer: SimulationAnswer | typeof DROPPED) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Questions about simulations of one transcript, answered in a thread of its own that starts with the first one. One is
 * under way at a time; the others wait here, so that what nobody wants any more is never begun. What is wrong with the
 * file is an answer; it rejects only when the thread fails.
 */
export class TranscriptSimulation {
  private thread: ReadingThread | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly dropped = new Int32Array(new SharedArrayBuffer(4));
  private current: Waiting | undefined;
  private queue: Waiting[] = [];
  private questions = 0;

  constructor(
    private readonly path: string,
    private readonly options: SimulationOptions = {},
  ) {}

  /**
   * @param lane who asks: of one asker only the newest question of a kind is answered; undefined = every one is
   */
  ask<Q extends SimulationQuestionName>(
    ask: Q,
    body: SimulationQuestions[Q]["in"],
    lane: unknown,
    cancel: Cancellable,
  ): Promise<Result<SimulationQuestions[Q]["out"]> | typeof DROPPED> {
    if (cancel.isCancellationRequested) return Promise.resolve(DROPPED);
    clearTimeout(this.idle);
    if (lane !== undefined) {
      for (const older of [...this.queue, this.current])
        if (older?.ask === ask && older.lane === lane) this.drop(older);
    }
    return new Promise((resolve, reject) => {
      const id = ++this.questions;
      const hook: { listening?: { dispose(): unknown } } = {};
      const waiting: Waiting = {
        id,
        ask,
        body,
        lane,
        settle: (answer) => {
          hook.listening?.dispose();
          // The worker answers each question in kind.
          resolve(answer as Result<SimulationQuestions[Q]["out"]> | typeof DROPPED);
        },
        fail: (error) => {
          hook.listening?.dispose();
          reject(error);
        },
      };
      this.queue.push(waiting);
      hook.listening = cancel.onCancel(() => this.drop(waiting));
      this.next();
    });
  }

  /** Ends the thread and removes its copy of a database. Questions under way are dropped. */
  async dispose(): Promise<void> {
    const { thread } = this;
    clearTimeout(this.idle);
    this.thread = undefined;
    const waiting = [...this.queue, ...(this.current === undefined ? [] : [this.current])];
    this.queue = [];
    this.current = undefined;
    for (const one of waiting) one.settle(DROPPED);
    await thread?.end();
  }

  private drop(waiting: Waiting): void {
    if (waiting === this.current) {
      // The thread says when it has let go of it; who asked need not wait for that.
      Atomics.store(this.dropped, 0, waiting.id);
    } else this.queue = this.queue.filter((one) => one !== waiting);
    waiting.settle(DROPPED);
  }

  private next(): void {
    if (this.current !== undefined) return;
    const waiting = this.queue.shift();
    if (waiting === undefined) {
      if (this.thread !== undefined) this.rest();
      return;
    }
    this.current = waiting;
    try {
      const { id, ask, body } = waiting;
      this.start().postMessage({ v: WORKER_PROTOCOL, id, ask, body });
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private start(): Worker {
    if (this.thread !== undefined) return this.thread.worker;
    const workerFile = workerFileOf(this.options);
    const request: SimulateRequest = {
      v: WORKER_PROTOCOL,
      simulate: this.path,
      format: this.options.format ?? null,
      store: storeRequest(workerFile, this.options.store),
      dropped: this.dropped.buffer as SharedArrayBuffer,
    };
    const thread = new ReadingThread(workerFile, { ...request, ...realFile(this.path, this.options) });
    const { worker } = thread;
    // A transcript that waits for questions keeps no process alive.
    worker.unref();
    this.thread = thread;
    const mine = (): boolean => this.thread === thread;
    worker.on("message", (message: unknown) => {
      if (!mine()) return;
      if (isSimulationFrame(message)) this.heard(message);
      else this.fail(new Error("its thread answered something unexpected."));
    });
    worker.on("error", (error) => {
      if (mine()) this.fail(error);
    });
    worker.on("exit", (code) => {
      if (mine()) this.fail(new Error(`its thread ended unexpectedly (exit code ${code}).`));
    });
    return worker;
  }

  private heard(frame: SimulationFrame): void {
    switch (frame.t) {
      case "folder":
        return;
      case "progress":
        this.options.onProgress?.({ what: frame.what, done: frame.done, total: frame.total });
        return;
      case "failed":
        this.fail(Object.assign(new Error(frame.message), { stack: frame.stack }));
        return;
      case "answer":
      case "dropped": {
        const waiting = this.current;
        if (waiting?.id !== frame.id) return;
        this.current = undefined;
        waiting.settle(frame.t === "answer" ? frame.answer : DROPPED);
        this.next();
      }
    }
  }

  private rest(): void {
    this.idle = setTimeout(() => void this.dispose(), this.options.idleMs ?? IDLE_MS);
    this.idle.unref();
  }

  private fail(cause: Error): void {
    const waiting = [...this.queue, ...(this.current === undefined ? [] : [this.current])];
    this.queue = [];
    this.current = undefined;
    for (const one of waiting)
      one.fail(new Error(`Simulating ${this.path} failed: ${tellError(cause).message}`, { cause }));
    void this.dispose();
  }
}
