import { defaultRangeExtractor, type Range, type VirtualItem, VirtualizerController } from "@tanstack/lit-virtual";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import type { RowSort } from "../../../extension/src/core/model/rowQuery";
import { type Format, formatFor } from "../format";
import { MAX_LISTED, ROW_HEIGHT } from "../rowHeight";
import type { RowsState } from "../rowsLoader";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { tableStyles } from "../styles/table";
import { columns } from "./columns";
import { icon } from "./icon";

/** Rows drawn beyond each edge of the visible part. */
const OVERSCAN = 12;

/**
 * The table of tool results: an ARIA grid that draws only the rows in sight, with one row in the tab order. A row that is
 * still on its way is drawn empty, in its place.
 */
@customElement("cbi-results-table")
export class ResultsTable extends LitElement {
  static override readonly styles = [...baseStyles, tableStyles];

  @property({ attribute: false }) rows: RowsState | null = null;
  @property({ attribute: false }) sort: RowSort = null;
  @property({ attribute: false }) revealRequests = 0;
  @property({ attribute: false }) initialScroll = 0;
  /** Calls of the transcript: the columns of turns and calls are as wide as that number. */
  @property({ attribute: false }) calls = 0;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;
  @query(".scroller") private readonly scroller!: HTMLElement | null;

  private epoch = -1;
  /** The keyboard or the pointer moved the selection: its row comes into view and takes the focus once drawn. */
  private focusActive = false;
  private hadFocus = false;
  private revealed = 0;
  /** Pixels to scroll to as soon as there are rows enough; null once done, or when the user scrolled. */
  private wantedScroll: number | null = null;
  /** Place first in sight and how far it is scrolled out, so that rows arriving above it move nothing; null at the top. */
  private top: { readonly place: number; readonly offset: number } | null = null;
  private looked = "";

  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller,
    estimateSize: () => ROW_HEIGHT,
    paddingStart: ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: (range) => this.drawn(range),
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.hadFocus = this.focusedPlace() !== null;
    const virtualizer = this.virtual.getVirtualizer();
    virtualizer.setOptions({
      ...virtualizer.options,
      count: this.total,
      // The virtualizer remembers its answer until range, count or this function changes; the selection decides too.
      ...(changed.has("rows") ? { rangeExtractor: (range) => this.drawn(range) } : {}),
    });
  }

  protected override firstUpdated(): void {
    this.wantedScroll = this.initialScroll > 0 ? this.initialScroll : null;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { rows } = this;
    if (rows === null) {
      return;
    }
    if (changed.has("rows")) {
      this.follow(rows);
    }
    const place = rows.active;
    const reveal = this.revealed !== this.revealRequests;
    if (place !== null && (this.focusActive || reveal)) {
      this.virtual.getVirtualizer().scrollToIndex(place, { align: "auto" });
      this.revealed = this.revealRequests;
    }
    // A row that came above pushed the selected one on: the focus goes along.
    if (this.focusActive || (this.hadFocus && this.focusedPlace() !== (place ?? 0))) {
      const row = this.rowElement(place ?? 0);
      row?.focus({ preventScroll: true });
      this.focusActive = this.focusActive && row === null;
    }
    this.look();
  }

  /** Moves the focus into the table. */
  override focus(): void {
    this.rowElement(this.rows?.active ?? 0)?.focus();
  }

  protected override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    const format = formatFor(this.locale);
    return html`<div class="scroller" @scroll=${this.onScroll} @scrollend=${this.onScrollEnd} tabindex="-1">
      <div
        class="grid"
        role="grid"
        aria-label=${strings.table.label}
        aria-rowcount=${(this.rows?.total ?? 0) + 1}
        aria-colcount=${columns.length}
        aria-multiselectable="false"
        @keydown=${this.onKey}
        .style=${`height: ${virtualizer.getTotalSize()}px; --number: calc(${format.count(this.calls).length}ch + 10px)`}
      >
        <div class="row head-row" role="row" aria-rowindex="1">
          ${columns.map((column, at) => this.renderHead(column, at))}
        </div>
        ${repeat(
          virtualizer.getVirtualItems(),
          (item) => item.key,
          (item) => this.renderRow(item, format),
        )}
      </div>
    </div>`;
  }

  private renderRow({ index: place, start }: VirtualItem, format: Format): TemplateResult {
    const row = this.rows?.at(place) ?? null;
    const active = this.rows?.active ?? null;
    const selected = place === active;
    return html`<div
      class=${classMap({ row: true, odd: place % 2 === 1, selected, waiting: row === null, left: row?.leftLine != null })}
      role="row"
      aria-rowindex=${place + 2}
      aria-selected=${selected}
      aria-busy=${row === null ? "true" : nothing}
      tabindex=${place === (active ?? 0) ? 0 : -1}
      data-place=${place}
      .style=${`transform: translateY(${start}px)`}
      @click=${() => this.pick(place)}
      @dblclick=${() => row !== null && this.actions?.openFull(row.index)}
    >
      ${
        row === null
          ? html`<div class="cell" role="gridcell" aria-colindex="1" aria-colspan=${columns.length}>
              <span class="hidden-text">${strings.table.waiting}</span>
            </div>`
          : columns.map((column, at) => {
              const cell = column.cell(row, format);
              return html`<div
                class=${`cell ${column.key}${column.numeric ? " number" : ""}`}
                role="gridcell"
                aria-colindex=${at + 1}
                title=${cell.tip === "" ? nothing : cell.tip}
              >
                ${cell.content}
              </div>`;
            })
      }
    </div>`;
  }

  private renderHead(column: (typeof columns)[number], at: number): TemplateResult {
    const sorted = this.sort?.key === column.key ? this.sort : null;
    const { head, tip } = strings.columns[column.key];
    return html`<div
      class=${`cell ${column.key}${column.numeric ? " number" : ""}`}
      role="columnheader"
      aria-colindex=${at + 1}
      aria-sort=${sorted === null ? "none" : sorted.descending ? "descending" : "ascending"}
    >
      <button type="button" title=${tip} @click=${() => this.actions?.sortBy(column.key)}>
        <span class="ellipsis">${head}</span>${
          sorted === null ? nothing : icon(sorted.descending ? "triangle-down" : "triangle-up")
        }
      </button>
    </div>`;
  }

  /** Rows in the table; further ones are reached by filtering. */
  private get total(): number {
    return Math.min(MAX_LISTED, this.rows?.total ?? 0);
  }

  /** The rows in sight, and always the one in the tab order, so that the focus is never lost by scrolling. */
  private drawn(range: Range): number[] {
    const places = defaultRangeExtractor(range);
    const active = this.rows?.active ?? 0;
    return active >= range.count || places.includes(active) ? places : [...places, active].sort((a, b) => a - b);
  }

  private rowElement(place: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-place="${place}"]`);
  }

  private focusedPlace(): number | null {
    const row = this.shadowRoot?.activeElement;
    const place = row instanceof HTMLElement ? row.dataset["place"] : undefined;
    return place === undefined ? null : Number(place);
  }

  private pick(place: number): void {
    this.focusActive = true;
    this.actions?.selectPlace(place);
    this.requestUpdate();
  }

  /** After other rows came: what was looked at stays where it is, as far as it is still there. */
  private follow({ epoch, move }: RowsState): void {
    const { scroller } = this;
    if (scroller === null || this.total === 0) {
      return;
    }
    if (this.wantedScroll !== null && scroller.scrollHeight - scroller.clientHeight >= this.wantedScroll) {
      scroller.scrollTop = this.wantedScroll;
      this.wantedScroll = null;
      this.epoch = epoch;
    }
    if (epoch === this.epoch) {
      return;
    }
    this.epoch = epoch;
    if (move.to === "top") {
      scroller.scrollTop = 0;
    } else if (move.to === "anchor" && this.top !== null) {
      scroller.scrollTop = move.place * ROW_HEIGHT + this.top.offset;
    }
    this.noteTop();
  }

  /** Says which rows are drawn, when they are others than before. */
  private look(): void {
    const items = this.virtual.getVirtualizer().getVirtualItems();
    const range = this.virtual.getVirtualizer().range;
    if (items.length === 0 || range === null) {
      return;
    }
    const sight = {
      first: Math.max(0, range.startIndex - OVERSCAN),
      last: Math.min(this.total - 1, range.endIndex + OVERSCAN),
      top: this.top?.place ?? null,
    };
    const looked = `${sight.first} ${sight.last} ${sight.top}`;
    if (looked !== this.looked) {
      this.looked = looked;
      this.actions?.look(sight);
    }
  }

  private noteTop(): void {
    const top = this.scroller?.scrollTop ?? 0;
    const place = Math.floor(top / ROW_HEIGHT);
    this.top = top === 0 ? null : { place, offset: top - place * ROW_HEIGHT };
  }

  private readonly onScroll = (): void => {
    this.noteTop();
    this.look();
  };

  private readonly onScrollEnd = (): void => {
    this.wantedScroll = null;
    this.actions?.setScroll(this.scroller?.scrollTop ?? 0);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const onRow = event.target instanceof HTMLElement && event.target.dataset["place"] !== undefined;
    const place = this.rows?.active ?? null;
    const to = this.target(event, place);
    if (to !== null) {
      event.preventDefault();
      this.pick(to);
      return;
    }
    const row = place === null ? null : (this.rows?.at(place) ?? null);
    if (!onRow || row === null) {
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      this.actions?.openFull(row.index);
    } else if (
      event.key.toLowerCase() === "c" &&
      (event.ctrlKey || event.metaKey) &&
      !event.shiftKey &&
      !event.altKey
    ) {
      if (document.getSelection()?.isCollapsed !== false) {
        event.preventDefault();
        this.actions?.copy(row.index, row.path === null && row.handle !== null ? "handle" : "path");
      }
    }
  };

  /** Place to which a key moves the selection; null for other keys. */
  private target(event: KeyboardEvent, place: number | null): number | null {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || this.total === 0) {
      return null;
    }
    const last = this.total - 1;
    const page = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const within = (to: number): number => Math.min(last, Math.max(0, to));
    switch (event.key) {
      case "ArrowDown":
        return place === null ? 0 : within(place + 1);
      case "ArrowUp":
        return place === null ? 0 : within(place - 1);
      case "PageDown":
        return within((place ?? 0) + page);
      case "PageUp":
        return within((place ?? 0) - page);
      case "Home":
        return 0;
      case "End":
        return last;
      default:
        return null;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-results-table": ResultsTable;
  }
}
