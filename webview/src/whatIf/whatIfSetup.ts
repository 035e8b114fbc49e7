import { CACHE_MODELS } from "../../../extension/src/core/compaction/cacheModel";
import { findPreset, POLICY_DEFAULTS, PRESETS } from "../../../extension/src/core/compaction/policy";
import {
  POLICY_FIELDS,
  readPolicyField,
  withField,
  writePolicyField,
} from "../../../extension/src/core/compaction/policyFields";
import type { CacheModel, Policy, PolicyKind, PriceRatios } from "../../../extension/src/core/model/policy";
import {
  type AffectedOrder,
  WHATIF_LIMITS,
  type WhatIfAssumptions,
  type WhatIfFacts,
  type WhatIfInput,
} from "../../../extension/src/protocol/whatIf";

/** One policy with its switch. */
export interface PolicyCard {
  /** Stays with the card as it moves. */
  readonly id: number;
  readonly on: boolean;
  /** Name of the preset that it came from. */
  readonly preset: string;
  readonly policy: Policy;
}

/** What the user has set in the what-if tab; survives hiding and reloading. */
export interface WhatIfSetup {
  /** Null = of the main threads, the one with the most requests. */
  readonly thread: string | null;
  /** Null until the first facts arrive: then one card stands there. */
  readonly cards: readonly PolicyCard[] | null;
  readonly cache: CacheModel;
  readonly prices: PriceRatios | null;
  /** Tokens; null = as suggested by the transcript. */
  readonly windowTokens: number | null;
  readonly baseTokens: number | null;
  readonly order: AffectedOrder;
  /** Point of the chart of calls, by number of the request; null = the last one. */
  readonly cursor: number | null;
  readonly callsAsTable: boolean;
  readonly curveAsTable: boolean;
  /** How far the tab is scrolled, pixels. */
  readonly scrollTop: number;
  /** Cards whose further parameters are shown, and 0 for the assumptions. */
  readonly open: readonly number[];
}

/** Id of the assumptions among the open cards; cards count from 1. */
export const ASSUMPTIONS = 0;
/** Threshold of the first card where no config sets one: the value that PR 86171 of hermes-agent studied. Code points. */
export const FIRST_THRESHOLD = 20_000;
const FIRST_PRESET = "hermes-persist-20000";

/** Prices to begin with once they are switched on: Anthropic's five-minute cache. */
export const DEFAULT_PRICES: PriceRatios = { write: 1.25, read: 0.1 };

const PLAIN_CACHE: CacheModel = CACHE_MODELS[0] ?? {
  id: "plain",
  blockTokens: 1,
  minPrefixTokens: 0,
  ttlMs: null,
  source: "",
};

export const INITIAL_SETUP: WhatIfSetup = {
  thread: null,
  cards: null,
  cache: PLAIN_CACHE,
  prices: null,
  windowTokens: null,
  baseTokens: null,
  order: "saved",
  cursor: null,
  callsAsTable: false,
  curveAsTable: false,
  scrollTop: 0,
  open: [],
};

export type SetupEvent =
  | { readonly t: "thread"; readonly thread: string | null }
  | { readonly t: "add"; readonly preset: string; readonly windowTokens: number | null }
  | { readonly t: "remove" | "toggle" | "reset"; readonly id: number }
  | { readonly t: "move"; readonly id: number; readonly by: -1 | 1 }
  | { readonly t: "policy"; readonly id: number; readonly policy: Policy }
  | { readonly t: "threshold"; readonly chars: number }
  | {
      readonly t: "assume";
      readonly change: Partial<Pick<WhatIfSetup, "cache" | "prices" | "windowTokens" | "baseTokens">>;
    }
  | { readonly t: "order"; readonly order: AffectedOrder }
  | { readonly t: "cursor"; readonly call: number | null }
  | { readonly t: "asTable"; readonly chart: "calls" | "curve"; readonly on: boolean }
  | { readonly t: "scroll"; readonly pixels: number }
  | { readonly t: "open"; readonly id: number; readonly on: boolean };

/** The next setup; what cannot be done (a card that is gone, one card too many) changes nothing. */
export function reduceSetup(setup: WhatIfSetup, event: SetupEvent): WhatIfSetup {
  const cards = setup.cards ?? [];
  const withCard = (id: number, change: (card: PolicyCard) => PolicyCard): WhatIfSetup =>
    cards.some((card) => card.id === id)
      ? { ...setup, cards: cards.map((card) => (card.id === id ? change(card) : card)) }
      : setup;
  switch (event.t) {
    case "thread":
      return { ...setup, thread: event.thread, cursor: null };
    case "add":
      return cards.length >= WHATIF_LIMITS.policies ? setup : addCard(setup, event.preset, event.windowTokens);
    case "remove":
      return { ...setup, cards: cards.filter(({ id }) => id !== event.id), open: without(setup.open, event.id) };
    case "toggle":
      return withCard(event.id, (card) => ({ ...card, on: !card.on }));
    case "reset":
      return withCard(event.id, (card) => ({ ...card, policy: findPreset(card.preset)?.policy ?? card.policy }));
    case "move": {
      const at = cards.findIndex(({ id }) => id === event.id);
      const card = cards[at];
      const other = cards[at + event.by];
      return card === undefined || other === undefined
        ? setup
        : { ...setup, cards: cards.with(at, other).with(at + event.by, card) };
    }
    case "policy":
      return withCard(event.id, (card) =>
        card.policy.kind === event.policy.kind ? { ...card, policy: event.policy } : card,
      );
    case "threshold": {
      const card = firstPersist(setup);
      return card === null
        ? addThreshold(setup, event.chars)
        : withCard(card.id, (old) => ({ ...old, policy: { ...card.policy, threshold: event.chars } }));
    }
    case "assume":
      return { ...setup, ...event.change };
    case "order":
      return { ...setup, order: event.order };
    case "cursor":
      return { ...setup, cursor: event.call };
    case "asTable":
      return { ...setup, [event.chart === "calls" ? "callsAsTable" : "curveAsTable"]: event.on };
    case "scroll":
      return event.pixels === setup.scrollTop ? setup : { ...setup, scrollTop: event.pixels };
    case "open":
      return {
        ...setup,
        open: event.on ? [...without(setup.open, event.id), event.id] : without(setup.open, event.id),
      };
  }
}

/** With the first card, where the user has not touched the list yet: so something useful is seen at once. */
export function withFirstCard(setup: WhatIfSetup, facts: WhatIfFacts): WhatIfSetup {
  if (setup.cards !== null) {
    return setup;
  }
  return addThreshold(setup, facts.configThreshold?.chars ?? FIRST_THRESHOLD, facts.suggestedWindowTokens);
}

function addThreshold(setup: WhatIfSetup, chars: number, windowTokens: number | null = null): WhatIfSetup {
  const added = addCard(setup, FIRST_PRESET, windowTokens);
  const card = added.cards?.at(-1);
  return card?.policy.kind === "persist"
    ? reduceSetup(added, { t: "policy", id: card.id, policy: { ...card.policy, threshold: chars } })
    : setup;
}

function addCard(setup: WhatIfSetup, id: string, windowTokens: number | null): WhatIfSetup {
  const preset = findPreset(id);
  if (preset === undefined) {
    return setup;
  }
  const cards = setup.cards ?? [];
  const { policy } = preset;
  return {
    ...setup,
    cards: [
      ...cards,
      {
        id: Math.max(ASSUMPTIONS, ...cards.map((card) => card.id)) + 1,
        on: true,
        preset: id,
        // A budget that scales with the window needs to know it.
        policy: policy.kind === "persist" ? { ...policy, contextTokens: policy.contextTokens ?? windowTokens } : policy,
      },
    ],
  };
}

/** The card that the cursor of the threshold curve moves: the first persist card, also when it is off. */
export function firstPersist(
  setup: WhatIfSetup,
): (PolicyCard & { readonly policy: Extract<Policy, { readonly kind: "persist" }> }) | null {
  for (const card of setup.cards ?? []) {
    if (card.policy.kind === "persist") {
      return { ...card, policy: card.policy };
    }
  }
  return null;
}

export function assumptionsOf(setup: WhatIfSetup, facts: WhatIfFacts): WhatIfAssumptions {
  return {
    cache: setup.cache,
    prices: setup.prices,
    windowTokens: setup.windowTokens ?? facts.suggestedWindowTokens,
    baseTokens: setup.baseTokens,
  };
}

/** What is to be simulated; policies that are off are left out. */
export function inputOf(setup: WhatIfSetup, facts: WhatIfFacts): WhatIfInput {
  return {
    thread: facts.thread,
    policies: activeCards(setup).map(({ policy }) => policy),
    assumptions: assumptionsOf(setup, facts),
  };
}

export function activeCards(setup: WhatIfSetup): readonly PolicyCard[] {
  return (setup.cards ?? []).filter(({ on }) => on);
}

/** The persist policy without what the curve leaves aside, so that moving the threshold asks for no new curve. */
export function curvePolicyOf(setup: WhatIfSetup): Policy | null {
  const card = firstPersist(setup);
  return card === null ? null : { ...card.policy, threshold: null, contextTokens: null };
}

function without(ids: readonly number[], id: number): readonly number[] {
  return ids.filter((one) => one !== id);
}

/** Reads a stored setup field by field: whatever does not fit keeps its initial value. */
export function restoreSetup(stored: unknown): WhatIfSetup {
  const from = recordOf(stored);
  const cards = Array.isArray(from["cards"])
    ? from["cards"].slice(0, WHATIF_LIMITS.policies).flatMap((card, at) => restoreCard(card, at + 1) ?? [])
    : null;
  const open = from["open"];
  return {
    thread: typeof from["thread"] === "string" ? from["thread"] : null,
    cards,
    cache: restoreCache(from["cache"]),
    prices: restorePrices(from["prices"]),
    windowTokens: countOf(from["windowTokens"], 1),
    baseTokens: countOf(from["baseTokens"], 0),
    order: ORDERS.find((order) => order === from["order"]) ?? INITIAL_SETUP.order,
    cursor: countOf(from["cursor"], 0),
    callsAsTable: from["callsAsTable"] === true,
    curveAsTable: from["curveAsTable"] === true,
    scrollTop: countOf(from["scrollTop"], 0) ?? 0,
    open: Array.isArray(open) ? open.filter((id) => Number.isSafeInteger(id)) : [],
  };
}

const ORDERS: readonly AffectedOrder[] = ["saved", "before", "call"];

function restoreCard(stored: unknown, fallbackId: number): PolicyCard | undefined {
  const from = recordOf(stored);
  const raw = recordOf(from["policy"]);
  const kind = (Object.keys(POLICY_DEFAULTS) as PolicyKind[]).find((one) => one === raw["kind"]);
  if (kind === undefined) {
    return undefined;
  }
  let policy: Policy = POLICY_DEFAULTS[kind];
  for (const field of POLICY_FIELDS[kind]) {
    if (raw[field.key] !== undefined) {
      const written = writePolicyField({ kind, [field.key]: raw[field.key] } as unknown as Policy, field);
      const read = readPolicyField(kind, field, written);
      policy = read.ok ? withField(policy, field, read.value) : policy;
    }
  }
  const preset = PRESETS.find(({ id, policy: own }) => id === from["preset"] && own.kind === kind);
  return {
    id: countOf(from["id"], 1) ?? fallbackId,
    on: from["on"] !== false,
    preset: preset?.id ?? PRESETS.find(({ policy: own }) => own.kind === kind)?.id ?? FIRST_PRESET,
    policy,
  };
}

function restoreCache(stored: unknown): CacheModel {
  const from = recordOf(stored);
  const model = CACHE_MODELS.find(({ id }) => id === from["id"]);
  const blockTokens = countOf(from["blockTokens"], 1);
  const minPrefixTokens = countOf(from["minPrefixTokens"], 0);
  if (model === undefined || blockTokens === null || minPrefixTokens === null) {
    return INITIAL_SETUP.cache;
  }
  return { ...model, blockTokens, minPrefixTokens, ttlMs: countOf(from["ttlMs"], 1) };
}

function restorePrices(stored: unknown): PriceRatios | null {
  const { write, read } = recordOf(stored);
  return isRatio(write) && isRatio(read) ? { write, read } : null;
}

/** A price relative to an uncached token. */
export function isRatio(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= 100;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function countOf(value: unknown, least: number): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : null;
}
