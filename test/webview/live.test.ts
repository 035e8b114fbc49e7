import { describe, expect, test } from "vitest";
import type { ResultRow } from "../../extension/src/protocol/webview";
import { makeRows, recording } from "../../webview/dev/recordings";
import { marked } from "../../webview/src/searchMarks";
import { Session } from "../../webview/src/session";
import { reduce } from "../../webview/src/state";
import type { UiState } from "../../webview/src/uiState";
import { calls, drawn, send, shownText, useDevPage } from "./devPage";
import { FakeHost, settled } from "./fakeHost";

const QUERY = { text: "page", regex: false, matchCase: false };
const progress = { searched: 64, total: 64, slow: 0, unreadable: 0 };
const hit = (index: number) => ({ index, count: 2, ranges: [[0, 4] as const, [9, 13] as const] });

async function setUp(stored: unknown = undefined) {
  const host = new FakeHost();
  let saved: UiState | undefined;
  const session = new Session(host, { get: () => stored, set: (value) => (saved = value) }, () => undefined);
  const started = session.start();
  host.answer("ready", recording("sample"));
  await started;
  return { host, session, saved: () => saved };
}

describe("searching", () => {
  test("hits narrow the table as they arrive; clearing shows all rows", async () => {
    const { host, session, saved } = await setUp();
    session.search(QUERY);
    expect(host.calls("search").map((call) => call.body)).toEqual([{ search: 1, query: QUERY }]);
    expect(session.view.visible).toEqual([]);
    host.send({ v: 1, t: "event", e: "search/hits", body: { search: 1, hits: [hit(3)], progress } });
    host.send({ v: 1, t: "event", e: "search/hits", body: { search: 1, hits: [hit(5)], progress } });
    host.answer("search", { end: "done" });
    await settled();
    expect(session.view.visible.map((row) => row.index)).toEqual([3, 5]);
    expect(session.view.search).toMatchObject({ count: 4, end: "done" });
    expect(saved()?.query).toEqual(QUERY);
    session.search(null);
    expect(session.view.visible).toHaveLength(64);
  });

  test("a newer query cancels the older one, whose late hits are not heard", async () => {
    const { host, session } = await setUp();
    session.search(QUERY);
    session.search({ ...QUERY, text: "other" });
    expect(host.cancelled()).toEqual([host.calls("search")[0]?.id]);
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
    expect(session.view.search).toBeNull();
    expect(session.view.selectedRow?.index).toBe(7);
  });

  test("marks lie where the hits are, counted from where the shown text begins", () => {
    const text = "abcdef";
    expect(
      marked({ text, textStart: 10 }, [
        [0, 5],
        [8, 11],
        [12, 14],
        [13, 99],
      ]),
    ).toEqual([
      { text: "a", hit: true },
      { text: "b", hit: false },
      { text: "cd", hit: true },
      { text: "ef", hit: true },
    ]);
    expect(marked({ text, textStart: 0 }, [])).toEqual([{ text, hit: false }]);
  });
});

describe("an update of a file that is being written", () => {
  const [first] = makeRows(1);
  if (first === undefined) throw new Error("no row");
  const update = (rows: readonly ResultRow[], rowCount: number) =>
    ({
      e: "state/update",
      body: { header: null, threads: [], rows, rowCount, problems: [], problemsOmitted: 0 },
    }) as const;

  test("replaces, adds and takes back rows; all others keep their identity", () => {
    const model = recording("sample");
    const next = reduce(
      model,
      update(
        [
          { ...first, index: 2, tool: "new" },
          { ...first, index: 64 },
        ],
        65,
      ),
    );
    expect(next?.rows).toHaveLength(65);
    expect(next?.rows[2]?.tool).toBe("new");
    expect(next?.rows[3]).toBe(model.rows[3]);
    expect(next?.problems).toEqual([]);
    expect(reduce(model, update([], 10))?.rows).toHaveLength(10);
    expect(reduce(model, { e: "state/live", body: { live: true } })?.live).toBe(true);
  });

  test("the selection goes along with a call that waits for its result", async () => {
    const { host, session } = await setUp();
    const send = (rows: readonly ResultRow[], rowCount: number) =>
      host.send({ v: 1, t: "event", ...update(rows, rowCount) });
    send([{ ...first, index: 64, state: "missing", callId: "waits" }], 65);
    session.select(64);
    send(
      [
        { ...first, index: 64, callId: "came-first" },
        { ...first, index: 65, state: "missing", callId: "waits" },
      ],
      66,
    );
    expect(session.view.selectedRow).toMatchObject({ index: 65, callId: "waits" });
  });
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
    expect(await page.locator("cbi-filter-bar .count").textContent()).toContain("43 of 64");
    await page.locator('[data-place="0"]').click();
    await page.locator("cbi-detail-pane mark").first().waitFor();
    expect(await page.locator("cbi-detail-pane mark").first().textContent()).toBe("page 1");
    await page.locator("cbi-search-bar vscode-button").last().click();
    await drawn(page);
    expect(await page.locator("cbi-filter-bar .count").textContent()).toContain("64 of 64");
    await page.context().close();
  });

  test("new rows leave selection, focus and scroll where they are; the header says live", async () => {
    const page = await dev.open("live");
    expect(await shownText(page)).toContain("live");
    await page.setViewportSize({ width: 1400, height: 420 });
    await page.locator('[data-place="8"]').click();
    const before = await page.locator('[data-place="8"]').boundingBox();
    const rows = makeRows(60).slice(23);
    await send(page, "state/update", {
      header: null,
      threads: [],
      rows,
      rowCount: 60,
      problems: [],
      problemsOmitted: 0,
    });
    expect(await page.locator("cbi-filter-bar .count").textContent()).toContain("60 of 60");
    expect(await page.locator('[data-place="8"]').boundingBox()).toEqual(before);
    expect(await page.locator('[data-place="8"]').getAttribute("aria-selected")).toBe("true");
    await send(page, "state/live", { live: false });
    expect(await page.locator("cbi-transcript-header .dot").count()).toBe(0);
    await page.context().close();
  });
});
