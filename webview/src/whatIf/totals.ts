import { html, nothing, type TemplateResult } from "lit";
import type { WhatIfOutcome } from "../../../extension/src/protocol/whatIf";
import { type Format, UNKNOWN } from "../format";
import { aboutPercent } from "./aboutPercent";
import { whatIfStrings } from "./whatIfStrings";

const words = whatIfStrings.totals;

/** The numbers that matter, each with what it means on hover. */
export function renderTotals(outcome: WhatIfOutcome, format: Format): TemplateResult {
  const { before, after, saved, breaks } = outcome;
  const one = (
    name: string,
    value: string | TemplateResult,
    more: string | typeof nothing,
    tip: string,
  ): TemplateResult =>
    html`<div title=${tip}>
      <dt>${name}</dt>
      <dd><span class="value">${value}</span>${more === nothing ? nothing : html`<span class="more">${more}</span>`}</dd>
    </div>`;
  const change = (from: number, to: number): string =>
    from === to ? words.same(format.short(from)) : words.change(format.short(from), format.short(to));
  const less = saved.input < 0;
  return html`<dl class="totals" aria-label=${words.label}>
    ${one(
      less ? words.added : words.saved,
      words.tok(signless(saved.input, format)),
      `${aboutPercent(Math.abs(saved.input), before.input, format)}${saved.input > 0 ? ` · ${words.upperBound}` : ""}`,
      words.savedTip,
    )}
    ${one(
      words.ofIt,
      html`<span>≈ ${signed(saved.cached, format)} /</span> <span>≈ ${signed(saved.uncached, format)}</span>`,
      nothing,
      words.ofItTip,
    )}
    ${one(words.peak, change(before.peak, after.peak), nothing, "")}
    ${one(
      words.over,
      before.overWindow === null || after.overWindow === null
        ? UNKNOWN
        : before.overWindow === after.overWindow
          ? format.count(before.overWindow)
          : `${format.count(before.overWindow)} → ${format.count(after.overWindow)}`,
      nothing,
      before.overWindow === null ? words.overUnknown : "",
    )}
    ${one(
      words.breaks,
      breaks.count === 0 ? words.noBreaks : format.count(breaks.count),
      breaks.count === 0 ? nothing : paysBack(outcome, format),
      breaks.count === 0 ? words.breaksTip : `${words.breaksTip} ${words.lost(format.short(Math.max(0, breaks.lost)))}`,
    )}
    ${
      before.cost === null || after.cost === null
        ? nothing
        : one(words.cost, change(before.cost, after.cost), costChange(before.cost, after.cost, format), words.costTip)
    }
  </dl>`;
}

/** In tokens, and in price where prices are on and say something else. */
function paysBack({ breaks, before }: WhatIfOutcome, format: Format): string {
  const say = (after: number | null): string =>
    after === null ? words.neverPaysBack : words.paysBack(format.count(after));
  const tokens = say(breaks.paysBackAfter);
  const price = say(breaks.paysBackAfterPrice);
  return before.cost === null || price === tokens ? tokens : `${tokens}; ${words.inMoney(price)}`;
}

function costChange(before: number, after: number, format: Format): string {
  const share = format.percent(Math.abs(before - after), before);
  return before === after ? "" : `≈ ${before > after ? "−" : "+"}${share}`;
}

function signless(value: number, format: Format): string {
  return format.short(Math.abs(value));
}

function signed(value: number, format: Format): string {
  return value < 0 ? `−${format.short(-value)}` : format.short(value);
}
