import type { Worker } from "node:worker_threads";
import type { BodyRef, RecordPlace } from "../core/model/transcript";
import { tellError } from "../core/util/tellError";
import {
  isWorkerFrame,
  type RowAnswer,
  type RowQuestion,
  type RowsRequest,
  type ThreadsAnswer,
  type ThreadsQuestion,
  WORKER_PROTOCOL,
} from "../protocol/worker";
import { ReadingThread } from "./readingThread";
import { type IndexOptions, realFile, workerFileOf } from "./workerFile";

/** A copy of a database takes room; without questions for so long it is given up and made again when one comes. */
const IDLE_MS = 60_000;

interface Waiting {
  /** Takes the answer of the kind that was asked for. */
  readonly resolve: (answer: RowAnswer | ThreadsAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Texts of rows and the sessions of one database, read in a thread of its own that starts with the first question and ends when none
 * comes for a while. What is wrong with the file is an answer; it rejects only when the thread fails.
 */
export class DatabaseRows {
  private thread: ReadingThread | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private questions = 0;

  constructor(
    private readonly path: string,
    private readonly options: Pick<IndexOptions, "workerFile" | "isReal"> & { readonly idleMs?: number } = {},
  ) {}

  /** The text behind a reference. */
  body(ref: BodyRef): Promise<RowAnswer> {
    return this.askRow("body", ref);
  }

  /** A whole row as JSON for people. */
  row(place: RecordPlace): Promise<RowAnswer> {
    return this.askRow("row", { place, path: [] });
  }

  /** The sessions that the database holds now, in the order of their beginning. */
  threads(): Promise<ThreadsAnswer> {
    return this.ask<ThreadsAnswer>((id) => ({ v: WORKER_PROTOCOL, t: "threads", id }));
  }

  /** Ends the thread and removes its copy. Questions under way reject. */
  async dispose(): Promise<void> {
    const { thread } = this;
    clearTimeout(this.idle);
    this.thread = undefined;
    for (const { reject } of this.waiting.values()) reject(new Error(`${this.path} was closed.`));
    this.waiting.clear();
    await thread?.end();
  }

  private askRow(what: RowQuestion["what"], ref: BodyRef): Promise<RowAnswer> {
    return this.ask<RowAnswer>((id) => ({ v: WORKER_PROTOCOL, t: "row", id, what, ref }));
  }

  private ask<A extends RowAnswer | ThreadsAnswer>(
    question: (id: number) => RowQuestion | ThreadsQuestion,
  ): Promise<A> {
    clearTimeout(this.idle);
    const worker = this.start();
    const id = ++this.questions;
    return new Promise<A>((resolve, reject) => {
      // The worker answers each question in kind.
      this.waiting.set(id, { resolve: (answer) => resolve(answer as A), reject });
      worker.postMessage(question(id));
    });
  }

  private start(): Worker {
    if (this.thread !== undefined) return this.thread.worker;
    const request: RowsRequest = { v: WORKER_PROTOCOL, rowsOf: this.path };
    const thread = new ReadingThread(workerFileOf(this.options), { ...request, ...realFile(this.path, this.options) });
    const { worker } = thread;
    // An open copy keeps no process alive.
    worker.unref();
    this.thread = thread;
    const current = () => this.thread === thread;
    worker.on("message", (message: unknown) => {
      if (!current()) return;
      if (!isWorkerFrame(message)) this.fail(new Error("its reader answered something unexpected."));
      else if (message.t === "failed") this.fail(Object.assign(new Error(message.message), { stack: message.stack }));
      else if (message.t === "row" || message.t === "threads") {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (this.waiting.size === 0) this.rest();
        waiting?.resolve(message.answer);
      }
    });
    worker.on("error", (error) => {
      if (current()) this.fail(error);
    });
    worker.on("exit", (code) => {
      if (current()) this.fail(new Error(`its thread ended unexpectedly (exit code ${code}).`));
    });
    return worker;
  }

  private rest(): void {
    this.idle = setTimeout(() => void this.dispose(), this.options.idleMs ?? IDLE_MS);
    this.idle.unref();
  }

  private fail(cause: Error): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting)
      reject(new Error(`Reading ${this.path} failed: ${tellError(cause).message}`, { cause }));
    void this.dispose();
  }
}
