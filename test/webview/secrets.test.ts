import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { MASKED_ROW, SECRET } from "../../webview/dev/recordings";
import { calls, drawn, THEME_NAMES, useDevPage } from "./devPage";

const dev = useDevPage();
const MASK = "cbi-detail-pane .secret";

/** Everything that the page holds to be seen or read aloud: texts and attributes, in shadow trees too. */
const everything = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const parts: string[] = [];
    const walk = (node: Node): void => {
      if (node instanceof Element) {
        for (const { value } of node.attributes) parts.push(value);
        if (node.shadowRoot !== null) walk(node.shadowRoot);
      } else if (node.nodeType === Node.TEXT_NODE) parts.push(node.nodeValue ?? "");
      for (const child of node.childNodes) walk(child);
    };
    walk(document);
    return parts.join("\n");
  });

async function open(options: Parameters<typeof dev.open>[1] = {}): Promise<Page> {
  const page = await dev.open("sample", options);
  await page.locator(`[data-place="${MASKED_ROW}"]`).click();
  await page.locator(MASK).waitFor();
  return page;
}

describe("a masked secret", () => {
  test("is shown and hidden by keyboard, the focus stays, and the page never held it before", async () => {
    const page = await open();
    const button = page.locator(`${MASK} button`);
    expect(await everything(page)).not.toContain(SECRET);
    expect(await page.locator("cbi-detail-pane pre").textContent()).toContain("GITHUB_TOKEN=[secret: github] # for");
    expect(await button.getAttribute("aria-label")).toBe("[secret: github]: show it");
    await button.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(MASK).textContent()).toContain(SECRET);
    expect(await calls(page, "showSecret")).toEqual([
      { index: MASKED_ROW, at: expect.any(Number), units: SECRET.length },
    ]);
    const focused = () =>
      page.evaluate(() => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        return active?.getAttribute("aria-label");
      });
    expect(await focused()).toBe("Hide this secret (github)");
    await page.keyboard.press("Space");
    await expect.poll(() => everything(page)).not.toContain(SECRET);
    expect(await focused()).toBe("[secret: github]: show it");
    await page.context().close();
  });

  test("is masked again when another result was looked at", async () => {
    const page = await open();
    await page.locator(`${MASK} button`).click();
    await expect.poll(() => page.locator(MASK).textContent()).toContain(SECRET);
    await page.locator(`[data-place="${MASKED_ROW - 1}"]`).click();
    await page.locator(`[data-place="${MASKED_ROW}"]`).click();
    await page.locator(MASK).waitFor();
    expect(await everything(page)).not.toContain(SECRET);
    await page.context().close();
  });

  test("in a page of the full output is shown on demand too, and masked again when the page is turned", async () => {
    const page = await open();
    await page.locator("cbi-detail-pane vscode-button", { hasText: "Read the full output here" }).click();
    const mask = page.locator("cbi-output-pages .secret");
    await mask.waitFor();
    expect(await everything(page)).not.toContain(SECRET);
    await mask.locator("button").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => mask.textContent()).toContain(SECRET);
    expect(await calls(page, "showOutputSecret")).toEqual([{ index: MASKED_ROW, at: expect.any(Number) }]);
    await page.keyboard.press("Alt+PageDown");
    await page.keyboard.press("Alt+Home");
    await expect.poll(() => mask.textContent()).toBe("[secret: github]");
    expect(await everything(page)).not.toContain(SECRET);
    await page.context().close();
  });

  test.each(THEME_NAMES)("is accessible in %s, masked and shown, at 400 pixels too", async (theme) => {
    for (const width of [1400, 400]) {
      const page = await open({ theme, width, height: 520 });
      const findings = async (): Promise<readonly string[]> => {
        const { violations, passes } = await new AxeBuilder({ page })
          .setLegacyMode()
          .options({ resultTypes: ["violations"] })
          .include({ fromShadowDom: ["context-budget-inspector", "cbi-detail-pane"] })
          .analyze();
        expect(passes.length).toBeGreaterThan(5);
        return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.failureSummary}`));
      };
      expect(await findings()).toEqual([]);
      await page.locator(`${MASK} button`).click();
      await expect.poll(() => page.locator(MASK).textContent()).toContain(SECRET);
      await drawn(page);
      expect(await findings()).toEqual([]);
      await page.context().close();
    }
  });
});
