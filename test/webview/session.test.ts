import { describe, expect, test } from "vitest";
import type { EventName, Events } from "../../extension/src/protocol/webview";
import { detailFor, makeRows, recording } from "../../webview/dev/recordings";
import { Session } from "../../webview/src/session";
import type { UiState } from "../../webview/src/uiState";
import { FakeHost, settled } from "./fakeHost";

async function setUp(stored: unknown = undefined, state = recording("sample")) {
  const host = new FakeHost();
  let saved: UiState | undefined;
  let changes = 0;
  const session = new Session(host, { get: () => stored, set: (value) => (saved = value) }, () => changes++);
  const started = session.start();
  host.answer("ready", state);
  await started;
  const event = <E extends EventName>(e: E, body: Events[E]): void => host.send({ v: 1, t: "event", e, body });
  return { host, session, event, saved: () => saved, changes: () => changes };
}

describe("session", () => {
  test("announces its protocol version and takes the full state from the reply", async () => {
    const { host, session } = await setUp();
    expect(host.frames[0]).toMatchObject({ m: "ready", body: { version: 1 } });
    expect(session.view.model).toEqual(recording("sample"));
    expect(session.view.visible).toHaveLength(64);
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
    expect(session.view.model?.rows).toEqual([]);
  });

  test("selecting asks for the detail; selecting on cancels the earlier question", async () => {
    const { host, session, saved } = await setUp();
    session.select(3);
    session.select(4);
    expect(host.calls("detail").map((call) => call.body)).toEqual([{ index: 3 }, { index: 4 }]);
    expect(host.cancelled()).toEqual([host.calls("detail")[0]?.id]);
    expect(session.view.detail).toMatchObject({ index: 4, loading: true, detail: null });
    host.answer("detail", detailFor(recording("sample"), 4));
    await settled();
    expect(session.view.detail).toMatchObject({ index: 4, loading: false, detail: { index: 4 } });
    expect(saved()?.selected).toBe(4);
  });

  test("a failed detail says why and can be tried again", async () => {
    const { host, session } = await setUp();
    session.select(3);
    const [call] = host.calls("detail");
    host.send({ v: 1, id: call?.id ?? -1, t: "err", code: "too-large", message: "over the limit" });
    await settled();
    expect(session.view.detail).toMatchObject({ error: "over the limit", loading: false });
    session.retryDetail();
    expect(host.calls("detail")).toHaveLength(2);
  });

  test("a new file status of the selected row asks again and keeps the old detail meanwhile; others do not ask", async () => {
    const { host, session, event } = await setUp();
    session.select(5);
    host.answer("detail", detailFor(recording("sample"), 5));
    await settled();
    event("files/status", [[9, "sandbox"]]);
    expect(host.calls("detail")).toHaveLength(1);
    event("files/status", [[5, "expired"]]);
    expect(host.calls("detail")).toHaveLength(2);
    expect(session.view.detail).toMatchObject({ loading: true, detail: { index: 5 } });
  });

  test("filter, sort, selection and tab survive a reload of the page and a new full state", async () => {
    const first = await setUp();
    first.session.setFilter({ text: "spill" });
    first.session.sortBy("chars");
    first.session.select(5);
    first.session.setScroll(120);
    first.session.setSplit(0.5);
    const second = await setUp(JSON.parse(JSON.stringify(first.saved())));
    expect(second.session.view.ui).toEqual(first.session.view.ui);
    expect(second.session.view.visible).toEqual(first.session.view.visible);
    expect(second.host.calls("detail").map((call) => call.body)).toEqual([{ index: 5 }]);
    const before = second.session.view.ui;
    second.event("state/full", recording("sample"));
    expect(second.session.view.ui).toEqual(before);
  });

  test("rows that arrive are filtered and sorted in, and the selection stays", async () => {
    const rows = makeRows(60);
    const { session, event } = await setUp(undefined, { ...recording("reading"), rows: rows.slice(0, 20) });
    session.setFilter({ state: "persisted" });
    session.sortBy("full");
    session.select(3);
    event("state/append", {
      header: null,
      threads: [],
      rows: rows.slice(20),
      problems: [],
      progress: { doneBytes: 9, totalBytes: 10 },
    });
    const expected = rows.filter((row) => row.state === "persisted");
    const sizes = session.view.visible.map((row) => row.statedChars ?? -1);
    expect(new Set(session.view.visible)).toEqual(new Set(expected));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(session.view.ui.selected).toBe(3);
  });

  test("selecting from the tree clears filters only if they hide the row", async () => {
    const { session, event } = await setUp();
    const persisted = recording("sample").rows.find((row) => row.state === "persisted")?.index ?? -1;
    const inline = recording("sample").rows.find((row) => row.state === "inline")?.index ?? -1;
    session.setTab("problems");
    session.setFilter({ state: "persisted" });
    event("select/row", { index: persisted });
    expect(session.view.ui).toMatchObject({ tab: "results", selected: persisted, filter: { state: "persisted" } });
    event("select/row", { index: inline });
    expect(session.view.ui).toMatchObject({ selected: inline, filter: { state: null } });
    expect(session.view.revealRequests).toBe(2);
  });

  test("a row selected before it was read gets its detail when it arrives", async () => {
    const rows = makeRows(30);
    const { host, event } = await setUp(undefined, { ...recording("reading"), rows: rows.slice(0, 10) });
    event("select/row", { index: 20 });
    expect(host.calls("detail")).toHaveLength(0);
    event("state/append", {
      header: null,
      threads: [],
      rows: rows.slice(10),
      problems: [],
      progress: { doneBytes: 1, totalBytes: 1 },
    });
    expect(host.calls("detail").map((call) => call.body)).toEqual([{ index: 20 }]);
  });

  test("opening what has no full output shows its record in the transcript", async () => {
    const { host, session } = await setUp();
    const row = recording("sample").rows.find((candidate) => candidate.state === "pruned");
    const index = row?.index ?? -1;
    session.openFull(index);
    expect(host.calls("openFull").map((call) => call.body)).toEqual([{ index }]); // nothing known yet: the host decides
    session.select(index);
    host.answer("detail", detailFor(recording("sample"), index));
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
    session.select(6);
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

  test("lists keep their identity while nothing they depend on changes", async () => {
    const { session } = await setUp();
    session.setFilter({ text: "web" });
    const before = session.view;
    session.select(2);
    expect(session.view.visible).toBe(before.visible);
    expect(session.view.facets).toBe(before.facets);
  });
});
