import type { Locator, Page } from "playwright-core";
import { drawn, type OpenOptions, type useDevPage } from "./devPage";

type DevPage = ReturnType<typeof useDevPage>;

/** Opens a recorded transcript with its tab *What if*; resolves when the first answers are shown. */
export function whatIfOf(dev: DevPage) {
  return async (state: Parameters<DevPage["open"]>[0] = "sample", options: OpenOptions = {}): Promise<Page> => {
    const page = await dev.open(state, { height: 1200, ...options });
    await page.locator("#tab-whatIf").click();
    await page.locator("cbi-what-if .totals").waitFor();
    await page.locator("cbi-affected-table").waitFor();
    await drawn(page);
    return page;
  };
}

/** The first number field with that label. */
export const field = (page: Page, label: string): Locator =>
  page.locator("cbi-whole-field", { hasText: label }).first().locator("input[type=text]");
