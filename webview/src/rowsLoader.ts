import {
  type FoundRow,
  type ResultRow,
  type RowFilter,
  type RowRef,
  type RowSort,
  type RowSummary,
  refOf,
} from "../../extension/src/core/model/rowQuery";
import type { Calls, RowsNews } from "../../extension/src/protocol/webview";
import { type Rpc, RpcError, reasonOf } from "./rpc";

export interface PageQuery {
  readonly filter: RowFilter;
  readonly sort: RowSort;
  /** Number of the search whose hits narrow the rows; null = none does. */
  readonly search: number | null;
}

/** Places that the table draws, both included, and the first one in sight when it is scrolled. */
export interface Sight {
  readonly first: number;
  readonly last: number;
  readonly top: number | null;
}

/** What became of the scroll position when the rows were replaced. anchor: the row that was first in sight now stands at `place`. */
export type Move = { readonly to: "top" } | { readonly to: "stay" } | { readonly to: "anchor"; readonly place: number };

/** The rows at hand: those in sight and around. */
export interface RowsState {
  /** Rows that the query gives; null until the first answer. */
  readonly total: number | null;
  /** Rows of the transcript, as of the same moment. */
  readonly all: number | null;
  readonly summary: RowSummary | null;
  /** Grows when rows were replaced, not when more of the same came. */
  readonly epoch: number;
  readonly move: Move;
  /** The row at that place, if it is at hand. */
  at(place: number): ResultRow | null;
  /** Place that the keyboard went to: the selected row, or one that is still on its way. */
  readonly active: number | null;
  /** Undefined: not looked up yet. */
  readonly selected: FoundRow | null | undefined;
}

/** Rows beyond those in sight that should be at hand, so that scrolling does not outrun the answers. */
const MARGIN = 40;
/** Rows asked for beyond a gap, so that most steps of scrolling ask nothing. */
const AHEAD = 100;
/** Rows kept; farther ones are asked for again. */
export const MAX_AT_HAND = 1_000;
/** Rows that the first question asks for: more than a tall screen shows. */
const FIRST_ROWS = 80;

interface AtHand {
  /** Of the page's query. */
  readonly version: number;
  readonly revision: number;
  /** Steps of the search that were told when it was asked for. */
  readonly hits: number;
  readonly total: number;
  readonly all: number;
  readonly rows: Map<number, ResultRow>;
}

interface Question {
  readonly abort: AbortController;
  readonly version: number;
  readonly hits: number;
  readonly from: number;
  readonly to: number;
  /** What is at hand is replaced, a gap in it filled, or, with neither, only a row looked up. */
  readonly replaces: boolean;
  readonly fills: boolean;
}

export interface RowsListener {
  /** While nobody looks at the rows, nothing is asked; `wake` when somebody does again. */
  isShown(): boolean;
  changed(): void;
  failed(reason: string): void;
  /** The selected row was looked up, or is another object than before. */
  found(found: FoundRow): void;
}

/**
 * Keeps the rows in sight at hand, and little more. One question at a time: what comes up meanwhile is asked after its
 * answer, and one whose rows nobody wants any more is cancelled. What is at hand stays until what replaces it is there.
 */
export class RowsLoader {
  readonly #rpc: Rpc;
  readonly #listener: RowsListener;
  #query: PageQuery;
  #version = 0;
  #fromTop = false;
  #news: RowsNews = { revision: -1, count: 0 };
  #hits = 0;
  #sight: Sight = { first: 0, last: FIRST_ROWS - 1, top: null };
  #atHand: AtHand | null = null;
  #question: Question | null = null;
  #ref: RowRef | null = null;
  #selected: FoundRow | null | undefined = null;
  /** Rows were replaced since the selected one was looked up. */
  #mayHaveMoved = false;
  /** Place whose row is to be selected when it comes. */
  #pending: number | null = null;
  #summary: RowSummary | null = null;
  #epoch = 0;
  #move: Move = { to: "stay" };
  #state: RowsState | null = null;
  /** Asking again would fail again, until something is different. */
  #refused = false;

  constructor(rpc: Rpc, query: PageQuery, listener: RowsListener) {
    this.#rpc = rpc;
    this.#query = query;
    this.#listener = listener;
  }

  /** The same object until something changes. */
  get state(): RowsState {
    this.#state ??= this.#makeState();
    return this.#state;
  }

  #makeState(): RowsState {
    const rows = this.#atHand?.rows;
    const selected = this.#selected;
    return {
      total: this.#atHand?.total ?? null,
      all: this.#atHand?.all ?? null,
      summary: this.#summary,
      epoch: this.#epoch,
      move: this.#move,
      at: (place) => rows?.get(place) ?? (place === selected?.place ? selected.row : null),
      active: this.#pending ?? selected?.place ?? null,
      selected,
    };
  }

  /** Begins with the rows at this place in sight. */
  begin(first: number): void {
    this.#sight = { first, last: first + FIRST_ROWS - 1, top: null };
  }

  /** Rows in sight stay in sight as far as they pass; another order begins at its top. */
  setQuery(query: PageQuery): void {
    this.#state = null;
    this.#fromTop ||= query.sort !== this.#query.sort;
    this.#query = query;
    this.#version++;
    this.#pending = null;
    this.#next();
  }

  /** The host has rows of this revision. */
  setNews(news: RowsNews): void {
    this.#news = news;
    this.#next();
  }

  /** A search found more. */
  hitsCame(): void {
    this.#hits++;
    this.#next();
  }

  look(sight: Sight): void {
    this.#sight = sight;
    this.#next();
  }

  /** Null: nothing is selected. */
  select(ref: RowRef | null): void {
    this.#state = null;
    this.#pending = null;
    this.#ref = ref;
    this.#selected = ref === null ? null : this.#known(ref);
    this.#mayHaveMoved = false;
    this.#next();
  }

  /** Selects what stands at that place, now or when it comes; then `found` says so. Null: it has to come. */
  selectPlace(place: number): ResultRow | null {
    const row = this.#atHand?.rows.get(place) ?? null;
    this.#state = null;
    this.#pending = row === null ? place : null;
    if (row === null) {
      this.#next();
      return null;
    }
    this.#ref = refOf(row);
    this.#selected = { place, row };
    this.#mayHaveMoved = false;
    return row;
  }

  wake(): void {
    this.#next();
  }

  drop(): void {
    this.#question?.abort.abort();
    this.#question = null;
  }

  #known(ref: RowRef): FoundRow | undefined {
    // Rows of the query before say nothing of this one.
    if (this.#atHand?.version !== this.#version) return undefined;
    for (const [place, row] of this.#atHand.rows) {
      if (row.index === ref.index && (ref.callId === null || row.callId === ref.callId)) return { place, row };
    }
    return undefined;
  }

  #next(): void {
    this.#refused = false;
    this.#pump();
  }

  #pump(): void {
    const asked = this.#question;
    if (asked !== null) {
      const { first, last } = this.#wanted();
      const isFar = asked.to < first - MARGIN || asked.from > last + MARGIN;
      const useless = asked.version !== this.#version || (asked.fills && isFar);
      if (!useless) return;
      asked.abort.abort();
      this.#question = null;
    }
    if (this.#refused || !this.#listener.isShown()) return;
    if (this.#isStale()) this.#askAnew();
    else this.#askForGap();
  }

  #isStale(): boolean {
    const atHand = this.#atHand;
    if (atHand === null) return this.#news.revision >= 0;
    return atHand.version !== this.#version || atHand.revision < this.#news.revision || atHand.hits !== this.#hits;
  }

  /** Places that have to be at hand. */
  #wanted(): { readonly first: number; readonly last: number } {
    const { first, last } = this.#sight;
    const pending = this.#pending;
    if (pending === null || (pending >= first && pending <= last)) return { first, last };
    return { first: pending - AHEAD, last: pending + AHEAD };
  }

  #askAnew(): void {
    const { first, last, top } = this.#sight;
    const atHand = this.#atHand;
    const isOther = atHand !== null && atHand.version !== this.#version;
    const row = top === null || this.#fromTop ? undefined : atHand?.rows.get(top);
    const count = last - first + 1 + 2 * AHEAD;
    const from = isOther ? 0 : Math.max(0, first - AHEAD);
    const around = row === undefined || top === null ? null : { ref: refOf(row), before: top - first + AHEAD };
    this.#ask({ from, count, around, summary: true }, true);
  }

  #askForGap(): void {
    const atHand = this.#atHand;
    if (atHand === null) return;
    const wanted = this.#wanted();
    let first = Math.max(0, wanted.first - MARGIN);
    let last = Math.min(atHand.total - 1, wanted.last + MARGIN);
    while (first <= last && atHand.rows.has(first)) first++;
    while (last >= first && atHand.rows.has(last)) last--;
    const isLookup = this.#ref !== null && (this.#selected === undefined || this.#mayHaveMoved);
    if (first > last) {
      if (isLookup) this.#ask({ from: 0, count: 0, around: null, summary: false }, false);
      return;
    }
    // A gap at one side of what is at hand is being scrolled into: more of it comes along.
    const isOpenAbove = first > 0 && !atHand.rows.has(first - 1);
    const isOpenBelow = last < atHand.total - 1 && !atHand.rows.has(last + 1);
    if (isOpenAbove) first = Math.max(0, first - AHEAD);
    if (isOpenBelow) last = Math.min(atHand.total - 1, last + AHEAD);
    this.#ask({ from: first, count: last - first + 1, around: null, summary: false }, false);
  }

  #ask(part: Pick<Calls["rows"]["in"], "from" | "count" | "around" | "summary">, replaces: boolean): void {
    const abort = new AbortController();
    const question: Question = {
      abort,
      version: this.#version,
      hits: this.#hits,
      from: part.from,
      to: part.from + part.count - 1,
      replaces,
      fills: !replaces && part.count > 0,
    };
    this.#question = question;
    const ref = this.#ref;
    const call = this.#rpc.call("rows", { ...this.#query, ...part, find: ref === null ? [] : [ref] }, abort.signal);
    call.then(
      (answer) => {
        if (abort.signal.aborted) return;
        this.#question = null;
        this.#take(question, answer, ref);
        this.#pump();
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        this.#question = null;
        if (error instanceof RpcError && error.code === "disposed") return;
        this.#refused = true;
        this.#listener.failed(reasonOf(error));
      },
    );
  }

  #take(question: Question, answer: Calls["rows"]["out"], ref: RowRef | null): void {
    const atHand = this.#atHand;
    this.#state = null;
    if (question.replaces) this.#replace(question, answer);
    else if (answer.revision === atHand?.revision && question.hits === this.#hits) this.#fill(atHand, answer);
    // Rows of another moment do not fit to those at hand.
    else this.#news = { ...this.#news, revision: Math.max(answer.revision, this.#news.revision) };
    if (question.replaces) this.#mayHaveMoved = true;
    const [found] = answer.found;
    if (found !== undefined && ref !== null && ref === this.#ref) this.#takeFound(found);
    this.#takePending();
    this.#listener.changed();
  }

  #replace(question: Question, answer: Calls["rows"]["out"]): void {
    const isOther = this.#atHand !== null && this.#atHand.version !== question.version;
    const { revision, total, all, from, rows, around } = answer;
    this.#atHand = {
      version: question.version,
      revision,
      hits: question.hits,
      total,
      all,
      rows: new Map(rows.map((row, at) => [from + at, row])),
    };
    if (question.version === this.#version) this.#fromTop = false;
    this.#summary = answer.summary;
    this.#epoch++;
    this.#move = around !== null ? { to: "anchor", place: around } : { to: isOther ? "top" : "stay" };
  }

  #fill(atHand: AtHand, { from, rows }: Calls["rows"]["out"]): void {
    // An answer that brings nothing would be asked for again and again.
    this.#refused = rows.length === 0 && this.#selected !== undefined && !this.#mayHaveMoved;
    rows.forEach((row, at) => {
      atHand.rows.set(from + at, row);
    });
    if (atHand.rows.size <= MAX_AT_HAND) return;
    const { first, last } = this.#wanted();
    const middle = Math.floor((first + last) / 2);
    for (const place of atHand.rows.keys()) {
      if (Math.abs(place - middle) > MAX_AT_HAND / 4) atHand.rows.delete(place);
    }
  }

  #takeFound(found: FoundRow): void {
    this.#mayHaveMoved = false;
    const old = this.#selected;
    const row = found.row !== null && old?.row && isSameRow(old.row, found.row) ? old.row : found.row;
    this.#selected = { place: found.place, row };
    if (row !== null) this.#ref = refOf(row);
    if (old === undefined || old?.row !== row) this.#listener.found(this.#selected);
  }

  #takePending(): void {
    const place = this.#pending;
    const row = place === null ? undefined : this.#atHand?.rows.get(place);
    if (place === null) return;
    if (row !== undefined) {
      this.#pending = null;
      this.#ref = refOf(row);
      this.#selected = { place, row };
      this.#mayHaveMoved = false;
      this.#listener.found(this.#selected);
    } else if (place >= (this.#atHand?.total ?? 0)) this.#pending = null;
  }
}

function isSameRow(a: ResultRow, b: ResultRow): boolean {
  return (Object.keys(a) as (keyof ResultRow)[]).every((key) => a[key] === b[key]);
}
