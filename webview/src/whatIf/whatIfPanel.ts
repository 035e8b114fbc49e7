import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { PRESETS } from "../../../extension/src/core/compaction/policy";
import { WHATIF_LIMITS, type WhatIfExportFormat, type WhatIfFacts } from "../../../extension/src/protocol/whatIf";
import { button } from "../components/controls/button";
import { icon } from "../components/icon";
import { calmly } from "../components/text";
import { type Format, formatFor } from "../format";
import { baseStyles } from "../styles/base";
import { visibleLine } from "../visibleText";
import { controlStyles } from "./controlStyles";
import type { MenuItem } from "./menuButton";
import { panelStyles } from "./panelStyles";
import { summaryOf } from "./sentences";
import { renderTotals } from "./totals";
import type { WhatIfActions } from "./whatIfLoader";
import { ASSUMPTIONS, activeCards, firstPersist } from "./whatIfSetup";
import { cursorPlace, reportOf, type WhatIfState } from "./whatIfState";
import { whatIfStrings as words } from "./whatIfStrings";
import "./affectedTable";
import "./assumptionsCard";
import "./callsChart";
import "./menuButton";
import "./policyCard";
import "./thresholdCurve";

const EXPORTS: readonly WhatIfExportFormat[] = ["markdown", "csv", "json"];
const EXPORT_ITEMS: readonly MenuItem[] = EXPORTS.map((id) => ({
  id,
  label: words.exportMenu.items[id],
  detail: words.exportMenu.detail[id],
}));
const PRESET_ITEMS: readonly MenuItem[] = PRESETS.map((preset) => ({
  id: preset.id,
  label: words.presets[preset.id] ?? preset.id,
  detail: preset.source,
  ...(preset.approximation === undefined ? {} : { mark: words.approximation, markTip: preset.approximation }),
}));

/** The what-if tab: policies and assumptions at one side, what they would have done at the other. */
@customElement("cbi-what-if")
export class WhatIfPanel extends LitElement {
  static override readonly styles = [...baseStyles, controlStyles, panelStyles];

  @property({ attribute: false }) state: WhatIfState | null = null;
  /** Index of the row that is selected in Results. */
  @property({ attribute: false }) selected: number | null = null;
  /** The transcript was read, and no thread of it holds a call. */
  @property({ type: Boolean }) withoutCalls = false;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: WhatIfActions | null = null;
  @property({ attribute: false }) pick: (index: number, show: boolean) => void = () => undefined;
  @property({ attribute: false }) openTranscript: () => void = () => undefined;
  /** Set once the tab is scrolled to where it was left: only then is there enough to scroll. */
  private scrolled = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("scrollend", this.onScrollEnd);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("scrollend", this.onScrollEnd);
  }

  protected override updated(): void {
    const { state } = this;
    if (!this.scrolled && state !== null && state.ran !== null && state.affected !== null) {
      this.scrolled = true;
      const { scrollTop } = state.setup;
      if (scrollTop > 0) {
        // The charts take their height with the next drawing.
        requestAnimationFrame(() => {
          this.scrollTop = scrollTop;
        });
      }
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (state === null) {
      return nothing;
    }
    const format = formatFor(this.locale);
    const { facts } = state;
    if (facts === null) {
      return this.withoutCalls ? this.renderNoCalls(null) : this.renderWaiting(state, format);
    }
    return html`${this.renderBusy(state, format)}
      <div class="page" role="region" aria-label=${words.label}>
        ${this.renderSide(state, facts, format)}
        <div class="main">${facts.calls === 0 ? this.renderNoCalls(facts) : this.renderMain(state, facts, format)}</div>
      </div>`;
  }

  /** Nothing is known yet: what is being read, or why it is not. */
  private renderWaiting(state: WhatIfState, format: Format): TemplateResult {
    const texts = words.opening;
    if (state.openError !== null) {
      return this.screen("error", texts.failed(visibleLine(state.openError)), null, [
        { label: texts.retry, press: () => this.actions?.reopen() },
        ...(state.setup.thread === null
          ? []
          : [{ label: texts.mainThread, press: () => this.actions?.change({ t: "thread", thread: null }) }]),
      ]);
    }
    if (state.cancelled) {
      return this.screen("circle-slash", texts.cancelled, null, [
        { label: texts.again, press: () => this.actions?.reopen() },
      ]);
    }
    return html`${this.renderBusy(state, format)}
      <div class="screen">
        <p role="status">${calmly(progressText(state, format), texts.start)}</p>
        <div class="buttons">${button({ label: texts.cancel, press: () => this.actions?.cancelOpening() })}</div>
      </div>`;
  }

  /** A thin line over the page's edge: how far a reading is, or only that something runs. Nothing else moves. */
  private renderBusy(state: WhatIfState, format: Format): TemplateResult | typeof nothing {
    if (!state.opening && !state.running) {
      return nothing;
    }
    const { progress } = state;
    const known = state.opening && progress !== null && progress.total > 0;
    const share = known ? Math.min(1, progress.done / progress.total) : 0;
    return html`<div
      class=${known ? "busy" : "busy endless"}
      role="progressbar"
      aria-label=${words.opening.label}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${known ? Math.floor(share * 100) : nothing}
      aria-valuetext=${state.opening ? progressText(state, format) : words.running}
    >
      <div .style=${known ? `transform: scaleX(${share})` : ""}></div>
    </div>`;
  }

  private renderSide(state: WhatIfState, facts: WhatIfFacts, format: Format): TemplateResult {
    const { setup } = state;
    const cards = setup.cards ?? [];
    const full = cards.length >= WHATIF_LIMITS.policies;
    return html`<div class="side">
      ${facts.threads.length > 1 ? this.renderThreads(facts, format) : nothing}
      <div class="bar">
        <h2 title=${words.policiesTip}>${words.policies}</h2>
        <cbi-menu-button
          .label=${words.add}
          .tip=${full ? words.addFull(format.count(WHATIF_LIMITS.policies)) : ""}
          .items=${PRESET_ITEMS}
          .disabled=${full}
          @pick=${(event: CustomEvent<string>) =>
            this.actions?.change({ t: "add", preset: event.detail, windowTokens: facts.suggestedWindowTokens })}
        ></cbi-menu-button>
      </div>
      ${cards.length === 0 ? html`<p class="quiet">${words.empty.noPolicies}</p>` : nothing}
      <div class="cards">
        ${repeat(
          cards,
          (card) => card.id,
          (card, at) => html`<cbi-policy-card
            .card=${card}
            .report=${reportOf(state, card.id)}
            .others=${(state.ran?.cards.length ?? 0) > 1 ? facts.calls : null}
            .first=${at === 0}
            .last=${at === cards.length - 1}
            .open=${setup.open.includes(card.id) && card.id !== ASSUMPTIONS}
            .locale=${this.locale}
            .actions=${this.actions}
            @card-removed=${() => this.renderRoot.querySelector<HTMLElement>(".bar > cbi-menu-button")?.focus()}
          ></cbi-policy-card>`,
        )}
        <cbi-assumptions-card
          .setup=${setup}
          .facts=${facts}
          .locale=${this.locale}
          .actions=${this.actions}
        ></cbi-assumptions-card>
      </div>
    </div>`;
  }

  private renderThreads(facts: WhatIfFacts, format: Format): TemplateResult {
    const listed = facts.threads.some(({ id }) => id === facts.thread);
    return html`<div class="thread">
      <label for="thread">${words.thread}</label>
      <select
        id="thread"
        @change=${(event: Event) =>
          this.actions?.change({ t: "thread", thread: (event.target as HTMLSelectElement).value })}
      >
        ${listed ? nothing : html`<option value=${facts.thread} selected>${visibleLine(facts.thread)}</option>`}
        ${facts.threads.map(
          (thread) =>
            html`<option value=${thread.id} ?selected=${thread.id === facts.thread}>
              ${words.threadOption(visibleLine(thread.title), format.count(thread.calls))}
            </option>`,
        )}
      </select>
    </div>`;
  }

  private renderNoCalls(facts: WhatIfFacts | null): TemplateResult {
    const others = facts?.threads.some(({ id, calls }) => id !== facts.thread && calls > 0) === true;
    const hint = others ? words.empty.noCallsOthers : words.empty.noCallsHint;
    return this.screen("info", words.empty.noCalls, hint, [
      { label: words.opening.openTranscript, press: () => this.openTranscript() },
    ]);
  }

  private renderMain(state: WhatIfState, facts: WhatIfFacts, format: Format): TemplateResult {
    return html`${this.renderMessages(state)}
      ${facts.results === 0 ? html`<p class="message">${icon("info", { tone: "quiet" })}<span>${words.empty.noResults}</span></p>` : nothing}
      <div class="charts">${this.renderCalls(state, facts, format)} ${this.renderCurve(state, facts, format)}</div>
      ${this.renderAffected(state, format)} ${renderNotes(facts)}`;
  }

  private renderMessages(state: WhatIfState): TemplateResult | typeof nothing {
    const failed = (text: string, press: () => void, label: string): TemplateResult =>
      html`<div class="message" role="alert">
        ${icon("error", { tone: "error" })}<span>${text}</span>${button({ label, press })}
      </div>`;
    return html`${
      state.openError === null
        ? nothing
        : failed(words.opening.failed(visibleLine(state.openError)), () => this.actions?.reopen(), words.opening.retry)
    }${
      state.runError === null
        ? nothing
        : failed(words.runFailed(visibleLine(state.runError)), () => this.actions?.reopen(), words.opening.retry)
    }${
      state.actionError === null
        ? nothing
        : failed(words.failed(visibleLine(state.actionError)), () => this.actions?.dismissError(), words.dismiss)
    }`;
  }

  private renderCalls(state: WhatIfState, facts: WhatIfFacts, format: Format): TemplateResult {
    const { ran, setup } = state;
    const texts = words.chart;
    const series = ran?.outcome.series ?? null;
    const call = series === null ? null : (series.call[cursorPlace(series.call, setup.cursor)] ?? null);
    return html`<section>
      <div class="bar">
        <h2 title=${texts.tip}>${texts.title}</h2>
        <div class="buttons">
          ${
            call === null
              ? nothing
              : button({
                  label: texts.compare(format.count(call)),
                  tip: texts.compareTip,
                  icon: "diff",
                  press: () => this.actions?.compare(call),
                })
          }
          ${button({
            label: setup.callsAsTable ? texts.asChart : texts.asTable,
            press: () => this.actions?.change({ t: "asTable", chart: "calls", on: !setup.callsAsTable }),
          })}
          <cbi-menu-button
            .label=${words.exportMenu.label}
            .icon=${"export"}
            .items=${EXPORT_ITEMS}
            .disabled=${ran === null}
            @pick=${(event: CustomEvent<WhatIfExportFormat>) => this.actions?.exportAs(event.detail)}
          ></cbi-menu-button>
        </div>
      </div>
      <cbi-calls-chart
        .series=${series}
        .windowTokens=${ran?.input.assumptions.windowTokens ?? null}
        .cursor=${setup.cursor}
        .asTable=${setup.callsAsTable}
        .locale=${this.locale}
        .actions=${this.actions}
      ></cbi-calls-chart>
      ${
        ran === null
          ? nothing
          : html`${ran.outcome.callsPerPoint > 1 ? html`<p class="quiet">${texts.perPoint(format.count(ran.outcome.callsPerPoint))}</p>` : nothing}
            ${ran.outcome.capped ? html`<p class="message">${icon("warning", { tone: "warning" })}<span>${words.totals.capped}</span></p>` : nothing}
            ${renderTotals(ran.outcome, format)}
            <p class="summary" role="status">${summaryOf(ran.input, ran.outcome, facts.threads.length, format)}</p>`
      }
    </section>`;
  }

  private renderCurve(state: WhatIfState, facts: WhatIfFacts, format: Format): TemplateResult | typeof nothing {
    const { setup, curve, curveError } = state;
    if (facts.results === 0) {
      return nothing;
    }
    const texts = words.curve;
    const threshold = firstPersist(setup)?.policy.threshold ?? null;
    return html`<section>
      <div class="bar">
        <h2 title=${texts.tip}>${texts.title}</h2>
        <div class="buttons">
          ${
            threshold === null
              ? nothing
              : button({
                  label: texts.apply(format.count(threshold)),
                  tip: texts.applyTip,
                  press: () => this.actions?.apply(threshold),
                })
          }
          ${button({
            label: setup.curveAsTable ? words.chart.asChart : words.chart.asTable,
            press: () => this.actions?.change({ t: "asTable", chart: "curve", on: !setup.curveAsTable }),
          })}
        </div>
      </div>
      ${curveError === null ? nothing : html`<p role="alert" class="message">${icon("error", { tone: "error" })}<span>${words.curveFailed(visibleLine(curveError))}</span></p>`}
      <cbi-threshold-curve
        .curve=${curve}
        .facts=${facts}
        .inputTokens=${state.ran?.outcome.before.input ?? null}
        .threshold=${threshold}
        .asTable=${setup.curveAsTable}
        .locale=${this.locale}
        .actions=${this.actions}
      ></cbi-threshold-curve>
      ${facts.inferred?.note == null ? nothing : html`<p class="quiet">${visibleLine(facts.inferred.note)}</p>`}
    </section>`;
  }

  private renderAffected(state: WhatIfState, format: Format): TemplateResult {
    const { affected, affectedError, setup } = state;
    const total = affected?.total ?? 0;
    return html`<section>
      <div class="bar">
        <h2>${words.affected.title} <span class="quiet">${affected === null ? nothing : format.count(total)}</span></h2>
        ${total === 0 ? nothing : html`<span class="quiet">${words.affected.hint}</span>`}
      </div>
      ${affectedError === null ? nothing : html`<p role="alert" class="message">${icon("error", { tone: "error" })}<span>${words.affected.failed(visibleLine(affectedError))}</span></p>`}
      <cbi-affected-table
        .affected=${activeCards(setup).length === 0 && total === 0 ? null : affected}
        .order=${setup.order}
        .cards=${setup.cards}
        .selected=${this.selected}
        .locale=${this.locale}
        .actions=${this.actions}
        .pick=${this.pick}
      ></cbi-affected-table>
    </section>`;
  }

  private readonly onScrollEnd = (): void => {
    if (this.scrolled) {
      this.actions?.change({ t: "scroll", pixels: Math.round(this.scrollTop) });
    }
  };

  private screen(
    mark: "info" | "error" | "circle-slash",
    sentence: string,
    more: string | null,
    next: readonly { readonly label: string; readonly press: () => void }[],
  ): TemplateResult {
    return html`<div class="screen" role=${mark === "error" ? "alert" : nothing}>
      ${icon(mark, mark === "error" ? { tone: "error" } : { tone: "quiet" })}
      <p>${sentence}</p>
      ${more === null ? nothing : html`<p class="quiet">${more}</p>`}
      <div class="buttons">${next.map((action) => button(action))}</div>
    </div>`;
  }
}

function renderNotes(facts: WhatIfFacts): TemplateResult | typeof nothing {
  return facts.notes.length === 0
    ? nothing
    : html`<ul class="notes quiet">
        ${facts.notes.map((note) => html`<li>${visibleLine(note)}</li>`)}
      </ul>`;
}

function progressText(state: WhatIfState, format: Format): string {
  const texts = words.opening;
  const { progress } = state;
  if (progress === null || progress.total <= 0) {
    return texts.start;
  }
  return progress.what === "reading"
    ? texts.reading(format.percent(Math.min(progress.done, progress.total), progress.total))
    : texts.measuring(format.count(progress.done), format.count(progress.total));
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-what-if": WhatIfPanel;
  }
}
