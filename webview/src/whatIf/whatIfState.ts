import type {
  AffectedOrder,
  WhatIfAffected,
  WhatIfCurve,
  WhatIfEvents,
  WhatIfFacts,
  WhatIfInput,
  WhatIfOutcome,
  WhatIfPolicyReport,
} from "../../../extension/src/protocol/whatIf";
import { reduceSetup, type SetupEvent, type WhatIfSetup, withFirstCard } from "./whatIfSetup";

/** An outcome with what it was made from: the page may have moved on. */
export interface Ran {
  readonly input: WhatIfInput;
  /** Ids of the cards whose policies are in `input`, in its order. */
  readonly cards: readonly number[];
  readonly outcome: WhatIfOutcome;
}

/** Affected results as far as they were asked for. */
export interface AffectedRows {
  /** What they belong to; rows of another key are from before the last change. */
  readonly key: string;
  readonly order: AffectedOrder;
  readonly cards: readonly number[];
  readonly total: number;
  readonly rows: ReadonlyMap<number, WhatIfAffected>;
}

export interface WhatIfState {
  readonly setup: WhatIfSetup;
  readonly facts: WhatIfFacts | null;
  /** True while a thread is read and measured; then `progress` may say how far. */
  readonly opening: boolean;
  readonly progress: WhatIfEvents["whatIf/progress"] | null;
  /** Set when opening failed; null again as soon as it is tried again. */
  readonly openError: string | null;
  /** The user stopped the opening. */
  readonly cancelled: boolean;
  /** The transcript has grown since the facts were made. */
  readonly stale: boolean;
  readonly running: boolean;
  readonly ran: Ran | null;
  readonly runError: string | null;
  readonly curve: WhatIfCurve | null;
  readonly curveError: string | null;
  readonly affected: AffectedRows | null;
  readonly affectedError: string | null;
  /** What the user asked for last and did not get: compare, export, apply. */
  readonly actionError: string | null;
}

export type HostEvent =
  | { readonly t: "opening" }
  | { readonly t: "progress"; readonly progress: WhatIfEvents["whatIf/progress"] }
  | { readonly t: "opened"; readonly facts: WhatIfFacts }
  | { readonly t: "openFailed"; readonly reason: string }
  | { readonly t: "openCancelled" }
  | { readonly t: "stale" }
  | { readonly t: "running" | "idle" }
  | { readonly t: "ran"; readonly ran: Ran }
  | { readonly t: "runFailed"; readonly reason: string }
  | { readonly t: "curve"; readonly curve: WhatIfCurve }
  | { readonly t: "curveFailed"; readonly reason: string }
  | {
      readonly t: "rows";
      readonly key: string;
      readonly order: AffectedOrder;
      readonly cards: readonly number[];
      readonly from: number;
      readonly total: number;
      readonly rows: readonly WhatIfAffected[];
    }
  | { readonly t: "rowsFailed"; readonly reason: string }
  | { readonly t: "actionFailed"; readonly reason: string | null };

export type WhatIfEvent = SetupEvent | HostEvent;

export function initialState(setup: WhatIfSetup): WhatIfState {
  return {
    setup,
    facts: null,
    opening: false,
    progress: null,
    openError: null,
    cancelled: false,
    stale: false,
    running: false,
    ran: null,
    runError: null,
    curve: null,
    curveError: null,
    affected: null,
    affectedError: null,
    actionError: null,
  };
}

/** The next state. What was computed last stays on view until something newer replaces it; another thread clears it. */
export function reduceWhatIf(state: WhatIfState, event: WhatIfEvent): WhatIfState {
  switch (event.t) {
    case "opening":
      return { ...state, opening: true, progress: null, openError: null, cancelled: false, stale: false };
    case "progress":
      return state.opening ? { ...state, progress: event.progress } : state;
    case "opened":
      return opened(state, event.facts);
    case "openFailed":
      return { ...state, opening: false, progress: null, openError: event.reason };
    case "openCancelled":
      return { ...state, opening: false, progress: null, cancelled: true };
    case "stale":
      return { ...state, stale: true };
    case "running":
      return state.running ? state : { ...state, running: true };
    case "idle":
      return { ...state, running: false };
    case "ran":
      return { ...state, running: false, ran: event.ran, runError: null };
    case "runFailed":
      return { ...state, running: false, runError: event.reason };
    case "curve":
      return { ...state, curve: event.curve, curveError: null };
    case "curveFailed":
      return { ...state, curveError: event.reason };
    case "rows":
      return { ...state, affected: withRows(state.affected, event), affectedError: null };
    case "rowsFailed":
      return { ...state, affectedError: event.reason };
    case "actionFailed":
      return { ...state, actionError: event.reason };
    default:
      return { ...state, setup: reduceSetup(state.setup, event) };
  }
}

function opened(state: WhatIfState, facts: WhatIfFacts): WhatIfState {
  const same = state.facts?.thread === facts.thread;
  return {
    ...state,
    facts,
    opening: false,
    progress: null,
    openError: null,
    setup: withFirstCard(state.setup, facts),
    ...(same ? {} : { ran: null, runError: null, curve: null, curveError: null, affected: null, affectedError: null }),
  };
}

function withRows(old: AffectedRows | null, event: Extract<HostEvent, { readonly t: "rows" }>): AffectedRows {
  const rows = new Map(old?.key === event.key ? old.rows : []);
  event.rows.forEach((row, at) => {
    rows.set(event.from + at, row);
  });
  return { key: event.key, order: event.order, cards: event.cards, total: event.total, rows };
}

/** What the last run says of a card; null when it was off or is newer than the run. */
export function reportOf(state: WhatIfState, card: number): WhatIfPolicyReport | null {
  const at = state.ran?.cards.indexOf(card) ?? -1;
  return at < 0 ? null : (state.ran?.outcome.policies[at] ?? null);
}

/** Place of the cursor in the series: the chosen request, else the last one. */
export function cursorPlace(calls: readonly number[], cursor: number | null): number {
  const last = Math.max(0, calls.length - 1);
  if (cursor === null) {
    return last;
  }
  // Each point stands for itself and what follows it until the next.
  const after = calls.findIndex((call) => call > cursor);
  return after < 0 ? last : Math.max(0, after - 1);
}
