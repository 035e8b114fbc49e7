import type { WhatIfFacts } from "../../protocol/whatIf";

/** What the agent's config says about the persist threshold. */
export interface ConfigInForce {
  readonly file: string;
  /** Explicit threshold in code points; null = not set, so that it scales with the window. */
  readonly threshold: number | null;
  /** What applies to a result when none is set. */
  readonly scaled: { readonly from: number; readonly to: number };
  /** The model's window in tokens as the config states it; null = it does not. */
  readonly windowTokens: number | null;
  /** When the file was last written, milliseconds since the epoch; null = unknown. */
  readonly changed: number | null;
}

type Interval = Pick<NonNullable<WhatIfFacts["inferred"]>, "atLeast" | "below">;

/**
 * How the threshold that a conversation shows compares with the config now, and whether that was written after it began:
 * an agent reads the value once. Null = there is nothing to say.
 */
export function configNote({ atLeast, below }: Interval, config: ConfigInForce, began: number | null): string | null {
  const later = config.changed !== null && began !== null && config.changed > began;
  const read = later
    ? "The config was written after this conversation began, and the value is read once when an agent starts."
    : "";
  if (atLeast === null && below === null) return later ? read : null;
  const { from, to } = config.threshold === null ? config.scaled : { from: config.threshold, to: config.threshold };
  const tooLow = atLeast !== null && to < atLeast;
  const tooHigh = below !== null && from >= below;
  const chars = (value: number): string => value.toLocaleString("en");
  const value = from === to ? chars(from) : `${chars(from)} to ${chars(to)}`;
  const where = config.threshold === null ? `what an unset threshold gives (${value})` : `the config's ${value}`;
  const verdict =
    tooLow || tooHigh ? `This conversation was not held with ${where}.` : `The conversation fits ${where}.`;
  return read === "" ? verdict : `${verdict} ${read}`;
}
