import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { NO_FILTER, type ResultRow, ROW_LIMITS, type RowSort } from "../../extension/src/core/model/rowQuery";
import type { Header } from "../../extension/src/protocol/webview";
import { HUGE, makeRows, recordedRows } from "../../webview/dev/recordings";
import { RowList } from "../../webview/dev/rowList";
import { calls, drawn, focusedPlace, send, setRows, useDevPage } from "./devPage";

const dev = useDevPage();
const ROW = "[data-place]";

const SAMPLE = recordedRows("sample");

function sorted(rows: readonly ResultRow[], sort: RowSort): readonly ResultRow[] {
  const query = { filter: NO_FILTER, sort, within: null };
  const part = { from: 0, count: ROW_LIMITS.window, around: null, find: [], summary: false };
  return new RowList(rows).answer({ query, ...part }).rows;
}

const tools = (page: Page): Promise<string[]> =>
  page
    .locator(`${ROW} .cell.tool .ellipsis`)
    .allTextContents()
    .then((texts) => texts.map((text) => text.trim()));

describe("table", () => {
  test("200,000 rows draw only those in sight, at both ends", async () => {
    const page = await dev.open("huge");
    const grid = page.locator("[role=grid]");
    expect(await grid.getAttribute("aria-rowcount")).toBe(`${HUGE + 1}`);
    expect(await page.locator(ROW).count()).toBeLessThan(80);
    await page.locator(ROW).first().click();
    await page.keyboard.press("End");
    await page.locator(`[data-place="${HUGE - 1}"]`).waitFor();
    await drawn(page);
    expect(await focusedPlace(page)).toBe(HUGE - 1);
    expect(await page.locator(`[data-place="${HUGE - 1}"]`).getAttribute("aria-rowindex")).toBe(`${HUGE + 1}`);
    expect(await page.locator(ROW).count()).toBeLessThan(80);
    await page.keyboard.press("Home");
    expect(await focusedPlace(page)).toBe(0);
    await page.context().close();
  });

  test("keys walk the rows, open, and copy", async () => {
    const page = await dev.open("sample");
    await page.keyboard.press("/");
    await page.keyboard.type("spill");
    const shown = SAMPLE.filter((row) => row.path?.includes("spill"));
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain(`${shown.length} of 64`);
    // From the text field over the menus and the clear button to the heads of the table, then its one row in the tab order.
    for (let step = 0; step < 20 && (await focusedPlace(page)) === null; step++) {
      await page.keyboard.press("Tab");
    }
    expect(await focusedPlace(page)).toBe(0);
    await page.keyboard.press("ArrowDown");
    expect(await focusedPlace(page)).toBe(0); // nothing was selected, so the first row is
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await focusedPlace(page)).toBe(1);
    expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(1);
    const place = shown.findIndex((row) => row.file === "ok");
    expect(place).toBeGreaterThan(1);
    for (let step = 1; step < place; step++) {
      await page.keyboard.press("ArrowDown");
    }
    const at = shown[place]?.index ?? -1;
    await page.keyboard.press("Enter");
    expect(await calls(page, "openFull")).toEqual([{ index: at }]);
    await page.keyboard.press("ControlOrMeta+c");
    expect(await calls(page, "copy")).toEqual([{ index: at, what: "path" }]);
    await page.locator("[role=status]", { hasText: "Path copied." }).waitFor({ state: "attached" });
    await page.keyboard.press("End");
    expect(await focusedPlace(page)).toBe(shown.length - 1);
    await page.keyboard.press("PageUp");
    await page.keyboard.press("PageDown");
    expect(await focusedPlace(page)).toBe(shown.length - 1);
    await page.context().close();
  });

  test("a handle is copied where there is no path", async () => {
    const page = await dev.open("sample");
    const row = SAMPLE.find((candidate) => candidate.state === "handle");
    await send(page, "select/row", { index: row?.index ?? -1 });
    await page.locator('[role="row"][aria-selected="true"]').focus();
    await page.keyboard.press("ControlOrMeta+c");
    expect(await calls(page, "copy")).toEqual([{ index: row?.index, what: "handle" }]);
    await page.context().close();
  });

  test("only one row is in the tab order, and it keeps the focus when scrolled away", async () => {
    const page = await dev.open("huge");
    await page.locator('[data-place="3"]').click();
    await page.locator("cbi-results-table .scroller").evaluate((scroller) => {
      scroller.scrollTop = 500_000;
    });
    await page.locator('[data-place="22727"]').waitFor();
    expect(await page.locator(`${ROW}[tabindex="0"]`).count()).toBe(1);
    expect(await focusedPlace(page)).toBe(3);
    await page.keyboard.press("ArrowDown");
    expect(await focusedPlace(page)).toBe(4);
    await page.context().close();
  });

  test("column heads sort, say so, and come back to the transcript's order", async () => {
    const page = await dev.open("sample");
    const head = page.locator("[role=columnheader].chars");
    await head.locator("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    await drawn(page);
    const order = sorted(SAMPLE, { key: "chars", descending: true });
    expect((await tools(page)).slice(0, 10)).toEqual(order.slice(0, 10).map((row) => row.tool ?? "unknown tool"));
    await head.locator("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    await head.locator("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("none");
    await page.context().close();
  });

  test("the header says how many results a compaction took out, and holds that on a narrow page", async () => {
    const page = await dev.open("sample");
    const header = page.locator("cbi-transcript-header");
    expect(await header.getByText("left context").count()).toBe(0);
    await header.evaluate(async (element) => {
      const shown = element as HTMLElement & { header: Header; updateComplete: Promise<boolean> };
      shown.header = { ...shown.header, resultsLeft: 2, charsLeft: 4422 };
      await shown.updateComplete;
    });
    await header.getByText("· 2 left context").waitFor();
    // The title comes from the host; the window puts a share beside the tokens.
    expect(await header.locator("h1").textContent()).toBe("Which tests fail since yesterday?");
    expect(await header.locator("dd").first().textContent()).toMatch(/193,204 tok\s+· 19% of 1M/);
    expect(await header.getByTitle(/The context window is 1,000,000 tok, by the model's name/).count()).toBe(1);
    expect(await header.getByTitle(/2 of the results listed, 4,422 chars, left the context/).count()).toBe(1);
    await page.setViewportSize({ width: 320, height: 900 });
    const wider = await header
      .locator("dd")
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
    expect(wider).toEqual([]);
    await page.context().close();
  });

  test("a row shows and says what no column does: errors, images, results without a call", async () => {
    const page = await dev.open("sample");
    const rows = SAMPLE;
    const place = rows.findIndex((row) => row.images > 0);
    const row = page.locator(`[data-place="${place}"]`);
    await row.scrollIntoViewIfNeeded();
    await row.locator(".cell.tool .codicon-file-media").waitFor();
    expect(await row.locator(".cell.tool").textContent()).toContain(`${rows[place]?.images} images`);
    await page.context().close();
  });

  test("fields and menus say their own names, not the toolkit's", async () => {
    const page = await dev.open("sample");
    await page.getByRole("textbox", { name: "Filter by tool, path, handle or call id" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Text field" }).count()).toBe(0);
    const menus = page.locator("vscode-dropdown");
    expect(await menus.evaluateAll((all) => all.map((menu) => menu.ariaLabel))).toEqual([
      "Thread",
      "State",
      "Tool",
      "File",
      "Context",
    ]);
    await page.context().close();
  });

  test("menus filter by state, tool and file status", async () => {
    const page = await dev.open("sample");
    const rows = SAMPLE;
    const count = page.locator("cbi-filter-bar .count");
    await page.locator("vscode-dropdown[aria-label=State]").click();
    await page.locator("vscode-dropdown[aria-label=State] vscode-option", { hasText: "persisted" }).click();
    const persisted = rows.filter((row) => row.state === "persisted");
    await expect.poll(() => count.textContent()).toContain(`${persisted.length} of 64`);
    await page.locator("vscode-dropdown[aria-label=Tool]").click();
    await page.locator("vscode-dropdown[aria-label=Tool] vscode-option", { hasText: "web_search" }).click();
    await expect
      .poll(() => count.textContent())
      .toContain(`${persisted.filter((row) => row.tool === "web_search").length} of 64`);
    await page.locator("vscode-dropdown[aria-label=File]").focus();
    await page.keyboard.press("End");
    const last = await page
      .locator("vscode-dropdown[aria-label=File]")
      .evaluate((menu) => (menu as HTMLSelectElement).value);
    await expect
      .poll(() => count.textContent())
      .toContain(`${persisted.filter((row) => row.tool === "web_search" && `=${row.file}` === last).length} of 64`);
    await page.locator("cbi-filter-bar vscode-button[aria-label='Clear filters']").click();
    await expect.poll(() => count.textContent()).toContain("64 of 64");
    expect(
      await page.locator("vscode-dropdown[aria-label=State]").evaluate((menu) => (menu as HTMLSelectElement).value),
    ).toBe("");
    await page.context().close();
  });

  test("turns filter by number, from first to last; what is no turn is marked and filters nothing", async () => {
    const page = await dev.open("sample");
    const field = page.locator("cbi-filter-bar vscode-text-field.turns");
    const count = page.locator("cbi-filter-bar .count");
    const shown = (first: number, last: number): string =>
      `${SAMPLE.filter((row) => row.turn !== null && row.turn >= first && row.turn <= last).length} of 64`;
    await field.click();
    await page.keyboard.type("3");
    await expect.poll(() => count.textContent()).toContain(shown(3, 3));
    await page.keyboard.type("-");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await page.keyboard.type("5");
    await expect.poll(() => count.textContent()).toContain(shown(3, 5));
    expect(await field.getAttribute("aria-invalid")).toBeNull();
    await page.locator("cbi-filter-bar vscode-button[aria-label='Clear filters']").click();
    await expect.poll(() => count.textContent()).toContain("64 of 64");
    expect(await field.evaluate((element) => (element as HTMLInputElement).value)).toBe("");
    await page.context().close();
  });

  test("what a compaction took out is marked in its row and in the detail, and can be filtered", async () => {
    const page = await dev.open("sample");
    const left = SAMPLE.filter((row) => row.leftLine !== null);
    expect(left.length).toBeGreaterThan(3);
    const first = page.locator('[data-place="0"]');
    expect(await first.locator(".cell.tool").textContent()).toContain("left context");
    await first.locator(".codicon-sign-out").waitFor();
    expect(await page.locator('[data-place="20"] .codicon-sign-out').count()).toBe(0);
    await page.locator("vscode-dropdown[aria-label=Context]").click();
    await page
      .locator("vscode-dropdown[aria-label=Context] vscode-option", { hasText: `left context (${left.length})` })
      .click();
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain(`${left.length} of 64`);
    expect(await page.locator("cbi-filter-bar .count").getAttribute("aria-live")).toBe("polite");
    await first.click();
    const pane = page.locator("cbi-detail-pane");
    await pane.locator("dd", { hasText: `by summary (auto), line ${left[0]?.leftLine}` }).waitFor();
    await pane.locator("vscode-button", { hasText: "Show the compaction" }).click();
    expect(await calls(page, "reveal")).toEqual([{ line: left[0]?.leftLine }]);
    await page.context().close();
  });

  test("the mark of what left the context stands in a narrow table as well", async () => {
    const page = await dev.open("sample", { width: 340 });
    const tool = page.locator('[data-place="0"] .cell.tool');
    await tool.locator(".codicon-sign-out").waitFor();
    const mark = await tool.locator(".codicon-sign-out").boundingBox();
    const cell = await tool.boundingBox();
    if (mark === null || cell === null) throw new Error("not drawn");
    expect(mark.x + mark.width).toBeLessThanOrEqual(cell.x + cell.width);
    expect(await tool.getAttribute("title")).toContain("a compaction took it out");
    await page.context().close();
  });

  test("in a low window, or at a large zoom, the page scrolls down to a table that can be read", async () => {
    const page = await dev.open("sample", { width: 640, height: 320 });
    const table = page.locator("cbi-results-table");
    await table.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await drawn(page);
    const box = await table.boundingBox();
    if (box === null) throw new Error("not drawn");
    expect(box.height).toBeGreaterThan(180);
    expect(box.y + box.height).toBeLessThanOrEqual(320);
    await page.context().close();
  });

  test("numbers of turns and calls have room, however many there are", async () => {
    const page = await dev.open("huge");
    await page.locator('[data-place="0"]').click();
    await page.keyboard.press("End");
    await page.locator(`[data-place="${HUGE - 1}"]:not([aria-busy])`).waitFor();
    for (const column of ["turn", "call"]) {
      const cut = await page
        .locator(`[data-place] .cell.${column}`)
        .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
      expect(cut, column).toBe(0);
    }
    await page.context().close();
  });

  test("the table stays where it is when a filter is set", async () => {
    const page = await dev.open("sample");
    const room = page.locator("cbi-filter-bar .room");
    const top = async (): Promise<number | undefined> => (await page.locator("cbi-results-table").boundingBox())?.y;
    const end = async (): Promise<number | undefined> =>
      (await page.locator("cbi-filter-bar .end").boundingBox())?.width;
    const before = new Map<number, number | undefined>();
    const widths = [320, 560, 700, 800, 1000, 1004, 1010, 1020, 1100, 1400];
    await page.keyboard.press("/");
    await page.keyboard.type(" ");
    await room.waitFor({ state: "attached" });
    const width = await end();
    for (const each of widths) {
      await page.setViewportSize({ width: each, height: 860 });
      await drawn(page);
      before.set(each, await top());
    }
    // A blank filters nothing, a word that all rows hold filters nothing out: only the button is new.
    await page.keyboard.type("call");
    await page.locator("cbi-filter-bar vscode-button[aria-label='Clear filters']").waitFor();
    await drawn(page);
    expect(Math.abs(((await end()) ?? 0) - (width ?? 0))).toBeLessThan(1.5);
    for (const each of widths) {
      await page.setViewportSize({ width: each, height: 860 });
      await drawn(page);
      expect(await top(), `${each}`).toBe(before.get(each));
    }
    await page.context().close();
  });

  test("no match says so and offers the way back", async () => {
    const page = await dev.open("sample");
    await page.keyboard.press("/");
    await page.keyboard.type("no such thing");
    await page.locator(".no-match vscode-button").click();
    // The rows come with the host's next answer.
    await page.locator(ROW).nth(10).waitFor();
    expect(
      await page
        .locator("cbi-filter-bar vscode-text-field")
        .first()
        .evaluate((field) => (field as HTMLInputElement).value),
    ).toBe("");
    await page.context().close();
  });
});

describe("what survives", () => {
  test("filter, sort, selection, scroll, split and tab come back after a reload", async () => {
    const page = await dev.open("huge");
    await page.keyboard.press("/");
    await page.keyboard.type("web");
    await page.locator("[role=columnheader].chars button").click();
    await page.locator("cbi-results-table .scroller").evaluate((scroller) => {
      scroller.scrollTop = 4400;
    });
    await page.locator('[data-place="205"]').click();
    const selected = await page.locator('[data-place="205"]').textContent();
    await page.locator("[role=separator]").focus();
    await page.keyboard.press("ArrowLeft");
    const share = await page.locator("[role=separator]").getAttribute("aria-valuenow");
    await page.reload();
    await page.locator('[data-place="205"]').waitFor();
    expect(await page.locator("cbi-results-table .scroller").evaluate((scroller) => scroller.scrollTop)).toBe(4400);
    expect(await page.locator('[data-place="205"]').textContent()).toBe(selected);
    expect(await page.locator('[data-place="205"]').getAttribute("aria-selected")).toBe("true");
    expect(await page.locator("[role=separator]").getAttribute("aria-valuenow")).toBe(share);
    expect(await page.locator("[role=columnheader].chars").getAttribute("aria-sort")).toBe("descending");
    await page.locator("#tab-problems").click();
    await page.reload();
    await page.locator("cbi-problems-list").waitFor();
    await page.context().close();
  });

  test("rows that arrive above move nothing that is being looked at", async () => {
    const page = await dev.open("huge");
    await page.locator("[role=columnheader].chars button").click();
    await page.locator("cbi-results-table .scroller").evaluate((scroller) => {
      scroller.scrollTop = 2205;
    });
    await page.locator('[data-place="110"]').click();
    const selected = page.locator('[role="row"][aria-selected="true"]');
    const before = await selected.boundingBox();
    const top = sorted(recordedRows("huge"), { key: "chars", descending: true })[0]?.chars ?? 0;
    const added = makeRows(50, 3).map((row) => ({
      ...row,
      index: HUGE + row.index,
      state: "inline" as const,
      chars: top + 1,
    }));
    await setRows(page, added, "state/append");
    await page.locator('[data-place="160"][aria-selected="true"]').waitFor();
    await drawn(page);
    expect((await selected.boundingBox())?.y).toBe(before?.y);
    await page.context().close();
  });

  test("typing in the filter keeps focus and text while rows arrive", async () => {
    const page = await dev.open("reading");
    await page.keyboard.press("/");
    await page.keyboard.type("we");
    await setRows(page, makeRows(60).slice(23), "state/append");
    await page.keyboard.type("b");
    expect(
      await page
        .locator("cbi-filter-bar vscode-text-field")
        .first()
        .evaluate((field) => (field as HTMLInputElement).value),
    ).toBe("web");
    const shown = makeRows(60).filter((row) => `${row.tool} ${row.path}`.includes("web"));
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain(`${shown.length} of 60`);
    await page.context().close();
  });
});

describe("detail pane", () => {
  test("its buttons reach the host, and a copy button says that it copied", async () => {
    const page = await dev.open("sample");
    const row = SAMPLE.find((candidate) => candidate.file === "ok");
    await send(page, "select/row", { index: row?.index ?? -1 });
    const pane = page.locator("cbi-detail-pane");
    await pane.locator("pre").waitFor();
    await pane.locator("vscode-button", { hasText: "Open full output" }).click();
    await pane.locator("vscode-button", { hasText: "Open in transcript" }).click();
    await pane.locator("vscode-button", { hasText: "Copy path" }).click();
    expect(await calls(page, "openFull")).toEqual([{ index: row?.index }]);
    expect(await calls(page, "reveal")).toEqual([{ line: row?.line }]);
    expect(await calls(page, "copy")).toEqual([{ index: row?.index, what: "path" }]);
    await pane.locator("vscode-button .codicon-check").waitFor();
    await page.context().close();
  });

  test("re-base is offered where the home is missing", async () => {
    const page = await dev.open("sample");
    const row = SAMPLE.find((candidate) => candidate.file === "other-machine");
    await send(page, "select/row", { index: row?.index ?? -1 });
    await page.locator("cbi-detail-pane vscode-button", { hasText: "Re-base" }).click();
    expect(await calls(page, "rebase")).toEqual([{}]);
    await page.context().close();
  });

  test("it lies beside the table, and under it below 700 pixels", async () => {
    for (const [width, beside] of [
      [700, true],
      [699, false],
    ] as const) {
      const page = await dev.open("sample", { width });
      const table = await page.locator("cbi-results-table").boundingBox();
      const pane = await page.locator("cbi-detail-pane").boundingBox();
      expect((pane?.x ?? 0) >= (table?.width ?? 0), `${width}`).toBe(beside);
      expect((pane?.y ?? 0) >= (table?.y ?? 0) + (table?.height ?? 0), `${width}`).toBe(!beside);
      await page.context().close();
    }
  });

  test("the sash moves by pointer within its bounds", async () => {
    const page = await dev.open("sample");
    const sash = page.locator("[role=separator]");
    const box = await sash.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 0.5, (box?.y ?? 0) + 100);
    await page.mouse.down();
    await page.mouse.move(700, 300);
    expect(await sash.getAttribute("aria-valuenow")).toBe("50");
    await page.mouse.move(1, 300);
    await page.mouse.up();
    expect(await sash.getAttribute("aria-valuenow")).toBe("20");
    await page.context().close();
  });
});
