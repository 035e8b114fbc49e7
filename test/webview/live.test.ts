import { describe, expect, test } from "vitest";
import { makeRows, recordedRows, recording } from "../../webview/dev/recordings";
import { RowHost } from "../../webview/dev/rowHost";
import { marked } from "../../webview/src/searchMarks";
import type { SearchState } from "../../webview/src/searchRunner";
import { Session } from "../../webview/src/session";
import type { UiState } from "../../webview/src/uiState";
import { calls, drawn, send, setRows, shownText, useDevPage } from "./devPage";
import { FakeHost, settled } from "./fakeHost";

const QUERY = { text: "page", regex: false, matchCase: false };
const progress = { searched: 64, total: 64, slow: 0, unreadable: 0 };
const hit = (index: number) => ({ index, count: 2, ranges: [[0, 4] as const, [9, 13] as const] });

async function setUp(stored: unknown = undefined) {
  const host = new FakeHost();
  const rowHost = new RowHost(recordedRows("sample"));
  host.rowHost = rowHost;
  let saved: UiState | undefined;
  const session = new Session(host, { get: () => stored, set: (value) => (saved = value) }, () => undefined);
  const started = session.start();
  host.answer("ready", recording("sample"));
  await started;
  await settled();
  /** Hits of a search as the host tells them: first it knows, then the page hears. */
  const found = (search: number, ...indexes: readonly number[]): void => {
    rowHost.found(search, indexes);
    host.send({ v: 1, t: "event", e: "search/hits", body: { search, hits: indexes.map(hit), progress } });
  };
  const places = (): (number | undefined)[] =>
    Array.from({ length: session.view.rows.total ?? 0 }, (_, place) => session.view.rows.at(place)?.index);
  return { host, rowHost, session, found, places, saved: () => saved };
}

describe("searching", () => {
  test("hits narrow the table as they arrive; clearing shows all rows", async () => {
    const { host, session, found, places, saved } = await setUp();
    session.search(QUERY);
    expect(host.calls("search").map((call) => call.body)).toEqual([{ search: 1, query: QUERY }]);
    await settled();
    expect(session.view.rows.total).toBe(0);
    found(1, 3);
    found(1, 5);
    host.answer("search", { end: "done" });
    await settled();
    expect(places()).toEqual([3, 5]);
    expect(session.view.search).toMatchObject({ count: 4, end: "done" });
    expect(saved()?.query).toEqual(QUERY);
    session.search(null);
    await settled();
    expect(session.view.rows.total).toBe(64);
  });

  test("a newer query cancels the older one, whose late hits are not heard", async () => {
    const { host, session } = await setUp();
    session.search(QUERY);
    session.search({ ...QUERY, text: "other" });
    expect(host.cancelled()).toContain(host.calls("search")[0]?.id);
    host.send({ v: 1, t: "event", e: "search/hits", body: { search: 1, hits: [hit(3)], progress } });
    await settled();
    expect(session.view.search).toMatchObject({ query: { text: "other" }, count: 0, end: null });
  });

  test("cancelled, what was found stays; a refused query says why", async () => {
    const { host, session } = await setUp();
    session.search(QUERY);
    host.send({ v: 1, t: "event", e: "search/hits", body: { search: 1, hits: [hit(3)], progress } });
    session.cancelSearch();
    await settled();
    expect(session.view.search).toMatchObject({ end: "cancelled", error: null, count: 2 });
    session.search({ ...QUERY, text: "(", regex: true });
    const id = host.calls("search").at(-1)?.id ?? -1;
    host.send({ v: 1, id, t: "err", code: "failed", message: "This is no regular expression." });
    await settled();
    expect(session.view.search?.error).toBe("This is no regular expression.");
  });

  test("a stored query is asked again after a reload", async () => {
    const { host } = await setUp({ query: QUERY });
    expect(host.calls("search")).toHaveLength(1);
  });

  test("a row opened from the tree is shown, whatever was searched for", async () => {
    const { host, session } = await setUp();
    session.search(QUERY);
    host.send({ v: 1, t: "event", e: "select/row", body: { index: 7 } });
    await settled();
    expect(session.view.search).toBeNull();
    expect(session.view.selectedRow?.index).toBe(7);
  });

  test("marks lie where the hits are, counted from where the shown text begins", () => {
    const text = "abcdef";
    expect(
      marked({ text, textStart: 10, masks: [] }, [
        [0, 5],
        [8, 11],
        [12, 14],
        [13, 99],
      ]),
    ).toEqual([
      { text: "a", hit: true, mask: null },
      { text: "b", hit: false, mask: null },
      { text: "cd", hit: true, mask: null },
      { text: "ef", hit: true, mask: null },
    ]);
    expect(marked({ text, textStart: 0, masks: [] }, [])).toEqual([{ text, hit: false, mask: null }]);
  });

  test("a hit inside a secret marks all of its mask, and those behind it stay in their places", () => {
    // 20 units stand masked at offset 4: key=SECRET-SECRET-SECRET and on
    const mask = { start: 4, end: 14, at: 4, units: 20, kind: "k" };
    const detail = { text: "key=[secret:k] and on", textStart: 100, masks: [mask] };
    const ranges = [
      [110, 112],
      [125, 128],
    ] as const;
    expect(marked(detail, ranges)).toEqual([
      { text: "key=", hit: false, mask: null },
      { text: "[secret:k]", hit: true, mask },
      { text: " ", hit: false, mask: null },
      { text: "and", hit: true, mask: null },
      { text: " on", hit: false, mask: null },
    ]);
    const shown = marked(detail, [[0, 104]], new Map([[4, "SECRET-SECRET-SECRET"]]));
    expect(shown.map(({ text, hit }) => [text, hit])).toEqual([
      ["key=", true],
      ["SECRET-SECRET-SECRET", false],
      [" and on", false],
    ]);
  });
});

test("the selection goes along with a call that waits for its result", async () => {
  const { host, rowHost, session } = await setUp();
  const [first] = makeRows(1);
  if (first === undefined) throw new Error("no row");
  host.send({
    v: 1,
    t: "event",
    e: "rows/changed",
    body: rowHost.set([{ ...first, index: 64, state: "missing", callId: "waits" }]),
  });
  await settled();
  session.selectPlace(64);
  await settled();
  expect(session.view.selectedRow).toMatchObject({ index: 64, callId: "waits" });
  rowHost.set([{ ...first, index: 65, state: "missing", callId: "waits" }]);
  host.send({
    v: 1,
    t: "event",
    e: "rows/changed",
    body: rowHost.set([{ ...first, index: 64, callId: "came first" }]),
  });
  await settled();
  expect(session.view.selectedRow).toMatchObject({ index: 65, callId: "waits" });
  expect(session.view.ui.selected?.index).toBe(65);
  expect(host.calls("detail").at(-1)?.body).toEqual({ index: 65 });
});

const dev = useDevPage();

describe("the page", () => {
  test("Enter searches, the preview is marked, and the cross shows all rows again", async () => {
    const page = await dev.open("sample");
    await page.locator("cbi-search-bar vscode-text-field").click();
    await page.keyboard.type("page 1");
    await page.keyboard.press("Enter");
    await page.locator("cbi-search-bar .status", { hasText: "hits in" }).waitFor();
    expect(await calls(page, "search")).toEqual([
      { search: 1, query: { text: "page 1", regex: false, matchCase: false } },
    ]);
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain("43 of 64");
    await page.locator('[data-place="0"]').click();
    await page.locator("cbi-detail-pane mark").first().waitFor();
    expect(await page.locator("cbi-detail-pane mark").first().textContent()).toBe("page 1");
    await page.locator("cbi-search-bar vscode-button").last().click();
    await drawn(page);
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain("64 of 64");
    await page.context().close();
  });

  test("a search says where it stopped, what took too long and what could not be read", async () => {
    const page = await dev.open("sample");
    await page.locator("cbi-search-bar vscode-text-field").click();
    await page.keyboard.type("page 1");
    await page.keyboard.press("Enter");
    const status = page.locator("cbi-search-bar .status");
    await status.getByText("hits in").waitFor();
    const said = async (change: Partial<SearchState>): Promise<string> => {
      await page.locator("cbi-search-bar").evaluate(async (bar, changed) => {
        const element = bar as HTMLElement & { state: object; updateComplete: Promise<unknown> };
        element.state = { ...element.state, ...changed };
        await element.updateComplete;
      }, change);
      return (await status.textContent()) ?? "";
    };
    expect(await said({ end: "capped" })).toMatch(/Stopped at \d+ results with hits; narrow the query/);
    expect(await said({ end: "gave-up", progress: { ...progress, slow: 5 } })).toContain("Given up: the pattern takes");
    const done = await said({ end: "done", progress: { ...progress, slow: 2, unreadable: 3 } });
    expect(done).toContain("In 2 results the pattern took too long.");
    expect(done).toContain("3 results could not be read.");
    expect(await said({ rows: 60 })).toContain("4 results came since; search again");
    expect(await said({ end: "cancelled" })).not.toContain("Stopped at");
    // Spoken is only that it searches: a share that grows would be read out again and again.
    expect(await said({ end: null, progress: { ...progress, searched: 16, total: 64 } })).toContain("Searching 25%");
    expect((await status.locator(".hidden-text").textContent())?.trim()).toBe("Searching");
    expect(await status.locator("[aria-hidden=true]").textContent()).toContain("25%");
    await page.context().close();
  });

  test("new rows leave selection, focus and scroll where they are; the header says live", async () => {
    const page = await dev.open("live");
    expect(await shownText(page)).toContain("live");
    await page.setViewportSize({ width: 1400, height: 420 });
    await page.locator('[data-place="8"]').click();
    const before = await page.locator('[data-place="8"]').boundingBox();
    await setRows(page, makeRows(60).slice(23), "state/update");
    await expect.poll(() => page.locator("cbi-filter-bar .count").textContent()).toContain("60 of 60");
    // Nobody asked, so it is not spoken.
    expect(await page.locator("cbi-filter-bar .count").getAttribute("aria-live")).toBe("off");
    expect(await page.locator('[data-place="8"]').boundingBox()).toEqual(before);
    expect(await page.locator('[data-place="8"]').getAttribute("aria-selected")).toBe("true");
    await send(page, "state/live", { live: false });
    expect(await page.locator("cbi-transcript-header .dot").count()).toBe(0);
    await page.context().close();
  });
});
