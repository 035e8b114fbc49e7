import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { drawn, THEME_NAMES, useDevPage } from "./devPage";
import { seriousFindings } from "./findings";

const dev = useDevPage();

async function ready(state: Parameters<typeof dev.open>[0], options: Parameters<typeof dev.open>[1]): Promise<Page> {
  const page = await dev.open(state, options);
  await page.locator("#tab-whatIf").click();
  await page.locator("cbi-what-if .totals").waitFor();
  await drawn(page);
  return page;
}

describe.each(THEME_NAMES)("axe on the what-if tab in %s", (theme) => {
  test.each([1400, 360])("everything unfolded at %d pixels, one card refused a value", async (width) => {
    const page = await ready("sample", { theme, width, height: 2600 });
    await page.locator("cbi-menu-button", { hasText: "Add policy" }).locator("button").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    for (const disclose of await page.locator("cbi-policy-card .disclose, cbi-assumptions-card .disclose").all()) {
      await disclose.click();
    }
    await page.locator("cbi-assumptions-card label", { hasText: "Price ratios" }).click();
    await page.locator("cbi-whole-field input[type=text]").first().fill("1e4");
    await page.locator("cbi-affected-table .row:not(.head-row)").first().click();
    await drawn(page);
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test("charts as tables, and the open menu over them", async () => {
    const page = await ready("sample", { theme, height: 1400 });
    const asTable = page.locator("cbi-what-if vscode-button", { hasText: "Show as table" });
    await asTable.first().click();
    await asTable.first().click();
    await page.locator("cbi-threshold-curve tbody tr").first().waitFor();
    await page.locator("cbi-menu-button", { hasText: "Add policy" }).locator("button").click();
    await drawn(page);
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test("nothing to simulate, reading, and a refusal", async () => {
    const page = await dev.open("sample", { theme });
    await page.evaluate(() => window.harness.holdWhatIf(["whatIfOpen"]));
    await page.locator("#tab-whatIf").click();
    await page.locator("cbi-what-if .screen").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.evaluate(() => {
      const asked = window.harness.frames.findLast((frame) => frame.t === "call" && frame.m === "whatIfOpen");
      window.harness.send({ v: 1, id: asked?.id, t: "err", code: "failed", message: "it is gone." });
    });
    await page.locator("cbi-what-if [role=alert]").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
    const empty = await ready("empty", { theme });
    expect(await seriousFindings(empty)).toEqual([]);
    await empty.context().close();
  });
});
