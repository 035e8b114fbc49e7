import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AffectedOrder, WhatIfAffected } from "../../../extension/src/protocol/whatIf";
import { icon } from "../components/icon";
import { type Format, formatFor } from "../format";
import { baseStyles } from "../styles/base";
import { visibleLine } from "../visibleText";
import { tokensOf } from "./chartGeometry";
import type { WhatIfActions } from "./whatIfLoader";
import type { PolicyCard } from "./whatIfSetup";
import type { AffectedRows } from "./whatIfState";
import { whatIfStrings } from "./whatIfStrings";

const words = whatIfStrings.affected;

/** Pixels; the same as in VS Code's lists. */
const ROW = 22;
/** Rows in sight at most; longer lists scroll. */
const ROWS_SHOWN = 12;
const OVERSCAN = 8;

interface Column {
  readonly key: "call" | "tool" | "action" | "before" | "after" | "saved";
  readonly order?: AffectedOrder;
}
const COLUMNS: readonly Column[] = [
  { key: "call", order: "call" },
  { key: "tool" },
  { key: "action" },
  { key: "before", order: "before" },
  { key: "after" },
  { key: "saved", order: "saved" },
];

/** The results that a policy replaced, drawn as far as they are in sight; one row is in the tab order. */
@customElement("cbi-affected-table")
export class AffectedTable extends LitElement {
  static override readonly styles = [
    ...baseStyles,
    css`
      :host {
        display: block;
        container-type: inline-size;
        min-inline-size: 0;
      }
      .scroller {
        overflow: hidden auto;
        overflow-anchor: none;
        outline: none;
      }
      .grid {
        position: relative;
      }
      .row {
        display: grid;
        grid-template-columns: 64px minmax(80px, 1fr) minmax(90px, 1.2fr) 84px 84px 92px;
        position: absolute;
        inset-block-start: 0;
        inset-inline: 0;
        block-size: 22px;
        line-height: 22px;
        white-space: nowrap;
        cursor: pointer;
      }
      .head-row {
        position: sticky;
        z-index: 1;
        background: var(--vscode-editor-background);
        color: var(--vscode-descriptionForeground);
        cursor: default;
      }
      .cell {
        overflow: hidden;
        text-overflow: ellipsis;
        padding-inline: 4px;
        min-inline-size: 0;
      }
      .cell.tool,
      .cell.action {
        padding-inline-start: 12px;
      }
      .head-row button {
        all: unset;
        display: inline-flex;
        align-items: center;
        gap: 2px;
        cursor: pointer;
      }
      .head-row .codicon {
        font-size: 12px;
      }
      .head-row button:focus-visible {
        outline: 1px solid var(--vscode-focusBorder);
      }
      .row:not(.head-row):hover {
        background: var(--vscode-list-hoverBackground);
        outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
        outline-offset: -1px;
      }
      .row.selected {
        background: var(--vscode-list-inactiveSelectionBackground);
        outline: 1px dotted var(--vscode-contrastActiveBorder, transparent);
        outline-offset: -1px;
      }
      .row.selected:focus {
        background: var(--vscode-list-activeSelectionBackground);
        color: var(--vscode-list-activeSelectionForeground);
        outline: 1px solid var(--vscode-list-focusAndSelectionOutline, var(--vscode-contrastActiveBorder, transparent));
      }
      .row:not(.selected):focus-visible {
        outline: 1px solid var(--vscode-list-focusOutline, var(--vscode-focusBorder));
        outline-offset: -1px;
      }
      @container (max-width: 520px) {
        .row {
          grid-template-columns: 44px minmax(60px, 1fr) 66px 60px 66px;
        }
        .action {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) affected: AffectedRows | null = null;
  @property({ attribute: false }) order: AffectedOrder = "saved";
  /** All cards; where a run had several, the place of the one that acted stands before its action. */
  @property({ attribute: false }) cards: readonly PolicyCard[] | null = null;
  /** Index in the results table. */
  @property({ attribute: false }) selected: number | null = null;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: WhatIfActions | null = null;
  /** Selects the row in Results; `show` also goes there. */
  @property({ attribute: false }) pick: (index: number, show: boolean) => void = () => undefined;
  @state() private top = 0;
  @state() private active = 0;
  @query(".scroller") private readonly scroller!: HTMLElement | null;
  private focusActive = false;
  /** Chosen before it was at hand; picked when it comes. */
  private waiting: { readonly place: number; readonly show: boolean } | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("affected")) {
      const total = this.affected?.total ?? 0;
      this.active = Math.max(0, Math.min(this.active, total - 1));
      if (changed.get("affected")?.key !== this.affected?.key) {
        this.waiting = null; // another list: the place means another row
      }
    }
  }

  protected override updated(): void {
    const [from, until] = this.range();
    this.actions?.needRows(from, until);
    if (this.waiting !== null) {
      this.pickAt(this.waiting.place, this.waiting.show);
    }
    if (this.focusActive) {
      this.focusActive = false;
      this.renderRoot.querySelector<HTMLElement>(`[data-place="${this.active}"]`)?.focus({ preventScroll: true });
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { affected } = this;
    if (affected === null) {
      return nothing;
    }
    if (affected.total === 0) {
      return html`<p class="quiet">${words.none}</p>`;
    }
    const format = formatFor(this.locale);
    const [from, until] = this.range();
    const drawn = Array.from({ length: Math.max(0, until - from) }, (_, at) => from + at);
    if (!drawn.includes(this.active)) {
      drawn.push(this.active); // the row in the tab order is never lost by scrolling
    }
    return html`<div
      class="scroller"
      tabindex="-1"
      .style=${`height: ${(Math.min(affected.total, ROWS_SHOWN) + 1) * ROW + 2}px`}
      @scroll=${() => {
        this.top = this.scroller?.scrollTop ?? 0;
      }}
    >
      <div
        class="grid"
        role="grid"
        aria-label=${words.title}
        aria-rowcount=${affected.total + 1}
        aria-colcount=${COLUMNS.length}
        .style=${`height: ${(affected.total + 1) * ROW}px`}
        @keydown=${this.onKey}
      >
        <div class="row head-row" role="row" aria-rowindex="1">${COLUMNS.map((column, at) => this.renderHead(column, at))}</div>
        ${repeat(
          drawn,
          (place) => place,
          (place) => this.renderRow(place, affected, format),
        )}
      </div>
    </div>`;
  }

  private renderHead(column: Column, at: number): TemplateResult {
    const { order, key } = column;
    const head = words.heads[key];
    const chosen = order !== undefined && order === this.order;
    return html`<div
      class=${`cell ${key}${isNumber(key) ? " number" : ""}`}
      role="columnheader"
      aria-colindex=${at + 1}
      aria-sort=${chosen ? (order === "call" ? "ascending" : "descending") : nothing}
    >
      ${
        order === undefined
          ? html`<span title=${key === "after" ? words.tips.after : nothing}>${head}</span>`
          : html`<button type="button" title=${words.tips[order]} @click=${() => this.actions?.change({ t: "order", order })}>
              ${head}${chosen ? icon(order === "call" ? "triangle-up" : "triangle-down") : nothing}
            </button>`
      }
    </div>`;
  }

  private renderRow(place: number, affected: AffectedRows, format: Format): TemplateResult {
    const row = affected.rows.get(place);
    const selected = row !== undefined && row.index === this.selected;
    return html`<div
      class=${selected ? "row selected" : "row"}
      role="row"
      aria-rowindex=${place + 2}
      aria-selected=${selected}
      tabindex=${place === this.active ? 0 : -1}
      data-place=${place}
      .style=${`transform: translateY(${(place + 1) * ROW}px)`}
      @click=${() => this.choose(place, false)}
      @dblclick=${() => this.choose(place, true)}
    >
      ${COLUMNS.map(
        ({ key }, at) =>
          html`<div class=${`cell ${key}${isNumber(key) ? " number" : ""}`} role="gridcell" aria-colindex=${at + 1}>
            ${row === undefined ? (at === 0 ? words.loading : nothing) : this.renderCell(row, key, affected, format)}
          </div>`,
      )}
    </div>`;
  }

  private renderCell(row: WhatIfAffected, key: Column["key"], affected: AffectedRows, format: Format): unknown {
    switch (key) {
      case "call":
        return format.count(row.call);
      case "tool": {
        const tool = row.tool === null ? words.noTool : visibleLine(row.tool);
        return html`<span title=${tool}>${tool}</span>`;
      }
      case "action": {
        const card = affected.cards[row.policy];
        const place = this.cards?.findIndex(({ id }) => id === card) ?? -1;
        const action = whatIfStrings.actions[row.action];
        const text = affected.cards.length > 1 && place >= 0 ? words.byPolicy(format.count(place + 1), action) : action;
        return html`<span title=${text}>${text}</span>`;
      }
      case "before":
        return format.count(row.before);
      case "after":
        return row.exact
          ? format.count(row.after)
          : html`<span title=${words.tips.exact}>≈ ${format.count(row.after)}</span>`;
      case "saved":
        return `${row.saved < 0 ? "−" : ""}≈ ${format.short(Math.abs(Math.round(tokensOf(row.saved))))}`;
    }
  }

  /** Rows to draw: those in sight and some beyond each edge. */
  private range(): readonly [from: number, until: number] {
    const total = this.affected?.total ?? 0;
    const first = Math.floor(this.top / ROW);
    return [Math.max(0, first - OVERSCAN), Math.min(total, first + ROWS_SHOWN + OVERSCAN)];
  }

  private choose(place: number, show: boolean): void {
    this.active = place;
    this.focusActive = true;
    this.pickAt(place, show);
    this.requestUpdate();
  }

  private pickAt(place: number, show: boolean): void {
    const row = this.affected?.rows.get(place);
    this.waiting = row === undefined ? { place, show } : null;
    if (row !== undefined) {
      this.pick(row.index, show);
    }
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset["place"] === undefined) {
      return;
    }
    const last = (this.affected?.total ?? 1) - 1;
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + ROWS_SHOWN,
      PageUp: this.active - ROWS_SHOWN,
      Home: 0,
      End: last,
    };
    const next = to[event.key];
    if (next !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const place = Math.min(last, Math.max(0, next));
      this.bringIntoView(place);
      this.choose(place, false);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.choose(this.active, true);
    }
  };

  private bringIntoView(place: number): void {
    const { scroller } = this;
    if (scroller !== null) {
      const height = scroller.clientHeight - ROW;
      const top = place * ROW;
      scroller.scrollTop = Math.min(top, Math.max(scroller.scrollTop, top + ROW - height));
    }
  }
}

function isNumber(key: Column["key"]): boolean {
  return key === "call" || key === "before" || key === "after" || key === "saved";
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-affected-table": AffectedTable;
  }
}
