import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBody } from "../../../extension/src/client/views/frames";
import {
  CONTEXT_PLACES,
  FILE_STATUSES,
  NO_FILTER,
  RESULT_STATES,
  ROW_LIMITS,
  SORT_KEYS,
} from "../../../extension/src/core/model/rowQuery";
import type { RowsAsked } from "../../../extension/src/protocol/webview";

const ref = fc.record({
  index: fc.nat(),
  thread: fc.option(fc.string()),
  callId: fc.option(fc.string()),
});
const listOf = <T>(one: fc.Arbitrary<T>) => fc.option(fc.array(one, { maxLength: 5 }));
const asked: fc.Arbitrary<RowsAsked> = fc.record({
  filter: fc.record({
    text: fc.string(),
    threads: listOf(fc.string()),
    tools: listOf(fc.string()),
    states: listOf(fc.constantFrom(...RESULT_STATES)),
    files: listOf(fc.constantFrom(...FILE_STATUSES)),
    turns: fc.option(fc.tuple(fc.nat(), fc.nat())),
    context: fc.option(fc.constantFrom(...CONTEXT_PLACES)),
  }),
  sort: fc.option(fc.record({ key: fc.constantFrom(...SORT_KEYS), descending: fc.boolean() })),
  search: fc.option(fc.nat()),
  from: fc.nat(),
  count: fc.nat(),
  around: fc.option(fc.record({ ref, before: fc.nat() })),
  find: fc.array(ref, { maxLength: ROW_LIMITS.find }),
  summary: fc.boolean(),
});

const PLAIN: RowsAsked = {
  filter: NO_FILTER,
  sort: null,
  search: null,
  from: 0,
  count: 10,
  around: null,
  find: [],
  summary: false,
};

describe("a call for rows", () => {
  it("arrives as it was asked, without anything more", () => {
    fc.assert(
      fc.property(asked, (body) => {
        expect(parseBody("rows", { ...body, more: 1, filter: { ...body.filter, more: 1 } })).toEqual({
          ok: true,
          value: body,
        });
      }),
    );
  });

  const ANY_ROW = { index: 0, thread: null, callId: null };
  it.each<[string, object]>([
    ["no filter", { filter: null }],
    ["a filter without a list", { filter: { ...NO_FILTER, tools: undefined } }],
    ["a state that is none", { filter: { ...NO_FILTER, states: ["melted"] } }],
    ["a long text", { filter: { ...NO_FILTER, text: "a".repeat(ROW_LIMITS.text + 1) } }],
    ["many values", { filter: { ...NO_FILTER, tools: Array(ROW_LIMITS.values + 1).fill("a") } }],
    ["three turns", { filter: { ...NO_FILTER, turns: [1, 2, 3] } }],
    ["a place that is none", { filter: { ...NO_FILTER, context: "constructor" } }],
    ["a column that is none", { sort: { key: "index", descending: true } }],
    ["a sort without direction", { sort: { key: "chars" } }],
    ["a negative place", { from: -1 }],
    ["half a row", { count: 0.5 }],
    ["many rows to find", { find: Array(ROW_LIMITS.find + 1).fill(ANY_ROW) }],
    ["a row without a number", { find: [{ ...ANY_ROW, index: "0" }] }],
    ["around nothing", { around: { before: 1 } }],
    ["a search by name", { search: "1" }],
    ["no summary flag", { summary: undefined }],
  ])("is refused with %s", (_name, change) => {
    expect(parseBody("rows", { ...PLAIN, ...change }).ok).toBe(false);
    expect(parseBody("rows", PLAIN).ok).toBe(true);
  });
});
