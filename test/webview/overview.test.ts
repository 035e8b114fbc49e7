import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Overview, TimelinePoint } from "../../extension/src/protocol/webview";
import { overviewFor, recording } from "../../webview/dev/recordings";
import { Session } from "../../webview/src/session";
import { aroundTick, axisTop, chartOf, placeAt } from "../../webview/src/timeline";
import { calls, drawn, shownText, useDevPage } from "./devPage";
import { FakeHost, settled } from "./fakeHost";

const sample = overviewFor(recording("sample"), null);
const point = (call: number, input: number | null, cacheRead: number | null = null): TimelinePoint => ({
  call,
  line: call,
  turn: 1,
  at: null,
  input,
  cacheRead,
  cacheWrite: null,
  output: null,
  chars: call * 100,
});
const of = (points: readonly TimelinePoint[], more: Partial<Overview> = {}): Overview => ({
  ...sample,
  points,
  compactions: [],
  ...more,
});

describe("geometry of the timeline", () => {
  test("areas stand on zero, and what is unknown leaves a gap", () => {
    const chart = chartOf(of([point(1, 10), point(2, null), point(3, 5, 5)]), { width: 300, height: 100 });
    expect(chart).toMatchObject({ unit: "tokens", top: 10, marks: [0, 5, 10] });
    expect(chart.total).toBe("M0 100V0H100V100ZM200 100V0H300V100Z");
    expect(chart.cached).toBe("M200 100V50H300V100Z");
  });

  test("without any usage the characters are drawn", () => {
    expect(chartOf(of([point(1, null)]), { width: 10, height: 10 })).toMatchObject({ unit: "chars", top: 100 });
    expect(chartOf(of([]), { width: 10, height: 10 })).toMatchObject({ total: "", cached: "", ticks: [] });
  });

  test("the axis reaches up to the context window, unless that would press the drawing flat", () => {
    const size = { width: 100, height: 100 };
    expect(chartOf(of([point(1, 150)]), size, 200)).toMatchObject({ top: 200, window: 0 });
    expect(chartOf(of([point(1, 90)]), size, 160)).toMatchObject({ top: 200, window: 20 });
    expect(chartOf(of([point(1, 90)]), size, 1_000)).toMatchObject({ top: 100, window: null });
    expect(chartOf(of([point(1, 90)]), size)).toMatchObject({ top: 100, window: null });
    // Characters are no tokens.
    expect(chartOf(of([point(1, null)]), size, 100)).toMatchObject({ unit: "chars", window: null });
  });

  test("the axis ends at or just above the largest value", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), (value) => {
        const top = axisTop(value);
        expect(top).toBeGreaterThanOrEqual(value);
        expect(top).toBeLessThanOrEqual(value * 2.5);
      }),
    );
  });

  test("the point under a pixel is the one drawn there", () => {
    expect([-5, 0, 49, 50, 99, 500].map((x) => placeAt(x, 2, 100))).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test("a compaction stands between two calls, with what its neighbours measured", () => {
    const [tick] = sample.compactions;
    if (tick === undefined) throw new Error("no compaction in the sample");
    const measured = { measuredBefore: 90, measuredAfter: 30 };
    const unstated = { ...tick, afterCall: 1, tokensBefore: null, tokensAfter: null, ...measured };
    const points = [point(1, 90), point(2, 30)];
    expect(chartOf(of(points, { compactions: [unstated] }), { width: 100, height: 10 }).ticks[0]?.x).toBe(50);
    expect(aroundTick(unstated)).toEqual({ before: 90, after: 30 });
    expect(aroundTick({ ...unstated, measuredAfter: null })).toEqual({ before: 90, after: null });
    expect(aroundTick({ ...unstated, tokensBefore: 91, tokensAfter: 0 })).toEqual({ before: 91, after: 0 });
  });
});

describe("asking for the overview", () => {
  test("only while it is looked at, one question at a time, and again when something changed meanwhile", async () => {
    const host = new FakeHost();
    const session = new Session(host, { get: () => undefined, set: () => undefined }, () => undefined);
    const started = session.start();
    host.answer("ready", recording("sample"));
    await started;
    const grow = () =>
      host.send({
        v: 1,
        t: "event",
        e: "state/append",
        body: {
          header: null,
          threads: [],
          rows: { revision: 2, count: 64 },
          problems: [],
          progress: { doneBytes: 1, totalBytes: 2 },
        },
      });
    grow();
    expect(host.calls("overview")).toEqual([]);
    session.setTab("overview");
    grow();
    grow();
    expect(host.calls("overview")).toHaveLength(1);
    host.answer("overview", sample);
    await settled();
    expect(host.calls("overview")).toHaveLength(2);
    host.answer("overview", sample);
    await settled();
    expect(host.calls("overview")).toHaveLength(2);
    expect(session.view.overview.overview).toEqual(sample);
    session.setFilter({ threads: ["sub-1"] });
    expect(host.calls("overview").at(-1)?.body).toEqual({ thread: "sub-1" });
  });

  test("results come first where there are some, else the overview; the user's choice stays", async () => {
    for (const [state, tab] of [
      ["sample", "results"],
      ["empty", "overview"],
      ["reading", "results"],
    ] as const) {
      const host = new FakeHost();
      const session = new Session(host, { get: () => undefined, set: () => undefined }, () => undefined);
      const started = session.start();
      host.answer("ready", recording(state));
      await started;
      expect(session.view.tab).toBe(tab);
      session.setTab("problems");
      expect(session.view.tab).toBe("problems");
    }
  });
});

const dev = useDevPage();

describe("the overview tab", () => {
  test("the cursor reads exact values by key and by pointer, and Enter opens the record", async () => {
    const page = await dev.open("sample");
    await page.locator("#tab-overview").click();
    const plot = page.locator("cbi-context-chart .plot");
    await plot.focus();
    await page.keyboard.press("Home");
    const [first] = sample.points;
    const tokens = (first?.input ?? 0) + (first?.cacheRead ?? 0) + (first?.cacheWrite ?? 0);
    expect(await plot.getAttribute("aria-valuetext")).toContain(`${tokens.toLocaleString("en")} tok in context`);
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("cbi-context-chart .readout").textContent()).toContain("call 2");
    await page.keyboard.press("Enter");
    expect(await calls(page, "reveal")).toEqual([{ line: 12 }]);
    const box = await plot.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 60);
    await drawn(page);
    expect(await page.locator("cbi-context-chart .readout").textContent()).toContain("call 64");
    await page.context().close();
  });

  test("compactions, ledger and what the format tells stand below, and open their records", async () => {
    const page = await dev.open("sample");
    await page.locator("#tab-overview").click();
    await page.locator("cbi-context-chart svg").waitFor();
    const text = await shownText(page);
    for (const sentence of [
      "1,243 usage records: 412 counted, 831 not.",
      "790 not counted: streamed duplicates of the same message",
      "2 calls for which no usage is stated: unknown, not 0",
      "summary (auto)",
      "Usage per call : yes",
    ]) {
      expect(text).toContain(sentence);
    }
    await page.locator("cbi-overview .lines button", { hasText: "Ln 77" }).click();
    expect(await calls(page, "reveal")).toEqual([{ line: 77 }]);
    await page.locator("cbi-overview button", { hasText: "research agent" }).click();
    expect((await calls(page, "overview")).at(-1)).toEqual({ thread: "sub-1" });
    await page.context().close();
  });

  test("the chart as a table, which survives a reload", async () => {
    const page = await dev.open("sample");
    await page.locator("#tab-overview").click();
    await page.locator("cbi-overview vscode-button").click();
    expect(await page.locator("cbi-overview .calls tbody tr").count()).toBe(64);
    await page.reload();
    await page.locator("cbi-overview .calls tbody tr").first().waitFor();
    await page.context().close();
  });

  test("a reading that is not at its end has no ledger yet", async () => {
    const page = await dev.open("reading");
    await page.locator("#tab-overview").click();
    await page.locator("cbi-context-chart svg").waitFor();
    expect(await shownText(page)).toContain("The ledger is ready when the transcript has been read to its end.");
    await page.context().close();
  });
});
