import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INITIAL_UI, MAX_SPLIT, MIN_SPLIT, restoreUi, type UiState } from "../../webview/src/uiState";

describe("what survives a reload", () => {
  test("nothing stored gives the initial state", () => {
    expect(restoreUi(undefined)).toEqual(INITIAL_UI);
    expect(restoreUi(null)).toEqual(INITIAL_UI);
  });

  test("a state comes back as it was, through JSON", () => {
    const state: UiState = {
      tab: "problems",
      thread: "sub-1",
      asTable: true,
      filter: {
        text: "web",
        threads: ["main"],
        tools: ["terminal"],
        states: ["persisted"],
        files: ["expired"],
        turns: [3, 8],
        context: "left",
      },
      sort: { key: "chars", descending: true },
      query: { text: "needle", regex: true, matchCase: false },
      selected: { index: 41, thread: "main", callId: "call_1" },
      scrollTop: 880,
      split: 0.4,
      whatIf: { ...INITIAL_UI.whatIf, order: "call", callsAsTable: true },
      handles: { moment: { kind: "call", thread: null, call: 17 }, use: "never" },
      page: 32_000,
    };
    expect(restoreUi(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  test("a field that does not fit keeps its initial value, the others stay", () => {
    const stored = {
      tab: "nowhere",
      filter: { text: 4, states: ["melted"], tools: ["terminal"], turns: [1], context: "out" },
      sort: { key: "size" },
      selected: { index: -1 },
      split: 9,
      handles: { moment: { kind: "call", thread: 4, call: -1 }, use: "eaten" },
      page: "first",
    };
    expect(restoreUi(stored)).toEqual({
      ...INITIAL_UI,
      filter: { ...INITIAL_UI.filter, tools: ["terminal"] },
      split: MAX_SPLIT,
    });
  });

  test("anything gives a valid state", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const state = restoreUi(value);
        expect(restoreUi(state)).toEqual(state);
        expect(state.split).toBeGreaterThanOrEqual(MIN_SPLIT);
        expect(state.split).toBeLessThanOrEqual(MAX_SPLIT);
      }),
    );
  });
});
