import type { SecretFinder, SecretSpan } from "../core/ports";
import { SECRET_SLACK_UNITS } from "../core/secrets/mask";
import { mayHoldSecrets } from "./secretSigns";

type FindSecrets = (text: string) => readonly SecretSpan[];

/** How a long text is looked at: in windows, between which others get their turn. UTF-16 units. */
export interface Windows {
  readonly units: number;
  /** How far a window reaches into the next one. No secret of bounded length is longer. */
  readonly overlap: number;
}

/** A window takes some milliseconds; of a hostile text (half secrets, escapes of escapes), some hundred. */
const WINDOWS: Windows = { units: 128 * 1024, overlap: SECRET_SLACK_UNITS };

/** Greatest length of one part of a chain, with the sign behind it (Slack's tokens). */
const CHAIN_UNITS = 41;

/** A rule may look at the character before a secret, which has two units at most. */
const BEFORE_UNITS = 2;

/**
 * Finds secrets by secretlint's recommended rules, which are loaded at the first text that may hold one. Their cost grows with the
 * text's length only, whatever stands in it. Rejects when they cannot be loaded.
 */
export function secretFinder(): SecretFinder {
  let loading: Promise<FindSecrets> | undefined;
  const load = async (): Promise<FindSecrets> => (await import("./secretRules")).findSecrets;
  return {
    async find(text) {
      const isLong = text.length > WINDOWS.units;
      if (text === "" || (loading === undefined && !isLong && !mayHoldSecrets(text))) return [];
      loading ??= load();
      const find = await loading;
      return isLong ? findInWindows(text, find, WINDOWS) : find(text);
    },
  };
}

/** The same as `find` on the whole text, window by window. */
export async function findInWindows(
  text: string,
  find: FindSecrets,
  windows: Windows,
  pause: () => Promise<void> = nextTurn,
): Promise<readonly SecretSpan[]> {
  const found: SecretSpan[] = [];
  let from = 0;
  let { units } = windows;
  for (;;) {
    const start = Math.max(0, from - BEFORE_UNITS);
    const end = Math.min(text.length, from + units);
    const spans = find(text.slice(start, end)).map(({ rule, ...span }) => ({
      start: span.start + start,
      end: span.end + start,
      rule,
    }));
    const isLast = end === text.length;
    // What begins in the overlap is the next window's. What goes on to the end may go on behind it: chains of a token's parts have
    // no greatest length.
    const next = isLast ? end : end - windows.overlap;
    const own = spans.filter((span) => span.start < next);
    if (!isLast && own.some((span) => span.end > end - CHAIN_UNITS)) units *= 2;
    else {
      for (const span of own) add(found, span);
      if (isLast) return found;
      from = next;
      units = windows.units;
    }
    await pause();
  }
}

/** Windows overlap: what two of them found is one. */
function add(found: SecretSpan[], span: SecretSpan): void {
  let joined = span;
  for (let last = found.at(-1); last !== undefined && last.end > joined.start; last = found.at(-1)) {
    found.pop();
    joined = { start: Math.min(last.start, joined.start), end: Math.max(last.end, joined.end), rule: last.rule };
  }
  found.push(joined);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
