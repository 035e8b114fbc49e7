import { describe, expect, test } from "vitest";
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import type { EventName, Events } from "../../extension/src/protocol/webview";
import { detailFor, makeRows, recordedRows, recording } from "../../webview/dev/recordings";
import { RowHost } from "../../webview/dev/rowHost";
import { Session } from "../../webview/src/session";
import type { UiState } from "../../webview/src/uiState";
import { FakeHost, settled } from "./fakeHost";

const SAMPLE = recordedRows("sample");
const INDEX_3 = { index: 3, thread: "main", callId: SAMPLE[3]?.callId ?? null };

/** The rows at hand from the first place on. */
function shown(session: Session): readonly (ResultRow | null)[] {
  const { rows } = session.view;
  return Array.from({ length: Math.min(500, rows.total ?? 0) }, (_, place) => rows.at(place));
}

const append = (rows: Events["state/append"]["rows"]): Events["state/append"] => ({
  header: null,
  threads: [],
  rows,
  problems: [],
  progress: { doneBytes: 9, totalBytes: 10 },
});

async function setUp(stored: unknown = undefined, rows = SAMPLE, state = recording("sample")) {
  const host = new FakeHost();
  host.rowHost = new RowHost(rows);
  let saved: UiState | undefined;
  let changes = 0;
  const session = new Session(host, { get: () => stored, set: (value) => (saved = value) }, () => changes++);
  const started = session.start();
  host.answer("ready", { ...state, rows: host.rowHost.news });
  await started;
  await settled();
  const rowHost = host.rowHost;
  const event = <E extends EventName>(e: E, body: Events[E]): void => host.send({ v: 1, t: "event", e, body });
  return { host, rowHost, session, event, saved: () => saved, changes: () => changes };
}

describe("session", () => {
  test("asks for title and window when it starts and when what decides about them has changed, not otherwise", async () => {
    const { host, session, event } = await setUp();
    expect(session.view.glance).toEqual({ title: null, window: null, windows: [] });
    expect(host.calls("glance")).toHaveLength(1);
    const glance = { title: "Which tests fail?", window: { tokens: 200_000, from: "model" }, windows: [] };
    host.answer("glance", glance);
    await settled();
    expect(session.view.glance).toEqual(glance);
    event("state/live", { live: true });
    expect(host.calls("glance")).toHaveLength(1);
    const { header, threads, rows, problems, problemsOmitted } = recording("sample");
    const grown = header === null ? null : { ...header, measuredTokens: 250_000 };
    event("state/update", { header: grown, threads, rows, problems, problemsOmitted });
    expect(host.calls("glance")).toHaveLength(2);
    // What was known stands until the answer; what is no answer changes nothing.
    host.answer("glance", { title: 5, window: null, windows: [] });
    await settled();
    expect(session.view.glance).toEqual(glance);
  });

  test("announces its protocol version and takes the full state from the reply", async () => {
    const { host, session } = await setUp();
    expect(host.frames[0]).toMatchObject({ m: "ready", body: { version: 1 } });
    expect(session.view.model).toEqual(recording("sample"));
    expect(shown(session)).toEqual(SAMPLE);
  });

  test("a refused start says why and can be tried again", async () => {
    const host = new FakeHost();
    const session = new Session(host, { get: () => undefined, set: () => undefined }, () => undefined);
    const started = session.start();
    host.send({ v: 1, id: 1, t: "err", code: "failed", message: "no such file" });
    await started;
    expect(session.view.disconnected).toBe("no such file");
    session.reload();
    expect(host.calls("ready")).toHaveLength(2);
    host.answer("ready", recording("empty"));
    await settled();
    expect(session.view.disconnected).toBeNull();
    expect(session.view.model?.rows.count).toBe(0);
  });

  test("selecting asks for the detail; selecting on cancels the earlier question", async () => {
    const { host, session, saved } = await setUp();
    session.selectPlace(3);
    session.selectPlace(4);
    expect(host.calls("detail").map((call) => call.body)).toEqual([{ index: 3 }, { index: 4 }]);
    expect(host.cancelled()).toEqual([host.calls("detail")[0]?.id]);
    expect(session.view.detail).toMatchObject({ index: 4, loading: true, detail: null });
    host.answer("detail", detailFor(SAMPLE, 4));
    await settled();
    expect(session.view.detail).toMatchObject({ index: 4, loading: false, detail: { index: 4 } });
    expect(saved()?.selected).toMatchObject({ index: 4, callId: SAMPLE[4]?.callId });
  });

  test("a failed detail says why and can be tried again", async () => {
    const { host, session } = await setUp();
    session.selectPlace(3);
    const [call] = host.calls("detail");
    host.send({ v: 1, id: call?.id ?? -1, t: "err", code: "too-large", message: "over the limit" });
    await settled();
    expect(session.view.detail).toMatchObject({ error: "over the limit", loading: false });
    session.retryDetail();
    expect(host.calls("detail")).toHaveLength(2);
  });

  test("a new file status of the selected row asks again and keeps the old detail meanwhile; others do not ask", async () => {
    const { host, rowHost, session, event } = await setUp();
    session.selectPlace(5);
    host.answer("detail", detailFor(SAMPLE, 5));
    await settled();
    event("rows/changed", rowHost.setFile(9, "sandbox"));
    await settled();
    expect(host.calls("detail")).toHaveLength(1);
    event("rows/changed", rowHost.setFile(5, "expired"));
    await settled();
    expect(host.calls("detail")).toHaveLength(2);
    expect(session.view.detail).toMatchObject({ loading: true, detail: { index: 5 } });
  });

  test("filter, sort, selection and tab survive a reload of the page and a new full state", async () => {
    const first = await setUp();
    first.session.setFilter({ text: "spill" });
    first.session.sortBy("chars");
    await settled();
    first.session.selectPlace(5);
    const chosen = first.session.view.selectedRow;
    first.session.setScroll(120);
    first.session.setSplit(0.5);
    const second = await setUp(JSON.parse(JSON.stringify(first.saved())));
    expect(second.session.view.ui).toEqual(first.session.view.ui);
    expect(shown(second.session)).toEqual(shown(first.session));
    expect(second.session.view.selectedRow).toEqual(chosen);
    expect(second.host.calls("detail").map((call) => call.body)).toEqual([{ index: chosen?.index }]);
    const before = second.session.view.ui;
    second.event("state/full", recording("sample"));
    expect(second.session.view.ui).toEqual(before);
  });

  test("rows that arrive are filtered and sorted in, and the selection stays", async () => {
    const rows = makeRows(60);
    const { rowHost, session, event } = await setUp(undefined, rows.slice(0, 20), recording("reading"));
    session.selectPlace(3);
    session.setFilter({ states: ["persisted"] });
    session.sortBy("full");
    await settled();
    event("state/append", append(rowHost.set(rows.slice(20))));
    await settled();
    const expected = rows.filter((row) => row.state === "persisted");
    const sizes = shown(session).map((row) => row?.statedChars ?? -1);
    expect(new Set(shown(session))).toEqual(new Set(expected));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(session.view.ui.selected).toEqual(INDEX_3);
  });

  test("selecting from the tree clears filters only if they hide the row", async () => {
    const { session, event } = await setUp();
    const persisted = SAMPLE.find((row) => row.state === "persisted")?.index ?? -1;
    const inline = SAMPLE.find((row) => row.state === "inline")?.index ?? -1;
    session.setTab("problems");
    session.setFilter({ states: ["persisted"] });
    event("select/row", { index: persisted });
    await settled();
    expect(session.view.ui).toMatchObject({
      tab: "results",
      selected: { index: persisted },
      filter: { states: ["persisted"] },
    });
    expect(session.view.revealRequests).toBe(1);
    event("select/row", { index: inline });
    await settled();
    expect(session.view.ui).toMatchObject({ selected: { index: inline }, filter: { states: null } });
    expect(session.view.revealRequests).toBe(2);
    expect(session.view.rows.active).toBe(inline);
  });

  test("a thread opened from the tree is all that the results, the timeline and the simulation show, and stays so", async () => {
    const { session, event, saved } = await setUp();
    session.setFilter({ states: ["persisted"], text: "x" });
    event("select/thread", { thread: "main" });
    await settled();
    expect(session.view.ui).toMatchObject({ thread: "main", filter: { threads: ["main"], states: null, text: "" } });
    expect(saved()).toMatchObject({ thread: "main", filter: { threads: ["main"] }, whatIf: { thread: "main" } });
    expect(shown(session)).toEqual(SAMPLE.filter((row) => row.thread === "main"));
    session.setFilter({ states: ["inline"] });
    session.setFilter({ threads: ["sub-1"] });
    await settled();
    expect(saved()).toMatchObject({ thread: "sub-1", filter: { threads: ["sub-1"], states: ["inline"] } });
    session.setFilter({ threads: null });
    expect(saved()).toMatchObject({ thread: "sub-1", filter: { threads: null } });
    event("select/thread", { thread: "no such thread" });
    await settled();
    expect(shown(session)).toEqual([]);
  });

  test("a row selected before it was read gets its detail when it arrives", async () => {
    const rows = makeRows(30);
    const { host, rowHost, event } = await setUp(undefined, rows.slice(0, 10), recording("reading"));
    event("select/row", { index: 20 });
    await settled();
    expect(host.calls("detail")).toHaveLength(0);
    event("state/append", append(rowHost.set(rows.slice(10))));
    await settled();
    expect(host.calls("detail").map((call) => call.body)).toEqual([{ index: 20 }]);
  });

  test("opening what has no full output shows its record in the transcript", async () => {
    const { host, session } = await setUp();
    const row = SAMPLE.find((candidate) => candidate.state === "pruned");
    const index = row?.index ?? -1;
    session.openFull(index);
    expect(host.calls("openFull").map((call) => call.body)).toEqual([{ index }]); // nothing known yet: the host decides
    session.selectPlace(index);
    host.answer("detail", detailFor(SAMPLE, index));
    await settled();
    session.openFull(index);
    expect(host.calls("openFull")).toHaveLength(1);
    expect(host.calls("reveal").map((call) => call.body)).toEqual([{ line: row?.line }]);
  });

  test("a copy says so, and what it copied", async () => {
    const { host, session } = await setUp();
    session.copy(5, "path");
    host.answer("copy", { copied: true });
    await settled();
    expect(session.view.notice).toEqual({ kind: "info", text: "Path copied." });
    expect(session.view.copied).toEqual({ index: 5, what: "path" });
    session.selectPlace(6);
    expect(session.view.copied).toBeNull();
  });

  test("a failed action says why; a message that is not understood is said too", async () => {
    const { host, session } = await setUp();
    session.openFull(5);
    host.send({
      v: 1,
      id: host.calls("openFull")[0]?.id ?? -1,
      t: "err",
      code: "failed",
      message: "the file is gone.",
    });
    await settled();
    expect(session.view.notice).toEqual({ kind: "error", text: "That did not work: the file is gone." });
    host.raw({ v: 9 });
    expect(session.view.notice?.kind).toBe("error");
    session.dismissNotice();
    expect(session.view.notice).toBeNull();
  });

  test("cancelled or closed calls are no news", async () => {
    const { host, session } = await setUp();
    session.rebase();
    host.send({ v: 1, id: host.calls("rebase")[0]?.id ?? -1, t: "err", code: "cancelled", message: "x" });
    session.reveal(3);
    session.dispose();
    await settled();
    expect(session.view.notice).toBeNull();
    expect(host.listening).toBe(0);
  });

  test("scrolling is stored without drawing anew", async () => {
    const { session, saved, changes } = await setUp();
    const before = changes();
    session.setScroll(4400);
    expect(saved()?.scrollTop).toBe(4400);
    expect(changes()).toBe(before);
  });

  test("the rows keep their identity while nothing about them changes", async () => {
    const { session } = await setUp();
    session.setFilter({ text: "web" });
    await settled();
    const before = session.view;
    session.setSplit(0.3);
    expect(session.view.rows).toBe(before.rows);
  });
});
