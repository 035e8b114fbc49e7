import type { Answered, LargeSaving, SimulatedPolicy, SimulationAsked } from "../../core/agentTools/ports";
import { CACHE_MODELS } from "../../core/compaction/cacheModel";
import { err, ok, type Result } from "../../core/model/problem";
import type { Cancel, Log } from "../../core/ports";
import type { SimulationQuestionName, SimulationQuestions } from "../../protocol/simulation";
import type { WhatIfFacts, WhatIfInput } from "../../protocol/whatIf";
import { type Cancellable, DROPPED, TranscriptSimulation } from "../simulateInWorker";
import type { StoreOptions } from "../workerFile";

export interface SimulationsParts {
  readonly log: Log;
  /** Bytes and time of a file, to see whether it changed; undefined: it is gone. */
  readonly file: (path: string) => Promise<{ readonly bytes: number; readonly mtimeMs: number } | undefined>;
  readonly store?: () => StoreOptions | undefined;
  readonly workerFile?: string;
  /** A thread that nobody asks ends. Milliseconds. */
  readonly idleMs?: number;
}

/** Transcripts whose simulation stays ready; each takes the memory of a whole transcript. */
const MAX_READY = 2;
const IDLE_MS = 60_000;
/** Results in an answer. */
const LARGEST = 20;
/** How often it is looked whether a call was stopped, milliseconds. */
const POLL_MS = 50;

interface Ready {
  readonly simulation: TranscriptSimulation;
  /** The state of the file that it stands for. */
  readonly state: string;
  uses: number;
}

/** Simulations for agents, each in a thread. */
export class Simulations {
  private readonly ready = new Map<string, Ready>();
  private disposed = false;

  constructor(private readonly parts: SimulationsParts) {}

  async run(path: string, asked: SimulationAsked, cancel: Cancel): Promise<Answered<SimulatedPolicy>> {
    const one = await this.readyFor(path);
    if (one === undefined)
      return err({ message: "Other sessions are being simulated. Call again when they are done." });
    one.uses++;
    try {
      return await simulated(new Asker(one.simulation, cancel), asked);
    } catch (error) {
      // A plain Error: the thread failed; the next question starts another one.
      if (!(error instanceof Error) || error.name !== "Error") throw error;
      if (!this.disposed) this.parts.log.error(`Simulating ${path} for an agent failed`, error);
      return err({ message: error.message });
    } finally {
      one.uses--;
      this.trim(MAX_READY);
    }
  }

  dispose(): void {
    this.disposed = true;
    for (const path of [...this.ready.keys()]) this.close(path);
  }

  /** Another one when the file changed, so that answers stand for what is there now. */
  private async readyFor(path: string): Promise<Ready | undefined> {
    const { file, store, workerFile, idleMs = IDLE_MS } = this.parts;
    const info = await file(path);
    if (this.disposed) return undefined;
    const state = info === undefined ? "gone" : `${info.bytes} ${info.mtimeMs}`;
    const known = this.ready.get(path);
    // A call that is under way goes on with what it began with.
    if (known !== undefined && (known.state === state || known.uses > 0)) return known;
    if (known !== undefined) this.close(path);
    this.trim(MAX_READY - 1);
    if (this.ready.size >= MAX_READY) return undefined;
    const simulation = new TranscriptSimulation(path, {
      store: store?.(),
      idleMs,
      isReal: true,
      ...(workerFile === undefined ? {} : { workerFile }),
    });
    const made = { simulation, state, uses: 0 };
    this.ready.set(path, made);
    return made;
  }

  private trim(most: number): void {
    for (const [path, { uses }] of this.ready) {
      if (this.ready.size <= most) return;
      if (uses === 0) this.close(path);
    }
  }

  private close(path: string): void {
    const one = this.ready.get(path);
    this.ready.delete(path);
    one?.simulation.dispose().catch((error: unknown) => this.parts.log.error(`Closing ${path} failed`, error));
  }
}

const STOPPED = { message: "The simulation was stopped. Call again if the answer is still needed." };

/** Asks in the lane of nobody, so that calls do not push each other out. */
class Asker {
  constructor(
    private readonly simulation: TranscriptSimulation,
    private readonly cancel: Cancel,
  ) {}

  async ask<Q extends SimulationQuestionName>(
    question: Q,
    body: SimulationQuestions[Q]["in"],
  ): Promise<Result<SimulationQuestions[Q]["out"], { readonly message: string }>> {
    const { cancel, stop } = polled(this.cancel);
    try {
      const answer = await this.simulation.ask(question, body, undefined, cancel);
      return answer === DROPPED ? err(STOPPED) : answer;
    } finally {
      stop();
    }
  }
}

/** A token that tells by itself, from one that has to be asked. */
function polled(token: Cancel): { readonly cancel: Cancellable; stop(): void } {
  const listeners = new Set<() => void>();
  const timer = setInterval(() => {
    if (!token.isCancellationRequested) return;
    clearInterval(timer);
    for (const listener of listeners) listener();
  }, POLL_MS);
  const cancel: Cancellable = {
    get isCancellationRequested() {
      return token.isCancellationRequested;
    },
    onCancel: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  return { cancel, stop: () => clearInterval(timer) };
}

async function simulated(asker: Asker, { thread, policy: given }: SimulationAsked): Promise<Answered<SimulatedPolicy>> {
  const opened = await asker.ask("open", { thread: thread ?? null });
  if (!opened.ok) return opened;
  const { facts } = opened.value;
  const windowTokens = facts.suggestedWindowTokens;
  // What a window scales is scaled by the transcript's own, unless the policy names one.
  const policy =
    given.kind === "persist" && given.contextTokens === null && windowTokens !== null
      ? { ...given, contextTokens: windowTokens }
      : given;
  const [cache] = CACHE_MODELS;
  if (cache === undefined) throw new Error("there is no cache model");
  const input: WhatIfInput = {
    thread: facts.thread,
    policies: [policy],
    assumptions: { cache, prices: null, windowTokens, baseTokens: null },
  };
  const run = await asker.ask("run", input);
  if (!run.ok) return run;
  const affected = await asker.ask("affected", { input, order: "saved", from: 0, count: LARGEST });
  if (!affected.ok) return affected;
  const { before, after, breaks, policies, capped } = run.value;
  const [report] = policies;
  return ok({
    thread: facts.thread,
    calls: facts.calls,
    results: facts.results,
    resultsRead: facts.resultsRead,
    measured: facts.measured,
    windowTokens,
    baseTokens: facts.suggestedBaseTokens,
    before,
    after,
    breaks: breaks.count,
    cachedTokensLost: breaks.lost,
    paysBackAfterCalls: breaks.paysBackAfter,
    replaced: affected.value.total,
    kept: { ...report?.kept },
    idle: { ...report?.idle },
    largest: affected.value.rows.map(
      (one): LargeSaving => ({
        result: one.index,
        tool: one.tool,
        call: one.call,
        action: one.action,
        charsBefore: one.before,
        charsAfter: one.after,
        isExact: one.exact,
        charsSaved: one.saved,
      }),
    ),
    isCapped: capped,
    notes: [...windowNote(policy === given ? null : windowTokens), ...threadNote(facts, thread), ...facts.notes],
  });
}

function windowNote(tokens: number | null): readonly string[] {
  return tokens === null ? [] : [`The policy was scaled by the session's own window of ${tokens} tokens.`];
}

/** Which thread was taken, where there was a choice. */
function threadNote(
  { threads, thread }: Pick<WhatIfFacts, "threads" | "thread">,
  asked: string | undefined,
): readonly string[] {
  const others = threads.filter(({ id }) => id !== thread).map(({ id }) => id);
  if (asked !== undefined || others.length === 0) return [];
  const more = others.length - 5;
  const named = others.slice(0, 5).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return [`The thread with the most calls was taken. Others: ${named}.`];
}
