import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Figures, Glance, Header, ThreadRow } from "../../../extension/src/protocol/webview";
import { type Format, formatFor, roundShort, UNKNOWN } from "../format";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { countKinds, windowOf } from "../threads";
import { visibleLine } from "../visibleText";
import "./compositionBar";

const words = strings.header;

/** What is being inspected, and its figures: of all threads, or of the one that was chosen. */
@customElement("cbi-transcript-header")
export class TranscriptHeader extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: block;
        padding: 10px 16px 6px;
        container-type: inline-size;
      }
      .title {
        display: flex;
        align-items: baseline;
        flex-wrap: wrap;
        column-gap: 10px;
        min-inline-size: 0;
      }
      h1 {
        font-size: 1.25em;
        font-weight: 600;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        max-inline-size: 100%;
      }
      .title > .quiet {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        max-inline-size: 100%;
      }
      .live {
        margin-inline-start: auto;
      }
      .dot {
        inline-size: 8px;
        block-size: 8px;
        border-radius: 50%;
        background: var(--vscode-charts-green);
        outline: 1px solid var(--vscode-contrastBorder, transparent);
      }
      .covers {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 10px;
        margin-block-start: 6px;
      }
      .covers > span {
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
      .totals {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 18px;
        margin-block: 8px 8px;
        font-variant-numeric: tabular-nums;
      }
      .totals > div {
        min-inline-size: 0;
      }
      .meter {
        display: inline-block;
        inline-size: 44px;
        block-size: 8px;
        margin-inline-start: 6px;
        border: 1px solid var(--vscode-contrastBorder, transparent);
        border-radius: 2px;
        overflow: hidden;
        background: color-mix(in srgb, var(--vscode-charts-blue) 30%, transparent);
      }
      .meter > span {
        display: block;
        block-size: 100%;
        background: var(--vscode-charts-blue);
      }
      dt {
        color: var(--vscode-descriptionForeground);
        font-size: 0.92em;
      }
      dd {
        white-space: nowrap;
      }
      @container (max-width: 520px) {
        .totals {
          display: block;
          margin-block: 4px 6px;
        }
        .totals > div {
          display: grid;
          grid-template-columns: 104px minmax(0, 1fr);
          align-items: baseline;
        }
        dd {
          white-space: normal;
        }
        dd .part {
          white-space: nowrap;
        }
        .meter {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) header: Header | null = null;
  @property({ attribute: false }) glance: Glance | null = null;
  @property({ attribute: false }) threads: readonly ThreadRow[] = [];
  /** The thread whose figures are shown; null = all. */
  @property({ attribute: false }) chosen: ThreadRow | null = null;
  @property({ attribute: false }) live = false;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;

  protected override render(): TemplateResult {
    const { header } = this;
    if (header === null) {
      return html`<h1>${words.opening}</h1>`;
    }
    const format = formatFor(this.locale);
    const name = this.glance?.title ?? header.title;
    const title = name === "" ? words.untitled : visibleLine(name);
    const { chosen, threads, glance } = this;
    const { mains } = countKinds(threads);
    // What the transcript names is the model of its main thread.
    const stated = chosen === null || (chosen.kind === "main" && mains === 1) ? header.model : null;
    const model = visibleLine(chosen?.model ?? stated ?? words.unknownModel);
    const total = (
      name: string,
      value: string,
      more: readonly string[],
      tip: string,
      meter: TemplateResult | typeof nothing = nothing,
    ): TemplateResult =>
      html`<div title=${tip === "" ? nothing : tip}>
        <dt>${name}</dt>
        <dd>${value}${more.map((part) => html` <span class="quiet part">· ${part}</span>`)}${meter}</dd>
      </div>`;
    const figures: Figures = chosen ?? header;
    const { measuredTokens } = figures;
    const known = chosen === null || glance === null ? (glance?.window ?? null) : windowOf(chosen.id, threads, glance);
    const window = measuredTokens === null ? null : known;
    const fill = window === null || measuredTokens === null ? 0 : Math.min(1, measuredTokens / window.tokens);
    const tokens = Math.ceil(figures.chars / 4);
    const several = chosen === null && mains > 1 ? format.count(mains) : null;
    const keptOut = Math.max(0, figures.charsKeptOut);
    const covers = coverage(chosen, threads, format);
    return html`<header>
      <div class="title">
        <h1 title=${visibleLine(header.file)}>${title}</h1>
        <span class="quiet" title=${`${strings.formats[header.format]} · ${model}`}
          >${strings.formats[header.format]} · ${model}</span
        >
        <span class="live" role="status">${
          this.live
            ? html`<span class="with-icon" title=${words.liveTip}><span class="dot" aria-hidden="true"></span>${words.live}</span>`
            : nothing
        }</span>
      </div>
      ${
        covers === ""
          ? nothing
          : html`<p class="covers"><span id="covers" class="quiet">${covers}</span>${
              chosen === null
                ? nothing
                : html`<button class="link" type="button" @click=${() => this.actions?.setFilter({ threads: null })}>
                    ${words.showAll}
                  </button>`
            }</p>`
      }
      <dl class="totals" aria-label=${words.summary} aria-describedby=${covers === "" ? nothing : "covers"}>
        ${total(
          words.measured,
          measuredTokens === null ? UNKNOWN : words.measuredTokens(format.count(measuredTokens)),
          [
            ...(measuredTokens === null || several === null ? [] : [words.ofNewest]),
            ...(window === null || measuredTokens === null
              ? []
              : [words.ofWindow(format.percent(measuredTokens, window.tokens), roundShort(window.tokens, format))]),
          ],
          [
            measuredTokens === null
              ? words.measuredUnknown
              : several === null
                ? words.measuredTip
                : words.measuredOfNewestTip,
            ...(window === null ? [] : [words.windowTip(format.count(window.tokens), words.windowFrom[window.from])]),
          ].join(" "),
          window === null
            ? nothing
            : html`<span class="meter" aria-hidden="true"><span .style=${`inline-size: ${fill * 100}%`}></span></span>`,
        )}
        ${total(
          words.context,
          words.chars(format.count(figures.chars)),
          [
            words.tokens(format.short(tokens)),
            ...(figures.resultsLeft === 0 ? [] : [words.left(format.count(figures.resultsLeft))]),
          ],
          [
            words.estimateTip(format.count(tokens)),
            ...(figures.resultsLeft === 0
              ? []
              : [words.leftTip(format.count(figures.resultsLeft), format.count(figures.charsLeft))]),
            words.unit[header.unit],
            words.notInText,
          ].join(". "),
        )}
        ${total(words.results, format.count(figures.results), [], "")}
        ${total(
          words.persisted,
          format.count(figures.persisted),
          figures.persisted === 0 ? [] : [words.ofResults(format.percent(figures.persisted, figures.results))],
          words.persistedTip,
        )}
        ${total(
          words.keptOut,
          words.chars(format.count(keptOut)),
          keptOut === 0 ? [] : [words.ofText(format.percent(keptOut, figures.chars + keptOut))],
          words.keptOutTip,
        )}
        ${total(words.calls, format.count(figures.calls), [], words.callsTip(format.count(figures.messages)))}
      </dl>
      <cbi-composition-bar
        .composition=${figures.composition}
        .sessions=${several}
        .locale=${this.locale}
      ></cbi-composition-bar>
    </header>`;
  }
}

/** What the figures are of, in words; empty for a transcript of one thread. */
function coverage(chosen: ThreadRow | null, threads: readonly ThreadRow[], format: Format): string {
  const { mains, others } = countKinds(threads);
  if (chosen !== null) {
    const title = visibleLine(chosen.title);
    return chosen.kind === "main" && mains > 1 ? words.only.session(title, others > 0) : words.only[chosen.kind](title);
  }
  if (threads.length < 2) {
    return "";
  }
  const context =
    mains > 1 ? words.sumOf(format.count(mains)) : mains === 1 ? words.contextOfMain : words.contextOfFirst;
  const more = mains === 0 ? others - 1 : others;
  return more === 0 ? context : `${context} ${words.others(format.count(more))}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-transcript-header": TranscriptHeader;
  }
}
