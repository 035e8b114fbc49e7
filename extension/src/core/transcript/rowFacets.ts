import {
  CONTEXT_PLACES,
  type Facet,
  FILE_STATUSES,
  RESULT_STATES,
  ROW_LIMITS,
  type RowFacets,
} from "../model/rowQuery";
import type { RowColumns, TextColumn } from "./rowColumns";
import type { RowFigures } from "./rowFigures";
import { FAILS } from "./rowFilter";

/** Per value, by its id: rows that have it, and those of them that pass every filter but the one on this column. */
interface Counts {
  readonly all: Uint32Array;
  readonly shown: Uint32Array;
}

function counts(values: number): Counts {
  return { all: new Uint32Array(values), shown: new Uint32Array(values) };
}

function add({ all, shown }: Counts, value: number, counted: boolean): void {
  if (value < 0) return;
  all[value] = (all[value] ?? 0) + 1;
  if (counted) shown[value] = (shown[value] ?? 0) + 1;
}

function facets<T extends string>(values: readonly T[], { all, shown }: Counts): readonly Facet<T>[] {
  return values.flatMap((value, at) => ((all[at] ?? 0) === 0 ? [] : [{ value, count: shown[at] ?? 0 }]));
}

/** Sorted by value; beyond the bound the rarest are left out, and values that no filter could name. */
function bounded(
  { texts }: TextColumn,
  { all, shown }: Counts,
): { readonly listed: readonly Facet[]; readonly omitted: number } {
  const ids = texts.flatMap((_, id) => ((all[id] ?? 0) === 0 ? [] : [id]));
  const named = ids.filter((id) => (texts[id]?.length ?? 0) <= ROW_LIMITS.text);
  const kept =
    named.length <= ROW_LIMITS.facet
      ? named
      : named.sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0)).slice(0, ROW_LIMITS.facet);
  const listed = kept.map((id) => ({ value: texts[id] ?? "", count: shown[id] ?? 0 }));
  listed.sort((a, b) => (a.value < b.value ? -1 : 1));
  return { listed, omitted: ids.length - listed.length };
}

/** Counts every value, in one pass over the rows' bits. */
export function rowFacets(columns: RowColumns, figures: RowFigures, fails: Uint16Array, count: number): RowFacets {
  const thread = counts(columns.thread.texts.length);
  const tool = counts(columns.tool.texts.length);
  const state = counts(RESULT_STATES.length);
  const file = counts(FILE_STATUSES.length);
  const context = counts(CONTEXT_PLACES.length);
  const { thread: threads, tool: tools, state: states, file: files, left } = figures;
  for (let row = 0; row < count; row++) {
    const bits = fails[row] ?? 0;
    if (bits === FAILS.absent) continue;
    add(thread, threads[row] ?? -1, (bits & ~FAILS.thread) === 0);
    add(tool, tools[row] ?? -1, (bits & ~FAILS.tool) === 0);
    add(state, states[row] ?? 0, (bits & ~FAILS.state) === 0);
    add(file, files[row] ?? 0, (bits & ~FAILS.file) === 0);
    add(context, left[row] ?? 0, (bits & ~FAILS.context) === 0);
  }
  const listedTools = bounded(columns.tool, tool);
  const listedThreads = bounded(columns.thread, thread);
  return {
    tools: listedTools.listed,
    toolsOmitted: listedTools.omitted,
    threads: listedThreads.listed,
    threadsOmitted: listedThreads.omitted,
    states: facets(RESULT_STATES, state),
    files: facets(FILE_STATUSES, file),
    context: facets(CONTEXT_PLACES, context),
  };
}
