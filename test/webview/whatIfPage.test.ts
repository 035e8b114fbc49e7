import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { WhatIfInput } from "../../extension/src/protocol/whatIf";
import { calls, drawn, shownText, useDevPage } from "./devPage";
import { field, whatIfOf } from "./whatIfDev";

const dev = useDevPage();

const ready = whatIfOf(dev);

const readout = async (page: Page, chart: string): Promise<string> =>
  (await page.locator(`${chart} .readout > span`).allTextContents()).map((part) => part.trim()).join(" ");
const textOf = async (locator: Locator): Promise<string> =>
  ((await locator.textContent()) ?? "").replace(/\s+/gu, " ").trim();
const runs = async (page: Page): Promise<WhatIfInput[]> => (await calls(page, "whatIfRun")) as WhatIfInput[];
const thresholds = async (page: Page) =>
  (await runs(page)).map(({ policies }) => policies.map((policy) => policy.kind === "persist" && policy.threshold));

/** Name or text of what has the focus. */
function focusedLabel(page: Page): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    let label = "";
    while (active !== null) {
      label = active.getAttribute("aria-label") ?? (label || (active.textContent ?? "").trim());
      active = active.shadowRoot?.activeElement ?? null;
    }
    return label;
  });
}

/** Colours of a canvas, as "r,g,b" with how many pixels have it. */
function colours(canvas: Locator): Promise<Record<string, number>> {
  return canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const { data } = (element as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height) ?? { data: [] };
    const found: Record<string, number> = {};
    for (let at = 0; at < data.length; at += 4) {
      const key = data[at + 3] === 255 ? `${data[at]},${data[at + 1]},${data[at + 2]}` : "clear";
      found[key] = (found[key] ?? 0) + 1;
    }
    return found;
  });
}

describe("the first look", () => {
  test("shows one card with the config's threshold, its numbers, its sentence and both charts", async () => {
    const page = await ready();
    const text = (await shownText(page)).replaceAll("\u00a0", " ");
    for (const part of [
      "Persist results",
      "Input saved ≈ 2.01M tok",
      "Peak context ≈ 168.9k → 78.1k",
      "Persisting above 30,000 chars would have kept ≈ 2.01M of ≈ 4.77M input tokens out of this thread (≈ 42%, upper bound)",
      "14 results replaced.",
      "was in force",
      "config 30,000",
    ]) {
      expect(text).toContain(part);
    }
    expect(await field(page, "Threshold").inputValue()).toBe("30,000");
    for (const chart of ["cbi-calls-chart", "cbi-threshold-curve"]) {
      const found = await colours(page.locator(`${chart} canvas`));
      expect(Object.values(found).filter((pixels) => pixels > 100).length).toBeGreaterThan(1);
    }
    // What the toolkit probes for is the only thing that the page's security policy has to block.
    const violations: readonly string[] = await page.evaluate(() => window.harness.violations);
    expect(violations.filter((each) => !each.startsWith("style-src-elem"))).toEqual([]);
    expect(violations.length).toBeLessThanOrEqual(1);
    await page.context().close();
  });

  test("follows the theme, also on the canvas", async () => {
    const page = await ready();
    const canvas = page.locator("cbi-calls-chart canvas");
    const dark = await colours(canvas);
    await page.evaluate(() => window.harness.setTheme("light-modern"));
    await expect
      .poll(async () => Object.keys(await colours(canvas)).some((colour) => dark[colour] === undefined))
      .toBe(true);
    const line = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--vscode-charts-blue"),
    );
    const [r, g, b] = (line.trim().match(/[\da-f]{2}/giu) ?? []).map((pair) => Number.parseInt(pair, 16));
    expect((await colours(canvas))[`${r},${g},${b}`]).toBeGreaterThan(100);
    await page.context().close();
  });
});

describe("changing a policy", () => {
  test("by slider: numbers, sentence and report follow, and the field shows the value", async () => {
    const page = await ready();
    const slider = page.locator("cbi-policy-card input[type=range]").first();
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".summary", { hasText: "Persisting above 31,000 chars" }).waitFor();
    expect(await field(page, "Threshold").inputValue()).toBe("31,000");
    expect(await slider.getAttribute("aria-valuetext")).toBe("31,000 chars");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("End");
    await page.locator(".summary", { hasText: "Persisting above 200,000 chars" }).waitFor();
    await page.context().close();
  });

  test("by typing: what the config would not take is refused and said, and nothing is asked", async () => {
    const page = await ready();
    const text = field(page, "Threshold");
    for (const wrong of ["1e4", "-5", "20,000", "2.5", "0"]) {
      await text.fill(wrong);
      await page.keyboard.press("Enter");
      expect(await text.getAttribute("aria-invalid")).toBe("true");
      expect(await textOf(page.locator("cbi-policy-card .invalid").first())).toBe(
        "Write a whole number from 1, or leave it empty.",
      );
    }
    expect(await thresholds(page)).toEqual([[30_000]]);
    await page.keyboard.press("Escape");
    expect(await text.inputValue()).toBe("30000");
    await text.fill("12345");
    await page.keyboard.press("Enter");
    await page.locator(".summary", { hasText: "above 12,345 chars" }).waitFor();
    await text.fill("");
    await page.keyboard.press("Enter");
    await page.locator(".summary", { hasText: "the budget that scales with the window" }).waitFor();
    expect(await field(page, "Context window").inputValue()).toBe("200,000");
    expect(await readout(page, "cbi-threshold-curve")).toBe("Scales with the context window");
    await page.context().close();
  });

  test("cards are added from the menu by keyboard, with their source, moved, switched off and removed", async () => {
    const page = await ready();
    const add = page.locator("cbi-menu-button", { hasText: "Add policy" }).locator("button");
    await add.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    const focused = page.locator("cbi-menu-button .item:focus");
    expect(await textOf(focused)).toContain("approximation");
    expect(await textOf(focused)).toContain("google-gemini/gemini-cli");
    await page.keyboard.press("Enter");
    const cards = page.locator("cbi-policy-card");
    await page.locator(".summary", { hasText: "These 2 policies together" }).waitFor();
    expect(await add.evaluate((button) => (button.getRootNode() as ShadowRoot).activeElement === button)).toBe(true);
    await cards.nth(1).locator("vscode-button[aria-label='Move up']").click();
    await expect.poll(() => focusedLabel(page)).toBe("Move down");
    expect(await textOf(cards.first().locator("h3"))).toContain("Mask tool output");
    await cards.first().locator("input[type=checkbox]").first().uncheck();
    await page.locator(".summary", { hasText: "Persisting above 30,000 chars" }).waitFor();
    await cards.nth(1).locator("vscode-button[aria-label='Remove']").click();
    await page.locator(".summary", { hasText: "No policy is on" }).waitFor();
    await cards.first().locator("vscode-button[aria-label='Remove']").click();
    expect(await shownText(page)).toContain("No policy is here. Add one");
    expect(await cards.count()).toBe(0);
    expect(await focusedLabel(page)).toBe("Add policy");
    await page.context().close();
  });

  test("Escape closes the menu and gives the focus back", async () => {
    const page = await ready();
    const add = page.locator("cbi-menu-button", { hasText: "Add policy" }).locator("button");
    await add.click();
    expect(await page.locator("cbi-menu-button .item").count()).toBeGreaterThan(5);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await drawn(page);
    expect(await page.locator("cbi-menu-button .item").count()).toBe(0);
    expect(await add.getAttribute("aria-expanded")).toBe("false");
    await page.context().close();
  });

  test("prices bring the cost, and a cache model its numbers", async () => {
    const page = await ready();
    const card = page.locator("cbi-assumptions-card");
    expect(await shownText(page)).not.toContain("Cost ≈");
    await card.locator(".disclose").click();
    await card.locator("label", { hasText: "Price ratios" }).click();
    await page.locator("cbi-what-if .totals", { hasText: "Cost" }).waitFor();
    await card.locator("#read").fill("none");
    await card.locator("#read").blur();
    expect(await card.locator("#read").getAttribute("aria-invalid")).toBe("true");
    expect((await runs(page)).at(-1)?.assumptions.prices).toEqual({ write: 1.25, read: 0.1 });
    await card.locator("#read").fill("0,25");
    await card.locator("#read").blur();
    await expect.poll(async () => (await runs(page)).at(-1)?.assumptions.prices).toEqual({ write: 1.25, read: 0.25 });
    await card.locator("#cache").selectOption("openai");
    await expect.poll(async () => (await runs(page)).at(-1)?.assumptions.cache.blockTokens).toBe(128);
    await page.context().close();
  });
});

describe("while answers are due", () => {
  test("a moving slider asks for the first and the newest value; old values stay, with a thin line", async () => {
    const page = await ready();
    const before = await textOf(page.locator("cbi-what-if .totals"));
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfRun"]));
    const slider = page.locator("cbi-policy-card input[type=range]").first();
    await slider.focus();
    await slider.evaluate((input: HTMLInputElement) => {
      for (let step = 1; step <= 20; step++) {
        input.value = String(Number(input.value) - 1);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    await page.locator("cbi-what-if .busy").waitFor();
    expect(await textOf(page.locator("cbi-what-if .totals"))).toBe(before);
    expect(await field(page, "Threshold").inputValue()).not.toBe("30,000");
    // The first one takes longer than it may, so the newest is asked in its place.
    await expect.poll(async () => (await thresholds(page)).length).toBe(3);
    const cancelled: number = await page.evaluate(
      () => window.harness.frames.filter((frame) => frame.t === "cancel").length,
    );
    expect(cancelled).toBe(1);
    await page.evaluate(() => {
      window.harness.holdWhatIf([]);
      window.harness.releaseWhatIf();
    });
    await page.locator("cbi-what-if .busy").waitFor({ state: "detached" });
    const [newest] = (await thresholds(page)).at(-1) ?? [];
    await page.locator(".summary", { hasText: `above ${Number(newest).toLocaleString("en")} chars` }).waitFor();
    expect(await thresholds(page)).toHaveLength(3);
    await page.context().close();
  });

  test("an answer with what is no number is refused whole; the page stays and says so", async () => {
    const page = await ready();
    const before = await textOf(page.locator("cbi-what-if .totals"));
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfRun"]));
    await field(page, "Threshold").fill("9000");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await thresholds(page)).length).toBe(2);
    await page.evaluate(() => {
      const asked = window.harness.frames.findLast((frame) => frame.t === "call" && frame.m === "whatIfRun");
      const side = { input: Number.NaN, cached: 0, uncached: 0, peak: 0, overWindow: null, cost: null };
      window.harness.send({ v: 1, id: asked?.id, t: "ok", body: { before: side, after: side } });
    });
    await page.locator("cbi-what-if [role=alert]", { hasText: "The simulation failed" }).waitFor();
    expect(await textOf(page.locator("cbi-what-if .totals"))).toBe(before);
    await page.context().close();
  });

  test("reading a thread says how far it is and can be stopped and begun again", async () => {
    const page = await dev.open("sample");
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfOpen"]));
    await page.locator("#tab-whatIf").click();
    await page.locator("cbi-what-if .screen", { hasText: "Reading the thread…" }).waitFor();
    await page.evaluate(() =>
      window.harness.send({
        v: 1,
        t: "event",
        e: "whatIf/progress",
        body: { what: "measuring", done: 12, total: 400 },
      }),
    );
    await page.locator("cbi-what-if", { hasText: "Measuring results, 12 of 400" }).waitFor();
    expect(await page.locator("cbi-what-if [role=progressbar]").getAttribute("aria-valuenow")).toBe("3");
    await page.locator("cbi-what-if vscode-button", { hasText: "Cancel" }).click();
    await page.locator("cbi-what-if", { hasText: "Reading was cancelled" }).waitFor();
    await page.evaluate(() => window.harness.holdWhatIf([]));
    await page.locator("cbi-what-if vscode-button", { hasText: "Read again" }).click();
    await page.locator("cbi-what-if .totals").waitFor();
    await page.context().close();
  });

  test("a transcript that grew is read again by itself, and the values stay meanwhile", async () => {
    const page = await ready();
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfOpen"]));
    await page.evaluate(() => window.harness.send({ v: 1, t: "event", e: "whatIf/stale", body: {} }));
    await page.locator("cbi-what-if .busy").waitFor();
    expect(await page.locator("cbi-what-if .totals").count()).toBe(1);
    await page.evaluate(() => window.harness.releaseWhatIf());
    await page.locator("cbi-what-if .busy").waitFor({ state: "detached" });
    expect(await calls(page, "whatIfOpen")).toHaveLength(2);
    await page.context().close();
  });
});

describe("the charts by keyboard and pointer", () => {
  test("the cursor reads exact values in a live region, and Enter compares its call", async () => {
    const page = await ready();
    const plot = page.locator("cbi-calls-chart .plot");
    const live = page.locator("cbi-calls-chart .readout");
    expect(await live.getAttribute("aria-live")).toBe("off");
    await plot.focus();
    await drawn(page);
    expect(await live.getAttribute("aria-live")).toBe("polite");
    await page.keyboard.press("Home");
    expect(await readout(page, "cbi-calls-chart")).toMatch(
      /^call 1 ≈ 16,508 before ≈ 16,508 after ≈ 0 cached \(≈\u00a00%\) 16,507 measured$/u,
    );
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("PageUp");
    expect(await plot.getAttribute("aria-valuetext")).toBe("call 12");
    await page.keyboard.press("Enter");
    expect(await calls(page, "whatIfDiff")).toEqual([{ input: (await runs(page)).at(-1), call: 12 }]);
    await page.keyboard.press("End");
    expect(await readout(page, "cbi-calls-chart")).toContain("call 64");
    const box = await plot.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 56, (box?.y ?? 0) + 60);
    await drawn(page);
    expect(await readout(page, "cbi-calls-chart")).toContain("call 1 ");
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(5, 5);
    await page.locator("cbi-what-if vscode-button", { hasText: "Compare call 1" }).click();
    expect((await calls(page, "whatIfDiff")).at(-1)).toMatchObject({ call: 1 });
    await page.context().close();
  });

  test("the curve's cursor sets the threshold by key and by dragging, and snaps to the values that are marked", async () => {
    const page = await ready();
    const plot = page.locator("cbi-threshold-curve .plot");
    await plot.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await field(page, "Threshold").inputValue()).toBe("29,000");
    await page.keyboard.press("Home");
    expect(await plot.getAttribute("aria-valuetext")).toBe("1,000 chars");
    const box = await plot.boundingBox();
    const [x, y, width] = [(box?.x ?? 0) + 52, (box?.y ?? 0) + 90, (box?.width ?? 0) - 52 - 16];
    const at = (chars: number) => x + (Math.log(chars / 1000) / Math.log(200)) * width;
    await page.mouse.move(at(60_000), y);
    await page.mouse.down();
    await page.mouse.move(at(12_000) + 3, y);
    await page.mouse.up();
    expect(await field(page, "Threshold").inputValue()).toBe("12,000");
    await page.mouse.move(at(90_000), y);
    expect(await field(page, "Threshold").inputValue()).toBe("12,000");
    expect(await readout(page, "cbi-threshold-curve")).toMatch(
      /^12,000 chars ≈ 2\.54M tok saved \(≈\u00a053%\) 29 results persisted$/u,
    );
    await page.locator("cbi-what-if vscode-button", { hasText: "Apply 12,000 to config…" }).click();
    expect(await calls(page, "whatIfApply")).toEqual([{ threshold: 12_000 }]);
    await page.context().close();
  });

  test("both have a table behind them, which sets thresholds too and survives a reload", async () => {
    const page = await ready();
    const asTable = page.locator("cbi-what-if vscode-button", { hasText: "Show as table" });
    await asTable.first().click();
    await asTable.first().click();
    expect(await page.locator("cbi-calls-chart tbody tr").count()).toBe(64);
    await page.locator("cbi-threshold-curve button", { hasText: "8,000" }).first().click();
    await page.locator(".summary", { hasText: "above 8,000 chars" }).waitFor();
    await page.reload();
    await page.locator("cbi-calls-chart tbody tr").first().waitFor();
    await page.locator("cbi-threshold-curve tbody tr", { hasText: "chosen" }).waitFor();
    expect(await field(page, "Threshold").inputValue()).toBe("8,000");
    await page.context().close();
  });
});

test("the tab is found again as it was left: scrolled, after another tab and after a reload", async () => {
  const page = await ready("sample", { height: 500 });
  const panel = page.locator("cbi-what-if");
  // What fills in above the edge moves the place by a few pixels, and the browser moves along.
  const near = () => panel.evaluate((element) => Math.abs(element.scrollTop - 333) < 20);
  await panel.evaluate((element) => element.scrollTo({ top: 333 }));
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("page-state"))).toContain('"scrollTop":333');
  await page.locator("#tab-results").click();
  await page.locator("#tab-whatIf").click();
  await expect.poll(near).toBe(true);
  await page.reload();
  await page.locator("cbi-what-if .totals").waitFor();
  await expect.poll(near).toBe(true);
  await page.context().close();
});

describe("affected results", () => {
  test("are ordered by their heads, selected by key, and shown in Results on Enter", async () => {
    const page = await ready();
    const rows = page.locator("cbi-affected-table .row:not(.head-row)");
    await page.locator("cbi-affected-table button", { hasText: "Call" }).click();
    await page.locator("cbi-affected-table [aria-sort=ascending]").waitFor();
    const places = await rows.evaluateAll((all) =>
      all.map((row) => [
        Number((row as HTMLElement).dataset["place"]),
        Number(row.querySelector(".call")?.textContent),
      ]),
    );
    const inOrder = places.sort(([a = 0], [b = 0]) => a - b).map(([, call]) => call);
    expect(inOrder).toEqual([...inOrder].sort((a = 0, b = 0) => a - b));
    await rows.first().click();
    await page.keyboard.press("ArrowDown");
    const tool = await textOf(page.locator("cbi-affected-table .row.selected .tool"));
    await page.keyboard.press("Enter");
    await page.locator("cbi-results-table .row.selected").waitFor();
    expect(await textOf(page.locator("cbi-results-table .row.selected .tool"))).toContain(tool);
    await page.context().close();
  });

  test("ten thousand of them are drawn only as far as they are in sight, and come as they are scrolled to", async () => {
    const page = await ready("huge");
    const rows = page.locator("cbi-affected-table .row:not(.head-row)");
    expect(Number(await page.locator("cbi-affected-table [role=grid]").getAttribute("aria-rowcount"))).toBeGreaterThan(
      5_000,
    );
    expect(await rows.count()).toBeLessThan(40);
    await rows.first().focus();
    await page.keyboard.press("End");
    await expect.poll(async () => textOf(page.locator("cbi-affected-table .row.selected .before"))).toMatch(/\d/u);
    expect(await rows.count()).toBeLessThan(60);
    expect(await shownText(page)).toContain("Each point stands for 5 calls");
    await page.context().close();
  });
});
