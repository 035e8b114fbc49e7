import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { formatFor } from "../format";
import type { PageActions, PageState } from "../pageLoader";
import { marked } from "../searchMarks";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { detailStyles } from "../styles/detail";
import { pagerStyles } from "../styles/pager";
import { visibleLine } from "../visibleText";
import { button } from "./controls/button";
import { focusIsLost } from "./controls/focus";
import { type PageTurn, pager } from "./controls/pager";
import { icon } from "./icon";
import { secretText } from "./secretText";

const words = strings.pages;

/** Keys that turn pages, with Alt. */
const KEYS: Readonly<Record<string, PageTurn>> = { PageDown: "next", PageUp: "previous", Home: "first", End: "last" };

/** One page of a full output at a time. */
@customElement("cbi-output-pages")
export class OutputPages extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    detailStyles,
    pagerStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: 8px;
        overflow: visible;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 12px;
      }
    `,
  ];

  @property({ attribute: false }) state: PageState | null = null;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: PageActions | null = null;
  /** A button that is gone opened the pages: what comes first takes over its focus. */
  @property({ attribute: false }) inherits = false;

  private inherited = false;
  /** A button turned the page that is on its way. */
  private pressed = false;
  /** A mask had the focus; it goes with its page. */
  private maskFocused = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("keydown", this.onKey);
  }

  protected override willUpdate(): void {
    this.maskFocused = this.renderRoot.querySelector(".secret button:focus") !== null;
  }

  /** A new page begins at its top; a button that can do no more gives the focus to the text. */
  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("state");
    const page = this.state?.page ?? null;
    if (this.inherits && !this.inherited && (page !== null || this.state?.error != null)) {
      this.inherited = true;
      if (focusIsLost()) this.renderRoot.querySelector<HTMLElement>("pre, vscode-button:not([disabled])")?.focus();
    }
    if (page === null || before?.page?.offset === page.offset) return;
    const text = this.renderRoot.querySelector("pre");
    if (text === null) return;
    text.scrollTop = 0;
    // By now the browser has taken the focus from a button that was disabled.
    const lost = this.maskFocused && this.renderRoot.querySelector(":focus") === null;
    if (lost || (this.pressed && (page.page === 0 || page.page === page.pages - 1))) text.focus();
    this.pressed = false;
  }

  protected override render(): TemplateResult {
    const { state } = this;
    const format = formatFor(this.locale);
    const page = state?.page ?? null;
    return html`<div class="head">
        <h3>${words.title}</h3>
        ${button({ label: words.close, press: () => this.actions?.close() })}
      </div>
      ${
        state?.error == null
          ? nothing
          : html`<p class="failed" role="alert">
              ${icon("error", { tone: "error" })}<span>${words.failed(visibleLine(state.error))}</span>
            </p>`
      }
      ${
        page === null
          ? state?.error == null
            ? html`<p class="quiet" role="status">${words.loading}</p>`
            : nothing
          : html`${pager({
              label: words.label,
              range: words.range(
                format.count(page.length === 0 ? 0 : page.offset + 1),
                format.count(page.nextOffset),
                format.count(page.length),
                format.count(page.page + 1),
                format.count(page.pages),
              ),
              words,
              tips: words.tips,
              atFirst: page.page === 0,
              atLast: page.page === page.pages - 1,
              turn: (to) => {
                this.pressed = true;
                this.actions?.turn(to);
              },
            })}
            ${
              page.text === ""
                ? html`<p class="quiet">${strings.detail.noText}</p>`
                : html`<pre tabindex="0" role="region" aria-label=${words.title} aria-busy=${state?.loading ?? false}>${marked(
                    { ...page, textStart: 0 },
                    [],
                    state?.secrets,
                  ).map((part) =>
                    secretText(
                      part,
                      ({ at }) => state?.secrets.has(at) === true,
                      (mask, show) => this.actions?.showSecret(mask, show),
                    ),
                  )}</pre>`
            }
            ${page.masked ? html`<p class="quiet">${words.masked}</p>` : nothing}
            ${page.valid ? nothing : html`<p class="quiet">${words.invalid}</p>`}`
      }`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const turn = KEYS[event.key];
    if (turn === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.actions?.turn(turn);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-output-pages": OutputPages;
  }
}
