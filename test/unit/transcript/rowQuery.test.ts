import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CONTEXT_PLACES,
  charsOf,
  FILE_STATUSES,
  fullOf,
  isFiltered,
  NO_FILTER,
  RESULT_STATES,
  type ResultRow,
  ROW_LIMITS,
  type RowFilter,
  type RowQuery,
  type RowSort,
  type RowsAnswer,
  refOf,
  SORT_KEYS,
  tokensOf,
} from "../../../extension/src/core/model/rowQuery";
import { makeRows } from "../../../webview/dev/recordings";
import { RowList } from "../../../webview/dev/rowList";

const ALL: RowQuery = { filter: NO_FILTER, sort: null, within: null };

function ask(list: RowList, query: Partial<RowQuery> = {}, from = 0, count: number = ROW_LIMITS.window): RowsAnswer {
  return list.answer({ query: { ...ALL, ...query }, from, count, around: null, find: [], summary: true });
}

const listOf = <T>(values: readonly T[]): fc.Arbitrary<readonly T[] | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.subarray([...values]));
const filters: fc.Arbitrary<RowFilter> = fc.record({
  text: fc.constantFrom("", "", " ", "read", "SPILL", "call_ terminal", "r-", ".txt web", "nothing at all"),
  threads: listOf(["main", "sub-1", "gone"]),
  tools: listOf(["terminal", "read_file", "web_search", "gone"]),
  states: listOf(RESULT_STATES),
  files: listOf(FILE_STATUSES),
  turns: fc.option(fc.tuple(fc.nat(9), fc.nat(9)), { freq: 2 }),
  context: fc.constantFrom(null, null, ...CONTEXT_PLACES),
});
const sorts: fc.Arbitrary<RowSort> = fc.option(
  fc.record({ key: fc.constantFrom(...SORT_KEYS), descending: fc.boolean() }),
);
const queries: fc.Arbitrary<RowQuery> = fc.record({
  filter: filters,
  sort: sorts,
  within: fc.option(fc.uniqueArray(fc.nat(60)), { freq: 2 }),
});
const seeds = fc.nat({ max: 1_000_000 });
const rowsOf = fc.tuple(fc.nat({ max: 60 }), seeds).map(([count, seed]) => makeRows(count, seed));

/** The plainest filter that could be right; `but` names a part that is left out. */
function plainPasses(row: ResultRow, { filter, within }: RowQuery, but?: keyof RowFilter): boolean {
  let keep = true;
  if (but !== "threads" && filter.threads !== null && !filter.threads.includes(row.thread)) keep = false;
  if (but !== "tools" && filter.tools !== null && (row.tool === null || !filter.tools.includes(row.tool))) keep = false;
  if (but !== "states" && filter.states !== null && !filter.states.includes(row.state)) keep = false;
  if (but !== "files" && filter.files !== null && !filter.files.includes(row.file)) keep = false;
  if (but !== "context" && filter.context !== null && (row.leftLine === null ? "in" : "left") !== filter.context) {
    keep = false;
  }
  if (filter.turns !== null) {
    if (row.turn === null || row.turn < filter.turns[0] || row.turn > filter.turns[1]) keep = false;
  }
  if (within !== null && !within.includes(row.index)) keep = false;
  for (const word of filter.text.toLowerCase().split(" ")) {
    const places = [row.tool, row.path, row.handle, row.callId];
    if (word !== "" && !places.some((place) => place?.toLowerCase().includes(word))) keep = false;
  }
  return keep;
}

function plainValue(row: ResultRow, key: (typeof SORT_KEYS)[number]): number | string | null {
  switch (key) {
    case "turn":
      return row.turn;
    case "call":
      return row.call;
    case "tool":
      return row.tool === null ? null : row.tool.toLowerCase();
    case "state":
      return RESULT_STATES.indexOf(row.state);
    case "chars":
      return row.state === "missing" ? null : row.chars;
    case "tokens":
      return row.state === "missing" ? null : row.tokens;
    case "full":
      return row.statedChars !== null ? row.statedChars : row.state === "inline" ? row.chars : null;
    case "where":
      return (row.path ?? row.handle)?.toLowerCase() ?? null;
    case "file":
      return row.file === "none" ? null : FILE_STATUSES.indexOf(row.file);
  }
}

/** Insertion sort by the stated rules. */
function plainSort(all: readonly ResultRow[], sort: RowSort): ResultRow[] {
  const before = (a: ResultRow, b: ResultRow): boolean => {
    const left = sort === null ? 0 : plainValue(a, sort.key);
    const right = sort === null ? 0 : plainValue(b, sort.key);
    if (left === right) return a.index < b.index;
    if (left === null) return false;
    if (right === null) return true;
    return sort?.descending ? left > right : left < right;
  };
  const sorted: ResultRow[] = [];
  for (const row of all) {
    let at = sorted.length;
    while (at > 0 && before(row, sorted[at - 1] as ResultRow)) at--;
    sorted.splice(at, 0, row);
  }
  return sorted;
}

function plainFacet<T>(
  rows: readonly ResultRow[],
  query: RowQuery,
  but: keyof RowFilter,
  of: (row: ResultRow) => T | null,
): Map<T, number> {
  const counts = new Map<T, number>();
  for (const row of rows) {
    const value = of(row);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + (plainPasses(row, query, but) ? 1 : 0));
  }
  return counts;
}

function expectPlain(answer: RowsAnswer, rows: readonly ResultRow[], query: RowQuery): void {
  const shown = plainSort(
    rows.filter((row) => plainPasses(row, query)),
    query.sort,
  );
  expect(answer.rows).toEqual(shown);
  expect(answer).toMatchObject({ all: rows.length, total: shown.length, from: 0 });
  const facets = answer.summary?.facets;
  const counts = (list: readonly { readonly value: unknown; readonly count: number }[] | undefined) =>
    new Map(list?.map(({ value, count }) => [value, count]));
  expect(counts(facets?.tools)).toEqual(plainFacet(rows, query, "tools", (row) => row.tool));
  expect(counts(facets?.threads)).toEqual(plainFacet(rows, query, "threads", (row) => row.thread));
  expect(counts(facets?.states)).toEqual(plainFacet(rows, query, "states", (row) => row.state));
  expect(counts(facets?.files)).toEqual(plainFacet(rows, query, "files", (row) => row.file));
  expect(counts(facets?.context)).toEqual(
    plainFacet(rows, query, "context", (row) => (row.leftLine === null ? "in" : "left")),
  );
  let chars = 0;
  let tokens = 0;
  for (const row of shown) {
    if (row.state !== "missing") chars += row.chars;
    if (row.state !== "missing") tokens += row.tokens;
  }
  expect(answer.summary).toMatchObject({ chars, tokens });
}

describe("queries over the rows", () => {
  test("order, totals and facets agree with the plain loop, for every query", () => {
    fc.assert(
      fc.property(rowsOf, queries, (rows, query) => {
        expectPlain(ask(new RowList(rows), query), rows, query);
      }),
      { numRuns: 600 },
    );
  });

  test("rows that come, change and go between answers give the same as a list that was never asked before", () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ what: fc.constant("add" as const), many: fc.integer({ min: 1, max: 12 }), seed: seeds }),
        fc.record({ what: fc.constant("change" as const), at: fc.nat(40), seed: seeds }),
        fc.record({ what: fc.constant("file" as const), at: fc.nat(40), file: fc.constantFrom(...FILE_STATUSES) }),
        fc.record({ what: fc.constant("cut" as const), to: fc.nat(50) }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(rowsOf, queries, steps, (first, query, changes) => {
        const list = new RowList(first);
        let rows = [...first];
        ask(list, query);
        for (const change of changes) {
          if (change.what === "add") {
            for (const row of makeRows(change.many, change.seed)) rows.push({ ...row, index: rows.length });
            for (const row of rows.slice(-change.many)) list.set(row);
          } else if (change.what === "cut") {
            rows = rows.slice(0, change.to);
            list.truncate(change.to);
          } else if (change.at < rows.length) {
            const old = rows[change.at] as ResultRow;
            const next =
              change.what === "file"
                ? { ...old, file: change.file }
                : { ...(makeRows(1, change.seed)[0] ?? old), index: old.index };
            rows[change.at] = next;
            if (change.what === "file") list.setFile(old.index, change.file);
            else list.set(next);
          }
          expectPlain(ask(list, query), rows, query);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("many rows are sorted as few are, by every column and in both directions", () => {
    const rows = makeRows(2_000, 3);
    const list = new RowList(rows);
    for (const key of SORT_KEYS) {
      for (const descending of [false, true]) {
        const shown = Array.from({ length: 4 }, (_, part) => ask(list, { sort: { key, descending } }, part * 500).rows);
        const places = shown.flat().map((row) => row.index);
        expect(places, `${key} ${descending}`).toEqual(plainSort(rows, { key, descending }).map((row) => row.index));
      }
    }
  });

  test("sizes that no 32 bits hold are sorted too", () => {
    const rows = makeRows(600).map((row, at) => ({ ...row, statedChars: at % 3 === 0 ? 2 ** 40 - at : at }));
    const sort = { key: "full", descending: true } as const;
    const { rows: shown } = ask(new RowList(rows), { sort });
    expect(shown).toEqual(plainSort(rows, sort).slice(0, ROW_LIMITS.window));
  });

  test("a part is as long as asked, within the bound, and the last part is full", () => {
    const list = new RowList(makeRows(1_000));
    expect(ask(list, {}, 300, 20)).toMatchObject({ from: 300, total: 1_000 });
    expect(ask(list, {}, 300, 20).rows).toHaveLength(20);
    expect(ask(list, {}, 0, 9_999).rows).toHaveLength(ROW_LIMITS.window);
    expect(ask(list, {}, 995, 20)).toMatchObject({ from: 980, rows: { length: 20 } });
    expect(ask(list, { filter: { ...NO_FILTER, text: "no such" } }, 7, 20)).toMatchObject({
      from: 0,
      total: 0,
      rows: [],
    });
  });

  test("a part around a row begins before it, and says where the row is; a row that is left out changes nothing", () => {
    const rows = makeRows(1_000);
    const list = new RowList(rows);
    const sort = { key: "chars", descending: true } as const;
    const order = plainSort(rows, sort);
    const request = { query: { ...ALL, sort }, from: 7, count: 50, find: [], summary: false };
    const at = (place: number) =>
      list.answer({ ...request, around: { ref: refOf(order[place] as ResultRow), before: 10 } });
    expect(at(500)).toMatchObject({ from: 490, around: 500, summary: null });
    expect(at(500).rows[10]).toBe(order[500]);
    expect(at(3)).toMatchObject({ from: 0, around: 3 });
    expect(at(999)).toMatchObject({ from: 950, around: 999 });
    const gone = { index: 5_000, thread: "main", callId: "never" };
    expect(list.answer({ ...request, around: { ref: gone, before: 10 } })).toMatchObject({ from: 7, around: null });
  });

  test("rows are found by what they are, not by where they stood", () => {
    const rows = makeRows(40);
    const list = new RowList(rows.slice(0, 39));
    const waiting = { ...(rows[39] as ResultRow), state: "missing" as const, callId: "waits" };
    list.set(waiting);
    const filter = { ...NO_FILTER, states: ["missing" as const] };
    const find = (refs: readonly Parameters<typeof refOf>[0][] | readonly ReturnType<typeof refOf>[]) =>
      list.answer({
        query: { ...ALL, filter },
        from: 0,
        count: 10,
        around: null,
        find: refs.map((ref) => ({ index: ref.index, thread: ref.thread, callId: ref.callId })),
        summary: false,
      }).found;
    expect(find([waiting])[0]?.row).toBe(waiting);
    list.set({ ...(rows[39] as ResultRow), callId: "came first", state: "inline" });
    list.set({ ...waiting, index: 40 });
    const [found, other] = find([waiting, rows[0] as ResultRow]);
    expect(found?.row).toMatchObject({ index: 40, callId: "waits" });
    expect(found?.place).not.toBeNull();
    expect(other).toEqual({ place: null, row: rows[0] });
    list.truncate(40);
    expect(find([waiting])).toEqual([{ place: null, row: null }]);
    const anyAt = (index: number) =>
      list.answer({
        ...{ query: ALL, from: 0, count: 0, around: null, summary: false },
        find: [{ index, thread: null, callId: null }],
      }).found[0];
    expect(anyAt(5)).toEqual({ place: 5, row: rows[5] });
    expect(anyAt(99)).toEqual({ place: null, row: null });
  });

  test("an index that was left out is no row", () => {
    const rows = makeRows(9).filter((row) => row.index !== 4);
    const list = new RowList(rows);
    expectPlain(ask(list), rows, ALL);
    list.set({ ...(rows[0] as ResultRow), index: 4 });
    expect(ask(list)).toMatchObject({ all: 9, total: 9 });
  });

  test("facets are bounded: the rarest tools are left out and counted", () => {
    const rows = makeRows(1_000).map((row) => ({ ...row, tool: row.index < 500 ? "common" : `tool ${row.index}` }));
    const facets = ask(new RowList(rows)).summary?.facets;
    expect(facets?.tools).toHaveLength(ROW_LIMITS.facet);
    expect(facets?.tools).toContainEqual({ value: "common", count: 500 });
    expect(facets?.toolsOmitted).toBe(501 - ROW_LIMITS.facet);
  });

  test("a query that stays is not built again: of the rows that were there only the changed ones are read", () => {
    const read = new Map<number, number>();
    class Counting extends RowList {
      override state(row: number): number {
        read.set(row, (read.get(row) ?? 0) + 1);
        return super.state(row);
      }
    }
    const list = new Counting(makeRows(5_000));
    const query = { ...ALL, filter: { ...NO_FILTER, states: ["inline" as const] } };
    const request = { query, from: 0, count: 50, around: null, find: [], summary: false };
    list.answer(request);
    expect(read.size).toBe(5_000);
    read.clear();
    list.answer({ ...request, from: 900 });
    expect(read.size).toBe(0);
    for (const row of makeRows(3, 5)) list.set({ ...row, index: 5_000 + row.index });
    list.setFile(17, "expired");
    list.answer(request);
    expect([...read.keys()].filter((row) => row < 5_000).length).toBeLessThanOrEqual(1);
    expect([...read.keys()].filter((row) => row >= 5_000)).toHaveLength(3);
  });

  test("a result that never came has no size, and a filter of blanks is none", () => {
    const [first] = makeRows(1);
    const missing = { ...(first as ResultRow), state: "missing" as const, chars: 0, tokens: 0, statedChars: null };
    expect([charsOf(missing), tokensOf(missing), fullOf(missing)]).toEqual([null, null, null]);
    expect(isFiltered(NO_FILTER)).toBe(false);
    expect(isFiltered({ ...NO_FILTER, text: "  " })).toBe(false);
    expect(isFiltered({ ...NO_FILTER, states: [] })).toBe(true);
  });
});
