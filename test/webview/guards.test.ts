import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detailFor, RECORDINGS, recording } from "../../webview/dev/recordings";
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
    expect(replyGuards.detail(detailFor(recording("sample"), 5))).toBe(true);
  });

  test("a state with any one value of another type fails", () => {
    const state = { ...recording("sample"), rows: recording("sample").rows.slice(0, 2) };
    const all = paths(state);
    expect(all.length).toBeGreaterThan(80);
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

  test("file updates are pairs", () => {
    expect(eventGuards["files/status"]([[3, "ok"]])).toBe(true);
    expect(eventGuards["files/status"]([])).toBe(true);
    for (const bad of [[[3]], [[3, "ok", 1]], [["3", "ok"]], [[3, "fine"]], { 0: [3, "ok"] }, null]) {
      expect(eventGuards["files/status"](bad)).toBe(false);
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

  test("100,000 rows are checked in far less than quadratic time", () => {
    const state = recording("huge");
    const start = performance.now();
    expect(replyGuards.ready(state)).toBe(true);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
