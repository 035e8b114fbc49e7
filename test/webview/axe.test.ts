import { describe, expect, test } from "vitest";
import { drawn, send, THEME_NAMES, useDevPage } from "./devPage";
import { seriousFindings } from "./findings";

const dev = useDevPage();
/** A low page: the table then draws few rows, and axe looks at each of them. */
const HEIGHT = 520;

describe.each(THEME_NAMES)("axe in %s", (theme) => {
  test.each([1400, 400])("results with a selected row at %d pixels", async (width) => {
    const page = await dev.open("sample", { theme, width, height: HEIGHT });
    await page.locator('[data-place="2"]').click();
    await page.locator("cbi-detail-pane pre").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test("an open menu over the table", async () => {
    const page = await dev.open("sample", { theme, height: HEIGHT });
    await page.locator("vscode-dropdown").nth(1).click();
    await drawn(page);
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test.each([1400, 400])("overview at %d pixels, as chart and as table", async (width) => {
    const page = await dev.open("sample", { theme, width, height: 1200 });
    await page.locator("#tab-overview").click();
    await page.locator("cbi-context-chart svg").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.locator("cbi-overview vscode-button", { hasText: "Show as table" }).click();
    await page.locator("cbi-overview .calls").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test.each([1400, 400])("handles at %d pixels, one of them open, and a page of a full output", async (width) => {
    const page = await dev.open("sample", { theme, width, height: 900 });
    await page.locator("#tab-handles").click();
    await page.locator("cbi-handles button.row").nth(2).click();
    await page.locator("cbi-handles .details").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.locator("#tab-results").click();
    await page.locator('[data-place="0"]').click();
    await page.locator("cbi-detail-pane vscode-button", { hasText: "Read the full output here" }).click();
    await page.locator("cbi-output-pages pre").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test("problems", async () => {
    const page = await dev.open("sample", { theme, height: HEIGHT });
    await page.locator("#tab-problems").click();
    await page.locator("cbi-problems-list li").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test("the figures of one thread, whose name is long, at 320 pixels", async () => {
    const page = await dev.open("hostile", { theme, width: 320, height: HEIGHT });
    await send(page, "select/thread", { thread: "sub-1" });
    await page.locator("cbi-transcript-header .covers button").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const wide = await page
      .locator("cbi-transcript-header .covers")
      .evaluate((line) => line.scrollWidth > line.clientWidth);
    expect(wide).toBe(false);
    await page.context().close();
  });

  test.each(["empty", "error", "empty-file", "reading", "cancelled", "refused", "hostile"] as const)(
    "%s",
    async (state) => {
      const page = await dev.open(state, { theme, height: HEIGHT });
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().close();
    },
  );
});

test("rows that are still on their way", async () => {
  const page = await dev.open("huge", { height: HEIGHT });
  await page.evaluate(() => window.harness.holdRows(true));
  await page.locator("cbi-results-table .scroller").evaluate((scroller) => {
    scroller.scrollTop = 1_000_000;
  });
  await page.locator('[data-place][aria-busy="true"]').nth(5).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.context().close();
});

test("axe sees into our components: bad colours and a name taken away are found", async () => {
  const page = await dev.open("sample", { height: HEIGHT });
  await page.evaluate(() => document.documentElement.style.setProperty("--vscode-foreground", "#2a2a2a"));
  await page.locator("[role=grid]").evaluate((grid) => grid.setAttribute("role", "grip"));
  const findings = await seriousFindings(page);
  expect(findings.filter((finding) => finding.startsWith("color-contrast")).length).toBeGreaterThan(5);
  expect(findings.filter((finding) => finding.startsWith("aria-")).length).toBeGreaterThan(0);
  await page.context().close();
});
