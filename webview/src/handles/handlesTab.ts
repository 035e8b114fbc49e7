import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { HandleRow, HandlesPage, MomentAsked } from "../../../extension/src/core/model/handlesPage";
import { HANDLE_USES, type HandleUse } from "../../../extension/src/core/model/resultHandle";
import { HANDLE_PAGE } from "../../../extension/src/protocol/handles";
import type { ThreadRow } from "../../../extension/src/protocol/webview";
import { button } from "../components/controls/button";
import { dropdown } from "../components/controls/dropdown";
import { type PageTurn, pager } from "../components/controls/pager";
import { icon } from "../components/icon";
import { calmly, middleTruncated } from "../components/text";
import { type Format, formatFor } from "../format";
import type { Actions } from "../session";
import { baseStyles } from "../styles/base";
import { pagerStyles } from "../styles/pager";
import { visibleLine } from "../visibleText";
import { handleDetails, timeOf, whyOf } from "./handleDetails";
import { readableMarks, useMarks } from "./handleMarks";
import { handleStrings as words } from "./handleStrings";
import { handleStyles } from "./handleStyles";
import type { HandlesState } from "./handlesLoader";

/** Every handle of the transcript: whether it can be read at a moment, and what the agent did with it. */
@customElement("cbi-handles")
export class HandlesTab extends LitElement {
  static override readonly styles = [...baseStyles, pagerStyles, handleStyles];

  @property({ attribute: false }) state: HandlesState | null = null;
  @property({ attribute: false }) threads: readonly ThreadRow[] = [];
  @property({ attribute: false }) locale = "en";
  @property({ attribute: false }) actions: Actions | null = null;
  /** Rows whose details are shown, by the index of their result. */
  @state() private open: ReadonlySet<number> = new Set();

  protected override render(): TemplateResult {
    const { state: shown } = this;
    const page = shown?.page ?? null;
    const format = formatFor(this.locale);
    if (shown === null || page === null) return this.renderWaiting(shown, format);
    const total = HANDLE_USES.reduce((sum, use) => sum + page.counts[use], 0);
    return html`<div class="page" role="region" aria-label=${words.label} aria-busy=${shown.loading}>
      ${this.renderError(shown)}
      ${
        total === 0
          ? html`<div class="empty">
              <p>${words.none}</p>
              <p class="quiet">${words.noneHint}</p>
              ${this.renderStale(shown)}
            </div>`
          : html`${this.renderSummary(page, shown, total, format)} ${this.renderControls(page, shown, format)}
              ${this.renderStale(shown)} ${this.renderList(page, shown, format)} ${this.renderPager(page, format)}
              ${this.renderNotes(page)}`
      }
    </div>`;
  }

  private renderWaiting(shown: HandlesState | null, format: Format): TemplateResult {
    const { progress = null, error = null } = shown ?? {};
    const share = progress === null || progress.total === 0 ? "" : format.percent(progress.done, progress.total);
    const text = progress === null ? words.loading : words.progressOf(words.progress[progress.what], share);
    return html`<div class="page" role="region" aria-label=${words.label}>
      ${error === null ? html`<p class="quiet" role="status">${calmly(text, progress === null ? words.loading : words.progress[progress.what])}</p>` : shown === null ? nothing : this.renderError(shown)}
    </div>`;
  }

  private renderError({ error }: HandlesState): TemplateResult | typeof nothing {
    return error === null
      ? nothing
      : html`<p class="failed" role="alert">
          ${icon("error", { tone: "error" })}<span>${words.failed(visibleLine(error))}</span>${button({
            label: words.again,
            press: () => this.actions?.handles.lookAgain(),
          })}
        </p>`;
  }

  private renderStale({ stale }: HandlesState): TemplateResult | typeof nothing {
    return stale
      ? html`<p class="stale" role="status">
          ${icon("info", { tone: "info" })}<span>${words.stale}</span>${button({
            label: words.lookAgain,
            press: () => this.actions?.handles.lookAgain(),
          })}
        </p>`
      : nothing;
  }

  /** Each number shows the handles that it counts. */
  private renderSummary(page: HandlesPage, shown: HandlesState, total: number, format: Format): TemplateResult {
    const used = HANDLE_USES.filter((use) => page.counts[use] > 0);
    return html`<h2 class="summary" aria-label=${words.summaryLabel}>
      ${words.count(format.count(total))}:
      ${used.map(
        (use, at) =>
          html`${at === 0 ? nothing : ", "}<button
              type="button"
              class="link"
              title=${words.uses[use].tip}
              aria-pressed=${shown.use === use}
              @click=${() => this.actions?.handles.setUse(shown.use === use ? null : use)}
            >${words.useOf(format.count(page.counts[use]), words.uses[use].word)}</button>`,
      )}${page.omitted === 0 ? nothing : html`<span class="quiet"> ${words.omitted(format.count(page.omitted))}</span>`}
    </h2>`;
  }

  private renderControls(page: HandlesPage, shown: HandlesState, format: Format): TemplateResult {
    const { moment } = shown;
    const handles = this.actions?.handles;
    return html`<div class="controls">
      <label
        >${words.use}
        ${dropdown({
          label: words.use,
          all: words.allUses,
          options: HANDLE_USES.map((use) => ({ value: use, label: words.uses[use].word })),
          value: shown.use,
          change: (value) => handles?.setUse(HANDLE_USES.find((use) => use === value) ?? null),
        })}</label
      >
      <label
        >${words.moment}
        ${dropdown({
          label: words.moment,
          all: words.moments.now,
          options: [
            { value: "end", label: words.moments.end },
            { value: "call", label: words.moments.call },
          ],
          value: moment.kind === "now" ? null : moment.kind,
          change: (value) => handles?.setMoment(chosen(value)),
        })}</label
      >
      ${moment.kind === "call" ? this.renderCall(page, moment, format) : nothing}
      <span class="quiet when">${when(page, shown, this.locale)}</span>
    </div>`;
  }

  private renderCall(
    { calls }: HandlesPage,
    moment: Extract<MomentAsked, { readonly kind: "call" }>,
    format: Format,
  ): TemplateResult {
    const handles = this.actions?.handles;
    const named = this.threads.filter((thread) => thread.calls > 0);
    return html`<label
        >${words.call}
        <input
          type="number"
          min="1"
          max=${calls?.count ?? 1}
          .value=${String(calls?.call ?? moment.call)}
          @change=${(event: Event) => {
            const call = Number((event.target as HTMLInputElement).value);
            if (Number.isSafeInteger(call) && call >= 1) handles?.setMoment({ ...moment, call });
          }}
        />
        <span class="quiet">${words.callOf(format.count(calls?.count ?? null))}</span></label
      >
      ${
        named.length < 2
          ? nothing
          : html`<label
              >${words.thread}
              ${dropdown({
                label: words.thread,
                all: words.mainThread,
                options: named.map(({ id, title }) => ({ value: id, label: visibleLine(title) })),
                value: moment.thread,
                change: (thread) => handles?.setMoment({ ...moment, thread }),
              })}</label
            >`
      }`;
  }

  private renderList(page: HandlesPage, shown: HandlesState, format: Format): TemplateResult {
    if (page.rows.length === 0) {
      return html`<div class="empty">
        <p>${words.noneUsed}</p>
        ${button({ label: words.showAll, press: () => this.actions?.handles.setUse(null) })}
      </div>`;
    }
    const { columns } = words;
    return html`<div class="list">
      <div class="row heads quiet" aria-hidden="true">
        <span></span><span>${columns.tool}</span><span class="name">${columns.name}</span><span>${columns.readable}</span
        ><span>${columns.use}</span>
      </div>
      <ul aria-label=${words.label} @keydown=${this.onKey}>
        ${page.rows.map((row) => this.renderRow(row, shown, format))}
      </ul>
    </div>`;
  }

  private renderRow(row: HandleRow, shown: HandlesState, format: Format): TemplateResult {
    const isOpen = this.open.has(row.row);
    const use = useMarks[row.use];
    const readable = readableMarks[row.readable];
    const tool = row.tool === null ? "–" : visibleLine(row.tool);
    return html`<li>
      <button
        type="button"
        class="row"
        aria-expanded=${isOpen}
        title=${whyOf(row)}
        @click=${() => this.toggle(row.row)}
      >
        ${icon(isOpen ? "chevron-down" : "chevron-right")}
        <span class="tool"
          ><span>${tool}</span>${row.call === null ? nothing : html`<span class="quiet">· ${words.callAt(format.count(row.call))}</span>`}</span
        >
        <span class="name">${middleTruncated(row.name)}</span>
        <span class="with-icon readable">${icon(readable.icon, { tone: readable.tone })}${words.readable[row.readable]}</span>
        <span class="with-icon use">${icon(use.icon, { tone: use.tone })}${useWords(row, format)}</span>
      </button>
      ${isOpen ? handleDetails({ row, moment: shown.moment, locale: this.locale, actions: this.actions }) : nothing}
    </li>`;
  }

  private renderPager(page: HandlesPage, format: Format): TemplateResult | typeof nothing {
    if (page.total <= HANDLE_PAGE.rows) return nothing;
    const last = Math.floor((page.total - 1) / HANDLE_PAGE.rows) * HANDLE_PAGE.rows;
    const to: Readonly<Record<PageTurn, number>> = {
      first: 0,
      previous: Math.max(0, page.from - HANDLE_PAGE.rows),
      next: Math.min(last, page.from + HANDLE_PAGE.rows),
      last,
    };
    return pager({
      label: words.pages.label,
      range: words.pages.range(
        format.count(page.from + 1),
        format.count(page.from + page.rows.length),
        format.count(page.total),
      ),
      words: words.pages.words,
      atFirst: page.from === 0,
      atLast: page.from >= last,
      turn: (turn) => this.actions?.handles.showFrom(to[turn]),
    });
  }

  /** What cannot be known of what is shown. */
  private renderNotes({ rows }: HandlesPage): TemplateResult {
    return html`<div class="notes quiet">
      ${rows.some(({ kind }) => kind === "store") ? html`<p>${words.storeNote}</p>` : nothing}
      ${
        rows.some(({ kind }) => kind === "file")
          ? html`<p>${rows.some(isSeen) ? html`${words.fileNote} ` : nothing}${words.readsNote}</p>`
          : nothing
      }
    </div>`;
  }

  private toggle(row: number): void {
    const open = new Set(this.open);
    if (!open.delete(row)) open.add(row);
    this.open = open;
  }

  /** Up and down go from handle to handle, Home and End to the first and the last. */
  private readonly onKey = (event: KeyboardEvent): void => {
    const rows = [...this.renderRoot.querySelectorAll<HTMLButtonElement>("button.row")];
    const focused = this.shadowRoot?.activeElement;
    const at = focused instanceof HTMLButtonElement ? rows.indexOf(focused) : -1;
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
  };
}

function chosen(value: string | null): MomentAsked {
  if (value === "end") return { kind: "end" };
  return value === "call" ? { kind: "call", thread: null, call: 1 } : { kind: "now" };
}

/** True when what is said of the handle rests on a look at its file. */
function isSeen({ kind, file }: HandleRow): boolean {
  return kind === "file" && file !== "outside" && file !== "not-checked" && file !== "none";
}

/** When the moment is, as far as that is more than its name. */
function when({ at, rows }: HandlesPage, { moment }: HandlesState, locale: string): string {
  if (moment.kind === "now") return "";
  if (at !== null) return words.at(timeOf(at, locale));
  const ends = moment.kind === "end" && rows.some(({ endAt }) => endAt !== null);
  return ends ? words.severalEnds : words.noTime;
}

function useWords({ use, readWell, repeatCount }: HandleRow, format: Format): string {
  const { word } = words.uses[use];
  const count: Readonly<Record<HandleUse, number>> = { read: readWell, repeated: repeatCount, never: 1, unknown: 1 };
  return count[use] > 1 ? `${word} ${format.count(count[use])}×` : word;
}

declare global {
  interface HTMLElementTagNameMap {
    "cbi-handles": HandlesTab;
  }
}
