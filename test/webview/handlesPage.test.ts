import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import { recordedRows } from "../../webview/dev/recordings";
import { calls, drawn, setRows, shownText, useDevPage } from "./devPage";

const dev = useDevPage();

/** The text of an element, as one line. */
const textIn = async (element: Locator): Promise<string> =>
  ((await element.textContent()) ?? "").replace(/\s+/g, " ").trim();

async function openHandles(state: "sample" | "empty" | "huge" | "refused", width = 1400): Promise<Page> {
  const page = await dev.open(state, { width });
  await page.locator("#tab-handles").click();
  await drawn(page);
  return page;
}

test("the summary counts every use, and each count shows its handles", async () => {
  const page = await openHandles("sample");
  const summary = page.locator("cbi-handles .summary");
  await expect.poll(() => textIn(summary)).toBe("22 handles: 13 never read again, 3 read, 3 repeated, 3 not known");
  await summary.getByRole("button", { name: "3 repeated" }).click();
  await expect.poll(() => page.locator("cbi-handles button.row").count()).toBe(3);
  expect(await calls(page, "handles")).toEqual([
    { moment: { kind: "now" }, use: null, from: 0, count: 50 },
    { moment: { kind: "now" }, use: "repeated", from: 0, count: 50 },
  ]);
  // The same count again shows all.
  await summary.getByRole("button", { name: "3 repeated" }).click();
  await expect.poll(() => page.locator("cbi-handles button.row").count()).toBe(22);
  await page.context().close();
});

test("a handle opens by keyboard to its reads, and from there to the transcript and to its result", async () => {
  const page = await openHandles("sample");
  const rows = page.locator("cbi-handles button.row");
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator("cbi-handles .details").waitFor();
  expect(await rows.nth(2).getAttribute("aria-expanded")).toBe("true");
  const text = await textIn(page.locator("cbi-handles .details"));
  expect(text).toContain("Read 2 times");
  expect(text).toContain("lines 1 to 200, 12,345 chars came back");
  expect(text).toContain("from line 201, refused");
  await page.keyboard.press("End");
  expect(await rows.last().evaluate((row) => row === (row.getRootNode() as ShadowRoot).activeElement)).toBe(true);
  const line = page.locator("cbi-handles .calls .link").first();
  const number = Number((await textIn(line)).replace(/\D/g, ""));
  await line.press("Enter");
  expect(await calls(page, "reveal")).toEqual([{ line: number }]);
  await page.locator("cbi-handles vscode-button", { hasText: "Show the result" }).click();
  await page.locator("cbi-detail-pane pre").waitFor();
  expect(await page.locator("#tab-results").getAttribute("aria-selected")).toBe("true");
  await page.context().close();
});

test("the moment is chosen: now, the end, or a call", async () => {
  const page = await openHandles("sample");
  const moment = page.locator("cbi-handles vscode-dropdown").nth(1);
  await moment.click();
  await page.locator("cbi-handles vscode-option", { hasText: "at a call" }).click();
  const call = page.locator("cbi-handles input[type=number]");
  await call.waitFor();
  await call.fill("7");
  await call.press("Enter");
  await expect
    .poll(async () => (await calls(page, "handles")).at(-1))
    .toMatchObject({ moment: { kind: "call", thread: null, call: 7 } });
  await expect.poll(() => shownText(page)).toMatch(/of 32[\s\S]*That is Aug 14, 2026/);
  await page.context().close();
});

test("without handles a sentence says so and what they are", async () => {
  const page = await openHandles("empty");
  await expect
    .poll(() => shownText(page))
    .toMatch(/There are no handles in this transcript\.[\s\S]*A handle is an id or a path/);
  await page.context().close();
});

test("a refusal is told with a way to try again", async () => {
  const page = await dev.open("sample");
  await page.evaluate(() => window.harness.holdWhatIf(["handles"]));
  await page.locator("#tab-handles").click();
  await expect.poll(() => shownText(page)).toContain("Looking for handles…");
  await page.evaluate(() => {
    const frame = window.harness.frames.findLast((one) => one.t === "call" && one.m === "handles");
    window.harness.send({ v: 1, id: frame?.id, t: "err", code: "failed", message: "the file is gone." });
  });
  await expect.poll(() => shownText(page)).toContain("The handles could not be found: the file is gone.");
  await page.evaluate(() => window.harness.holdWhatIf([]));
  await page.locator("cbi-handles vscode-button", { hasText: "Try again" }).click();
  await page.locator("cbi-handles button.row").first().waitFor();
  await page.context().close();
});

test("of 200,000 results fifty handles are drawn at a time, with a way to the others", async () => {
  const page = await openHandles("huge");
  const rows = page.locator("cbi-handles button.row");
  await expect.poll(() => rows.count()).toBe(50);
  await expect.poll(() => textIn(page.locator("cbi-handles .range"))).toBe("1 to 50 of 62,134");
  await page.locator("cbi-handles .pager vscode-button", { hasText: "Last" }).click();
  await expect.poll(() => textIn(page.locator("cbi-handles .range"))).toBe("62,101 to 62,134 of 62,134");
  await page.locator("cbi-handles .pager vscode-button", { hasText: "Previous" }).click();
  await expect.poll(() => textIn(page.locator("cbi-handles .range"))).toBe("62,051 to 62,100 of 62,134");
  await page.context().close();
});

test("a path outside the spill folders is not called a spill file, and where no file is looked at nothing claims it", async () => {
  const rows = recordedRows("sample").filter(({ state, path }) => state === "persisted" && path !== null);
  const told = async (file: ResultRow["file"]): Promise<string> => {
    const page = await dev.open("sample");
    await setRows(
      page,
      rows.map((row) => ({ ...row, file })),
    );
    await page.locator("#tab-handles").click();
    await page.locator("cbi-handles button.row").first().click();
    await page.locator("cbi-handles .details").waitFor();
    const text = await textIn(page.locator("cbi-handles .page"));
    await page.context().close();
    return text;
  };
  const known = await told("ok");
  expect(known).toContain("a spill file /");
  expect(known).toContain("Files are looked at as they are now.");
  const outside = await told("outside");
  expect(outside).toContain("its path lies outside the known spill folders");
  expect(outside).not.toContain("a spill file");
  expect(outside).not.toContain("as they are now");
  const restricted = await told("not-checked");
  expect(restricted).toContain("because this workspace is not trusted");
  expect(restricted).not.toMatch(/as they are now|outside/);
});

test.each([320, 640, 2_000])("nothing is wider than the page at %d pixels", async (width) => {
  const page = await openHandles("sample", width);
  await page.locator("cbi-handles button.row").nth(2).click();
  await page.locator("cbi-handles .details").waitFor();
  const over = await page.locator("cbi-handles").evaluate((tab) => tab.scrollWidth - tab.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
  await page.context().close();
});
