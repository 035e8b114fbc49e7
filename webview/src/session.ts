import type { SearchQuery } from "../../extension/src/core/model/search";
import type { CallName, Calls, CopyWhat, FullState, ResultRow } from "../../extension/src/protocol/webview";
import { PROTOCOL_VERSION } from "../../extension/src/protocol/webview";
import { DetailLoader, type DetailState } from "./detailLoader";
import { OverviewLoader, type OverviewState } from "./overviewLoader";
import {
  type Facets,
  type Filter,
  facetsOf,
  filterRows,
  NO_FILTER,
  nextSort,
  type Sort,
  type SortKey,
  sortRows,
  totalChars,
} from "./rows";
import { Rpc, RpcError, reasonOf, type Transport } from "./rpc";
import { SearchRunner, type SearchState } from "./searchRunner";
import { type Model, reduce } from "./state";
import { strings } from "./strings";
import { clampSplit, restoreUi, type Tab, type UiState } from "./uiState";

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
  setFilter(change: Partial<Filter>): void;
  clearFilter(): void;
  sortBy(key: SortKey): void;
  /** Looks inside the results; null ends the search and shows all rows again. */
  search(query: SearchQuery | null): void;
  cancelSearch(): void;
  select(index: number): void;
  setScroll(pixels: number): void;
  setSplit(share: number): void;
  openFull(index: number): void;
  reveal(line: number): void;
  copy(index: number, what: CopyWhat): void;
  rebase(): void;
  cancelReading(): void;
  reload(): void;
  retryDetail(): void;
  dismissNotice(): void;
}

/** Everything the page needs to draw itself. Derived lists keep their identity while their inputs do. */
export interface View {
  readonly model: Model;
  readonly ui: UiState;
  /** The tab that is shown: the user's choice, or what there is to see. */
  readonly tab: Tab;
  readonly overview: OverviewState;
  readonly search: SearchState | null;
  readonly visible: readonly ResultRow[];
  readonly visibleChars: number;
  readonly facets: Facets;
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
  #derived: Derived | null = null;
  readonly #detail: DetailLoader;
  readonly #overview: OverviewLoader;
  readonly #search: SearchRunner;
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
        const before = this.#selectedRow();
        this.#model = reduce(this.#model, message);
        this.#keepSelected(before);
        if (message.e === "search/hits") {
          this.#search.take(message.body);
        } else if (message.e === "select/row") {
          this.#revealRow(message.body.index);
        } else {
          this.#dataChanged(before, message.e === "state/full");
        }
      },
      badMessage: (what) => this.#say({ kind: "error", text: strings.notice.badMessage(what) }),
    });
    this.#detail = new DetailLoader(this.#rpc, changed);
    this.#overview = new OverviewLoader(this.#rpc, changed);
    this.#search = new SearchRunner(this.#rpc, changed);
  }

  get view(): View {
    const derived = this.#derive();
    return {
      model: this.#model,
      ui: this.#ui,
      tab: this.#tab(),
      overview: this.#overview.state,
      search: this.#search.state,
      visible: derived.visible,
      visibleChars: derived.visibleChars,
      facets: derived.facets,
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
      const before = this.#selectedRow();
      this.#model = full;
      this.#dataChanged(before, true);
      if (this.#ui.query !== null && this.#search.state === null) {
        this.#search.run(this.#ui.query, full.rows.length);
      }
    } catch (error) {
      this.#disconnected = reasonOf(error);
      this.#changed();
    }
  }

  dispose(): void {
    this.#detail.drop();
    this.#overview.drop();
    this.#search.drop();
    this.#rpc.dispose();
  }

  setTab(tab: Tab): void {
    if (tab !== this.#tab()) {
      this.#setUi({ tab });
      this.#loadOverview();
    }
  }

  showThread(thread: string): void {
    this.#setUi({ thread });
    this.#loadOverview();
  }

  setAsTable(asTable: boolean): void {
    this.#setUi({ asTable });
  }

  setFilter(change: Partial<Filter>): void {
    this.#setUi({ filter: { ...this.#ui.filter, ...change } });
  }

  clearFilter(): void {
    this.#setUi({ filter: NO_FILTER });
  }

  sortBy(key: SortKey): void {
    const sort: Sort = nextSort(this.#ui.sort, key);
    this.#notice = {
      kind: "info",
      text:
        sort === null
          ? strings.notice.sortedByOrder
          : strings.notice.sorted(strings.columns[sort.key].head, sort.descending),
    };
    this.#setUi({ sort });
  }

  search(query: SearchQuery | null): void {
    this.#setUi({ query });
    if (query === null) {
      this.#search.clear();
    } else {
      this.#search.run(query, this.#model?.rows.length ?? 0);
    }
  }

  cancelSearch(): void {
    this.#search.cancel();
  }

  select(index: number): void {
    if (index !== this.#ui.selected) {
      this.#copied = null;
      this.#setUi({ selected: index });
      this.#loadDetail();
    }
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
    const row = rowAt(this.#model, index);
    if (detail !== null && !detail.canOpenFull && row !== null) {
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

  /** From the tree: the row must end up on screen, so filters that hide it are cleared. */
  #revealRow(index: number): void {
    const row = rowAt(this.#model, index);
    const hidden = row !== null && filterRows([row], this.#ui.filter).length === 0;
    this.#revealRequests++;
    this.#copied = null;
    if (row !== null && this.#search.state?.hits.has(index) === false) {
      this.search(null);
    }
    this.#setUi({ tab: "results", selected: index, ...(hidden ? { filter: NO_FILTER } : {}) });
    this.#loadDetail();
  }

  /** A call that waits for its result is listed last; when others came before it, the selection goes along. */
  #keepSelected(before: ResultRow | null): void {
    const now = this.#selectedRow();
    if (before?.state !== "missing" || before.callId === null || now?.callId === before.callId) {
      return;
    }
    const same = this.#model?.rows.find((row) => row.callId === before.callId && row.thread === before.thread);
    if (same !== undefined) {
      this.#ui = { ...this.#ui, selected: same.index };
      this.#store.set(this.#ui);
    }
  }

  #dataChanged(before: ResultRow | null, replaced: boolean): void {
    const row = this.#selectedRow();
    if (row !== null && (replaced || before !== row)) {
      this.#loadDetail();
    } else if (row === null && replaced) {
      this.#detail.drop();
    }
    this.#changed();
    this.#loadOverview();
  }

  #tab(): Tab {
    const model = this.#model;
    const nothing = model !== null && model.rows.length === 0 && model.phase !== "reading";
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
    return this.#ui.selected === null ? null : rowAt(this.#model, this.#ui.selected);
  }

  #derive(): Derived {
    const rows = this.#model?.rows ?? NO_ROWS;
    const { filter, sort } = this.#ui;
    const hits = this.#search.state?.hits ?? null;
    const last = this.#derived;
    if (last !== null && last.rows === rows && last.filter === filter && last.sort === sort && last.hits === hits) {
      return last;
    }
    const found = hits === null ? rows : rows.filter((row) => hits.has(row.index));
    const visible = sortRows(filterRows(found, filter), sort);
    this.#derived = {
      rows,
      filter,
      sort,
      hits,
      visible,
      visibleChars: totalChars(visible),
      facets: last !== null && last.rows === rows ? last.facets : facetsOf(rows),
    };
    return this.#derived;
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

interface Derived {
  readonly rows: readonly ResultRow[];
  readonly filter: Filter;
  readonly sort: Sort;
  readonly hits: SearchState["hits"] | null;
  readonly visible: readonly ResultRow[];
  readonly visibleChars: number;
  readonly facets: Facets;
}

const NO_ROWS: readonly ResultRow[] = [];

/** Rows arrive in the order of their index, so the place is nearly always the index itself. */
function rowAt(model: FullState | null, index: number): ResultRow | null {
  const rows = model?.rows ?? NO_ROWS;
  const guess = rows[index];
  return guess?.index === index ? guess : (rows.find((row) => row.index === index) ?? null);
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
