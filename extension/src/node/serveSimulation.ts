import type { MessagePort } from "node:worker_threads";
import { buildThread } from "../core/compaction/buildThread";
import { prepareFacts } from "../core/compaction/facts";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import type { Thread } from "../core/model/transcript";
import type { Cancel } from "../core/ports";
import type { HandleScan } from "../core/results/handles/handle";
import { tellError } from "../core/util/tellError";
import {
  isSimulationQuestion,
  type SimulateRequest,
  type SimulationFrame,
  type SimulationQuestion,
  type SimulationQuestionName,
  type SimulationQuestions,
} from "../protocol/simulation";
import type { WhatIfEvents } from "../protocol/whatIf";
import { WORKER_PROTOCOL } from "../protocol/worker";
import { IndexStore } from "./indexStore";
import { exportRun } from "./simulation/exportRun";
import { factsShape } from "./simulation/factsShape";
import { handlesPage, scanHandles } from "./simulation/handlesPage";
import { type LoadedTranscript, loadTranscript } from "./simulation/loadTranscript";
import { requestTexts } from "./simulation/requestTexts";
import { savedByThread } from "./simulation/savedByThread";
import { Kept, SimulatedThread } from "./simulation/simulatedThread";
import { affectedShape, curveShape, outcomeShape } from "./simulation/whatIfShapes";

/** Threads whose texts were measured and that are kept. */
const KEPT_THREADS = 3;
/** Progress is told at most this often, milliseconds. */
const PROGRESS_MS = 100;

/** Undefined = dropped. */
type Answer<Q extends SimulationQuestionName> = Result<SimulationQuestions[Q]["out"]> | undefined;

/** Reads one transcript when first asked and answers questions about it, one after the other, from what it keeps of it. */
export function serveSimulation(request: SimulateRequest, port: MessagePort): void {
  const dropped = new Int32Array(request.dropped);
  const post = (frame: SimulationFrame): void => port.postMessage(frame);
  const server = new SimulationServer(request, {
    folder: (path) => post({ v: WORKER_PROTOCOL, t: "folder", path }),
    progress: (progress) => post({ v: WORKER_PROTOCOL, t: "progress", ...progress }),
  });
  const answer = async (question: SimulationQuestion): Promise<void> => {
    const { id } = question;
    const cancel: Cancel = {
      get isCancellationRequested() {
        return Atomics.load(dropped, 0) === id;
      },
    };
    const found = cancel.isCancellationRequested ? undefined : await server.answer(question, cancel);
    post(
      found === undefined
        ? { v: WORKER_PROTOCOL, t: "dropped", id }
        : { v: WORKER_PROTOCOL, t: "answer", id, answer: found },
    );
  };
  let work = Promise.resolve();
  port.on("message", (message: unknown) => {
    if (!isSimulationQuestion(message)) return;
    work = work
      .then(() => answer(message))
      .catch((error: unknown) => {
        post({ v: WORKER_PROTOCOL, t: "failed", ...tellError(error) });
      });
  });
}

interface Tell {
  folder(path: string): void;
  progress(progress: WhatIfEvents["whatIf/progress"]): void;
}

/** What is kept of one transcript between questions. */
export class SimulationServer {
  private loaded: LoadedTranscript | undefined;
  private handles: HandleScan | undefined;
  private readonly threads = new Kept<SimulatedThread>(KEPT_THREADS);

  constructor(
    private readonly request: Pick<SimulateRequest, "simulate" | "format"> & Partial<Pick<SimulateRequest, "store">>,
    private readonly tell: Tell,
  ) {}

  async answer(question: SimulationQuestion, cancel: Cancel): Promise<Answer<SimulationQuestionName>> {
    const transcript = await this.transcript(cancel);
    if (transcript === undefined || !transcript.ok) return transcript;
    const { value: loaded } = transcript;
    if (question.ask === "saved") return savedByThread(loaded, question.body, cancel);
    if (question.ask === "handles") {
      const told = sometimes(this.tell.progress);
      this.handles ??= await scanHandles(loaded, cancel, (done, total) => told({ what: "measuring", done, total }));
      return this.handles && ok(await handlesPage(loaded, this.handles, question.body, Date.now()));
    }
    const thread = await this.thread(loaded, threadOf(question), cancel);
    if (thread === undefined || !thread.ok) return thread;
    return answerOn({ ...loaded, path: this.request.simulate }, thread.value, question, cancel);
  }

  /** Lets go of the file or the copy of the database. */
  close(): void {
    this.loaded?.close();
    this.loaded = undefined;
    this.handles = undefined;
  }

  private async transcript(cancel: Cancel): Promise<Result<LoadedTranscript> | undefined> {
    if (this.loaded !== undefined) return ok(this.loaded);
    const told = sometimes(this.tell.progress);
    const { store = null } = this.request;
    // What is wrong with a stored index the thread that stores them tells; here the file is read instead.
    const trouble = (): void => undefined;
    const loaded = await loadTranscript(
      this.request.simulate,
      {
        format: this.request.format ?? undefined,
        store: store === null ? undefined : new IndexStore({ ...store, trouble }),
        onFolder: this.tell.folder,
        onProgress: (done, total) => told({ what: "reading", done, total }),
      },
      cancel,
    );
    if (loaded?.ok === true) this.loaded = loaded.value;
    return loaded;
  }

  private async thread(
    loaded: LoadedTranscript,
    id: string | null,
    cancel: Cancel,
  ): Promise<Result<SimulatedThread> | undefined> {
    const { index, header, bodies } = loaded;
    const found = pickThread(loaded, id);
    if (!found.ok) return found;
    const thread = found.value;
    const known = this.threads.peek(thread.id);
    if (known !== undefined) return ok(known);
    const sim = buildThread(index, thread.id);
    if (sim === undefined || sim.calls.count === 0) return err(noCalls(thread));
    const told = sometimes(this.tell.progress);
    const total = sim.results.count;
    let done = 0;
    const reader = {
      ...bodies,
      result: (result: Parameters<typeof bodies.result>[0]) => {
        told({ what: "measuring", done: done++, total });
        return bodies.result(result);
      },
    };
    const facts = await prepareFacts(sim, index.results, header.agent, reader, cancel);
    if (cancel.isCancellationRequested) return undefined;
    return ok(this.threads.get(thread.id, () => new SimulatedThread(thread, sim, facts)));
  }
}

/** Questions about one thread. */
type ThreadQuestion = Exclude<SimulationQuestion, { readonly ask: "saved" | "handles" }>;

function threadOf(question: ThreadQuestion): string | null {
  switch (question.ask) {
    case "open":
    case "curve":
      return question.body.thread;
    case "run":
      return question.body.thread;
    case "affected":
    case "request":
    case "export":
      return question.body.input.thread;
  }
}

async function answerOn(
  loaded: LoadedTranscript & { readonly path: string },
  thread: SimulatedThread,
  question: ThreadQuestion,
  cancel: Cancel,
): Promise<Answer<SimulationQuestionName>> {
  const { sim, facts } = thread;
  const { index, header, path } = loaded;
  switch (question.ask) {
    case "open":
      return ok(factsShape(index, header.agent, thread));
    case "run": {
      const outcome = thread.run(question.body, cancel);
      return outcome && ok(outcomeShape(sim, outcome));
    }
    case "affected": {
      const outcome = thread.run(question.body.input, cancel);
      return outcome && ok(affectedShape({ sim, facts, results: index.results }, outcome, question.body));
    }
    case "curve":
      return ok(curveShape(sim, facts, question.body.policy));
    case "request":
      return requestTexts(loaded, thread, question.body, cancel);
    case "export":
      return exportRun(loaded, path, thread, question.body, cancel);
  }
}

/** The thread asked for; null: of the main ones, else of all, the one with the most requests. */
function pickThread({ index }: LoadedTranscript, id: string | null): Result<Thread> {
  if (id !== null) {
    const named = index.threads.find((thread) => thread.id === id);
    return named === undefined
      ? err(failure("unknown-thread", "That thread is not in the transcript any more."))
      : ok(named);
  }
  const requests = new Map<string, number>();
  for (const { threadId } of index.calls) requests.set(threadId, (requests.get(threadId) ?? 0) + 1);
  const withCalls = index.threads.filter((thread) => requests.has(thread.id));
  const mains = withCalls.filter((thread) => thread.kind === "main");
  const of = (thread: Thread): number => requests.get(thread.id) ?? 0;
  const [first, ...rest] = mains.length > 0 ? mains : withCalls;
  return first === undefined
    ? err(failure("no-calls", "The transcript has no requests to the model, so nothing can be simulated."))
    : ok(rest.reduce((most, thread) => (of(thread) > of(most) ? thread : most), first));
}

function noCalls(thread: Thread): Problem {
  return failure("no-calls", `The thread ${thread.title} has no requests to the model, so nothing can be simulated.`);
}

function failure(code: string, message: string): Problem {
  return { code, severity: "error", message };
}

/** Passes on at most one call per stretch of time. */
function sometimes<T>(tell: (value: T) => void): (value: T) => void {
  let next = 0;
  return (value) => {
    const now = Date.now();
    if (now < next) return;
    next = now + PROGRESS_MS;
    tell(value);
  };
}
