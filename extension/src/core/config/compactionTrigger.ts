import type { LoaderId } from "../model/loader";
import { DEFAULTS } from "./defaults";

/** Settings that decide when context is compacted. */
export interface CompactionSettings {
  readonly enabled: boolean;
  /** Share of the window: that of the model if it has one, else the general one. */
  readonly share: number;
  readonly thresholdTokens: number | undefined;
  readonly maxTokens: number | undefined;
  /** Window of the model that writes summaries. */
  readonly summaryWindow: number | undefined;
}

/** What decided about the trigger, in the order of application. */
export type TriggerStep = "share-raised" | "floor" | "floor-share" | "threshold-tokens" | "summary-window";

export interface CompactionTrigger {
  /** Tokens in context from which on Hermes compacts. */
  readonly tokens: number;
  /** The share after raising. */
  readonly share: number;
  /** The window less the longest answer. */
  readonly window: number;
  readonly steps: readonly TriggerStep[];
}

/** Below this window the share is raised. Tokens. Source: #91007. */
const RAISE_BELOW = 512_000;
const RAISED_SHARE = 0.75;
/** Share of the window where the floor of 64,000 tokens cannot hold. */
const SMALL_WINDOW_SHARE = 0.85;

/** Source: `agent/context_compressor.py` @0000416b (older) and its copy of September 2026 (newer). */
export function compactionTrigger(
  contextTokens: number,
  settings: CompactionSettings,
  loader: LoaderId,
): CompactionTrigger {
  const steps: TriggerStep[] = [];
  const window = Math.max(0, contextTokens - (settings.maxTokens ?? 0));
  let { share } = settings;
  if (contextTokens < RAISE_BELOW && share < RAISED_SHARE) {
    share = RAISED_SHARE;
    steps.push("share-raised");
  }
  const floor = DEFAULTS.minContextLength;
  let tokens = Math.trunc(window * share);
  if (tokens < floor) {
    const small = loader === "ruamel" || floor >= window;
    tokens = small ? Math.trunc(window * SMALL_WINDOW_SHARE) : floor;
    steps.push(small ? "floor-share" : "floor");
  }
  const cap = settings.thresholdTokens;
  if (cap !== undefined && Math.min(cap, window) < tokens) {
    tokens = Math.min(cap, window);
    steps.push("threshold-tokens");
  }
  if (settings.summaryWindow !== undefined && settings.summaryWindow < tokens) {
    tokens = settings.summaryWindow;
    steps.push("summary-window");
  }
  return { tokens, share, window, steps };
}
