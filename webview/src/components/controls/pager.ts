import { html, type TemplateResult } from "lit";
import { button } from "./button";

export type PageTurn = "first" | "previous" | "next" | "last";

export interface PagerOptions {
  readonly label: string;
  /** What is shown: a range, and which page of how many. */
  readonly range: string;
  readonly words: Readonly<Record<PageTurn, string>>;
  readonly tips?: Readonly<Record<PageTurn, string>>;
  readonly atFirst: boolean;
  readonly atLast: boolean;
  readonly turn: (to: PageTurn) => void;
}

/** First, previous, next and last, and the range that is shown, which is told to those who hear the page. */
export function pager({ label, range, words, tips, atFirst, atLast, turn }: PagerOptions): TemplateResult {
  const one = (to: PageTurn, disabled: boolean): TemplateResult =>
    button({ label: words[to], disabled, press: () => turn(to), ...(tips === undefined ? {} : { tip: tips[to] }) });
  return html`<div class="pager" role="group" aria-label=${label}>
    ${one("first", atFirst)}${one("previous", atFirst)}${one("next", atLast)}${one("last", atLast)}<span
      class="range"
      role="status"
      >${range}</span
    >
  </div>`;
}
