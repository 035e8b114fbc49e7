import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResultRow } from "../../extension/src/protocol/webview";
import { makeRows } from "../../webview/dev/recordings";
import { fileStatuses, resultStates } from "../../webview/src/guards";
import {
  charsOf,
  type Filter,
  facetsOf,
  filterRows,
  fullOf,
  NO_FILTER,
  nextSort,
  SORT_KEYS,
  type Sort,
  sortRows,
  tokensOf,
  totalChars,
} from "../../webview/src/rows";

const rows = fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 1_000_000 })).map(([count, seed]) => makeRows(count, seed));
const nullable = <T>(values: readonly T[]): fc.Arbitrary<T | null> => fc.constantFrom(null, null, ...values);
const filters: fc.Arbitrary<Filter> = fc.record({
  text: fc.constantFrom("", " ", "read", "SPILL", "call_ terminal", "r-", ".txt web", "nothing at all"),
  thread: nullable(["main", "sub-1", "gone"]),
  tool: nullable(["terminal", "read_file", "gone"]),
  state: nullable(resultStates),
  file: nullable(fileStatuses),
});
const sorts: fc.Arbitrary<Sort> = fc.option(
  fc.record({ key: fc.constantFrom(...SORT_KEYS), descending: fc.boolean() }),
);

/** The plainest filter that could be right. */
function plainFilter(all: readonly ResultRow[], filter: Filter): ResultRow[] {
  const kept: ResultRow[] = [];
  for (const row of all) {
    let keep = true;
    if (filter.thread !== null && row.thread !== filter.thread) keep = false;
    if (filter.tool !== null && row.tool !== filter.tool) keep = false;
    if (filter.state !== null && row.state !== filter.state) keep = false;
    if (filter.file !== null && row.file !== filter.file) keep = false;
    for (const word of filter.text.toLowerCase().split(" ")) {
      const places = [row.tool, row.path, row.handle, row.callId];
      if (word !== "" && !places.some((place) => place?.toLowerCase().includes(word))) keep = false;
    }
    if (keep) kept.push(row);
  }
  return kept;
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
      return resultStates.indexOf(row.state);
    case "chars":
      return row.state === "missing" ? null : row.chars;
    case "tokens":
      return row.state === "missing" ? null : row.tokens;
    case "full":
      return row.statedChars !== null ? row.statedChars : row.state === "inline" ? row.chars : null;
    case "where":
      return (row.path ?? row.handle)?.toLowerCase() ?? null;
    case "file":
      return row.file === "none" ? null : fileStatuses.indexOf(row.file);
  }
}

/** Insertion sort by the stated rules. */
function plainSort(all: readonly ResultRow[], sort: Sort): ResultRow[] {
  if (sort === null) return [...all];
  const before = (a: ResultRow, b: ResultRow): boolean => {
    const left = plainValue(a, sort.key);
    const right = plainValue(b, sort.key);
    if (left === right) return a.index < b.index;
    if (left === null) return false;
    if (right === null) return true;
    return sort.descending ? left > right : left < right;
  };
  const sorted: ResultRow[] = [];
  for (const row of all) {
    let at = sorted.length;
    while (at > 0 && before(row, sorted[at - 1] as ResultRow)) at--;
    sorted.splice(at, 0, row);
  }
  return sorted;
}

describe("rows of the table", () => {
  test("filtering agrees with the plain loop", () => {
    fc.assert(
      fc.property(rows, filters, (all, filter) => {
        expect(filterRows(all, filter)).toEqual(plainFilter(all, filter));
      }),
      { numRuns: 400 },
    );
  });

  test("sorting agrees with insertion sort, for every key and direction", () => {
    fc.assert(
      fc.property(rows, sorts, (all, sort) => {
        expect(sortRows(all, sort).map((row) => row.index)).toEqual(plainSort(all, sort).map((row) => row.index));
      }),
      { numRuns: 400 },
    );
  });

  test("sorting leaves its input as it was", () => {
    const all = makeRows(50);
    const order = all.map((row) => row.index);
    sortRows(all, { key: "chars", descending: true });
    expect(all.map((row) => row.index)).toEqual(order);
  });

  test("no filter gives the very same list", () => {
    const all = makeRows(5);
    expect(filterRows(all, NO_FILTER)).toBe(all);
    expect(filterRows(all, { ...NO_FILTER, text: "  " })).toBe(all);
  });

  test("a result that never came has no size", () => {
    const [first] = makeRows(1);
    const missing = { ...(first as ResultRow), state: "missing" as const, chars: 0, tokens: 0, statedChars: null };
    expect([charsOf(missing), tokensOf(missing), fullOf(missing)]).toEqual([null, null, null]);
    expect(totalChars([missing])).toBe(0);
  });

  test("a column head goes natural, reversed, transcript order", () => {
    const numbers = nextSort(null, "chars");
    expect(numbers).toEqual({ key: "chars", descending: true });
    expect(nextSort(numbers, "chars")).toEqual({ key: "chars", descending: false });
    expect(nextSort({ key: "chars", descending: false }, "chars")).toBeNull();
    expect(nextSort(numbers, "tool")).toEqual({ key: "tool", descending: false });
  });

  test("facets list what occurs, once", () => {
    const all = makeRows(200);
    const facets = facetsOf(all);
    expect(facets.tools).toEqual([...new Set(all.flatMap((row) => row.tool ?? []))].sort());
    expect(new Set(facets.states)).toEqual(new Set(all.map((row) => row.state)));
    expect(new Set(facets.files)).toEqual(new Set(all.map((row) => row.file)));
  });
});
