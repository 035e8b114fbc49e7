import { defaultRangeExtractor, type Range, VirtualizerController } from "@tanstack/lit-virtual";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import type { ResultRow } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import type { Sort } from "../rows";
import type { Actions } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { ROW_HEIGHT, tableStyles } from "../styles/table";
import { columns } from "./columns";
import { icon } from "./icon";

/** Rows drawn beyond each edge of the visible part. */
const OVERSCAN = 12;

/** The table of tool results: an ARIA grid that draws only the rows in sight, with one row in the tab order. */
@customElement("cbi-results-table")
export class ResultsTable extends LitElement {
  static override readonly styles = [...baseStyles, tableStyles];

  @property({ attribute: false }) rows: readonly ResultRow[] = [];
  @property({ attribute: false }) sort: Sort = null;
  @property({ attribute: false }) selected: number | null = null;
  @property({ attribute: false }) revealRequests = 0;
  @property({ attribute: false }) initialScroll = 0;
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;
  @query(".scroller") private readonly scroller!: HTMLElement | null;

  private places = new Map<number, number>();
  /** Set when the keyboard moved the selection: its row takes the focus once drawn. */
  private focusSelected = false;
  private revealed = 0;
  /** First row in sight and how far it is scrolled out, so that rows arriving above it move nothing. */
  private anchor: { readonly index: number; readonly offset: number } | null = null;

  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller,
    estimateSize: () => ROW_HEIGHT,
    paddingStart: ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (place) => this.rows[place]?.index ?? place,
    rangeExtractor: (range) => this.drawn(range),
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("rows")) {
      this.places = new Map(this.rows.map((row, place) => [row.index, place]));
    }
    const virtualizer = this.virtual.getVirtualizer();
    virtualizer.setOptions({
      ...virtualizer.options,
      count: this.rows.length,
      // The virtualizer remembers its answer until range, count or this function changes; the selection decides too.
      ...(changed.has("selected") || changed.has("rows") ? { rangeExtractor: (range) => this.drawn(range) } : {}),
    });
  }

  protected override firstUpdated(): void {
    if (this.scroller !== null) {
      this.scroller.scrollTop = this.initialScroll;
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("rows") && changed.get("rows") !== undefined && !changed.has("sort")) {
      this.keepAnchor();
    }
    const place = this.selectedPlace();
    if (place !== null && (this.focusSelected || this.revealed !== this.revealRequests)) {
      this.virtual.getVirtualizer().scrollToIndex(place, { align: "auto" });
      this.revealed = this.revealRequests;
      if (this.focusSelected) {
        this.focusSelected = false;
        this.rowElement(place)?.focus({ preventScroll: true });
      }
    }
  }

  /** Moves the focus into the table. */
  override focus(): void {
    this.rowElement(this.selectedPlace() ?? 0)?.focus();
  }

  protected override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    const active = this.selectedPlace() ?? 0;
    const format = formatFor(this.locale);
    return html`<div class="scroller" @scroll=${this.onScroll} @scrollend=${this.onScrollEnd} tabindex="-1">
      <div
        class="grid"
        role="grid"
        aria-label=${strings.table.label}
        aria-rowcount=${this.rows.length + 1}
        aria-colcount=${columns.length}
        aria-multiselectable="false"
        @keydown=${this.onKey}
        .style=${`height: ${virtualizer.getTotalSize()}px`}
      >
        <div class="row head-row" role="row" aria-rowindex="1">
          ${columns.map((column, at) => this.renderHead(column, at))}
        </div>
        ${repeat(
          virtualizer.getVirtualItems(),
          (item) => item.key,
          (item) => {
            const row = this.rows[item.index];
            if (row === undefined) {
              return nothing;
            }
            const selected = row.index === this.selected;
            return html`<div
              class=${classMap({ row: true, odd: item.index % 2 === 1, selected })}
              role="row"
              aria-rowindex=${item.index + 2}
              aria-selected=${selected}
              tabindex=${item.index === active ? 0 : -1}
              data-place=${item.index}
              .style=${`transform: translateY(${item.start}px)`}
              @click=${() => this.pick(item.index)}
              @dblclick=${() => this.actions?.openFull(row.index)}
            >
              ${columns.map((column, at) => {
                const cell = column.cell(row, format);
                return html`<div
                  class=${`cell ${column.key}${column.numeric ? " number" : ""}`}
                  role="gridcell"
                  aria-colindex=${at + 1}
                  title=${cell.tip === "" ? nothing : cell.tip}
                >
                  ${cell.content}
                </div>`;
              })}
            </div>`;
          },
        )}
      </div>
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

  /** The rows in sight, and always the one in the tab order, so that the focus is never lost by scrolling. */
  private drawn(range: Range): number[] {
    const places = defaultRangeExtractor(range);
    const active = this.selectedPlace() ?? 0;
    return active >= range.count || places.includes(active) ? places : [...places, active].sort((a, b) => a - b);
  }

  private selectedPlace(): number | null {
    return this.selected === null ? null : (this.places.get(this.selected) ?? null);
  }

  private rowElement(place: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-place="${place}"]`);
  }

  private pick(place: number): void {
    const row = this.rows[place];
    if (row !== undefined) {
      this.focusSelected = true;
      this.actions?.select(row.index);
      this.requestUpdate();
    }
  }

  private readonly onScroll = (): void => {
    const top = this.scroller?.scrollTop ?? 0;
    const place = Math.floor(top / ROW_HEIGHT);
    const row = this.rows[place];
    this.anchor = top === 0 || row === undefined ? null : { index: row.index, offset: top - place * ROW_HEIGHT };
  };

  private readonly onScrollEnd = (): void => {
    this.actions?.setScroll(this.scroller?.scrollTop ?? 0);
  };

  private keepAnchor(): void {
    const place = this.anchor === null ? undefined : this.places.get(this.anchor.index);
    if (this.anchor !== null && place !== undefined && this.scroller !== null) {
      this.scroller.scrollTop = place * ROW_HEIGHT + this.anchor.offset;
    }
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const onRow = event.target instanceof HTMLElement && event.target.dataset["place"] !== undefined;
    const place = this.selectedPlace();
    const to = this.target(event, place);
    if (to !== null) {
      event.preventDefault();
      this.pick(to);
      return;
    }
    const row = place === null ? undefined : this.rows[place];
    if (!onRow || row === undefined) {
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
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || this.rows.length === 0) {
      return null;
    }
    const last = this.rows.length - 1;
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
