import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { SearchQuery } from "../../../extension/src/core/model/search";
import { formatFor } from "../format";
import type { SearchState } from "../searchRunner";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { visibleLine } from "../visibleText";
import { button } from "./controls/button";
import { textField } from "./controls/textField";
import { calmly } from "./text";

const words = strings.search;

/** Looks inside the texts of the results; its hits narrow the table. */
@customElement("cbi-search-bar")
export class SearchBar extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 6px;
        padding: 0 16px 6px;
      }
      vscode-text-field {
        flex: 1 1 220px;
        min-inline-size: 0;
        max-inline-size: 480px;
      }
      .toggle {
        all: unset;
        box-sizing: border-box;
        cursor: pointer;
        min-inline-size: 24px;
        padding: 1px 4px;
        border: 1px solid transparent;
        border-radius: 3px;
        text-align: center;
        font-family: var(--vscode-editor-font-family);
      }
      .toggle[aria-pressed="true"] {
        border-color: var(--vscode-focusBorder);
        background: var(--vscode-list-hoverBackground);
      }
      .toggle:hover {
        background: var(--vscode-list-hoverBackground);
        outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
        outline-offset: -1px;
      }
      .toggle:focus-visible {
        outline: 1px solid var(--vscode-focusBorder);
        outline-offset: -1px;
      }
      .status {
        font-variant-numeric: tabular-nums;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) query: SearchQuery | null = null;
  @property({ attribute: false }) state: SearchState | null = null;
  /** Results that the transcript has now. */
  @property({ attribute: false }) rows = 0;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;
  /** What stands in the field and on its switches; asked for with Enter. */
  @state() private draft: SearchQuery = { text: "", regex: false, matchCase: false };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query") && this.query !== null) {
      this.draft = this.query;
    } else if (changed.has("query") && changed.get("query")) {
      this.draft = { ...this.draft, text: "" };
    }
  }

  protected override render(): TemplateResult {
    const { draft } = this;
    const toggle = (key: "regex" | "matchCase", sign: string): TemplateResult =>
      html`<button
        class="toggle"
        type="button"
        title=${words[key]}
        aria-label=${words[key]}
        aria-pressed=${draft[key]}
        @click=${() => this.flip(key)}
      >
        ${sign}
      </button>`;
    return html`${textField({
      label: words.label,
      placeholder: words.placeholder,
      icon: "search",
      value: draft.text,
      input: (text) => {
        this.draft = { ...draft, text };
      },
      enter: () => this.run(),
      escape: () => this.actions?.search(null),
    })}${toggle("matchCase", "Aa")}${toggle("regex", ".*")}${this.renderStatus()}`;
  }

  private renderStatus(): TemplateResult | typeof nothing {
    const { state } = this;
    if (state === null) {
      return nothing;
    }
    const format = formatFor(this.locale);
    const { progress, end } = state;
    const parts: string[] = [];
    if (end === null) {
      parts.push(
        words.running(progress === null ? "" : format.percent(progress.searched, Math.max(1, progress.total))),
      );
    }
    parts.push(words.found(format.count(state.count), format.count(state.hits.size)));
    if (end === "capped") {
      parts.push(words.capped(format.count(state.hits.size)));
    }
    if (end === "gave-up") {
      parts.push(words.gaveUp);
    }
    if (state.error !== null) {
      parts.splice(0, parts.length, words.failed(visibleLine(state.error)));
    } else if (end === "cancelled") {
      parts.push(words.cancelled);
    }
    if (progress !== null && progress.slow > 0 && end !== "gave-up") {
      parts.push(words.slow(format.count(progress.slow)));
    }
    if (progress !== null && progress.unreadable > 0) {
      parts.push(words.unreadable(format.count(progress.unreadable)));
    }
    if (end !== null && this.rows > state.rows) {
      parts.push(words.newer(format.count(this.rows - state.rows)));
    }
    return html`<span class="status quiet" role="status">${
      end === null ? calmly(parts.join(" · "), words.running("")) : parts.join(" · ")
    }</span>${
      end === null
        ? button({ label: words.cancel, press: () => this.actions?.cancelSearch() })
        : html`${button({ label: words.again, kind: "icon", icon: "refresh", press: () => this.run() })}${button({
            label: words.clear,
            kind: "icon",
            icon: "close",
            press: () => this.actions?.search(null),
          })}`
    }`;
  }

  private run(): void {
    this.actions?.search(this.draft.text === "" ? null : this.draft);
  }

  private flip(key: "regex" | "matchCase"): void {
    this.draft = { ...this.draft, [key]: !this.draft[key] };
    if (this.state !== null) {
      this.run();
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-search-bar": SearchBar;
  }
}
