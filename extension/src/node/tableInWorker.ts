import type { Worker } from "node:worker_threads";
import type { Cancel } from "../core/ports";
import { tellError } from "../core/util/tellError";
import {
  isTableFrame,
  type ReadAnswer,
  TABLE_PROTOCOL,
  type TableCallName,
  type TableCalls,
  type TableNews,
  type TableQuestion,
  type TableRequest,
} from "../protocol/tableWorker";
import { systemClock } from "./clock";
import { ReadingThread } from "./readingThread";
import { glanceAt } from "./storedGlance";
import { type IndexOptions, realFile, type StoreOptions, storeRequest, workerFileOf } from "./workerFile";

export interface TableOptions extends IndexOptions {
  /** Where indexes are stored; nowhere without it. */
  readonly store?: StoreOptions | undefined;
  /** Called when a thread that had ended is there again: it knows the transcript, and not what it was told of files. */
  readonly woken?: () => void;
  /** After so long without a question the thread ends, and the next question starts another one; without it, it stays. Milliseconds. */
  readonly idleMs?: number;
  readonly news: (news: TableNews) => void;
  /** Hears what is worth a line in the log. */
  readonly trouble: (message: string) => void;
}

/** How often a question that can be cancelled looks whether it was, milliseconds. */
const CANCEL_POLL_MS = 50;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The index of one transcript in a thread of its own, from the first question on until it is disposed. A thread that dies takes its
 * questions along (they reject with an Error); the next one starts another thread, which reads anew.
 */
export class TableInWorker {
  private thread: ReadingThread | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  private disposed = false;
  /** True when the thread ended after it had read, most often because nobody asked. */
  private resting = false;
  /** True once a reading was answered. */
  private hasRead = false;
  private idle: NodeJS.Timeout | undefined;
  private woken: Promise<unknown> | undefined;
  private ending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly options: TableOptions,
  ) {}

  /** Rejects with an Error when the thread fails, dies or is disposed of. Readings can be cancelled; other questions are quick. */
  async ask<M extends TableCallName>(
    name: M,
    body: TableCalls[M]["in"],
    cancel?: Cancel,
  ): Promise<TableCalls[M]["out"]> {
    if (this.resting) {
      this.resting = false;
      // A new thread knows nothing yet.
      if (name !== "read" && name !== "look") {
        this.woken = this.put("read", { anew: false }, undefined).finally(() => {
          this.woken = undefined;
          this.options.woken?.();
        });
      }
    }
    await this.woken;
    const isFirst = this.thread === undefined && !this.disposed;
    const answer = this.put(name, body, cancel);
    return isFirst && name === "read" && !("anew" in body && body.anew)
      ? (this.firstAnswer(answer as Promise<ReadAnswer>) as Promise<TableCalls[M]["out"]>)
      : answer;
  }

  /**
   * Of a transcript that did not change since its index was stored, what is shown at once is read here, while the thread is still
   * starting; other questions wait for the thread. Should it find otherwise, it is as if it had ended and were there again.
   */
  private async firstAnswer(reading: Promise<ReadAnswer>): Promise<ReadAnswer> {
    const { format, store, isReal, woken } = this.options;
    // Whoever must not follow links reads in the thread, which sees to that.
    if (store === undefined || isReal === true) return reading;
    const request = storeRequest(workerFileOf(this.options), store);
    const glance = glanceAt(this.path, format, request, systemClock);
    const first = await Promise.race([reading, glance.then((found) => found ?? reading)]);
    const waiting = reading
      .then((answer) => {
        if (answer !== first && (answer.end !== "done" || answer.source !== "store")) woken?.();
      })
      .finally(() => {
        if (this.woken === waiting) this.woken = undefined;
      });
    // Whoever asks next hears of it.
    waiting.catch(ignore);
    this.woken = waiting;
    return first;
  }

  private put<M extends TableCallName>(
    name: M,
    body: TableCalls[M]["in"],
    cancel: Cancel | undefined,
  ): Promise<TableCalls[M]["out"]> {
    if (this.disposed) return Promise.reject(new Error("it is not open any more"));
    const worker = this.started();
    clearTimeout(this.idle);
    const id = this.next++;
    const post = (question: TableQuestion): void => worker.postMessage(question);
    return new Promise((resolve, reject) => {
      const poll =
        cancel === undefined
          ? undefined
          : setInterval(() => {
              if (cancel.isCancellationRequested) post({ v: TABLE_PROTOCOL, t: "cancel", id });
            }, CANCEL_POLL_MS);
      const settle = (finish: () => void): void => {
        clearInterval(poll);
        this.waiting.delete(id);
        finish();
        this.rest();
      };
      this.waiting.set(id, {
        // The other end answers what its protocol file says; the guard has seen that it is an answer.
        resolve: (value) => {
          this.hasRead ||= name === "read" || name === "look";
          settle(() => resolve(value as TableCalls[M]["out"]));
        },
        reject: (error) => settle(() => reject(error)),
      });
      post({ v: TABLE_PROTOCOL, t: "ask", id, m: name, body });
    });
  }

  /** Ends the thread later when nobody asks anything until then. */
  private rest(): void {
    const { idleMs } = this.options;
    if (idleMs === undefined || this.disposed || this.waiting.size > 0) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      this.resting = true;
      this.end(new Error("nobody asked"));
    }, idleMs);
    this.idle.unref();
  }

  /** Says something that has no answer. */
  tell<M extends "files" | "forgetFiles">(name: M, body: TableCalls[M]["in"]): void {
    this.ask(name, body).catch((error: unknown) => {
      if (!this.disposed) this.options.trouble(tellError(error).message);
    });
  }

  /** Ends the thread; what is being asked rejects. */
  dispose(): void {
    this.disposed = true;
    clearTimeout(this.idle);
    this.end(new Error("it is not open any more"));
  }

  /** Resolves when the thread has ended after `dispose`. */
  async ended(): Promise<void> {
    await this.ending;
  }

  private started(): Worker {
    if (this.thread !== undefined) return this.thread.worker;
    const workerFile = workerFileOf(this.options);
    const request: TableRequest = {
      v: TABLE_PROTOCOL,
      tableOf: this.path,
      format: this.options.format ?? null,
      store: storeRequest(workerFile, this.options.store),
    };
    const thread = new ReadingThread(workerFile, { ...request, ...realFile(this.path, this.options) });
    const { worker } = thread;
    worker.on("message", (message: unknown) => {
      if (thread === this.thread) this.heard(message);
    });
    worker.on("error", (error) => this.lost(thread, tellError(error).message));
    worker.on("exit", (code) => this.lost(thread, `its thread ended unexpectedly (exit code ${code}).`));
    this.thread = thread;
    return worker;
  }

  private heard(message: unknown): void {
    if (!isTableFrame(message)) {
      this.end(this.failure("its thread answered something unexpected."));
      return;
    }
    switch (message.t) {
      case "answer":
        this.waiting.get(message.id)?.resolve(message.body);
        break;
      case "news":
        this.options.news(message.news);
        break;
      case "folder":
        break;
      case "trouble":
        this.options.trouble(message.message);
        break;
      case "failed": {
        const error = this.failure(
          message.message,
          Object.assign(new Error(message.message), { stack: message.stack }),
        );
        if (message.id === null) this.end(error);
        else this.waiting.get(message.id)?.reject(error);
      }
    }
  }

  private lost(thread: ReadingThread, why: string): void {
    if (thread === this.thread) this.end(this.failure(why));
  }

  private failure(why: string, cause?: unknown): Error {
    return new Error(`Reading ${this.path} failed: ${why}`, { cause });
  }

  private end(error: Error): void {
    const { thread } = this;
    this.thread = undefined;
    // Whatever ended it: what is asked next is asked of a thread that has read, or its answer would be that there is nothing.
    this.resting ||= this.hasRead && !this.disposed;
    for (const { reject } of [...this.waiting.values()]) reject(error);
    if (thread !== undefined) this.ending = thread.end();
  }
}

function ignore(): void {}
