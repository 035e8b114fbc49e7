import { describe, expect, it } from "vitest";
import { InspectorSession, type SessionEvent } from "../../../extension/src/client/views/inspectorSession";
import type { TranscriptEvent } from "../../../extension/src/core/model/transcriptEvent";
import { FakeWorld, HEADER, persisted, result, rowsOf, settle } from "./fakes";

const header = { kind: "header", header: HEADER } as const;
const row = (index: number, more: Parameters<typeof result>[1] = {}) =>
  ({ kind: "result", result: result(index, more) }) as const;
const torn = {
  kind: "problem",
  problem: { code: "torn-last-line", severity: "warning", message: "torn" },
} as const;

/** A followed transcript that was read to its end once. */
async function followed(...events: readonly TranscriptEvent[]) {
  const world = new FakeWorld();
  const session = new InspectorSession("/w/session.json", world.ports, "en");
  const heard: SessionEvent[] = [];
  session.follow();
  session.read();
  world.batch(header, ...events);
  world.end();
  await session.finished;
  session.onEvent((event) => heard.push(event));
  /** The file was written: the next reading gives these events. */
  const written = async (...next: readonly TranscriptEvent[]) => {
    world.news("changed");
    await settle();
    world.batch(...next);
    world.end();
    await settle();
  };
  const last = () => heard.filter((event) => event.e !== "rows/changed").at(-1);
  return { world, session, heard, written, last };
}

describe("a transcript that is being written", () => {
  it("tells only what is new or changed, and never clears the view", async () => {
    const { session, written, last, heard } = await followed(row(0), row(1));
    const before = await rowsOf(session);
    const { revision } = session.full().rows;
    await written(header, row(0), row(1, { tool: "other" }), row(2));
    expect(last()).toMatchObject({ e: "state/update", body: { rows: { revision: revision + 1, count: 3 } } });
    const after = await rowsOf(session);
    expect(after).toMatchObject([{ index: 0 }, { index: 1, tool: "other" }, { index: 2 }]);
    expect(after[0]).toEqual(before[0]);
    expect(heard.map((event) => event.e)).not.toContain("state/full");
    expect(session.phase).toBe("done");
  });

  it("lets a torn last line wait while somebody writes, and lists it when nobody does", async () => {
    const { world, session, written, last } = await followed(row(0));
    await written(header, row(0), torn);
    expect(session.full()).toMatchObject({ live: true, problems: [] });
    world.news("same", false);
    expect(last()).toMatchObject({ e: "state/update", body: { problems: [{ code: "torn-last-line" }] } });
    expect(session.full()).toMatchObject({ live: false, problems: [{ code: "torn-last-line" }] });
  });

  it("gives a missing result's place to whatever came, and takes back rows that are no more", async () => {
    const { session, written, last } = await followed(
      row(0),
      row(1, { state: "missing", callId: "a" }),
      row(2, { state: "missing" }),
    );
    await written(header, row(0), row(1, { callId: "b" }));
    expect(last()).toMatchObject({ e: "state/update", body: { rows: { count: 2 } } });
    expect(await rowsOf(session)).toMatchObject([{ index: 0 }, { index: 1, callId: "b" }]);
  });

  it("shows a rewritten file from its beginning", async () => {
    const { world, session, written, last } = await followed(row(0), row(1));
    await written(header, row(0, { callId: "quite another" }));
    expect(last()).toMatchObject({ e: "state/full", body: { rows: { count: 1 } } });
    expect(await rowsOf(session)).toMatchObject([{ index: 0, callId: "quite another" }]);
    world.tick();
    await written({ kind: "header", header: { ...HEADER, sessionId: "rotated" } }, row(0));
    expect(last()).toMatchObject({ e: "state/full", body: { header: { title: "rotated" } } });
  });

  it("keeps what was read when the file is cut to nothing or goes away, and says so once", async () => {
    const { world, session, written } = await followed(row(0));
    await written({ kind: "problem", problem: { code: "empty-file", severity: "error", message: "is empty" } });
    expect(session.full()).toMatchObject({ phase: "done", rows: { count: 1 }, problems: [{ code: "empty-file" }] });
    world.tick();
    world.news("gone", false);
    world.news("gone", false);
    expect(session.full().problems.map(({ code }) => code)).toEqual(["empty-file", "file-gone"]);
    await written(header, row(0), row(1));
    expect(session.full()).toMatchObject({ problems: [], rows: { count: 2 } });
  });

  it("a file that went away and came back as it was is not said to be gone", async () => {
    const { world, session, written, last } = await followed(row(0));
    world.news("gone", false);
    expect(session.full().problems.map(({ code }) => code)).toEqual(["file-gone"]);
    await written();
    expect(session.full()).toMatchObject({ problems: [], rows: { count: 1 } });
    expect(last()).toMatchObject({ e: "state/update", body: { problems: [] } });
  });

  it("shows the session of a file that was empty as soon as its agent has written to it", async () => {
    const world = new FakeWorld();
    const session = new InspectorSession("/w/session.json", world.ports, "en");
    session.follow();
    session.read();
    world.batch({ kind: "problem", problem: { code: "empty-file", severity: "error", message: "is empty" } });
    world.end();
    await session.finished;
    expect(session.full()).toMatchObject({ phase: "failed", header: null, problems: [{ code: "empty-file" }] });
    world.news("changed");
    await settle();
    world.batch(header, row(0));
    world.end();
    await settle();
    expect(session.full()).toMatchObject({ phase: "done", error: null, problems: [], rows: { count: 1 } });
  });

  it("reads once for a burst of changes, and rests in between", async () => {
    const { world, written } = await followed(row(0));
    await written(header, row(0), row(1));
    expect(world.readings).toHaveLength(2);
    world.news("changed");
    world.news("changed");
    await settle();
    expect(world.readings).toHaveLength(2);
    world.tick();
    await settle();
    expect(world.readings).toHaveLength(3);
    world.batch(header, row(0), row(1), row(2));
    world.end();
    await settle();
    world.tick();
    await settle();
    expect(world.readings).toHaveLength(3);
  });

  it("waits for the reading that runs, and then takes in what came meanwhile", async () => {
    const world = new FakeWorld();
    const session = new InspectorSession("/w/session.json", world.ports, "en");
    session.follow();
    session.read();
    world.news("changed");
    await settle();
    expect(world.readings).toHaveLength(1);
    world.batch(header, row(0));
    world.end();
    await session.finished;
    await settle();
    expect(world.readings).toHaveLength(2);
  });

  it("reads nothing while nobody looks, and once when somebody looks again", async () => {
    const { world, session } = await followed(row(0));
    session.setShown(false);
    world.news("changed");
    world.news("changed");
    await settle();
    expect(world.readings).toHaveLength(1);
    session.setShown(true);
    await settle();
    expect(world.readings).toHaveLength(2);
  });

  it("looks at the spill files of new rows, and keeps what is known of the others", async () => {
    const { world, session, written } = await followed({ kind: "result", result: persisted(0, "/a") });
    await settle();
    expect(world.checked).toEqual([0]);
    await written(
      header,
      { kind: "result", result: persisted(0, "/a") },
      { kind: "result", result: persisted(1, "/b") },
    );
    expect(world.checked).toEqual([0, 1]);
    expect((await rowsOf(session)).map(({ file }) => file)).toEqual(["ok", "ok"]);
  });

  it("lets go of the follower and of timers with the session, and a second follow is none", async () => {
    const { world, session, written } = await followed(row(0));
    session.follow();
    expect(world.followers.size).toBe(1);
    await written(header, row(0), row(1));
    session.dispose();
    expect(world.followers.size).toBe(0);
    expect(world.timers.size).toBe(0);
  });
});
