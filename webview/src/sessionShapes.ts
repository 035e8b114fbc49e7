import type { ResultRow, RowFilter, SortKey } from "../../extension/src/core/model/rowQuery";
import type { SearchQuery } from "../../extension/src/core/model/search";
import type { CopyWhat, Glance } from "../../extension/src/protocol/webview";
import type { DetailState, SecretActions } from "./detailLoader";
import type { HandlesActions, HandlesState } from "./handles/handlesLoader";
import type { OverviewState } from "./overviewLoader";
import type { PageActions, PageState } from "./pageLoader";
import type { RowsState, Sight } from "./rowsLoader";
import type { SearchState } from "./searchRunner";
import type { Model } from "./state";
import type { Tab, UiState } from "./uiState";
import type { WhatIfActions } from "./whatIf/whatIfLoader";
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
  readonly handles: HandlesActions;
  /** Pages of the selected result's full output. */
  readonly pages: PageActions;
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
  readonly secrets: SecretActions;
  dismissNotice(): void;
}

/** Everything the page needs to draw itself. */
export interface View {
  readonly model: Model;
  readonly ui: UiState;
  /** The tab that is shown: the user's choice, or what there is to see. */
  readonly tab: Tab;
  readonly overview: OverviewState;
  readonly glance: Glance;
  readonly whatIf: WhatIfState;
  readonly handles: HandlesState;
  readonly page: PageState | null;
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
