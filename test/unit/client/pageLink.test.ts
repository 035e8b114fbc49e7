import { describe, expect, it } from "vitest";
import { InspectorSession } from "../../../extension/src/client/views/inspectorSession";
import { type PageActions, PageLink } from "../../../extension/src/client/views/pageLink";
import { err, ok } from "../../../extension/src/core/model/problem";
import { NO_FILTER } from "../../../extension/src/core/model/rowQuery";
import type { HostFrame } from "../../../extension/src/protocol/webview";
import { FakeWorld, FIRST_ROWS, HEADER, persisted, result, settle } from "./fakes";

function open() {
  const world = new FakeWorld();
  const session = new InspectorSession("/w/session.json", world.ports, "en");
  const posted: HostFrame[] = [];
  const done: string[] = [];
  const actions: PageActions = {
    openFull: async (_session, one) => {
      if (one.state !== "persisted") return err("Nothing here.");
      return ok(done.push(`open ${one.index}`) > 0);
    },
    glance: async () => ({ title: null, window: null, windows: [] }),
    outputSecret: async () => err("not here"),
    outputPage: async (_session, one, offset) =>
      one.index === 0
        ? ok({
            index: 0,
            text: "page",
            offset,
            nextOffset: 4,
            length: 4,
            page: 0,
            pages: 1,
            masked: false,
            masks: [],
            valid: true,
          })
        : err("Nothing to page through."),
    reveal: async (_session, line) => ok(done.push(`reveal ${line}`) > 0),
    copy: async (text) => void done.push(`copy ${text}`),
    rebase: async () => done.push("rebase") > 0,
    whatIf: {
      diff: async (_session, { call }) => ok(done.push(`diff ${call}`) > 0),
      apply: async (threshold) => ok(done.push(`apply ${threshold}`) < 0),
      exportRun: async (_session, { format }) => ok(done.push(`export ${format}`) > 0),
    },
  };
  const link = new PageLink({ session, actions, post: (frame) => posted.push(frame), log: world.log });
  session.read();
  return { world, session, posted, done, link };
}
let id = 0;
const call = (m: string, body: unknown = {}) => ({ v: 1, id: id++, t: "call", m, body });
const ready = () => call("ready", { version: 1 });
const header = { kind: "header", header: HEADER } as const;
const row = (index: number) => ({ kind: "result", result: result(index) }) as const;
const events = (posted: readonly HostFrame[]) => posted.map((frame) => (frame.t === "event" ? frame.e : frame.t));

describe("PageLink", () => {
  it("says nothing before the page is ready, then everything", async () => {
    const { world, posted, link } = open();
    world.batch(header, row(0));
    expect(posted).toEqual([]);
    await link.receive(ready());
    expect(posted).toMatchObject([{ t: "ok", body: { rows: { count: 1 } } }]);
    world.batch(row(1));
    world.tick();
    expect(events(posted)).toEqual(["ok", "state/append"]);
  });

  it("loses nothing that happens while the first state is under way", async () => {
    const { world, posted, link } = open();
    const reply = link.receive(ready());
    world.batch(header, row(0));
    await reply;
    expect(events(posted)).toEqual(["ok", "state/full"]);
    expect(posted[1]).toMatchObject({ body: { rows: { count: 1 } } });
  });

  it("answers for the overview of what was read, and says what no record tells with null", async () => {
    const { world, posted, link } = open();
    const place = { line: 4, start: 30, end: 39 };
    const thread = { id: "t", title: "t", kind: "main", model: undefined, startedAt: undefined } as const;
    const usage = { input: 5, cacheRead: undefined, cacheWrite: undefined, output: 1 };
    const fact = { threadId: "t", turn: 1, model: "m", at: undefined, place };
    world.batch(
      header,
      { kind: "thread", thread },
      { kind: "call", call: { ...fact, number: 1, usage } },
      { kind: "call", call: { ...fact, number: 2, usage: undefined } },
    );
    await link.receive(call("overview", { thread: "not there" }));
    expect(posted.at(-1)).toMatchObject({
      t: "ok",
      body: {
        thread: "t",
        points: [
          { call: 1, line: 4, input: 5, cacheRead: null, output: 1 },
          { call: 2, input: null, output: null },
        ],
        callsPerPoint: 1,
        threads: [{ id: "t", calls: 2, callsWithUsage: 1, usage: { input: 5, cacheRead: null }, stated: null }],
        ledger: null,
        tells: { usage: "no", compaction: "yes" },
      },
    });
  });

  it("gives the rows that the page asks for, and of a search those with a hit", async () => {
    const { world, session, posted, link } = open();
    world.batch(header, row(0), row(1), { kind: "result", result: persisted(2, "/h/a.txt") });
    const { query: _query, ...part } = FIRST_ROWS;
    const asked = { ...part, filter: NO_FILTER, sort: null, search: null };
    await link.receive(call("rows", { ...asked, from: 1, count: 1, summary: true }));
    expect(posted.at(-1)).toMatchObject({
      t: "ok",
      body: {
        revision: session.full().rows.revision,
        all: 3,
        total: 3,
        from: 1,
        rows: [{ index: 1 }],
        summary: { tokens: 9 },
      },
    });
    await link.receive(call("rows", { ...asked, filter: { ...NO_FILTER, states: ["persisted"] } }));
    expect(posted.at(-1)).toMatchObject({ body: { total: 1, rows: [{ index: 2, path: "/h/a.txt" }] } });
    await link.receive(call("search", { search: 4, query: { text: "x", regex: false, matchCase: false } }));
    await link.receive(call("rows", { ...asked, search: 4 }));
    expect(posted.at(-1)).toMatchObject({ body: { total: 1, rows: [{ index: 0 }] } });
    await link.receive(call("rows", { ...asked, search: 3 }));
    expect(posted.at(-1)).toMatchObject({ body: { total: 0, rows: [] } });
    await link.receive(call("rows", { ...asked, from: -1 }));
    expect(posted.at(-1)).toMatchObject({ t: "err", code: "bad-message" });
  });

  it("tells hits before the reply, a bad pattern as a sentence, and nothing after a cancel", async () => {
    const { world, posted, link } = open();
    world.batch(header, row(0), row(1));
    const query = { text: "x", regex: false, matchCase: false };
    await link.receive(call("search", { search: 7, query }));
    expect(posted).toMatchObject([
      { t: "event", e: "search/hits", body: { search: 7, hits: [{ index: 0 }], progress: { total: 2 } } },
      { t: "ok", body: { end: "done" } },
    ]);
    await link.receive(call("search", { search: 8, query: { ...query, text: "(", regex: true } }));
    expect(posted.at(-1)).toMatchObject({
      t: "err",
      code: "failed",
      message: expect.stringContaining("no regular expression"),
    });
    const asked = call("search", { search: 9, query });
    const reply = link.receive(asked);
    await link.receive({ v: 1, id: asked.id, t: "cancel" });
    await reply;
    expect(posted.at(-1)).toMatchObject({ t: "err", code: "cancelled" });
  });

  it("keeps still while hidden and gives the latest state afterwards", async () => {
    const { world, posted, link } = open();
    await link.receive(ready());
    link.setVisible(false);
    world.batch(header, row(0));
    world.batch(row(1));
    world.tick();
    expect(events(posted)).toEqual(["ok"]);
    link.setVisible(true);
    expect(events(posted)).toEqual(["ok", "state/full"]);
    expect(posted[1]).toMatchObject({ body: { rows: { count: 2 } } });
  });

  it("selects a row once it was read, after the page knows it", async () => {
    const { world, posted, link } = open();
    link.select(1);
    await link.receive(ready());
    world.batch(header, row(0));
    world.batch(row(1));
    world.tick();
    expect(events(posted)).toEqual(["ok", "state/append", "state/append", "select/row"]);
    expect(posted.at(-1)).toMatchObject({ body: { index: 1 } });
  });

  it("shows a thread once it was read, after the page knows it", async () => {
    const { world, posted, link } = open();
    link.selectThread("t2");
    await link.receive(ready());
    world.batch(header, row(0));
    expect(events(posted)).not.toContain("select/thread");
    const thread = { id: "t2", title: "t2", kind: "main", model: undefined, startedAt: undefined } as const;
    world.batch({ kind: "thread", thread });
    world.tick();
    expect(posted.at(-1)).toMatchObject({ e: "select/thread", body: { thread: "t2" } });
    world.batch(row(1));
    world.tick();
    expect(events(posted).filter((name) => name === "select/thread")).toHaveLength(1);
  });

  it("does what the page asks, for rows that exist", async () => {
    const { world, posted, done, link } = open();
    world.batch(header, row(0), { kind: "result", result: persisted(1, "/h/a.txt") });
    await link.receive(call("openFull", { index: 1 }));
    await link.receive(call("openFull", { index: 7 }));
    await link.receive(call("openFull", { index: 0 }));
    await link.receive(call("reveal", { line: 3 }));
    await link.receive(call("copy", { index: 1, what: "path" }));
    await link.receive(call("copy", { index: 1, what: "preview" }));
    await link.receive(call("copy", { index: 0, what: "handle" }));
    expect(done).toEqual(["open 1", "reveal 3", "copy /h/a.txt", "copy 2345678"]);
    expect(posted).toMatchObject([
      { t: "ok", body: { opened: true } },
      { t: "err", code: "not-found" },
      { t: "err", code: "not-found", message: "Nothing here." },
      { t: "ok", body: { opened: true } },
      { t: "ok", body: { copied: true } },
      { t: "ok", body: { copied: true } },
      { t: "ok", body: { copied: false } },
    ]);
  });

  it("looks at files again after a re-base, reads again on reload, stops on cancel", async () => {
    const { world, session, link } = open();
    world.batch(header, { kind: "result", result: persisted(0, "/h/a.txt") });
    await settle();
    expect(world.checked).toEqual([0]);
    await link.receive(call("rebase"));
    await settle();
    expect(world.checked).toEqual([0, 0]);
    await link.receive(call("reload"));
    expect(world.readings).toHaveLength(2);
    await link.receive(call("cancelReading"));
    await session.finished;
    expect(session.phase).toBe("cancelled");
  });

  it("lets go of the session on dispose", async () => {
    const { world, posted, link } = open();
    await link.receive(ready());
    link.dispose();
    world.batch(header, row(0));
    await link.receive(ready());
    expect(events(posted)).toEqual(["ok"]);
  });

  it("pages through full outputs, and says why where that cannot be", async () => {
    const { world, posted, link } = open();
    world.batch(header, row(0), row(1));
    await link.receive(ready());
    await link.receive(call("outputPage", { index: 0, offset: 7 }));
    expect(posted.at(-1)).toMatchObject({ t: "ok", body: { index: 0, offset: 7, text: "page" } });
    await link.receive(call("outputPage", { index: 1, offset: 0 }));
    expect(posted.at(-1)).toMatchObject({ t: "err", code: "not-found", message: "Nothing to page through." });
    await link.receive(call("outputPage", { index: 99, offset: 0 }));
    expect(posted.at(-1)).toMatchObject({ t: "err", code: "not-found" });
    await link.receive(call("outputPage", { index: 0, offset: -1 }));
    expect(posted.at(-1)).toMatchObject({ t: "err", code: "bad-message" });
  });
});
