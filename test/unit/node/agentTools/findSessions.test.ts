import { describe, expect, it } from "vitest";
import { type Cancel, NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { type FinderParts, SessionFinder } from "../../../../extension/src/node/agentTools/findSessions";
import { FOLDER_LIMITS, folderSessions } from "../../../../extension/src/node/sessions/folderSessions";
import { fakeUtf8, memoryFiles } from "../../cli/fakeIo";
import { GROUND, MemoryDisk, type Tree } from "../scanFakes";

const PROJECTS = "/home/ada/.claude/projects";
const LINE = `${JSON.stringify({ type: "user", uuid: "u", sessionId: "s", parentUuid: null, message: { role: "user", content: "hi" } })}\n`;

function machine(tree: Tree, more: Partial<FinderParts> = {}) {
  const disk = new MemoryDisk(tree);
  const time = { now: 0 };
  const files = Object.fromEntries(Object.keys(tree).map((path) => [path, path.includes("/not") ? "no" : LINE]));
  const finder = new SessionFinder({
    homes: () => ({ ...GROUND, extra: [], workspaceFolders: [] }),
    mayScanHomes: () => true,
    isOn: () => true,
    isTrusted: () => true,
    roots: () => [],
    files: memoryFiles(files),
    scanFiles: disk,
    utf8: fakeUtf8,
    clock: { now: () => time.now },
    ...more,
  });
  return { disk, finder, time };
}

const pathsOf = async (finder: SessionFinder, cancel: Cancel = NEVER_CANCELLED) =>
  (await finder.find(cancel)).sessions.map(({ path }) => path);

describe("the search for agents", () => {
  it("gives one list for a while, so that its pages fit together", async () => {
    const { disk, finder, time } = machine({ [`${PROJECTS}/a/old.jsonl`]: [9, 1] });
    expect(await pathsOf(finder)).toEqual([`${PROJECTS}/a/old.jsonl`]);
    const listed = disk.listed.length;
    time.now = 15_000;
    expect(await pathsOf(finder)).toHaveLength(1);
    expect(disk.listed).toHaveLength(listed);
    time.now = 15_001;
    await pathsOf(finder);
    expect(disk.listed.length).toBeGreaterThan(listed);
  });

  it("knows a session of a home by its path alone, without a look at others once it was found", async () => {
    const tree: Tree = { [`${PROJECTS}/a/s.jsonl`]: [9, 1], "/home/ada/.codex/sessions/x/rollout-1.jsonl": [9, 1] };
    let isOn = true;
    const { disk, finder } = machine(tree, { isOn: () => isOn });
    const has = (path: string) => finder.has(path, NEVER_CANCELLED);
    for (const path of ["/etc/passwd", PROJECTS, `${PROJECTS}-more/a/s.jsonl`, `/x${PROJECTS}/a/s.jsonl`])
      expect(await has(path), path).toBe(false);
    expect(disk.listed).toEqual([]);
    expect(await has(`${PROJECTS}/a/other.jsonl`)).toBe(false);
    expect(await has(`${PROJECTS}/a/../a/s.jsonl`)).toBe(false);
    expect(await has(`${PROJECTS}/a/s.jsonl`)).toBe(true);
    expect(disk.listed.filter((path) => path.includes(".codex"))).toEqual([]);
    const listed = disk.listed.length;
    expect(await has(`${PROJECTS}/a/s.jsonl`)).toBe(true);
    expect(disk.listed).toHaveLength(listed);
    expect(disk.looked).toEqual([]);
    isOn = false;
    expect(await has(`${PROJECTS}/a/s.jsonl`)).toBe(false);
  });

  it("is one for all who wait, and stops when none does", async () => {
    const tree: Tree = Object.fromEntries(
      Array.from({ length: 400 }, (_, n): [string, [number, number]] => [`${PROJECTS}/p${n}/s.jsonl`, [9, n]]),
    );
    const { disk, finder } = machine(tree);
    const first = { isCancellationRequested: false };
    const second = { isCancellationRequested: false };
    const asked = [finder.find(first), finder.find(second)];
    first.isCancellationRequested = true;
    const [one, two] = await Promise.all(asked);
    expect(one).toBe(two);
    expect(one?.sessions).toHaveLength(400);
    expect(disk.listed.filter((path) => path === PROJECTS)).toHaveLength(1);
    const stopped = machine(tree);
    const gone = await stopped.finder.find({ isCancellationRequested: true });
    expect(gone.isPart).toBe(true);
    // What was called off is no answer for the next one.
    expect(await pathsOf(stopped.finder)).toHaveLength(400);
    const closed = machine(tree);
    closed.finder.dispose();
    expect((await closed.finder.find(NEVER_CANCELLED)).isPart).toBe(true);
  });

  it("says what it could not list", async () => {
    const { disk, finder } = machine({ [`${PROJECTS}/a/s.jsonl`]: [9, 1], [`${PROJECTS}/b/s.jsonl`]: [9, 1] });
    disk.denied.set(`${PROJECTS}/b`, "EACCES");
    const found = await finder.find(NEVER_CANCELLED);
    expect(found.sessions).toHaveLength(1);
    expect(found.notes).toEqual([expect.stringContaining(`${PROJECTS}/b could not be listed (EACCES)`)]);
  });

  it("lists a session of an open home once, as its agent's", async () => {
    const path = "/work/.hermes/sessions/session_1.json";
    const { finder } = machine(
      { [path]: [9, 1], "/work/logs/run.jsonl": [9, 2] },
      {
        homes: () => ({ ...GROUND, extra: [], workspaceFolders: ["/work"] }),
        roots: () => ["/work"],
      },
    );
    const { sessions } = await finder.find(NEVER_CANCELLED);
    expect(sessions.map((one) => [one.path, one.agent])).toEqual([
      ["/work/logs/run.jsonl", "claude-code"],
      [path, "hermes"],
    ]);
  });

  it("names the agent of an open file by what is in it, and none where that does not tell", async () => {
    const files = {
      "/work/claude.jsonl": LINE,
      "/work/chat.json": JSON.stringify([{ role: "user", content: "hi" }]),
      "/work/not.json": "no",
    };
    const tree: Tree = Object.fromEntries(
      Object.keys(files).map((path, n): [string, [number, number]] => [path, [9, n]]),
    );
    const { finder } = machine(tree, { files: memoryFiles(files), roots: () => ["/work", "/work/claude.jsonl"] });
    const { sessions } = await finder.find(NEVER_CANCELLED);
    expect(sessions.map((one) => [one.path, one.agent])).toEqual([
      ["/work/chat.json", null],
      ["/work/claude.jsonl", "claude-code"],
    ]);
  });
});

describe("the search in an open folder", () => {
  const search = async (disk: MemoryDisk, limits = FOLDER_LIMITS, cancel: Cancel = NEVER_CANCELLED) => {
    let ms = 0;
    const steps = [];
    const looked: string[] = [];
    const isTranscript = async (path: string): Promise<boolean> => {
      looked.push(path);
      ms += 10;
      return !path.includes("/not");
    };
    const parts = { files: disk, isTranscript, now: () => ms, cancel };
    for await (const step of folderSessions("/work", parts, limits)) steps.push(step);
    return { found: steps.filter(({ kind }) => kind === "file").map(({ path }) => path), steps, looked };
  };

  it("looks into files that may be transcripts, and not into folders of other people's files", async () => {
    const disk = new MemoryDisk({
      "/work/a.jsonl": [9, 1],
      "/work/deep/er/b.json": [9, 1],
      "/work/deep/notes.json": [9, 1],
      "/work/package.json": [9, 1],
      "/work/a/subagents/agent-1.jsonl": [9, 1],
      "/work/readme.md": [9, 1],
      "/work/node_modules/x/c.jsonl": [9, 1],
      "/work/s/tool-results/d.json": [9, 1],
    });
    disk.links.set("/work/link.jsonl", "/etc/secret.jsonl");
    disk.links.set("/work/loop", "/work");
    const { found, looked } = await search(disk);
    expect(found).toEqual(["/work/a.jsonl", "/work/deep/er/b.json"]);
    expect(looked).toEqual(["/work/a.jsonl", "/work/deep/notes.json", "/work/deep/er/b.json"]);
  });

  it("ends when it is called off, also among files that are no transcripts", async () => {
    const disk = new MemoryDisk(
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`/work/not${n}.json`, [9, 1]])),
    );
    const cancel = {
      asked: 0,
      get isCancellationRequested() {
        return ++this.asked > 5;
      },
    };
    const { looked, steps } = await search(disk, FOLDER_LIMITS, cancel);
    expect(looked.length).toBeLessThan(6);
    expect(steps).toEqual([]);
  });

  it.each([
    ["depth", { ...FOLDER_LIMITS, depth: 1 }, ["/work/0.jsonl", "/work/a/1.jsonl"]],
    ["folders", { ...FOLDER_LIMITS, folders: 2 }, ["/work/0.jsonl", "/work/a/1.jsonl"]],
    ["looked", { ...FOLDER_LIMITS, looked: 1 }, ["/work/0.jsonl"]],
    ["time", { ...FOLDER_LIMITS, ms: 15 }, ["/work/0.jsonl", "/work/a/1.jsonl"]],
  ])("is bounded, and says so: %s", async (_, limits, found) => {
    const disk = new MemoryDisk({ "/work/0.jsonl": [9, 1], "/work/a/1.jsonl": [9, 1], "/work/a/b/2.jsonl": [9, 1] });
    const all = await search(disk);
    expect(all.found).toHaveLength(3);
    expect(all.steps.filter(({ kind }) => kind === "trouble")).toEqual([]);
    const some = await search(disk, limits);
    expect(some.found).toEqual(found);
    expect(some.steps.at(-1)).toEqual({ kind: "trouble", path: "/work", code: "cut" });
  });
});
