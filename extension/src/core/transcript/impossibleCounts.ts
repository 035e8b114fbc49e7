import type { ThreadUsage, Usage } from "../model/transcript";

/** A count from here on is none: no request and no session has as many tokens, and sums of such stay exact below 2^53. */
export const MOST_COUNT = 1e12;

/** Stands for a count that is stated and cannot be; what is reckoned with it stays so. */
export const IMPOSSIBLE = Number.NaN;

/** A count as stated: undefined where nothing is, `IMPOSSIBLE` where it is negative, not whole, no number or 10^12 and more. */
export function statedCount(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  return isCount(value) ? value : IMPOSSIBLE;
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < MOST_COUNT;
}

/** The parts that can be; the others are unknown. The very same where all can be, and undefined where none is left. */
export function possibleUsage(usage: Usage): Usage | undefined {
  if (!hasImpossible(usage)) return usage;
  const { input, cacheRead, cacheWrite, output } = possibleParts(usage);
  const none = input === undefined && cacheRead === undefined && cacheWrite === undefined && output === undefined;
  return none ? undefined : { input, cacheRead, cacheWrite, output };
}

/** The same of what an agent states for a whole session. */
export function possibleThreadUsage(list: readonly ThreadUsage[]): readonly ThreadUsage[] {
  return list.some(hasImpossible) ? list.map((one) => ({ ...one, ...possibleParts(one) })) : list;
}

function possibleParts({ input, cacheRead, cacheWrite, output }: Usage): Usage {
  const possible = (count: number | undefined): number | undefined => (isCount(count) ? count : undefined);
  return {
    input: possible(input),
    cacheRead: possible(cacheRead),
    cacheWrite: possible(cacheWrite),
    output: possible(output),
  };
}

export function hasImpossible({ input, cacheRead, cacheWrite, output }: Usage): boolean {
  return [input, cacheRead, cacheWrite, output].some((count) => count !== undefined && !isCount(count));
}
