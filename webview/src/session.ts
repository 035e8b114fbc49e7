import {
  type FoundRow,
  isFiltered,
  NO_FILTER,
  type ResultRow,
  ROW_LIMITS,
  type RowFilter,
  type RowRef,
  refOf,
  type SortKey,
} from "../../extension/src/core/model/rowQuery";
import type { SearchQuery } from "../../extension/src/core/model/search";
import type { CallName, Calls, CopyWhat } from "../../extension/src/protocol/webview";
import { PROTOCOL_VERSION } from "../../extension/src/protocol/webview";
import { DetailLoader, type SecretActions } from "./detailLoader";
import { GlanceLoader } from "./glanceLoader";
import { HandlesLoader } from "./handles/handlesLoader";
import { OverviewLoader } from "./overviewLoader";
import { PageLoader } from "./pageLoader";
import { ROW_HEIGHT } from "./rowHeight";
import { nextSort } from "./rows";
import { type PageQuery, RowsLoader, type Sight } from "./rowsLoader";
import { Rpc, RpcError, reasonOf, type Transport } from "./rpc";
import { SearchRunner } from "./searchRunner";
import type { Actions, Copied, Notice, UiStore, View } from "./sessionShapes";
import { type Model, reduce } from "./state";
import { strings } from "./strings";
import { keptThread } from "./threads";
import { clampSplit, restoreUi, type Tab, type UiState } from "./uiState";
import { WhatIfLoader } from "./whatIf/whatIfLoader";

export type { Actions, Copied, Notice, UiStore, View } from "./sessionShapes";

/** Joins wire, data and what the user has set. No DOM: the page draws `view`, tests read it. */
export class Session implements Actions {
  readonly #rpc: Rpc;
  readonly #store: UiStore;
  readonly #changed: () => void;
  #model: Model = null;
  #ui: UiState;
  readonly #rows: RowsLoader;
  /** A row has to come into view that was not looked up yet. */
  #revealing = false;
  readonly #detail: DetailLoader;
  readonly #overview: OverviewLoader;
  readonly #glance: GlanceLoader;
  readonly #search: SearchRunner;
  readonly whatIf: WhatIfLoader;
  readonly handles: HandlesLoader;
  readonly pages: PageLoader;
  #notice: Notice | null = null;
  #copied: Copied | null = null;
  #revealRequests = 0;
  #disconnected: string | null = null;

  constructor(transport: Transport, store: UiStore, changed: () => void) {
    this.#store = store;
    this.#changed = changed;
    this.#ui = restoreUi(store.get());
    this.#rpc = new Rpc(transport, {
      event: (message) => {
        this.#model = reduce(this.#model, message);
        this.whatIf.take(message);
        this.handles.take(message);
        if (message.e === "search/hits") {
          this.#search.take(message.body);
          this.#rows.hitsCame();
        } else if (message.e === "select/row") {
          this.#revealRow(message.body.index);
        } else if (message.e === "select/thread") {
          this.#onlyThread(message.body.thread);
        } else if (message.e !== "whatIf/progress" && message.e !== "whatIf/stale") {
          this.#dataChanged(message.e === "state/full");
        }
      },
      badMessage: (what) => this.#say({ kind: "error", text: strings.notice.badMessage(what) }),
    });
    this.#detail = new DetailLoader(this.#rpc, changed);
    this.#overview = new OverviewLoader(this.#rpc, changed);
    this.#glance = new GlanceLoader(this.#rpc, changed);
    this.#search = new SearchRunner(this.#rpc, changed);
    this.whatIf = new WhatIfLoader(this.#rpc, changed, this.#ui.whatIf, (whatIf) => {
      this.#ui = { ...this.#ui, whatIf };
      this.#store.set(this.#ui);
    });
    this.handles = new HandlesLoader(this.#rpc, changed, this.#ui.handles, (handles) => this.#setUi({ handles }));
    this.pages = new PageLoader(this.#rpc, (page) => this.#setUi({ page }));
    this.#rows = new RowsLoader(this.#rpc, this.#query(), {
      changed,
      isShown: () => this.#tab() === "results",
      failed: (reason) => this.#say({ kind: "error", text: strings.notice.failed(reason) }),
      found: (found) => this.#found(found),
    });
    this.#rows.begin(Math.floor(this.#ui.scrollTop / ROW_HEIGHT));
    this.#rows.select(this.#ui.selected);
  }

  get view(): View {
    return {
      model: this.#model,
      ui: this.#ui,
      tab: this.#tab(),
      overview: this.#overview.state,
      glance: this.#glance.state,
      whatIf: this.whatIf.state,
      handles: this.handles.state,
      page: this.pages.state,
      search: this.#search.state,
      rows: this.#rows.state,
      selectedRow: this.#selectedRow(),
      detail: this.#detail.state,
      notice: this.#notice,
      copied: this.#copied,
      revealRequests: this.#revealRequests,
      disconnected: this.#disconnected,
    };
  }

  /** Announces the page and takes the full state from the reply. */
  async start(): Promise<void> {
    this.#disconnected = null;
    try {
      const full = await this.#rpc.call("ready", { version: PROTOCOL_VERSION });
      this.#model = full;
      if (this.#ui.query !== null && this.#search.state === null) {
        this.#search.run(this.#ui.query, full.rows.count);
        this.#rows.setQuery(this.#query());
      }
      this.#dataChanged(true);
    } catch (error) {
      this.#disconnected = reasonOf(error);
      this.#changed();
    }
  }

  dispose(): void {
    this.#detail.drop();
    this.#overview.drop();
    this.#glance.drop();
    this.#search.drop();
    this.whatIf.drop();
    this.handles.drop();
    this.pages.drop();
    this.#rows.drop();
    this.#rpc.dispose();
  }

  setTab(tab: Tab): void {
    if (tab !== this.#tab()) {
      this.#setUi({ tab });
      this.#rows.wake();
      this.#loadOverview();
      this.#lookAtWhatIf();
    }
  }

  setAsTable(asTable: boolean): void {
    this.#setUi({ asTable });
  }

  setFilter(change: Partial<RowFilter>): void {
    const filter = { ...this.#ui.filter, ...change };
    this.#setUi({ filter: { ...filter, text: filter.text.slice(0, ROW_LIMITS.text) } });
    this.#rows.setQuery(this.#query());
    const thread = keptThread(filter);
    if (thread !== null && thread !== this.#ui.thread) {
      this.#setUi({ thread });
      this.#loadOverview();
    }
  }

  clearFilter(): void {
    this.setFilter(NO_FILTER);
  }

  sortBy(key: SortKey): void {
    const sort = nextSort(this.#ui.sort, key);
    this.#notice = {
      kind: "info",
      text:
        sort === null
          ? strings.notice.sortedByOrder
          : strings.notice.sorted(strings.columns[sort.key].head, sort.descending),
    };
    this.#setUi({ sort });
    this.#rows.setQuery(this.#query());
  }

  search(query: SearchQuery | null): void {
    this.#setUi({ query });
    if (query === null) {
      this.#search.clear();
    } else {
      this.#search.run(query, this.#model?.rows.count ?? 0);
    }
    this.#rows.setQuery(this.#query());
  }

  cancelSearch(): void {
    this.#search.cancel();
  }

  selectPlace(place: number): void {
    this.#revealing = false;
    const row = this.#rows.selectPlace(place);
    if (row === null) {
      this.#changed();
    } else if (row.index !== this.#ui.selected?.index) {
      this.#select(row);
      this.#loadDetail();
    }
  }

  pickRow(index: number, show: boolean): void {
    if (show) {
      this.#revealRow(index);
    } else if (index !== this.#ui.selected?.index) {
      this.#setUi({ selected: { index, thread: null, callId: null } });
      this.#rows.select(this.#ui.selected);
    }
  }

  look(sight: Sight): void {
    this.#rows.look(sight);
  }

  setScroll(pixels: number): void {
    if (pixels !== this.#ui.scrollTop) {
      this.#ui = { ...this.#ui, scrollTop: pixels };
      this.#store.set(this.#ui); // nothing to redraw
    }
  }

  setSplit(share: number): void {
    this.#setUi({ split: clampSplit(share) });
  }

  /** Where there is no full output to open, the record in the transcript is what there is to see. */
  openFull(index: number): void {
    const detail = this.#detail.known(index);
    const row = this.#selectedRow();
    if (detail !== null && !detail.canOpenFull && row?.index === index) {
      this.reveal(row.line);
      return;
    }
    void this.#ask("openFull", { index }, (reply) => {
      if (!reply.opened) {
        this.#say({ kind: "info", text: strings.notice.notOpened });
      }
    });
  }

  reveal(line: number): void {
    void this.#ask("reveal", { line });
  }

  copy(index: number, what: CopyWhat): void {
    void this.#ask("copy", { index, what }, (reply) => {
      this.#copied = reply.copied ? { index, what } : null;
      this.#say({ kind: "info", text: reply.copied ? copiedText(what) : strings.notice.notCopied });
    });
  }

  rebase(): void {
    void this.#ask("rebase", {}, (reply) => {
      if (reply.changed) {
        this.#loadDetail();
      }
    });
  }

  cancelReading(): void {
    void this.#ask("cancelReading", {});
  }

  reload(): void {
    if (this.#model === null) {
      void this.start();
    } else {
      void this.#ask("reload", {});
    }
  }

  retryDetail(): void {
    this.#loadDetail();
  }

  get secrets(): SecretActions {
    return this.#detail;
  }

  dismissNotice(): void {
    this.#say(null);
  }

  async #ask<M extends CallName>(
    method: M,
    body: Calls[M]["in"],
    then?: (reply: Calls[M]["out"]) => void,
  ): Promise<void> {
    try {
      const reply = await this.#rpc.call(method, body);
      then?.(reply);
    } catch (error) {
      if (!isQuiet(error)) {
        this.#say({ kind: "error", text: strings.notice.failed(reasonOf(error)) });
      }
    }
  }

  /** From the tree: the row must end up on screen, so what hides it is cleared once that is known. */
  #revealRow(index: number): void {
    this.#revealing = true;
    this.#copied = null;
    this.#setUi({ tab: "results", selected: { index, thread: null, callId: null } });
    this.#lookAtWhatIf();
    this.#rows.select(this.#ui.selected);
    const { selected } = this.#rows.state;
    if (selected) this.#found(selected);
  }

  /** From the tree: the results of this thread only, and its timeline. */
  #onlyThread(thread: string): void {
    this.setFilter({ ...NO_FILTER, threads: [thread] });
    this.whatIf.change({ t: "thread", thread });
  }

  /** The selected row was looked up: it is known, or became another, or is gone. */
  #found({ place, row }: FoundRow): void {
    if (row === null) {
      this.#detail.drop();
      return;
    }
    this.#select(row);
    this.#restorePage(row);
    this.#loadDetail();
    if (!this.#revealing) {
      return;
    }
    if (place !== null) {
      this.#revealing = false;
      this.#revealRequests++;
      this.#changed();
    } else if (isFiltered(this.#ui.filter) || this.#search.state !== null) {
      this.#search.drop();
      this.#setUi({ query: null, filter: NO_FILTER });
      this.#rows.select(refOf(row));
      this.#rows.setQuery(this.#query());
    }
  }

  #select(row: ResultRow): void {
    const selected: RowRef = refOf(row);
    const before = this.#ui.selected;
    if (row.index !== before?.index) {
      this.#copied = null;
      // A transcript that was written anew has the same result at another place.
      if (before !== null && before.callId !== null && before.callId === row.callId)
        this.pages.follow(before.index, row.index);
      else {
        this.pages.close();
        this.#ui = { ...this.#ui, page: null };
      }
    }
    this.#setUi({ selected });
  }

  /** After the page was made anew it goes on where it was. */
  #restorePage(row: ResultRow): void {
    const { page } = this.#ui;
    if (page !== null && this.pages.state === null) this.pages.show(row.index, page);
  }

  #query(): PageQuery {
    return { filter: this.#ui.filter, sort: this.#ui.sort, search: this.#search.number };
  }

  #dataChanged(replaced: boolean): void {
    if (this.#model !== null) {
      this.#rows.setNews(this.#model.rows);
    }
    if (replaced && this.#selectedRow() !== null) {
      this.#loadDetail();
      this.pages.again();
    }
    this.#changed();
    this.#glance.follow(this.#model);
    this.#loadOverview();
    this.#lookAtWhatIf();
  }

  #lookAtWhatIf(): void {
    this.whatIf.setVisible(this.#model !== null && this.#tab() === "whatIf");
    this.handles.setVisible(this.#model !== null && this.#tab() === "handles");
  }

  #tab(): Tab {
    const model = this.#model;
    const nothing = model !== null && model.rows.count === 0 && model.phase !== "reading";
    return this.#ui.tab ?? (nothing ? "overview" : "results");
  }

  /** Asked for only while it is looked at. */
  #loadOverview(): void {
    if (this.#model !== null && this.#tab() === "overview") {
      this.#overview.load(this.#ui.thread);
    }
  }

  #loadDetail(): void {
    const row = this.#selectedRow();
    if (row === null) {
      this.#detail.drop();
      this.#changed();
    } else {
      this.#detail.load(row.index);
    }
  }

  #selectedRow(): ResultRow | null {
    return this.#rows.state.selected?.row ?? null;
  }

  #setUi(change: Partial<UiState>): void {
    this.#ui = { ...this.#ui, ...change };
    this.#store.set(this.#ui);
    this.#changed();
  }

  #say(notice: Notice | null): void {
    this.#notice = notice;
    this.#changed();
  }
}

function copiedText(what: CopyWhat): string {
  return what === "path"
    ? strings.notice.copiedPath
    : what === "handle"
      ? strings.notice.copiedHandle
      : strings.notice.copied;
}

/** Closing the page or cancelling is no news to the user. */
function isQuiet(error: unknown): boolean {
  return error instanceof RpcError && (error.code === "disposed" || error.code === "cancelled");
}
