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
import type { CallName, Calls, CopyWhat, DetailMask } from "../../extension/src/protocol/webview";
import { PROTOCOL_VERSION } from "../../extension/src/protocol/webview";
import { DetailLoader, type DetailState } from "./detailLoader";
import { OverviewLoader, type OverviewState } from "./overviewLoader";
import { ROW_HEIGHT } from "./rowHeight";
import { nextSort } from "./rows";
import { type PageQuery, RowsLoader, type RowsState, type Sight } from "./rowsLoader";
import { Rpc, RpcError, reasonOf, type Transport } from "./rpc";
import { SearchRunner, type SearchState } from "./searchRunner";
import { type Model, reduce } from "./state";
import { strings } from "./strings";
import { clampSplit, restoreUi, type Tab, type UiState } from "./uiState";
import { type WhatIfActions, WhatIfLoader } from "./whatIf/whatIfLoader";
import type { WhatIfState } from "./whatIf/whatIfState";

/** The page's own store: `getState`/`setState` of the webview. */
export interface UiStore {
  get(): unknown;
  set(state: UiState): void;
}

export interface Notice {
  readonly kind: "info" | "error";
  readonly text: string;
}

/** The last thing copied, so that its button can say so. */
export interface Copied {
  readonly index: number;
  readonly what: CopyWhat;
}

/** What the user can do; components get this and nothing else of the session. */
export interface Actions {
  setTab(tab: Tab): void;
  showThread(thread: string): void;
  setAsTable(asTable: boolean): void;
  setFilter(change: Partial<RowFilter>): void;
  clearFilter(): void;
  sortBy(key: SortKey): void;
  /** Looks inside the results; null ends the search and shows all rows again. */
  search(query: SearchQuery | null): void;
  cancelSearch(): void;
  /** The result at that place of the table, also when its row is not at hand yet. */
  selectPlace(place: number): void;
  /** The result of that index; `show` also goes to the results and brings it into view. */
  pickRow(index: number, show: boolean): void;
  readonly whatIf: WhatIfActions;
  /** What the table draws. */
  look(sight: Sight): void;
  setScroll(pixels: number): void;
  setSplit(share: number): void;
  openFull(index: number): void;
  reveal(line: number): void;
  copy(index: number, what: CopyWhat): void;
  rebase(): void;
  cancelReading(): void;
  reload(): void;
  retryDetail(): void;
  /** Shows a secret of the selected result instead of its mask, or the mask again. */
  showSecret(index: number, mask: DetailMask, show: boolean): void;
  dismissNotice(): void;
}

/** Everything the page needs to draw itself. */
export interface View {
  readonly model: Model;
  readonly ui: UiState;
  /** The tab that is shown: the user's choice, or what there is to see. */
  readonly tab: Tab;
  readonly overview: OverviewState;
  readonly whatIf: WhatIfState;
  readonly search: SearchState | null;
  readonly rows: RowsState;
  readonly selectedRow: ResultRow | null;
  readonly detail: DetailState | null;
  readonly notice: Notice | null;
  readonly copied: Copied | null;
  /** Counts requests to bring the selected row into view. */
  readonly revealRequests: number;
  /** Why no full state came; null while waiting or connected. */
  readonly disconnected: string | null;
}

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
  readonly #search: SearchRunner;
  readonly whatIf: WhatIfLoader;
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
    this.#search = new SearchRunner(this.#rpc, changed);
    this.whatIf = new WhatIfLoader(this.#rpc, changed, this.#ui.whatIf, (whatIf) => {
      this.#ui = { ...this.#ui, whatIf };
      this.#store.set(this.#ui);
    });
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
      whatIf: this.whatIf.state,
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
    this.#search.drop();
    this.whatIf.drop();
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

  showThread(thread: string): void {
    this.#setUi({ thread });
    this.#loadOverview();
  }

  setAsTable(asTable: boolean): void {
    this.#setUi({ asTable });
  }

  setFilter(change: Partial<RowFilter>): void {
    const filter = { ...this.#ui.filter, ...change };
    this.#setUi({ filter: { ...filter, text: filter.text.slice(0, ROW_LIMITS.text) } });
    this.#rows.setQuery(this.#query());
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

  showSecret(index: number, mask: DetailMask, show: boolean): void {
    const { at, units } = mask;
    if (show) {
      void this.#ask("showSecret", { index, at, units }, ({ text }) => this.#detail.showSecret(index, mask, text));
    } else {
      this.#detail.showSecret(index, mask, null);
    }
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
    this.showThread(thread);
    this.whatIf.change({ t: "thread", thread });
  }

  /** The selected row was looked up: it is known, or became another, or is gone. */
  #found({ place, row }: FoundRow): void {
    if (row === null) {
      this.#detail.drop();
      return;
    }
    this.#select(row);
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
    if (row.index !== this.#ui.selected?.index) {
      this.#copied = null;
    }
    this.#setUi({ selected });
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
    }
    this.#changed();
    this.#loadOverview();
    this.#lookAtWhatIf();
  }

  #lookAtWhatIf(): void {
    this.whatIf.setVisible(this.#model !== null && this.#tab() === "whatIf");
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
