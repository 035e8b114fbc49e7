import type {
  AffectedOrder,
  WhatIfAffected,
  WhatIfCurve,
  WhatIfExportFormat,
  WhatIfFacts,
  WhatIfInput,
  WhatIfOutcome,
} from "../../../extension/src/protocol/whatIf";
import type { EventMessage, Rpc } from "../rpc";
import { RpcError, reasonOf } from "../rpc";
import { Latest, type Wait, waitByTimer } from "./latest";
import { activeCards, curvePolicyOf, inputOf, type SetupEvent, type WhatIfSetup } from "./whatIfSetup";
import { type HostEvent, initialState, reduceWhatIf, type WhatIfEvent, type WhatIfState } from "./whatIfState";

/** Rows of affected results in one question. */
export const AFFECTED_PAGE = 200;

/** What the user can do in the what-if tab. */
export interface WhatIfActions {
  change(event: SetupEvent): void;
  /** Reads the thread again, after an error or a cancelled reading. */
  reopen(): void;
  cancelOpening(): void;
  /** Asks for affected results that are about to be seen; positions in the present order. */
  needRows(from: number, until: number): void;
  compare(call: number): void;
  exportAs(format: WhatIfExportFormat): void;
  apply(threshold: number): void;
  dismissError(): void;
}

interface RunQuestion {
  readonly key: string;
  readonly input: WhatIfInput;
  readonly cards: readonly number[];
}

interface RowsQuestion {
  /** Of input and order together. */
  readonly key: string;
  readonly input: WhatIfInput;
  readonly cards: readonly number[];
  readonly order: AffectedOrder;
  readonly from: number;
}

/**
 * Keeps what the tab shows in step with what the user sets: a thread is opened when the tab is looked at, then every change asks
 * for a new run, and what else depends on it. Answers come in any order; only those that are still wanted are taken.
 */
export class WhatIfLoader implements WhatIfActions {
  readonly #rpc: Rpc;
  readonly #changed: () => void;
  readonly #store: (setup: WhatIfSetup) => void;
  #state: WhatIfState;
  #visible = false;
  /** Keys of what was last asked for. */
  #runKey = "";
  #curveKey = "";
  /** Thread that was last asked for; undefined = none yet. */
  #openedFor: string | null | undefined;
  readonly #open: Latest<{ readonly thread: string | null }, WhatIfFacts>;
  readonly #run: Latest<RunQuestion, WhatIfOutcome>;
  readonly #curve: Latest<{ readonly facts: WhatIfFacts; readonly setup: WhatIfSetup }, WhatIfCurve>;
  readonly #rows: Latest<RowsQuestion, { readonly total: number; readonly rows: readonly WhatIfAffected[] }>;

  constructor(
    rpc: Rpc,
    changed: () => void,
    setup: WhatIfSetup,
    store: (setup: WhatIfSetup) => void,
    wait: Wait = waitByTimer,
  ) {
    this.#rpc = rpc;
    this.#changed = changed;
    this.#store = store;
    this.#state = initialState(setup);
    const fail =
      (t: "openFailed" | "runFailed" | "curveFailed" | "rowsFailed") =>
      (reason: string): void =>
        this.#dispatch({ t, reason });
    this.#open = new Latest({
      call: (body, signal) => rpc.call("whatIfOpen", body, signal),
      answered: (_, facts) => this.#opened(facts),
      failed: fail("openFailed"),
      dropped: () => this.#dispatch({ t: "openCancelled" }),
      // A transcript that keeps growing must not keep the first answer away.
      patient: true,
      wait,
    });
    this.#run = new Latest({
      call: ({ input }, signal) => rpc.call("whatIfRun", input, signal),
      answered: (question, outcome) => this.#ran(question, outcome),
      failed: fail("runFailed"),
      dropped: () => this.#runDropped(),
      wait,
    });
    this.#curve = new Latest({
      call: ({ facts, setup: now }, signal) =>
        rpc.call("whatIfCurve", { thread: facts.thread, policy: curvePolicyOf(now) }, signal),
      answered: (_, curve) => this.#dispatch({ t: "curve", curve }),
      failed: fail("curveFailed"),
      wait,
    });
    this.#rows = new Latest({
      call: ({ input, order, from }, signal) =>
        rpc.call("whatIfAffected", { input, order, from, count: AFFECTED_PAGE }, signal),
      answered: ({ key, order, cards, from }, { total, rows }) =>
        this.#dispatch({ t: "rows", key, order, cards, from, total, rows }),
      failed: fail("rowsFailed"),
      wait,
    });
  }

  get state(): WhatIfState {
    return this.#state;
  }

  /** The tab is looked at, or no longer. What runs while it is hidden is finished, nothing new is asked. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#sync();
  }

  take(message: EventMessage): void {
    if (message.e === "whatIf/progress") {
      this.#dispatch({ t: "progress", progress: message.body });
    } else if (message.e === "whatIf/stale") {
      this.#dispatch({ t: "stale" });
      this.#sync();
    }
  }

  drop(): void {
    for (const one of [this.#open, this.#run, this.#curve, this.#rows]) {
      one.drop();
    }
  }

  change(event: SetupEvent): void {
    const before = this.#state.setup;
    this.#dispatch(event);
    if (this.#state.setup !== before) {
      this.#store(this.#state.setup);
      this.#sync();
    }
  }

  reopen(): void {
    this.#openedFor = undefined;
    this.#sync();
  }

  cancelOpening(): void {
    this.#open.drop();
    this.#dispatch({ t: "openCancelled" });
  }

  needRows(from: number, until: number): void {
    const { affected } = this.#state;
    const question = this.#rowsQuestion(0);
    if (affected === null || question?.key !== affected.key || this.#rows.busy) {
      return;
    }
    for (let at = Math.max(0, from); at < Math.min(until, affected.total); at++) {
      if (!affected.rows.has(at)) {
        this.#rows.ask({ ...question, from: at });
        return;
      }
    }
  }

  compare(call: number): void {
    const input = this.#question()?.input;
    if (input !== undefined) {
      void this.#act(this.#rpc.call("whatIfDiff", { input, call }));
    }
  }

  exportAs(format: WhatIfExportFormat): void {
    const input = this.#question()?.input;
    if (input !== undefined) {
      void this.#act(this.#rpc.call("whatIfExport", { input, format }));
    }
  }

  apply(threshold: number): void {
    void this.#act(this.#rpc.call("whatIfApply", { threshold }));
  }

  dismissError(): void {
    this.#dispatch({ t: "actionFailed", reason: null });
  }

  async #act(call: Promise<unknown>): Promise<void> {
    try {
      await call;
      if (this.#state.actionError !== null) {
        this.dismissError();
      }
    } catch (error) {
      if (!(error instanceof RpcError && (error.code === "disposed" || error.code === "cancelled"))) {
        this.#dispatch({ t: "actionFailed", reason: reasonOf(error) });
      }
    }
  }

  #opened(facts: WhatIfFacts): void {
    const { setup } = this.#state;
    this.#runKey = "";
    this.#curveKey = "";
    this.#rows.drop();
    this.#dispatch({ t: "opened", facts });
    if (this.#open.busy) {
      this.#dispatch({ t: "opening" });
    }
    if (this.#state.setup !== setup) {
      this.#store(this.#state.setup);
    }
    this.#sync();
  }

  #ran(question: RunQuestion, outcome: WhatIfOutcome): void {
    this.#dispatch({ t: "ran", ran: { input: question.input, cards: question.cards, outcome } });
    if (this.#run.busy) {
      this.#dispatch({ t: "running" });
    } else {
      this.#askRows();
    }
  }

  /** The next change asks again, also for the same. */
  #runDropped(): void {
    if (!this.#run.busy) {
      this.#runKey = "";
      this.#dispatch({ t: "idle" });
    }
  }

  /** Asks for whatever the present setup needs and was not asked for yet. */
  #sync(): void {
    if (!this.#visible) {
      return;
    }
    const { facts, setup, stale, cancelled } = this.#state;
    if (this.#openedFor !== setup.thread || (stale && !cancelled)) {
      if (this.#openedFor !== setup.thread) {
        this.#open.drop();
      }
      this.#openedFor = setup.thread;
      this.#dispatch({ t: "opening" });
      this.#open.ask({ thread: setup.thread });
      return;
    }
    const question = this.#question();
    if (question === null || facts === null || this.#state.opening) {
      return;
    }
    if (question.key !== this.#runKey) {
      this.#runKey = question.key;
      this.#dispatch({ t: "running" });
      this.#run.ask(question);
    } else if (!this.#run.busy) {
      this.#askRows();
    }
    const curveKey = JSON.stringify([facts.thread, curvePolicyOf(setup)]);
    if (curveKey !== this.#curveKey) {
      this.#curveKey = curveKey;
      this.#curve.ask({ facts, setup });
    }
  }

  #askRows(): void {
    const question = this.#rowsQuestion(0);
    if (question !== null && this.#state.affected?.key !== question.key) {
      this.#rows.ask(question);
    }
  }

  #question(): RunQuestion | null {
    const { facts, setup } = this.#state;
    if (facts === null) {
      return null;
    }
    const input = inputOf(setup, facts);
    return { key: JSON.stringify(input), input, cards: activeCards(setup).map(({ id }) => id) };
  }

  #rowsQuestion(from: number): RowsQuestion | null {
    const question = this.#question();
    const { order } = this.#state.setup;
    return question === null ? null : { ...question, key: `${order} ${question.key}`, order, from };
  }

  #dispatch(event: WhatIfEvent | HostEvent): void {
    const next = reduceWhatIf(this.#state, event);
    if (next !== this.#state) {
      this.#state = next;
      this.#changed();
    }
  }
}
