import { describe, expect, it } from "vitest";
import type { CancelSource } from "../../../extension/src/client/lifetime";
import { ESTIMATE_LIMITS, type EstimatedFile, SessionEstimate } from "../../../extension/src/client/sessionEstimate";
import type { SavedByThread } from "../../../extension/src/protocol/simulation";
import { MemoryLog, settle } from "./fakes";

const curve = (thread: string, more: Partial<SavedByThread> = {}): SavedByThread => ({
  thread,
  newest: 1,
  totalChars: 1_000,
  steps: [10, 100],
  saved: [300, 200],
  always: 50,
  ...more,
});
const file = (path: string, more: Partial<EstimatedFile> = {}): EstimatedFile => ({
  path,
  bytes: 1,
  mtimeMs: 5,
  ...more,
});

function make(files: readonly EstimatedFile[], curves: Readonly<Record<string, readonly SavedByThread[]>>) {
  const world = { files, now: 0, read: [] as string[], cancels: [] as CancelSource[], gate: Promise.resolve() };
  const heard: string[] = [];
  const estimate = new SessionEstimate({
    files: async () => world.files,
    curves: async (path, cancel) => {
      world.read.push(path);
      world.cancels.push(cancel);
      await world.gate;
      return cancel.isCancellationRequested ? undefined : curves[path];
    },
    now: () => world.now,
    after: (_ms, run) => {
      run();
      return { dispose: () => undefined };
    },
    log: new MemoryLog(),
  });
  estimate.onChanged(() => heard.push(`${estimate.phase} ${estimate.progress.done}/${estimate.progress.total}`));
  return { estimate, world, heard };
}

describe("an estimate on sessions", () => {
  it("adds up what a threshold saves in all of them", async () => {
    const { estimate, heard } = make([file("a"), file("b")], {
      a: [curve("a")],
      b: [curve("b", { totalChars: 3_000 })],
    });
    expect(estimate.shareAt(9)).toBeUndefined();
    estimate.refresh();
    await settle();
    expect(heard).toEqual(["running 0/0", "running 0/2", "running 1/2", "done 2/2"]);
    expect(estimate.shareAt(9)).toEqual({ sessions: 2, share: 600 / 4_000 });
    // At a step's own length the results of that length stay.
    expect(estimate.shareAt(10)).toEqual({ sessions: 2, share: 400 / 4_000 });
    expect(estimate.shareAt(99)).toEqual({ sessions: 2, share: 400 / 4_000 });
    expect(estimate.shareAt(100)).toEqual({ sessions: 2, share: 100 / 4_000 });
  });

  it("counts the newest sessions, each once, and passes over twins, giants and what cannot be read", async () => {
    const database = Array.from({ length: 30 }, (_, n) => curve(`s${n}`, { newest: 100 + n, totalChars: n }));
    const { estimate, world } = make(
      [
        file("state.db"),
        file("twin", { isTwin: true }),
        file("big", { bytes: ESTIMATE_LIMITS.bytes + 1 }),
        file("bad"),
        file("s29.json", { mtimeMs: 500 }),
      ],
      { "state.db": database, "s29.json": [curve("s29", { newest: null, totalChars: 29 })], twin: [], big: [] },
    );
    estimate.refresh();
    await settle();
    expect(world.read).toEqual(["state.db", "bad", "s29.json"]);
    const newest = Array.from({ length: ESTIMATE_LIMITS.sessions }, (_, n) => 29 - n);
    const total = newest.reduce((sum, n) => sum + n, 0);
    expect(estimate.shareAt(9)).toEqual({ sessions: 20, share: (20 * 300) / total });
  });

  it("reads at most so many files, and none again that did not change", async () => {
    const files = Array.from({ length: 50 }, (_, n) => file(`f${n}`));
    const { estimate, world } = make(files, Object.fromEntries(files.map(({ path }) => [path, [curve(path)]])));
    estimate.refresh();
    await settle();
    for (let turn = 0; turn < 10; turn++) await settle();
    expect(estimate.phase).toBe("done");
    expect(world.read).toHaveLength(ESTIMATE_LIMITS.files);
    estimate.refresh();
    expect(estimate.phase).toBe("done");
    world.now = 3_600_000;
    world.files = [file("f0", { mtimeMs: 6 }), ...files.slice(1)];
    estimate.refresh();
    for (let turn = 0; turn < 10; turn++) await settle();
    expect(world.read.slice(ESTIMATE_LIMITS.files)).toEqual(["f0"]);
  });

  it("stops when it is told to, and goes on only when it is told to", async () => {
    const { estimate, world } = make([file("a"), file("b")], { a: [curve("a")], b: [curve("b")] });
    let open = (): void => undefined;
    world.gate = new Promise((done) => {
      open = done;
    });
    estimate.refresh();
    await settle();
    estimate.stop();
    open();
    await settle();
    expect(world.cancels[0]?.isCancellationRequested).toBe(true);
    expect(estimate.phase).toBe("stopped");
    expect(estimate.shareAt(9)).toBeUndefined();
    estimate.refresh();
    expect(world.read).toEqual(["a"]);
    estimate.start();
    await settle();
    expect(estimate.shareAt(9)).toMatchObject({ sessions: 2 });
  });

  it("says so when the sessions cannot be listed", async () => {
    const { estimate } = make([], {});
    const broken = new SessionEstimate({
      files: () => Promise.reject(new Error("no list")),
      curves: async () => [],
      now: () => 0,
      after: (_ms, run) => {
        run();
        return { dispose: () => undefined };
      },
      log: new MemoryLog(),
    });
    broken.refresh();
    await settle();
    expect(broken.phase).toBe("stopped");
    estimate.refresh();
    await settle();
    expect(estimate.phase).toBe("done");
    expect(estimate.shareAt(1)).toBeUndefined();
  });
});
