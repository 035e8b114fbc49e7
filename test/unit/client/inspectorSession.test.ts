import { describe, expect, it } from "vitest";
import { InspectorSession, type SessionEvent } from "../../../extension/src/client/views/inspectorSession";
import { err } from "../../../extension/src/core/model/problem";
import { MAX_PROBLEMS } from "../../../extension/src/core/transcript/table/shownTable";
import { FakeWorld, HEADER, persisted, result, rowsOf, settle } from "./fakes";

function open() {
  const world = new FakeWorld();
  const session = new InspectorSession("/w/session.json", world.ports, "en");
  const events: SessionEvent[] = [];
  session.onEvent((event) => events.push(event));
  session.read();
  events.length = 0;
  return { world, session, events };
}
const header = { kind: "header", header: HEADER } as const;
const row = (index: number) => ({ kind: "result", result: result(index) }) as const;

describe("InspectorSession", () => {
  it("tells of the first rows at once and of later ones together", async () => {
    const { world, events, session } = open();
    world.batch(header, row(0));
    expect(events).toMatchObject([
      { e: "state/append", body: { rows: { count: 1 }, header: { title: HEADER.sessionId } } },
    ]);
    world.batch(row(1));
    world.batch(row(2), { kind: "progress", doneBytes: 10, totalBytes: 20 });
    expect(events).toHaveLength(1);
    world.tick();
    expect(events[1]).toMatchObject({
      e: "state/append",
      body: { rows: { count: 3 }, progress: { doneBytes: 10, totalBytes: 20 } },
    });
    expect(session.full()).toMatchObject({ phase: "reading", rows: { count: 3 } });
    expect(await rowsOf(session)).toMatchObject([{ index: 0 }, { index: 1 }, { index: 2 }]);
  });

  it("ends in done, with everything told", async () => {
    const { world, events, session } = open();
    world.batch(header, row(0));
    world.batch(row(1));
    world.end();
    await session.finished;
    expect(events.map((event) => event.e)).toEqual(["state/append", "state/append", "state/phase"]);
    expect(session.full()).toMatchObject({ phase: "done", progress: null, error: null });
    expect(world.timers.size).toBe(0);
  });

  it("replaces a row that comes again, and never leaves holes", async () => {
    const { world, session } = open();
    world.batch(header, row(0), row(3));
    world.batch({ kind: "result", result: result(0, { tool: "web_search" }) });
    world.end();
    await session.finished;
    expect(session.full().rows.count).toBe(2);
    expect((await rowsOf(session)).map((one) => [one.index, one.tool])).toEqual([
      [0, "web_search"],
      [3, "terminal"],
    ]);
  });

  it("counts again when a later header knows another unit", async () => {
    const { world, session } = open();
    world.batch(header, {
      kind: "result",
      result: result(0, { size: { codePoints: 30_001, utf16: 60_001, bytes: 0 } }),
    });
    expect((await rowsOf(session))[0]?.chars).toBe(30_001);
    world.batch({ kind: "header", header: { ...HEADER, unit: "utf16" } });
    world.end();
    await session.finished;
    expect((await rowsOf(session))[0]?.chars).toBe(60_001);
  });

  it("says why a file is no transcript", async () => {
    const { world, session, events } = open();
    const message = "/w/session.json is no transcript.";
    world.batch({ kind: "problem", problem: { code: "not-a-transcript", severity: "error", message } });
    world.end();
    await session.finished;
    expect(events.at(-1)).toMatchObject({
      e: "state/phase",
      body: { phase: "failed", error: message },
    });
  });

  it("keeps the rows and a plain sentence when the reader itself breaks", async () => {
    const { world, session } = open();
    world.batch(header, row(0));
    world.reading.fail(new Error("worker died"));
    await session.finished;
    expect(session.full()).toMatchObject({ phase: "failed", rows: { count: 1 } });
    expect(session.full().error).toContain("/w/session.json");
    expect(world.log.lines.join()).toContain("worker died");
  });

  it("keeps what it has on cancel", async () => {
    const { world, session } = open();
    world.batch(header, row(0));
    session.cancelReading();
    await session.finished;
    expect(session.full()).toMatchObject({ phase: "cancelled", rows: { count: 1 } });
  });

  it("does not hear an old reading after a reload", async () => {
    const { world, session, events } = open();
    world.batch(header, row(0));
    const old = world.reading;
    session.read();
    expect(events.at(-1)).toMatchObject({ e: "state/full", body: { rows: { count: 0 }, phase: "reading" } });
    old.onBatch([row(5)]);
    world.tick();
    expect(session.full().rows.count).toBe(0);
    expect(old.cancel.isCancellationRequested).toBe(true);
  });

  it("lists every result there is, and of many problems the first", async () => {
    const { world, session } = open();
    world.batch(header);
    for (let from = 0; from < 250_000; from += 10_000) {
      world.batch(...Array.from({ length: 10_000 }, (_, index) => row(from + index)));
    }
    const problem = {
      code: "bad-line",
      severity: "warning",
      message: "no",
      at: { line: 3, start: 0, end: 1 },
    } as const;
    for (let count = 0; count < MAX_PROBLEMS + 5; count++) world.batch({ kind: "problem", problem });
    world.end();
    await session.finished;
    const state = session.full();
    expect(state.rows.count).toBe(250_000);
    expect(state.problems).toHaveLength(MAX_PROBLEMS);
    expect(state.problems[0]?.line).toBe(3);
    expect(state.problemsOmitted).toBe(5);
  });

  it("looks at spill files in the background, and again after a re-base", async () => {
    const { world, session, events } = open();
    world.batch(header, row(0), { kind: "result", result: persisted(1, "/h/a.txt") });
    expect((await rowsOf(session))[1]?.file).toBe("not-checked");
    world.end();
    await session.finished;
    await settle();
    expect(world.checked).toEqual([1]);
    const { revision } = session.full().rows;
    world.tick();
    expect(events.at(-1)).toEqual({ e: "rows/changed", body: { revision: revision + 1, count: 2 } });
    expect((await rowsOf(session)).map((one) => one.file)).toEqual(["none", "ok"]);
    world.report = { ...world.report, status: "missing" };
    session.recheckFiles();
    await settle();
    expect((await rowsOf(session))[1]?.file).toBe("missing");
    // A thread that was ended and started again knows nothing of files.
    const checked = world.checked.length;
    world.woken();
    await settle();
    expect(world.checked.length).toBeGreaterThan(checked);
  });

  it("marks what a compaction took out, in the row and in the detail", async () => {
    const { world, session } = open();
    world.batch(header, row(0), row(1));
    const { revision } = session.full().rows;
    world.batch({
      kind: "compaction",
      threadId: "main",
      place: { line: 7, start: 0, end: 9 },
      atMessage: 2,
      what: "summary",
      trigger: "auto",
      tokensBefore: undefined,
      tokensAfter: undefined,
      tokensFreed: undefined,
      scope: "all",
      clearedCallIds: [],
      gone: { messages: [], results: [] },
    });
    world.batch(row(2));
    world.end();
    await session.finished;
    expect((await rowsOf(session)).map((one) => one.leftLine)).toEqual([7, 7, null]);
    expect(session.full().rows.revision).toBeGreaterThan(revision);
    const detail = await session.detail(0);
    expect(detail).toMatchObject({
      value: {
        left: { line: 7, what: "summary", trigger: "auto" },
        summary: "Inline: the whole text, 10 chars, was in context. Then a compaction took it out of context.",
      },
    });
    expect(await session.detail(2)).toMatchObject({ value: { left: null } });
  });

  it("gives details, also of a row whose text cannot be read", async () => {
    const { world, session } = open();
    world.batch(header, { kind: "result", result: persisted(0, "/h/a.txt") });
    world.bodies = () => err({ code: "x", severity: "error", message: "Line 1 is not there any more." });
    expect(await session.detail(0)).toMatchObject({
      ok: true,
      value: { text: "", file: "ok", resolvedPath: "/home/a.txt", notes: ["Line 1 is not there any more."] },
    });
    expect(await session.detail(9)).toMatchObject({ ok: false, error: { code: "no-such-row" } });
  });

  it("is silent after dispose", async () => {
    const { world, session, events } = open();
    world.batch(header, row(0));
    const before = events.length;
    session.dispose();
    world.batch(row(1));
    world.end();
    await settle();
    expect(events).toHaveLength(before);
    expect(world.timers.size).toBe(0);
    expect(world.reading.cancel.isCancellationRequested).toBe(true);
  });
});
