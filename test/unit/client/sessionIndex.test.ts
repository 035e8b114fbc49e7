import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CancelSource } from "../../../extension/src/client/lifetime";
import { DetailsStore } from "../../../extension/src/client/sessions/detailsStore";
import { SessionIndex, type SessionSource } from "../../../extension/src/client/sessions/sessionIndex";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import type { Peek } from "../../../extension/src/node/peekFile";
import { FIND_SESSIONS } from "../../../extension/src/node/sessions/agentSessions";
import { SessionScan } from "../../../extension/src/node/sessions/sessionScan";
import { SLICE_MS, TimeSlices } from "../../../extension/src/node/sessions/timeSlices";
import { type Step, Walk } from "../../../extension/src/node/sessions/walk";
import { HandTime, HandTimers, MemoryDisk, type Tree } from "../node/scanFakes";
import { MemoryLog } from "./fakes";

const folder = mkdtempSync(join(tmpdir(), "context-budget-index-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tenThousand(): Tree {
  const tree: Tree = {};
  for (let n = 0; n < 10_000; n++) tree[`/p/-w-${n % 40}/${n}.jsonl`] = [70_000, n + 1];
  return tree;
}

const claude = (disk: MemoryDisk): AsyncGenerator<Step> => FIND_SESSIONS["claude-code"](["/p"], new Walk(disk));

async function* given(...steps: readonly Step[]): AsyncGenerator<Step> {
  yield* steps;
}

const file = (path: string, label: string, place: string): Step => ({ kind: "file", path, label, place });

describe("a scan", () => {
  const slices = new TimeSlices(new HandTime());

  it("lists a folder of 10,000 sessions whole, newest first, with sizes and times", async () => {
    const disk = new MemoryDisk(tenThousand());
    const scan = new SessionScan(claude(disk), { files: disk, slices });
    await scan.run(NEVER_CANCELLED);
    await scan.show();
    const { sessions, omitted, troubles } = scan.found;
    expect([sessions.length, omitted, troubles]).toEqual([10_000, 0, []]);
    expect(sessions[0]).toMatchObject({ label: "9999", bytes: 70_000, mtimeMs: 10_000, place: "/p/-w-39" });
    expect(sessions.every((one, n) => n === 0 || (sessions[n - 1]?.mtimeMs ?? 0) >= one.mtimeMs)).toBe(true);
  });

  it.each([1, 7, 100, 9_999])(
    "goes on where it was called off after %i looks, and looks at nothing twice",
    async (stop) => {
      const disk = new MemoryDisk(tenThousand());
      const scan = new SessionScan(claude(disk), { files: disk, slices });
      const cancel = new CancelSource();
      const look = disk.file.bind(disk);
      disk.file = async (path) => {
        if (disk.looked.length === stop) cancel.cancel();
        return look(path);
      };
      await scan.run(cancel);
      await scan.show();
      expect(scan.isDone).toBe(false);
      expect(scan.count).toBeGreaterThanOrEqual(stop);
      expect(scan.count).toBeLessThan(stop + 40);
      expect(scan.found.sessions).toHaveLength(scan.count);
      await scan.run(NEVER_CANCELLED);
      await scan.show();
      expect(scan.isDone).toBe(true);
      expect(scan.found.sessions).toHaveLength(10_000);
      expect(new Set(disk.looked).size).toBe(disk.looked.length);
      expect(new Set(disk.listed).size).toBe(disk.listed.length);
    },
  );

  it("is bounded and counts what it left out", async () => {
    const disk = new MemoryDisk(tenThousand());
    const few = new SessionScan(claude(disk), {
      files: disk,
      slices,
      limits: { sessions: 100, files: 600, troubles: 1 },
    });
    await few.run(NEVER_CANCELLED);
    await few.show();
    expect([few.found.sessions.length, few.found.omitted]).toEqual([100, 9_900]);
    const trouble = (path: string): Step => ({ kind: "trouble", path, code: "EACCES" });
    const bad = new SessionScan(given(trouble("/a"), trouble("/b")), {
      files: disk,
      slices,
      limits: { sessions: 1, files: 1, troubles: 1 },
    });
    await bad.run(NEVER_CANCELLED);
    await bad.show();
    expect(bad.found).toMatchObject({ troubles: [{ path: "/a", code: "EACCES" }], troublesOmitted: 1 });
  });

  it("leaves out what is empty or went away, without a word", async () => {
    const disk = new MemoryDisk({ "/p/empty.jsonl": [0, 1], "/p/there.jsonl": [1, 1] });
    const steps = ["/p/empty.jsonl", "/p/gone.jsonl", "/p/there.jsonl"].map((path) => file(path, path, "/p"));
    const scan = new SessionScan(given(...steps), { files: disk, slices });
    await scan.run(NEVER_CANCELLED);
    await scan.show();
    expect(scan.found.sessions.map(({ path }) => path)).toEqual(["/p/there.jsonl"]);
  });

  it("names a folder whose files may not be looked at, once, and goes on", async () => {
    const disk = new MemoryDisk({ "/p/a/1.jsonl": [1, 1], "/p/a/2.jsonl": [1, 1], "/p/b/3.jsonl": [1, 1] });
    disk.sealed.set("/p/a", "EACCES");
    const steps = ["/p/a/1.jsonl", "/p/a/2.jsonl", "/p/b/3.jsonl"].map((path) => file(path, path, "/p"));
    const scan = new SessionScan(given(...steps), { files: disk, slices });
    await scan.run(NEVER_CANCELLED);
    await scan.show();
    expect(scan.found).toMatchObject({
      sessions: [{ path: "/p/b/3.jsonl" }],
      troubles: [{ path: "/p/a", code: "EACCES" }],
      troublesOmitted: 0,
    });
  });

  it("tells the snapshot and the gateway log of one session apart, and files of one name by their folders", async () => {
    const disk = new MemoryDisk({
      "/h/session_a.json": [1, 3],
      "/h/a.jsonl": [1, 2],
      "/w/one/x.json": [1, 1],
      "/w/two/x.json": [1, 0],
    });
    const scan = new SessionScan(
      given(
        file("/h/session_a.json", "a", "/h"),
        file("/h/a.jsonl", "a", "/h"),
        file("/w/one/x.json", "x.json", "w"),
        file("/w/two/x.json", "x.json", "w"),
      ),
      { files: disk, slices },
    );
    await scan.run(NEVER_CANCELLED);
    await scan.show();
    expect(scan.found.sessions.map(({ label }) => label)).toEqual(["a.json", "a.jsonl", "one/x.json", "two/x.json"]);
  });

  it("never works longer than a slice and one step between two rests", async () => {
    const time = new HandTime();
    const disk = new MemoryDisk(tenThousand());
    const step = 0.5;
    const look = disk.file.bind(disk);
    disk.file = async (path) => {
      time.work(step);
      return look(path);
    };
    const scan = new SessionScan(claude(disk), { files: disk, slices: new TimeSlices(time) });
    await scan.run(NEVER_CANCELLED);
    await scan.show();
    time.end();
    // Up to 16 looks are under way when the slice is used up.
    expect(time.longest).toBeLessThanOrEqual(SLICE_MS + 16 * step);
    expect(time.turns).toBeGreaterThan((10_000 * step) / (SLICE_MS + 16 * step) - 1);
  });
});

const PARTS = {
  openFolders: () => [],
  sha256Hex: (text: string) => `hash of ${text}`,
  secrets: { find: async () => [] },
};

/** An index over a disk in memory, driven by hand. */
function makeIndex(tree: Tree, options: { readonly store?: string; readonly disk?: MemoryDisk } = {}) {
  const disk = options.disk ?? new MemoryDisk(tree);
  const time = new HandTime();
  const slices = new TimeSlices(time);
  const timers = new HandTimers();
  const log = new MemoryLog();
  const peeked: string[] = [];
  const hooks: { peek?: (path: string) => void } = {};
  const peek = async (path: string): Promise<Peek | undefined> => {
    peeked.push(path);
    hooks.peek?.(path);
    time.work(0.5);
    const found = await disk.file(path);
    if (found === undefined) return undefined;
    const project = `/home/ada/${path.split("/")[2]?.slice(1)}`;
    const head = JSON.stringify({ cwd: project, type: "user", message: { role: "user", content: `About ${path}` } });
    return { ...found, head, tail: "" };
  };
  const store = new DetailsStore(options.store, slices);
  const source: SessionSource = { id: "claude-code", label: "Claude Code", gather: "folder", find: () => claude(disk) };
  const index = new SessionIndex({
    ...PARTS,
    sources: [source],
    files: disk,
    peek,
    store,
    slices,
    time,
    log,
    after: timers.after,
  });
  const sessions = () => index.found("claude-code").sessions;
  const read = () => sessions().filter((one) => index.details(one.path) !== undefined).length;
  return { disk, time, timers, log, peeked, hooks, store, index, sessions, read };
}

describe("the index of sessions", () => {
  it("knows names, times and bytes of 10,000 sessions before it opens the first file", async () => {
    const { index, peeked, hooks, sessions } = makeIndex(tenThousand());
    let atFirst: { readonly known: number; readonly phase: string } | undefined;
    hooks.peek = () => {
      atFirst ??= { known: sessions().length, phase: index.phase("claude-code") };
    };
    await index.settled();
    expect(atFirst).toEqual({ known: 10_000, phase: "done" });
    expect(peeked.slice(0, 4)).toEqual([9_999, 9_998, 9_997, 9_996].map((n) => `/p/-w-${n % 40}/${n}.jsonl`));
    expect(index.details("/p/-w-1/1.jsonl")).toMatchObject({
      project: "/home/ada/w-1",
      title: "About /p/-w-1/1.jsonl",
    });
    expect(index.activity).toBe("idle");
  });

  it("never works longer than a slice and a few steps between two rests", async () => {
    const { index, time } = makeIndex(tenThousand());
    await index.settled();
    time.end();
    expect(time.longest).toBeLessThanOrEqual(SLICE_MS + 4 * 0.5);
    expect(time.turns).toBeGreaterThan(400);
  });

  it("stops when asked, keeps what it has, and goes on without doing anything twice", async () => {
    const { index, peeked, hooks, read } = makeIndex(tenThousand());
    hooks.peek = () => {
      if (peeked.length === 3_000) index.stop();
    };
    await index.settled();
    expect(index.activity).toBe("stopped");
    expect(read()).toBeGreaterThanOrEqual(2_999);
    expect(read()).toBeLessThan(3_010);
    index.goOn();
    await index.settled();
    expect([index.activity, read()]).toEqual(["idle", 10_000]);
    expect(new Set(peeked).size).toBe(peeked.length);
  });

  it("goes on in another window where the last one was interrupted", async () => {
    const store = join(folder, "interrupted");
    const first = makeIndex(tenThousand(), { store });
    first.hooks.peek = () => {
      if (first.peeked.length === 4_000) first.index.stop();
    };
    await first.index.settled();
    await first.store.save();
    const second = makeIndex(tenThousand(), { store });
    await second.index.settled();
    expect(second.read()).toBe(10_000);
    expect(second.peeked.length + first.peeked.length).toBeLessThanOrEqual(10_000 + 8);
    const third = makeIndex(tenThousand(), { store });
    await third.index.settled();
    expect([third.peeked.length, third.read()]).toEqual([0, 10_000]);
  });

  it("reads again only what changed", async () => {
    const { index, disk, peeked, sessions } = makeIndex({ "/p/-a/1.jsonl": [5, 1], "/p/-a/2.jsonl": [5, 2] });
    await index.settled();
    peeked.length = 0;
    disk.tree["/p/-a/1.jsonl"] = [9, 3];
    index.refresh();
    await index.settled();
    expect(peeked).toEqual(["/p/-a/1.jsonl"]);
    expect(sessions().map(({ path, bytes }) => [path, bytes])).toEqual([
      ["/p/-a/1.jsonl", 9],
      ["/p/-a/2.jsonl", 5],
    ]);
  });

  it("shows what it had until a new search is through", async () => {
    const { index, disk, hooks, sessions } = makeIndex(tenThousand());
    await index.settled();
    let fewest = Number.POSITIVE_INFINITY;
    const look = disk.file.bind(disk);
    disk.file = async (path) => {
      fewest = Math.min(fewest, sessions().length);
      return look(path);
    };
    hooks.peek = () => undefined;
    index.refresh();
    await index.settled();
    expect(fewest).toBe(10_000);
  });

  it("takes in a file that grew without a new search, and searches for one that is new", async () => {
    const { index, disk, peeked, timers, sessions } = makeIndex({ "/p/-a/1.jsonl": [5, 1], "/p/-a/2.jsonl": [5, 2] });
    await index.settled();
    const listed = disk.listed.length;
    disk.tree["/p/-a/1.jsonl"] = [50, 9];
    peeked.length = 0;
    index.touched("/p/-a/1.jsonl");
    index.touched("/p/-a/1.jsonl");
    timers.fire();
    await until(() => peeked.length > 0);
    await until(() => {
      timers.fire(1_000);
      return sessions()[0]?.bytes === 50;
    });
    expect([peeked, disk.listed.length]).toEqual([["/p/-a/1.jsonl"], listed]);

    const fresh = new MemoryDisk({ ...disk.tree, "/p/-b/3.jsonl": [7, 20] });
    disk.list = (path, limit) => fresh.list(path, limit);
    disk.tree["/p/-b/3.jsonl"] = [7, 20];
    index.touched("/p/-b/3.jsonl");
    timers.fire();
    await until(() => sessions().length === 3);
    expect(sessions()[0]?.path).toBe("/p/-b/3.jsonl");
  });

  it("a first search comes to its end while agents write all the time, and what they wrote is taken in after it", async () => {
    const all = Object.entries(tenThousand()).slice(0, 1_000);
    const { index, disk, timers, sessions } = makeIndex(Object.fromEntries(all));
    const look = disk.file.bind(disk);
    let [isDone, told] = [false, 0];
    disk.file = async (path) => {
      if (!isDone && disk.looked.length >= told + 100) {
        told = disk.looked.length;
        index.touched("/p/-w-7/7.jsonl");
        index.touched("/p/-w-8/8.jsonl");
        timers.fire();
      }
      return look(path);
    };
    await index.settled();
    isDone = true;
    expect(disk.listed.filter((path) => path === "/p")).toHaveLength(1);
    expect(sessions()).toHaveLength(1_000);
    disk.tree["/p/-w-7/7.jsonl"] = [71_000, 20_000];
    index.touched("/p/-w-7/7.jsonl");
    let turns = 0;
    await until(() => {
      if (turns++ % 500 === 0) timers.fire();
      return sessions()[0]?.bytes === 71_000;
    });
    expect(disk.listed.filter((path) => path === "/p")).toHaveLength(1);
  });

  it("rests between two searches for new files, by how long a search takes", async () => {
    const { index, disk, time, timers, sessions } = makeIndex({ "/p/-a/1.jsonl": [5, 1] });
    const fresh = new MemoryDisk({ ...disk.tree, "/p/-a/2.jsonl": [7, 2] });
    disk.list = async (path, limit) => {
      disk.listed.push(path);
      if (path === "/p") time.work(1_000);
      return index.found("claude-code").sessions.length === 0
        ? new MemoryDisk({ "/p/-a/1.jsonl": [5, 1] }).list(path, limit)
        : fresh.list(path, limit);
    };
    await index.settled();
    disk.tree["/p/-a/2.jsonl"] = [7, 2];
    index.touched("/p/-a/2.jsonl");
    const [soon] = timers.waiting;
    expect(soon?.ms).toBeLessThan(1_000);
    timers.fire();
    await until(() => [...timers.waiting].some(({ ms }) => ms > 3_000 && ms <= 4_000));
    expect(sessions()).toHaveLength(1);
    time.work(4_000);
    timers.fire();
    await until(() => sessions().length === 2);
  });

  it("searches once for a file that is no session, and not for an empty one until it is written to", async () => {
    const { index, disk, timers, sessions } = makeIndex({ "/p/-a/1.jsonl": [5, 1] });
    await index.settled();
    const searches = () => disk.listed.filter((path) => path === "/p").length;
    const fresh = new MemoryDisk({ ...disk.tree, "/p/-a/agent-1.jsonl": [7, 2], "/p/-a/2.jsonl": [1, 1] });
    disk.list = async (path, limit) => {
      disk.listed.push(path);
      return fresh.list(path, limit);
    };
    const written = async (path: string, bytes: number) => {
      disk.tree[path] = [bytes, bytes];
      index.touched(path);
      const { length } = disk.looked;
      timers.fire();
      await until(() => disk.looked.length > length);
      await index.settled();
    };
    await written("/p/-a/agent-1.jsonl", 7);
    await until(() => searches() === 2);
    await index.settled();
    await written("/p/-a/agent-1.jsonl", 8);
    await written("/p/-a/2.jsonl", 0);
    expect(searches()).toBe(2);
    await written("/p/-a/2.jsonl", 9);
    await until(() => sessions().length === 2);
    expect(searches()).toBe(3);
    // The user asks for all.
    index.refresh();
    await index.settled();
    await written("/p/-a/agent-1.jsonl", 10);
    await until(() => searches() === 5);
  });

  it("searches again by itself while somebody looks, quietly, and rarely where a search takes long", async () => {
    const { index, disk, time, timers, sessions } = makeIndex({ "/p/-a/1.jsonl": [5, 1] });
    const look = disk.file.bind(disk);
    disk.file = async (path) => {
      time.work(1_000);
      return look(path);
    };
    await index.settled();
    expect([...timers.waiting].filter(({ ms }) => ms > 5_000)).toEqual([]);
    index.setWatched(true);
    const [repeat] = [...timers.waiting].filter(({ ms }) => ms > 5_000);
    expect(repeat?.ms).toBeGreaterThanOrEqual(50_000);
    disk.tree["/p/-a/1.jsonl"] = [6, 2];
    timers.fire();
    expect([index.activity, index.phase("claude-code")]).toEqual(["idle", "done"]);
    await until(() => sessions()[0]?.bytes === 6);
    await index.settled();
    index.setWatched(false);
    expect([...timers.waiting].filter(({ ms }) => ms > 5_000)).toEqual([]);
  });

  it("says that a search failed and goes on with the others", async () => {
    const disk = new MemoryDisk({ "/p/-a/1.jsonl": [5, 1] });
    const { log, timers, time, store } = makeIndex({});
    const broken = async function* (): AsyncGenerator<Step> {
      yield* given();
      throw new TypeError("a bug");
    };
    const index = new SessionIndex({
      sources: [
        { id: "bad", label: "Bad", gather: "place", find: broken },
        { id: "good", label: "Good", gather: "place", find: () => claude(disk) },
      ],
      ...PARTS,
      files: disk,
      peek: async () => undefined,
      store,
      slices: new TimeSlices(time),
      time,
      log,
      after: timers.after,
    });
    await index.settled();
    expect([index.phase("bad"), index.phase("good"), index.found("good").sessions.length]).toEqual([
      "failed",
      "done",
      1,
    ]);
    expect(log.lines.join()).toContain("a bug");
  });

  it("does not try again to read what cannot be read, until it changes", async () => {
    const { index, disk, hooks, peeked } = makeIndex({ "/p/-a/1.jsonl": [5, 1] });
    const look = disk.file.bind(disk);
    let isLocked = false;
    disk.file = async (path) => (isLocked ? undefined : look(path));
    hooks.peek = () => {
      isLocked = true;
    };
    await index.settled();
    expect(index.details("/p/-a/1.jsonl")).toBeUndefined();
    isLocked = false;
    index.refresh();
    await index.settled();
    expect(peeked).toHaveLength(1);
    disk.tree["/p/-a/1.jsonl"] = [6, 2];
    hooks.peek = () => undefined;
    index.refresh();
    await index.settled();
    expect(peeked).toHaveLength(2);
    expect(index.details("/p/-a/1.jsonl")?.project).toBe("/home/ada/a");
  });

  it("wakes who waits for the first look, in time or when it is through", async () => {
    const { index, timers } = makeIndex({ "/p/-a/1.jsonl": [5, 1] });
    let looked = false;
    const wait = index.firstLook(300).then(() => {
      looked = true;
    });
    await wait;
    expect(looked).toBe(true);
    expect([...timers.waiting].filter(({ ms }) => ms === 300)).toEqual([]);
  });

  it("holds no timer and no listener after its end", async () => {
    const { index, timers } = makeIndex(tenThousand());
    index.setWatched(true);
    await index.settled();
    index.touched("/x");
    index.dispose();
    expect(timers.waiting.size).toBe(0);
  });
});

/** Lets what only waits for promises go on until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 10_000 && !holds(); n++) await Promise.resolve();
  expect(holds()).toBe(true);
}
