import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Composition } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";

const KINDS = ["system", "user", "assistant", "inlineResults", "persistedPreviews"] as const;
const words = strings.composition;

/** Shares of the context by kind of message. Each kind has a colour, a pattern and a word, in the same order in bar and list. */
@customElement("cbi-composition-bar")
export class CompositionBar extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: block;
      }
      .bar {
        display: flex;
        gap: 1px;
        block-size: 8px;
        border-radius: 2px;
        overflow: hidden;
        outline: 1px solid var(--vscode-contrastBorder, transparent);
      }
      .part {
        min-inline-size: 2px;
        flex-basis: 0;
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 1px 14px;
        margin-block-start: 4px;
        font-size: 0.92em;
      }
      li {
        display: flex;
        align-items: center;
        gap: 5px;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .swatch {
        inline-size: 9px;
        block-size: 9px;
        border-radius: 2px;
        outline: 1px solid var(--vscode-contrastBorder, transparent);
      }
      .system {
        --tone: var(--vscode-charts-foreground);
        border: 1px solid var(--tone);
      }
      .user {
        --tone: var(--vscode-charts-green);
        background: repeating-linear-gradient(90deg, var(--tone) 0 2px, transparent 2px 4px);
      }
      .assistant {
        --tone: var(--vscode-charts-yellow);
        background: repeating-linear-gradient(0deg, var(--tone) 0 2px, transparent 2px 4px);
      }
      .inlineResults {
        --tone: var(--vscode-charts-blue);
        background: var(--tone);
      }
      .persistedPreviews {
        --tone: var(--vscode-charts-purple);
        background: repeating-linear-gradient(-45deg, var(--tone) 0 2px, transparent 2px 4px);
      }
    `,
  ];

  @property({ attribute: false }) composition: Composition | null = null;
  /** How many sessions' contexts these are; null = one thread's. */
  @property({ attribute: false }) sessions: string | null = null;
  @property({ attribute: false }) locale = "en";

  protected override render(): TemplateResult | typeof nothing {
    const { composition } = this;
    if (composition === null) {
      return nothing;
    }
    const format = formatFor(this.locale);
    const total = KINDS.reduce((sum, kind) => sum + composition[kind], 0);
    if (total <= 0) {
      return html`<p class="quiet">${words.empty}</p>`;
    }
    const parts = KINDS.filter((kind) => composition[kind] > 0).map((kind) => ({
      kind,
      share: composition[kind] / total,
      label: words.kinds[kind],
      short: format.percent(composition[kind], total),
      text: words.part(words.kinds[kind], format.count(composition[kind]), format.percent(composition[kind], total)),
    }));
    return html`<div class="bar" aria-hidden="true">
        ${parts.map(
          (part) =>
            html`<div class=${`part ${part.kind}`} title=${part.text} .style=${`flex-grow: ${part.share}`}></div>`,
        )}
      </div>
      <ul aria-label=${this.sessions === null ? words.title : words.titleOfAll(this.sessions)}>
        ${parts.map(
          (part) =>
            html`<li title=${part.text}>
              <span class=${`swatch ${part.kind}`} aria-hidden="true"></span>${part.label}
              <span class="quiet">${part.short}</span>
            </li>`,
        )}
      </ul>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-composition-bar": CompositionBar;
  }
}
