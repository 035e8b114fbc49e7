import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { HandleHost } from "../../webview/dev/handleHost";
import { recordedRows } from "../../webview/dev/recordings";
import { calls, drawn, setRows, useDevPage } from "./devPage";

const dev = useDevPage();

/** The text of an element, as one line. */
const textIn = async (element: Locator): Promise<string> =>
  ((await element.textContent()) ?? "").replace(/\s+/g, " ").trim();

/** Selects the first result whose full output can be paged through, and shows its first page. */
async function openPages(page: Page): Promise<number> {
  const rows = recordedRows("sample");
  const row = rows.find(({ state, chars }) => state === "inline" && chars > 2_000);
  if (row === undefined) throw new Error("no such row");
  await page.locator(`[data-place="${row.index}"]`).click();
  await page.locator("cbi-detail-pane vscode-button", { hasText: "Read the full output here" }).click();
  await page.locator("cbi-output-pages pre").waitFor();
  return row.index;
}

const range = (page: Page): Promise<string> => textIn(page.locator("cbi-output-pages .range"));
const shown = async (page: Page): Promise<string> =>
  (await page.locator("cbi-output-pages pre").evaluate((pre) => pre.textContent)) ?? "";

test("the pages together are the full output, unit by unit, and split no character", async () => {
  const page = await dev.open("sample");
  const index = await openPages(page);
  const row = recordedRows("sample")[index];
  if (row === undefined) throw new Error("no such row");
  const expected = new HandleHost().textOf(row);
  const pages = [await shown(page)];
  expect(await range(page)).toMatch(/^Chars 1 to \d+,\d+ of \d+,\d+ · page 1 of 4$/);
  for (let at = 2; at <= 4; at++) {
    await page.locator("cbi-output-pages vscode-button", { hasText: "Next" }).click();
    await expect.poll(() => range(page)).toContain(`page ${at} of 4`);
    pages.push(await shown(page));
  }
  expect(pages.join("")).toBe(expected);
  expect(pages.every((text) => text.isWellFormed?.() !== false)).toBe(true);
  await page.context().close();
});

test("pages turn by keyboard, end at both ends, and the focus is not lost there", async () => {
  const page = await dev.open("sample");
  await openPages(page);
  await page.locator("cbi-output-pages pre").focus();
  await page.keyboard.press("Alt+End");
  await expect.poll(() => range(page)).toContain("page 4 of 4");
  await page.keyboard.press("Alt+PageDown");
  await page.keyboard.press("Alt+PageUp");
  await expect.poll(() => range(page)).toContain("page 3 of 4");
  await page.keyboard.press("Alt+Home");
  await expect.poll(() => range(page)).toContain("page 1 of 4");
  await page.keyboard.press("Alt+PageUp");
  // Questions at the ends are not asked.
  expect(await calls(page, "outputPage")).toHaveLength(4);
  await page.locator("cbi-output-pages vscode-button", { hasText: "Last" }).click();
  await expect.poll(() => range(page)).toContain("page 4 of 4");
  const focused = await page.locator("cbi-output-pages").evaluate((pages) => pages.shadowRoot?.activeElement?.tagName);
  expect(focused).toBe("PRE");
  await page.context().close();
});

test("the focus goes into the pages with the button that opens them, and back with the one that closes them", async () => {
  const page = await dev.open("sample");
  await openPages(page);
  await page.keyboard.press("Alt+PageDown");
  await expect.poll(() => range(page)).toContain("page 2 of 4");
  await page.locator("cbi-output-pages vscode-button", { hasText: "Back to the preview" }).click();
  await page.locator("cbi-output-pages").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await expect.poll(() => range(page)).toContain("page 1 of 4");
  await page.keyboard.press("Alt+End");
  await expect.poll(() => range(page)).toContain("page 4 of 4");
  await page.context().close();
});

test("the page stays when rows come, ends with another result, and comes back after a reload", async () => {
  const page = await dev.open("sample");
  const index = await openPages(page);
  await page.locator("cbi-output-pages vscode-button", { hasText: "Next" }).click();
  await expect.poll(() => range(page)).toContain("page 2 of 4");
  const rows = recordedRows("sample");
  const last = rows.at(-1);
  if (last === undefined) throw new Error("no rows");
  await setRows(page, [{ ...last, index: rows.length, line: last.line + 1 }], "state/update");
  await drawn(page);
  expect(await range(page)).toContain("page 2 of 4");
  await page.reload();
  await page.locator("cbi-output-pages pre").waitFor();
  await expect.poll(() => range(page)).toContain("page 2 of 4");
  await page.locator(`[data-place="${index + 1}"]`).click();
  await expect.poll(() => page.locator("cbi-output-pages").count()).toBe(0);
  await page.locator(`[data-place="${index}"]`).click();
  await page.locator("cbi-detail-pane vscode-button", { hasText: "Read the full output here" }).waitFor();
  await page.context().close();
});

test("back to the preview", async () => {
  const page = await dev.open("sample");
  await openPages(page);
  await page.locator("cbi-output-pages vscode-button", { hasText: "Back to the preview" }).click();
  await expect.poll(() => page.locator("cbi-output-pages").count()).toBe(0);
  await page.locator("cbi-detail-pane pre").waitFor();
  await page.context().close();
});
