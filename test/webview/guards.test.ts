import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_FILTER, ROW_LIMITS } from "../../extension/src/core/model/rowQuery";
import { detailFor, makeRows, RECORDINGS, recordedRows, recording } from "../../webview/dev/recordings";
import { RowHost } from "../../webview/dev/rowHost";
import { eventGuards, isHostFrame, replyGuards } from "../../webview/src/guards";

/** Every object inside a value, as paths. */
function paths(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return path.length === 0 ? [] : [path];
  return [
    ...(path.length === 0 ? [] : [path]),
    ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key])),
  ];
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string, unknown>)[key] = replaced((value as Record<string, unknown>)[key], rest, by);
  return copy;
}

describe("guards", () => {
  test.each(RECORDINGS)("the recorded state %s passes", (name) => {
    expect(replyGuards.ready(recording(name))).toBe(true);
    expect(eventGuards["state/full"](recording(name))).toBe(true);
  });

  test("a recorded detail passes", () => {
    expect(replyGuards.detail(detailFor(recordedRows("sample"), 5))).toBe(true);
    expect(replyGuards.detail(detailFor(recordedRows("sample"), 20))).toBe(true);
  });

  test("a state with any one value of another type fails", () => {
    const state = recording("sample");
    const all = paths(state);
    expect(all.length).toBeGreaterThan(40);
    for (const path of all) {
      expect(replyGuards.ready(replaced(state, path, undefined)), path.join(".")).toBe(false);
      expect(replyGuards.ready(replaced(state, path, { toString: "x" })), path.join(".")).toBe(false);
    }
  });

  test("further keys are allowed", () => {
    expect(replyGuards.ready({ ...recording("empty"), later: 1 })).toBe(true);
  });

  test("words that only exist on Object.prototype are no members", () => {
    const state = recording("sample");
    expect(replyGuards.ready({ ...state, phase: "constructor" })).toBe(false);
    expect(isHostFrame({ v: 1, t: "event", e: "toString", body: null })).toBe(false);
  });

  test("sizes must be numbers that count", () => {
    const state = recording("sample");
    for (const index of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "1", 2 ** 60]) {
      expect(eventGuards["select/row"]({ index })).toBe(false);
      expect(replyGuards.ready({ ...state, problemsOmitted: index })).toBe(false);
    }
  });

  const ANSWER = new RowHost(makeRows(40)).answer({
    filter: NO_FILTER,
    sort: null,
    search: null,
    from: 0,
    count: ROW_LIMITS.window,
    around: null,
    find: [{ index: 2, thread: null, callId: null }],
    summary: true,
  });

  test("rows pass, and fail with any one value of another type", () => {
    expect(replyGuards.rows(ANSWER)).toBe(true);
    const few = { ...ANSWER, rows: ANSWER.rows.slice(0, 2) };
    const all = paths(few);
    expect(all.length).toBeGreaterThan(80);
    for (const path of all) {
      expect(replyGuards.rows(replaced(few, path, undefined)), path.join(".")).toBe(false);
      expect(replyGuards.rows(replaced(few, path, { toString: "x" })), path.join(".")).toBe(false);
    }
  });

  test("whatever arrives, an answer is given and never thrown", () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withDate: true }),
        (value) => {
          isHostFrame(value);
          for (const guard of [...Object.values(replyGuards), ...Object.values(eventGuards)]) guard(value);
        },
      ),
      { numRuns: 500 },
    );
  });
});
