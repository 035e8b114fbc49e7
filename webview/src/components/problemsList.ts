import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ProblemRow } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { visibleLine } from "../visibleText";
import { icon } from "./icon";
import { severityMarks } from "./marks";

const words = strings.problems;

/** What was wrong in the transcript; each entry opens its line. */
@customElement("cbi-problems-list")
export class ProblemsList extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: block;
        min-block-size: 0;
        min-inline-size: 0;
        overflow: auto;
      }
      ul {
        padding-block: 4px;
      }
      .item {
        all: unset;
        box-sizing: border-box;
        display: grid;
        grid-template-columns: 16px minmax(0, 1fr);
        gap: 6px;
        inline-size: 100%;
        padding: 2px 16px;
        line-height: 18px;
      }
      button.item {
        cursor: pointer;
      }
      button.item:hover {
        background: var(--vscode-list-hoverBackground);
        outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
        outline-offset: -1px;
      }
      button.item:focus-visible {
        background: var(--vscode-list-hoverBackground);
        outline: 1px solid var(--vscode-focusBorder);
        outline-offset: -1px;
      }
      .text {
        overflow-wrap: anywhere;
      }
      .text .quiet {
        margin-inline-start: 6px;
        font-variant-numeric: tabular-nums;
      }
      .codicon {
        line-height: 18px;
      }
      p {
        padding: 12px 16px;
      }
    `,
  ];

  @property({ attribute: false }) problems: readonly ProblemRow[] = [];
  @property({ attribute: false }) omitted = 0;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;

  protected override render(): TemplateResult {
    if (this.problems.length === 0) {
      return html`<p class="quiet">${words.none}</p>`;
    }
    const format = formatFor(this.locale);
    return html`<ul aria-label=${words.label}>
        ${this.problems.map((problem) => this.renderItem(problem))}
      </ul>
      ${this.omitted === 0 ? nothing : html`<p class="quiet">${words.omitted(format.count(this.omitted))}</p>`}`;
  }

  private renderItem(problem: ProblemRow): TemplateResult {
    const mark = severityMarks[problem.severity];
    const { line } = problem;
    const body = html`${icon(mark.icon, { tone: mark.tone })}<span class="text"
        ><span class="hidden-text">${strings.severities[problem.severity]}: </span>${visibleLine(problem.message)}<span
          class="quiet"
          >${problem.code}</span
        >${line === null ? nothing : html`<span class="quiet">[${words.line(String(line))}]</span>`}</span
      >`;
    return html`<li>
      ${
        line === null
          ? html`<div class="item">${body}</div>`
          : html`<button class="item" type="button" title=${words.open(String(line))} @click=${() => this.actions?.reveal(line)}>
              ${body}
            </button>`
      }
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-problems-list": ProblemsList;
  }
}
