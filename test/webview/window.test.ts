import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ROW_LIMITS } from "../../extension/src/core/model/rowQuery";
import type { RowsAsked } from "../../extension/src/protocol/webview";
import { HUGE, makeRows, recordedRows } from "../../webview/dev/recordings";
import { MAX_LISTED, ROW_HEIGHT } from "../../webview/src/rowHeight";
import type { RowsState } from "../../webview/src/rowsLoader";
import { calls, drawn, focusedPlace, send, setRows, useDevPage } from "./devPage";

const dev = useDevPage();
const SCROLLER = "cbi-results-table .scroller";
/** Rows that a page of 860 pixels shows, with room to spare. */
const IN_SIGHT = 40;

const scrollTo = (page: Page, top: number): Promise<void> =>
  page.locator(SCROLLER).evaluate((scroller, to) => {
    scroller.scrollTop = to;
  }, top);
const hold = (page: Page, held: boolean): Promise<void> => page.evaluate((on) => window.harness.holdRows(on), held);
const asked = async (page: Page): Promise<RowsAsked[]> => (await calls(page, "rows")) as RowsAsked[];

/** Places drawn, and which of them are still on their way. */
const drawnRows = (page: Page): Promise<{ place: number; waiting: boolean; top: number; height: number }[]> =>
  page.locator("[data-place]").evaluateAll((rows) =>
    rows.map((row) => {
      const box = row.getBoundingClientRect();
      const waiting = row.getAttribute("aria-busy") === "true";
      return { place: Number((row as HTMLElement).dataset["place"]), waiting, top: box.top, height: box.height };
    }),
  );

describe("a table of 200,000 results", () => {
  test("draws and is sent what is in sight, however far it is scrolled", async () => {
    const page = await dev.open("huge");
    const nodes = (): Promise<number> =>
      page.locator("cbi-results-table").evaluate((table) => table.shadowRoot?.querySelectorAll("*").length ?? 0);
    const first = await page.evaluate(() => ({ ...window.harness.crossed }));
    expect(first.rows).toBeLessThanOrEqual(ROW_LIMITS.window);
    const steps = 60;
    const step = 15 * ROW_HEIGHT;
    let most = 0;
    for (let at = 1; at <= steps; at++) {
      await scrollTo(page, at * step);
      await drawn(page);
      most = Math.max(most, await nodes());
      // The row in the tab order is drawn too, wherever it is.
      expect((await drawnRows(page)).filter((row) => row.waiting && row.place > 0)).toEqual([]);
    }
    const after = await page.evaluate(() => ({ ...window.harness.crossed }));
    // Each row crosses once, and some ahead of what is in sight.
    expect(after.rows - first.rows).toBeLessThan(steps * 15 + 200);
    expect((after.chars - first.chars) / (after.rows - first.rows)).toBeLessThan(600);
    expect(after.answers - first.answers).toBeLessThan(steps / 2);
    expect(most).toBeLessThan(IN_SIGHT * 2 * 25);
    await page.context().close();
  });

  test("rows on their way are drawn empty in their place, and nothing moves when they come", async () => {
    const page = await dev.open("huge");
    await hold(page, true);
    await scrollTo(page, 100_000 * ROW_HEIGHT + 5);
    await page.locator('[data-place="100000"]').waitFor();
    await drawn(page);
    const before = await drawnRows(page);
    expect(before.filter((row) => row.place > 90_000).every((row) => row.waiting)).toBe(true);
    expect(new Set(before.map((row) => row.height))).toEqual(new Set([ROW_HEIGHT]));
    const row = page.locator('[data-place="100000"]');
    expect(await row.getAttribute("aria-rowindex")).toBe("100002");
    expect(await row.locator("[role=gridcell]").count()).toBe(1);
    await hold(page, false);
    await page.locator('[data-place="100000"]:not([aria-busy])').waitFor();
    const after = await drawnRows(page);
    expect(after.map(({ place, top }) => [place, top])).toEqual(before.map(({ place, top }) => [place, top]));
    expect(after.some((one) => one.waiting)).toBe(false);
    const [shown] = recordedRows("huge").slice(100_000);
    expect(await row.locator(".chars").textContent()).toContain(shown?.chars.toLocaleString("en"));
    await page.context().close();
  });

  test("what was asked for and scrolled past is cancelled, and never more than one question waits", async () => {
    const page = await dev.open("huge");
    await hold(page, true);
    const before = (await asked(page)).length;
    for (const place of [20_000, 60_000, 120_000, 180_000]) {
      await scrollTo(page, place * ROW_HEIGHT);
      await page.locator(`[data-place="${place}"]`).waitFor();
      await drawn(page);
    }
    const frames = await page.evaluate(() => window.harness.frames);
    const open = frames.filter((frame) => frame.t === "call" && frame.m === "rows").slice(before);
    const cancelled = frames.flatMap((frame) => (frame.t === "cancel" ? [frame.id] : []));
    expect(open.filter((frame) => !cancelled.includes(frame.id))).toHaveLength(1);
    await hold(page, false);
    await page.locator('[data-place="180000"]:not([aria-busy])').waitFor();
    const { rows } = await page.evaluate(() => window.harness.crossed);
    expect(rows).toBeLessThan(2 * ROW_LIMITS.window);
    await page.context().close();
  });

  test("keys go to rows that are not at hand: the focus waits there, and the row is selected when it comes", async () => {
    const page = await dev.open("huge");
    await page.locator('[data-place="0"]').click();
    await hold(page, true);
    await page.keyboard.press("End");
    await page.locator(`[data-place="${HUGE - 1}"]`).waitFor();
    await drawn(page);
    expect(await focusedPlace(page)).toBe(HUGE - 1);
    expect(await page.locator('[role="row"][aria-selected="true"]').getAttribute("aria-busy")).toBe("true");
    await page.keyboard.press("PageUp");
    await drawn(page);
    const place = await focusedPlace(page);
    expect(place).toBeGreaterThan(HUGE - IN_SIGHT * 2);
    await hold(page, false);
    await page.locator(`[data-place="${place}"][aria-selected="true"]:not([aria-busy])`).waitFor();
    await drawn(page);
    expect(await focusedPlace(page)).toBe(place);
    expect((await calls(page, "detail")).at(-1)).toEqual({ index: place });
    await page.keyboard.press("Home");
    await page.locator('[data-place="0"][aria-selected="true"]:not([aria-busy])').waitFor();
    expect(await focusedPlace(page)).toBe(0);
    await page.context().close();
  });

  test("a row opened from the tree comes into view from anywhere, also out of a filter that hides it", async () => {
    const page = await dev.open("huge");
    await send(page, "select/row", { index: 123_456 });
    await page.locator('[data-place="123456"][aria-selected="true"]').waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("no such thing");
    await page.locator(".no-match").waitFor();
    await send(page, "select/row", { index: 150_000 });
    await page.locator('[data-place="150000"][aria-selected="true"]').waitFor();
    const box = await page.locator('[data-place="150000"]').boundingBox();
    const table = await page.locator(SCROLLER).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual((table?.y ?? 0) + ROW_HEIGHT);
    expect((box?.y ?? 0) + ROW_HEIGHT).toBeLessThanOrEqual((table?.y ?? 0) + (table?.height ?? 0));
    await page.context().close();
  });

  test("the focused row keeps the focus while rows come above it", async () => {
    const page = await dev.open("huge");
    await page.locator("[role=columnheader].chars button").click();
    await page.locator('[data-place="0"]:not([aria-busy])').waitFor();
    await scrollTo(page, 300 * ROW_HEIGHT);
    await page.locator('[data-place="310"]:not([aria-busy])').click();
    expect(await focusedPlace(page)).toBe(310);
    const added = makeRows(7).map((row) => ({
      ...row,
      index: HUGE + row.index,
      state: "inline" as const,
      chars: 10_000_000,
    }));
    await setRows(page, added, "state/append");
    await page.locator('[data-place="317"][aria-selected="true"]').waitFor();
    expect(await focusedPlace(page)).toBe(317);
    await page.keyboard.press("ArrowDown");
    expect(await focusedPlace(page)).toBe(318);
    await page.context().close();
  });

  test("a filter keeps what was in sight, another order begins at the top", async () => {
    const page = await dev.open("huge");
    const scrolled = (): Promise<number> => page.locator(SCROLLER).evaluate((scroller) => scroller.scrollTop);
    await scrollTo(page, 50_000 * ROW_HEIGHT);
    await page.locator('[data-place="50000"]:not([aria-busy])').waitFor();
    await drawn(page);
    const first = recordedRows("huge")[50_000];
    await page.locator("vscode-dropdown[aria-label=State]").focus();
    await page.locator("vscode-dropdown[aria-label=State]").click();
    await page.locator("vscode-dropdown[aria-label=State] vscode-option", { hasText: first?.state ?? "" }).click();
    const place = recordedRows("huge")
      .slice(0, 50_000)
      .filter((row) => row.state === first?.state).length;
    await page.locator(`[data-place="${place}"]:not([aria-busy])`).waitFor();
    expect(Math.floor((await scrolled()) / ROW_HEIGHT)).toBe(place);
    await page.locator("[role=columnheader].chars button").click();
    await page.locator('[data-place="0"]:not([aria-busy])').waitFor();
    expect(await scrolled()).toBe(0);
    await page.context().close();
  });
});

test("more rows than a page can draw are listed up to the bound, which is said", async () => {
  expect((MAX_LISTED + 2) * ROW_HEIGHT).toBeLessThan(2 ** 25);
  const page = await dev.open("sample");
  const shown = await page.locator("cbi-results-table").evaluate(async (element, total) => {
    const table = element as HTMLElement & { rows: RowsState; updateComplete: Promise<boolean> };
    table.rows = { ...table.rows, total, epoch: table.rows.epoch + 1, move: { to: "stay" }, at: () => null };
    await table.updateComplete;
    const scroller = table.shadowRoot?.querySelector(".scroller");
    return [scroller?.scrollHeight, table.shadowRoot?.querySelector("[role=grid]")?.getAttribute("aria-rowcount")];
  }, 2_000_000);
  expect(shown).toEqual([(MAX_LISTED + 1) * ROW_HEIGHT, "2000001"]);
  const bar = page.locator("cbi-filter-bar");
  await bar.evaluate((element) => {
    (element as HTMLElement & { shown: number }).shown = 2_000_000;
  });
  await bar.getByText("the first 1,500,000 are listed").waitFor();
  await page.context().close();
});

describe("narrow pages", () => {
  test("the tabs fit from 320 pixels on, with a badge, and stand apart where there is room", async () => {
    const page = await dev.open("sample");
    const tabs = page.locator("context-budget-inspector vscode-panel-tab");
    expect(await tabs.locator(".badge").count()).toBe(1);
    for (const [width, apart] of [
      [320, 2],
      [342, 7],
      [370, 12],
      [371, 12],
      [401, 20],
    ] as const) {
      await page.setViewportSize({ width, height: 860 });
      await drawn(page);
      const boxes = await tabs.evaluateAll((all) =>
        all.map((tab) => {
          const { left, right } = tab.getBoundingClientRect();
          return { left, right };
        }),
      );
      expect(boxes).toHaveLength(5);
      const gaps = boxes.slice(1).map(({ left }, at) => left - (boxes[at]?.right ?? left));
      expect(Math.min(...gaps), `gap at ${width}`).toBeGreaterThan(apart - 0.5);
      expect(boxes.at(-1)?.right, `end at ${width}`).toBeLessThanOrEqual(width);
    }
    await page.context().close();
  });

  test("below 320 pixels the page scrolls sideways instead of being cut", async () => {
    const page = await dev.open("sample", { width: 240 });
    const host = page.locator("context-budget-inspector");
    expect(await host.evaluate((element) => element.scrollWidth)).toBe(320);
    await host.evaluate((element) => {
      element.scrollLeft = 999;
    });
    const head = await page.locator("[role=columnheader].file").boundingBox();
    expect((head?.x ?? 999) + (head?.width ?? 999)).toBeLessThanOrEqual(240.5);
    await page.setViewportSize({ width: 320, height: 860 });
    await drawn(page);
    expect(await host.evaluate((element) => element.scrollWidth)).toBe(320);
    await page.context().close();
  });
});
