import {
  CONTEXT_PLACES,
  type Facet,
  FILE_STATUSES,
  RESULT_STATES,
  ROW_LIMITS,
  type RowFacets,
} from "../model/rowQuery";
import type { RowColumns, TextColumn } from "./rowColumns";
import { FAILS } from "./rowFilter";

/** Per value: rows that have it, and those of them that pass every filter but the one on this column. */
class Counter {
  readonly all: Uint32Array;
  readonly shown: Uint32Array;

  constructor(values: number) {
    this.all = new Uint32Array(values);
    this.shown = new Uint32Array(values);
  }

  add(value: number, counts: boolean): void {
    this.all[value] = (this.all[value] ?? 0) + 1;
    if (counts) this.shown[value] = (this.shown[value] ?? 0) + 1;
  }

  facets<T extends string>(values: readonly T[]): readonly Facet<T>[] {
    return values.flatMap((value, at) => ((this.all[at] ?? 0) === 0 ? [] : [{ value, count: this.shown[at] ?? 0 }]));
  }

  /** Sorted by value; beyond the bound the rarest are left out, and values that no filter could name. */
  bounded({ texts }: TextColumn): { readonly listed: readonly Facet[]; readonly omitted: number } {
    const ids = texts.flatMap((_, id) => ((this.all[id] ?? 0) === 0 ? [] : [id]));
    const named = ids.filter((id) => (texts[id]?.length ?? 0) <= ROW_LIMITS.text);
    const kept = named.length <= ROW_LIMITS.facet ? named : this.commonest(named);
    const listed = kept.map((id) => ({ value: texts[id] ?? "", count: this.shown[id] ?? 0 }));
    listed.sort((a, b) => (a.value < b.value ? -1 : 1));
    return { listed, omitted: ids.length - listed.length };
  }

  private commonest(ids: readonly number[]): readonly number[] {
    return [...ids].sort((a, b) => (this.all[b] ?? 0) - (this.all[a] ?? 0)).slice(0, ROW_LIMITS.facet);
  }
}

/** Counts every value, in one pass over the rows' bits. */
export function rowFacets(columns: RowColumns, fails: Uint16Array, count: number): RowFacets {
  const thread = new Counter(columns.thread.texts.length);
  const tool = new Counter(columns.tool.texts.length);
  const state = new Counter(RESULT_STATES.length);
  const file = new Counter(FILE_STATUSES.length);
  const context = new Counter(CONTEXT_PLACES.length);
  for (let row = 0; row < count; row++) {
    const bits = fails[row] ?? 0;
    if (bits === FAILS.absent) continue;
    thread.add(columns.thread.id(row), (bits & ~FAILS.thread) === 0);
    tool.add(columns.tool.id(row), (bits & ~FAILS.tool) === 0);
    state.add(columns.state(row), (bits & ~FAILS.state) === 0);
    file.add(columns.file(row), (bits & ~FAILS.file) === 0);
    context.add(columns.left(row) ? 1 : 0, (bits & ~FAILS.context) === 0);
  }
  const tools = tool.bounded(columns.tool);
  const threads = thread.bounded(columns.thread);
  return {
    tools: tools.listed,
    toolsOmitted: tools.omitted,
    threads: threads.listed,
    threadsOmitted: threads.omitted,
    states: state.facets(RESULT_STATES),
    files: file.facets(FILE_STATUSES),
    context: context.facets(CONTEXT_PLACES),
  };
}
