import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { isFiltered } from "../../../extension/src/core/model/rowQuery";
import type { FullState } from "../../../extension/src/protocol/webview";
import { formatFor } from "../format";
import type { Actions, Notice, View } from "../session";
import { strings } from "../strings";
import { baseStyles } from "../styles/base";
import { inspectorStyles } from "../styles/inspector";
import { chosenThread, windowOf } from "../threads";
import type { Tab } from "../uiState";
import { visibleLine } from "../visibleText";
import { button } from "./controls/button";
import { panels } from "./controls/panels";
import type { FilterBar } from "./filterBar";
import { icon } from "./icon";
import "./detailPane";
import "./filterBar";
import "./overview";
import "./problemsList";
import "./progressLine";
import "./resultsTable";
import "./searchBar";
import "./splitView";
import "./transcriptHeader";
import "../handles/handlesTab";
import "../whatIf/whatIfPanel";

const words = strings.screens;

/** The page. Draws a session's view; all that happens goes through `actions`. */
@customElement("context-budget-inspector")
export class Inspector extends LitElement {
  static override readonly styles = [...baseStyles, inspectorStyles];

  @property({ attribute: false }) view: View | null = null;
  @property({ attribute: false }) actions: Actions | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.onKey);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (view === null) {
      return nothing;
    }
    if (view.disconnected !== null) {
      return this.screen("error", words.disconnected(view.disconnected), null, [
        { label: words.reload, press: () => this.actions?.reload() },
      ]);
    }
    const { model } = view;
    if (model === null) {
      return html`<cbi-transcript-header .header=${null}></cbi-transcript-header>`;
    }
    // An agent makes the file before it writes its first line.
    if (model.phase === "failed" && model.problems.some(({ code }) => code === "empty-file")) {
      return this.screen("info", words.emptyFile, words.emptyFileHint, [
        { label: words.reload, press: () => this.actions?.reload() },
      ]);
    }
    if (model.phase === "failed" && model.header === null) {
      return this.screen("error", words.failed, model.error, [
        { label: words.reload, press: () => this.actions?.reload() },
        { label: words.openTranscript, press: () => this.actions?.reveal(1) },
      ]);
    }
    return html`<cbi-transcript-header
        .header=${model.header}
        .glance=${view.glance}
        .threads=${model.threads}
        .chosen=${model.threads.length < 2 ? null : chosenThread(model.threads, view.ui.filter)}
        .live=${model.live}
        .locale=${model.locale}
        .actions=${this.actions}></cbi-transcript-header>
      ${this.renderPhase(model)} ${this.renderNotice(view.notice)} ${this.renderTabs(view, model)}`;
  }

  private renderPhase(model: FullState): TemplateResult | typeof nothing {
    const again = button({ label: words.readAgain, press: () => this.actions?.reload() });
    switch (model.phase) {
      case "cancelled": {
        const count = formatFor(model.locale).count(model.rows.count);
        return html`<div class="message" role="status">
          ${icon("circle-slash", { tone: "quiet" })}<span
            >${model.rows.count === 0 ? words.cancelledEmpty : words.cancelled(count)}</span
          >${again}
        </div>`;
      }
      case "failed":
        return html`<div class="message" role="alert">
          ${icon("error", { tone: "error" })}<span>${visibleLine(model.error ?? words.failed)}</span>${again}
        </div>`;
      case "reading":
      case "done":
        return nothing;
    }
  }

  /** Good news is only spoken; bad news also stands on the page until dismissed. */
  private renderNotice(notice: Notice | null): TemplateResult {
    return html`<div class="hidden-text" role="status">${notice?.kind === "info" ? notice.text : nothing}</div>
      ${
        notice?.kind === "error"
          ? html`<div class="message" role="alert">
              ${icon("error", { tone: "error" })}<span>${visibleLine(notice.text)}</span>${button({
                label: strings.notice.dismiss,
                kind: "icon",
                icon: "close",
                press: () => this.actions?.dismissNotice(),
              })}
            </div>`
          : nothing
      }`;
  }

  private renderTabs(view: View, model: FullState): TemplateResult {
    const format = formatFor(model.locale);
    const problems = format.count(model.problems.length + model.problemsOmitted);
    return panels(
      [
        {
          id: "overview",
          label: strings.tabs.overview,
          body: html`<cbi-overview
            .state=${view.overview}
            .windowTokens=${windowOf(view.overview.overview?.thread ?? null, model.threads, view.glance)?.tokens ?? null}
            .asTable=${view.ui.asTable}
            .locale=${model.locale}
            .actions=${this.actions}
          ></cbi-overview>`,
        },
        { id: "results", label: strings.tabs.results, body: this.renderResults(view, model) },
        {
          id: "handles",
          label: strings.tabs.handles,
          body: html`<cbi-handles
            .state=${view.handles}
            .threads=${model.threads}
            .locale=${model.locale}
            .actions=${this.actions}
          ></cbi-handles>`,
        },
        {
          id: "whatIf",
          label: strings.tabs.whatIf,
          body: html`<cbi-what-if
            .state=${view.whatIf}
            .selected=${view.ui.selected?.index ?? null}
            .withoutCalls=${model.phase === "done" && model.header?.calls === 0}
            .locale=${model.locale}
            .actions=${this.actions?.whatIf ?? null}
            .pick=${this.pickRow}
            .openTranscript=${this.openTranscript}
          ></cbi-what-if>`,
        },
        {
          id: "problems",
          label: strings.tabs.problems,
          ...(model.problems.length === 0 ? {} : { badge: problems, badgeLabel: strings.tabs.problemCount(problems) }),
          body: html`<cbi-problems-list
            .problems=${model.problems}
            .omitted=${model.problemsOmitted}
            .locale=${model.locale}
            .actions=${this.actions}
          ></cbi-problems-list>`,
        },
      ],
      view.tab,
      (id) => this.actions?.setTab(id as Tab),
      model.phase === "reading"
        ? html`<cbi-progress-line
            .progress=${model.progress}
            .locale=${model.locale}
            .cancel=${() => this.actions?.cancelReading()}
          ></cbi-progress-line>`
        : nothing,
    );
  }

  private renderResults(view: View, model: FullState): TemplateResult {
    if (model.rows.count === 0) {
      return model.phase === "reading"
        ? this.screen("info", words.stillReading, null, [])
        : this.screen("info", words.noResults, model.phase === "done" ? words.noResultsHint : null, [
            { label: words.openTranscript, press: () => this.actions?.reveal(1) },
          ]);
    }
    const { ui, rows } = view;
    const { actions } = this;
    return html`<div class="results">
      <cbi-filter-bar
        .filter=${ui.filter}
        .summary=${rows.summary}
        .threads=${model.threads}
        .shown=${rows.total ?? model.rows.count}
        .all=${rows.all ?? model.rows.count}
        .locale=${model.locale}
        .actions=${actions}
      ></cbi-filter-bar>
      <cbi-search-bar
        .query=${ui.query}
        .state=${view.search}
        .rows=${model.rows.count}
        .locale=${model.locale}
        .actions=${actions}
      ></cbi-search-bar>
      <cbi-split-view
        .share=${ui.split}
        @split-change=${(event: CustomEvent<number>) => actions?.setSplit(event.detail)}
      >
        ${
          rows.total === 0
            ? html`<div slot="first" class="no-match">
                <p>${view.search === null ? strings.table.noMatch : strings.search.noMatch}</p>
                ${isFiltered(ui.filter) ? button({ label: strings.filter.clear, press: () => actions?.clearFilter() }) : nothing}
                ${view.search === null ? nothing : button({ label: strings.search.clear, press: () => actions?.search(null) })}
              </div>`
            : html`<cbi-results-table
                slot="first"
                .rows=${rows}
                .calls=${model.header?.calls ?? 0}
                .sort=${ui.sort}
                .revealRequests=${view.revealRequests}
                .initialScroll=${ui.scrollTop}
                .locale=${model.locale}
                .actions=${actions}
              ></cbi-results-table>`
        }
        <cbi-detail-pane
          slot="second"
          .row=${view.selectedRow}
          .state=${view.detail}
          .page=${view.page}
          .copied=${view.copied}
          .hits=${view.search}
          .locale=${model.locale}
          .actions=${actions}
        ></cbi-detail-pane>
      </cbi-split-view>
    </div>`;
  }

  private screen(
    kind: "info" | "error",
    sentence: string,
    more: string | null,
    next: readonly { readonly label: string; readonly press: () => void }[],
  ): TemplateResult {
    return html`<div class="screen" role=${kind === "error" ? "alert" : nothing}>
      ${icon(kind, kind === "error" ? { tone: "error" } : { tone: "quiet" })}
      <p>${visibleLine(sentence)}</p>
      ${more === null ? nothing : html`<p class="quiet">${visibleLine(more)}</p>`}
      <div class="buttons">${next.map((action) => button(action))}</div>
    </div>`;
  }

  private readonly pickRow = (index: number, show: boolean): void => this.actions?.pickRow(index, show);

  private readonly openTranscript = (): void => this.actions?.reveal(1);

  private readonly onKey = (event: KeyboardEvent): void => {
    const from = event.composedPath()[0];
    const typing = from instanceof HTMLInputElement || from instanceof HTMLTextAreaElement;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const bar = this.renderRoot.querySelector<FilterBar>("cbi-filter-bar");
      if (bar !== null) {
        event.preventDefault();
        bar.focusText();
      }
    }
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "context-budget-inspector": Inspector;
  }
}
