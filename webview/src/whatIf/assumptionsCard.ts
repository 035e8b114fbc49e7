import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { CACHE_MODELS } from "../../../extension/src/core/compaction/cacheModel";
import type { CacheModel, PriceRatios } from "../../../extension/src/core/model/policy";
import type { WhatIfFacts } from "../../../extension/src/protocol/whatIf";
import { icon } from "../components/icon";
import { type Format, formatFor, UNKNOWN } from "../format";
import { baseStyles } from "../styles/base";
import { cardStyles } from "./cardStyles";
import { controlStyles } from "./controlStyles";
import type { WhatIfActions } from "./whatIfLoader";
import { ASSUMPTIONS, DEFAULT_PRICES, isRatio, type WhatIfSetup } from "./whatIfSetup";
import { whatIfStrings } from "./whatIfStrings";
import "./wholeField";

const words = whatIfStrings.assumptions;
const MS_PER_SECOND = 1000;
/** Ends of the sliders. */
const WINDOW_MAX = 1_000_000;
const BASE_MAX = 100_000;

/** What a simulation takes for granted beside the policies, and what was measured. */
@customElement("cbi-assumptions-card")
export class AssumptionsCard extends LitElement {
  static override readonly styles = [...baseStyles, controlStyles, cardStyles];

  @property({ attribute: false }) setup: WhatIfSetup | null = null;
  @property({ attribute: false }) facts: WhatIfFacts | null = null;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: WhatIfActions | null = null;

  protected override render(): TemplateResult | typeof nothing {
    const { setup, facts } = this;
    if (setup === null || facts === null) {
      return nothing;
    }
    const format = formatFor(this.locale);
    const open = setup.open.includes(ASSUMPTIONS);
    return html`<section class="card" aria-label=${words.title}>
      <div class="head">
        <h3>${words.title}</h3>
        <button
          class="disclose"
          type="button"
          aria-expanded=${open}
          aria-controls="all"
          @click=${() => this.actions?.change({ t: "open", id: ASSUMPTIONS, on: !open })}
        >
          ${icon(open ? "chevron-down" : "chevron-right")}${open ? whatIfStrings.card.less : whatIfStrings.card.more}
        </button>
      </div>
      ${open ? nothing : html`<p class="about">${summary(setup, facts, format)}</p>`}
      <div id="all" ?hidden=${!open}>${open ? this.renderFields(setup, facts) : nothing}</div>
      <div class="report quiet">
        <p>${measuredLine(facts, format)}</p>
        ${
          facts.resultsRead < facts.results
            ? html`<p>${words.textsRead(format.count(facts.resultsRead), format.count(facts.results))}</p>`
            : nothing
        }
      </div>
    </section>`;
  }

  private renderFields(setup: WhatIfSetup, facts: WhatIfFacts): TemplateResult {
    const { cache } = setup;
    return html`<div class="fields">
      <div class="pair" title=${words.cacheTip(cache.source)}>
        <label for="cache">${words.cache}</label>
        <select id="cache" @change=${(event: Event) => this.setCache((event.target as HTMLSelectElement).value)}>
          ${CACHE_MODELS.map(
            (model) =>
              html`<option value=${model.id} ?selected=${model.id === cache.id}>
                ${cacheName(model)}${model.id === cache.id && isChanged(cache) ? ` (${words.custom})` : ""}
              </option>`,
          )}
        </select>
      </div>
      ${this.whole(words.block, words.blockTip, cache.blockTokens, 1, 0, "tokens", false, (blockTokens) =>
        this.assume({ cache: { ...cache, blockTokens: blockTokens ?? 1 } }),
      )}
      ${this.whole(words.prefix, words.prefixTip, cache.minPrefixTokens, 0, 0, "tokens", false, (minPrefixTokens) =>
        this.assume({ cache: { ...cache, minPrefixTokens: minPrefixTokens ?? 0 } }),
      )}
      ${this.whole(
        words.ttl,
        words.ttlTip,
        cache.ttlMs === null ? null : Math.round(cache.ttlMs / MS_PER_SECOND),
        1,
        0,
        "seconds",
        true,
        (seconds) => this.assume({ cache: { ...cache, ttlMs: seconds === null ? null : seconds * MS_PER_SECOND } }),
      )}
      ${this.whole(
        words.window,
        words.windowTip,
        setup.windowTokens,
        1,
        WINDOW_MAX,
        "tokens",
        true,
        (windowTokens) => this.assume({ windowTokens }),
        facts.suggestedWindowTokens,
      )}
      ${this.whole(
        words.base,
        words.baseTip,
        setup.baseTokens,
        0,
        BASE_MAX,
        "tokens",
        true,
        (baseTokens) => this.assume({ baseTokens }),
        facts.suggestedBaseTokens,
      )}
      <label class="head flag" title=${words.pricesTip}
        ><input
          type="checkbox"
          .checked=${setup.prices !== null}
          @change=${(event: Event) =>
            this.assume({ prices: (event.target as HTMLInputElement).checked ? DEFAULT_PRICES : null })}
        />${words.prices}</label
      >
      ${setup.prices === null ? nothing : this.renderPrices(setup.prices)}
    </div>`;
  }

  private renderPrices(prices: PriceRatios): TemplateResult {
    return html`${(["write", "read"] as const).map(
      (key) => html`<div class="pair" title=${key === "write" ? words.writeTip : words.readTip}>
        <label for=${key}>${words[key]}</label>
        <input
          id=${key}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          .value=${String(prices[key])}
          @change=${(event: Event) => this.setPrice(event.target as HTMLInputElement, prices, key)}
        />
        <p class="invalid" role="alert" hidden>${words.invalidRatio}</p>
      </div>`,
    )}`;
  }

  private whole(
    label: string,
    tip: string,
    value: number | null,
    min: number,
    sliderMax: number,
    unit: "tokens" | "seconds",
    nullable: boolean,
    set: (value: number | null) => void,
    fallback?: number | null,
  ): TemplateResult {
    return html`<cbi-whole-field
      .label=${label}
      .tip=${tip}
      .value=${value}
      .min=${min}
      .sliderMax=${sliderMax}
      .nullable=${nullable}
      .unit=${unit}
      .fallback=${fallback ?? null}
      .placeholder=${
        fallback === undefined
          ? whatIfStrings.card.none
          : fallback === null
            ? words.windowUnknown
            : formatFor(this.locale).count(fallback)
      }
      .locale=${this.locale}
      .read=${(written: string) => readWhole(written, min, nullable)}
      @field-change=${(event: CustomEvent<number | null>) => set(event.detail)}
    ></cbi-whole-field>`;
  }

  private assume(change: Partial<Pick<WhatIfSetup, "cache" | "prices" | "windowTokens" | "baseTokens">>): void {
    this.actions?.change({ t: "assume", change });
  }

  private setCache(id: string): void {
    const cache = CACHE_MODELS.find((model) => model.id === id);
    if (cache !== undefined) {
      this.assume({ cache });
    }
  }

  private setPrice(input: HTMLInputElement, prices: PriceRatios, key: keyof PriceRatios): void {
    const written = input.value.trim().replace(",", ".");
    const value = written === "" ? Number.NaN : Number(written);
    const valid = isRatio(value);
    input.setAttribute("aria-invalid", String(!valid));
    input.parentElement?.querySelector(".invalid")?.toggleAttribute("hidden", valid);
    if (valid) {
      this.assume({ prices: { ...prices, [key]: value } });
    }
  }
}

function readWhole(written: string, min: number, nullable: boolean): number | null | undefined {
  const digits = written.replace(/[\s,.'’_]/gu, "");
  if (digits === "") {
    return nullable ? null : undefined;
  }
  const value = /^\d{1,12}$/u.test(digits) ? Number(digits) : undefined;
  return value !== undefined && value >= min ? value : undefined;
}

function cacheName(model: CacheModel): string {
  return whatIfStrings.caches[model.id] ?? model.id;
}

function isChanged(cache: CacheModel): boolean {
  const shipped = CACHE_MODELS.find(({ id }) => id === cache.id);
  return (
    shipped === undefined ||
    shipped.blockTokens !== cache.blockTokens ||
    shipped.minPrefixTokens !== cache.minPrefixTokens ||
    shipped.ttlMs !== cache.ttlMs
  );
}

/** What the closed card shows of each assumption. */
function summary(setup: WhatIfSetup, facts: WhatIfFacts, format: Format): string {
  const window = setup.windowTokens ?? facts.suggestedWindowTokens;
  const base = setup.baseTokens ?? facts.suggestedBaseTokens;
  return words.summary([
    `${words.cache}: ${cacheName(setup.cache)}${isChanged(setup.cache) ? ` (${words.custom})` : ""}`,
    `${words.window}: ${window === null ? UNKNOWN : `${format.count(window)}\u00a0tok`}`,
    `${words.base}: ${setup.baseTokens === null && facts.measured === null ? UNKNOWN : `${setup.baseTokens === null ? "≈\u00a0" : ""}${words.perCall(format.count(base))}`}`,
    ...(setup.prices === null ? [] : [`${words.prices}: ${setup.prices.write} / ${setup.prices.read}`]),
  ]);
}

function measuredLine(facts: WhatIfFacts, format: Format): string {
  const { measured, calls } = facts;
  return measured === null
    ? words.estimated
    : words.measured(
        format.count(measured.calls),
        format.count(calls),
        format.short(measured.input),
        format.percent(measured.cacheRead, measured.input),
      );
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-assumptions-card": AssumptionsCard;
  }
}
