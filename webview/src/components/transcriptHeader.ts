import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Glance, Header, ThreadRow } from "../../../extension/src/protocol/webview";
import { formatFor, roundShort, UNKNOWN } from "../format";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { visibleLine } from "../visibleText";
import "./compositionBar";

const words = strings.header;

/** What is being inspected and its totals. */
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
      .sum {
        margin-block-start: 6px;
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
  @property({ attribute: false }) live = false;
  @property({ attribute: false }) locale = "en";

  protected override render(): TemplateResult {
    const { header } = this;
    if (header === null) {
      return html`<h1>${words.opening}</h1>`;
    }
    const format = formatFor(this.locale);
    const name = this.glance?.title ?? header.title;
    const title = name === "" ? words.untitled : visibleLine(name);
    const model = header.model === null ? words.unknownModel : visibleLine(header.model);
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
    const { measuredTokens } = header;
    const window = measuredTokens === null ? null : (this.glance?.window ?? null);
    const fill = window === null || measuredTokens === null ? 0 : Math.min(1, measuredTokens / window.tokens);
    const tokens = Math.ceil(header.chars / 4);
    // Each session of a database is a main thread of its own.
    const mains = this.threads.filter(({ kind }) => kind === "main").length;
    const several = mains > 1 ? format.count(mains) : null;
    const keptOut = Math.max(0, header.charsKeptOut);
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
      ${several === null ? nothing : html`<p class="sum quiet">${words.sumOf(several)}</p>`}
      <dl class="totals" aria-label=${words.summary}>
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
          words.chars(format.count(header.chars)),
          [
            words.tokens(format.short(tokens)),
            ...(header.resultsLeft === 0 ? [] : [words.left(format.count(header.resultsLeft))]),
          ],
          [
            words.estimateTip(format.count(tokens)),
            ...(header.resultsLeft === 0
              ? []
              : [words.leftTip(format.count(header.resultsLeft), format.count(header.charsLeft))]),
            words.unit[header.unit],
            words.notInText,
          ].join(". "),
        )}
        ${total(words.results, format.count(header.results), [], "")}
        ${total(
          words.persisted,
          format.count(header.persisted),
          header.persisted === 0 ? [] : [words.ofResults(format.percent(header.persisted, header.results))],
          words.persistedTip,
        )}
        ${total(
          words.keptOut,
          words.chars(format.count(keptOut)),
          keptOut === 0 ? [] : [words.ofText(format.percent(keptOut, header.chars + keptOut))],
          words.keptOutTip,
        )}
        ${total(words.calls, format.count(header.calls), [], words.callsTip(format.count(header.messages)))}
      </dl>
      <cbi-composition-bar .composition=${header.composition} .threads=${mains} .locale=${this.locale}></cbi-composition-bar>
    </header>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-transcript-header": TranscriptHeader;
  }
}
