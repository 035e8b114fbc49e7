import { percent } from "../../core/util/numbers";
import type { Numbers } from "../views/numbers";
import { type Fill, shortTokens, WINDOW_WORDS } from "./gauge";

/** What the status bar says about the context of a transcript. */
export interface ContextStatus {
  readonly text: string;
  readonly detail: string;
}

/** `fill` undefined: the transcript states no usage. */
export function contextStatus(fill: Fill | undefined, numbers: Numbers): ContextStatus {
  if (fill === undefined) return { text: "context –", detail: "Context in use: this transcript states no tokens." };
  return { text: shortText(fill), detail: `${fillWords(fill, numbers)}.` };
}

/** How full a context is, in words. */
export function fillWords({ tokens, window }: Fill, numbers: Numbers): string {
  if (tokens === null) return "Context in use: unknown until the next call, because it was compacted";
  const measured = `Context in use: ${numbers.of(tokens, "token")} (measured, newest call)`;
  if (window === undefined) return measured;
  return `${measured}, ${percent(tokens, window.tokens)} of a window of ${shortTokens(window.tokens)} (${WINDOW_WORDS[window.from]})`;
}

function shortText({ tokens, window }: Fill): string {
  if (tokens === null) return "context unknown until the next call";
  return window === undefined
    ? `${shortTokens(tokens)} tok`
    : `${shortTokens(tokens)} / ${shortTokens(window.tokens)} tok`;
}
