import { mkdtempSync, rmSync } from "node:fs";
import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeScanFiles } from "../../../extension/src/node/scanFiles";
import { AGENT_HOMES, agentHomes } from "../../../extension/src/node/sessions/agentHomes";
import { FIND_SESSIONS, hermesSessionId } from "../../../extension/src/node/sessions/agentSessions";
import { inHomes } from "../../../extension/src/node/sessions/inHomes";
import { searched } from "../../../extension/src/node/sessions/searchedHomes";
import type { Step } from "../../../extension/src/node/sessions/walk";
import { GROUND, MemoryDisk, stepsOf, type Tree } from "./scanFakes";

const files = (...paths: readonly string[]): MemoryDisk =>
  new MemoryDisk(Object.fromEntries(paths.map((path) => [path, [10, 1]])) as Tree);

const paths = (steps: readonly Step[]) =>
  steps
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => path)
    .sort();
const troubles = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === "trouble" ? [[step.path, step.code]] : []));

describe("sessions in the agents' homes", () => {
  it("of Hermes: databases and session files of a home and its profiles", async () => {
    const listed = [
      "/h/profiles/night/sessions/session_n.json",
      "/h/profiles/night/state.db",
      "/h/sessions/20260406_091200_4e3bbf37.jsonl",
      "/h/sessions/session_20260908_090003_1c40de.json",
      "/h/state.db",
    ];
    const not = [
      "/h/sessions/sessions.json",
      "/h/sessions/request_dump_x_1.json",
      "/h/profiles/.deleted/state.db",
      "/h/x.jsonl",
    ];
    const steps = await stepsOf(FIND_SESSIONS.hermes, ["/h", "/not-there"], files(...listed, ...not));
    expect(paths(steps)).toEqual(listed);
    expect(steps.find(({ path }) => path === listed[0])).toMatchObject({ label: "n", place: "/h/profiles/night" });
    expect(steps.find(({ path }) => path === "/h/state.db")).toMatchObject({ isDatabase: true, place: "/h" });
  });

  it("of Claude Code: without sub-agents and sidecars", async () => {
    const listed = ["/p/-home-a/1111.jsonl", "/p/-home-b/3333.jsonl"];
    const not = [
      "/p/-home-a/agent-22.jsonl",
      "/p/-home-a/1111/subagents/agent-33.jsonl",
      "/p/-home-a/1111/tool-results/x.txt",
      "/p/x.jsonl",
    ];
    const steps = await stepsOf(FIND_SESSIONS["claude-code"], ["/p"], files(...listed, ...not));
    expect(paths(steps)).toEqual(listed);
    expect(steps[0]).toMatchObject({ label: "3333", place: "/p/-home-b" });
  });

  it("of Codex: by day and archived", async () => {
    const listed = [
      "/c/archived_sessions/rollout-2025-01-02T03-04-05-aa.jsonl",
      "/c/archived_sessions/rollout-2025-01-03T03-04-05-aa.jsonl.zst",
      "/c/sessions/2026/02/23/rollout-2026-02-23T12-47-42-bb.jsonl",
    ];
    const not = ["/c/history.jsonl", "/c/sessions/2026/02/23/x.jsonl", "/c/sessions/1/2/3/4/rollout-x.jsonl"];
    const steps = await stepsOf(FIND_SESSIONS.codex, ["/c"], files(...listed, ...not));
    expect(paths(steps)).toEqual(listed);
    expect(steps.map((step) => (step.kind === "file" ? [step.label, step.place] : step))).toContainEqual([
      "2026-02-23T12-47-42-bb",
      "/c",
    ]);
  });

  it("of Gemini CLI, opencode and OpenMausBot", async () => {
    const gemini = ["/g/tmp/abc/chats/session-1.json", "/g/tmp/shop/chats/session-2.jsonl"];
    expect(paths(await stepsOf(FIND_SESSIONS["gemini-cli"], ["/g"], files(...gemini, "/g/tmp/abc/logs.json")))).toEqual(
      gemini,
    );
    const opencode = ["/o/opencode.db", "/o/storage/session/p1/ses_1.json"];
    const parts = ["/o/storage/message/ses_1/msg.json", "/o/storage/part/msg/prt.json", "/o/opencode.db-wal"];
    expect(paths(await stepsOf(FIND_SESSIONS.opencode, ["/o"], files(...opencode, ...parts)))).toEqual(opencode);
    const bot = ["/m/messages-7.json", "/m/messages.db", "/m/native/7.ndjson"];
    expect(
      paths(
        await stepsOf(FIND_SESSIONS.openmausbot, ["/m"], files(...bot, "/m/bots.json", "/m/messages-8.json.imported")),
      ),
    ).toEqual(bot);
  });

  it("of Copilot: chats by workspace with the folder that VS Code notes, chats without one, and the command line's", async () => {
    const listed = [
      "/cli/session-state/96ef/events.jsonl",
      "/u/globalStorage/emptyWindowChatSessions/e.jsonl",
      "/u/workspaceStorage/h1/GitHub.copilot-chat/debug-logs/a/main.jsonl",
      "/u/workspaceStorage/h1/GitHub.copilot-chat/debug-logs/old.jsonl",
      "/u/workspaceStorage/h1/GitHub.copilot-chat/transcripts/a.jsonl",
      "/u/workspaceStorage/h1/chatSessions/a.json",
      "/u/workspaceStorage/h2/chatSessions/b.jsonl",
      "/u/workspaceStorage/h3/chatSessions/c.json",
    ];
    const disk = files(
      ...listed,
      "/u/workspaceStorage/h4/workspace.json",
      "/cli/session-state/96ef/plan.md",
      "/u/workspaceStorage/h1/GitHub.copilot-chat/debug-logs/a/explore-7.jsonl",
      "/u/workspaceStorage/h1/GitHub.copilot-chat/local-index.db",
    );
    disk.texts.set("/u/workspaceStorage/h1/workspace.json", '{"folder":"file:///home/ada/my%20shop"}');
    disk.texts.set("/u/workspaceStorage/h2/workspace.json", '{"workspace":"vscode-remote://wsl/x.code-workspace"}');
    disk.texts.set("/u/workspaceStorage/h3/workspace.json", "{broken");
    const steps = await stepsOf(FIND_SESSIONS.copilot, ["/cli", "/u"], disk);
    expect(paths(steps)).toEqual(listed);
    const projects = steps.map((step) => (step.kind === "file" ? [step.label, step.project] : step));
    for (const label of ["a", "a (transcript)", "a (debug log)", "old (debug log)"])
      expect(projects).toContainEqual([label, "/home/ada/my shop"]);
    expect(projects).toContainEqual(["b", "vscode-remote://wsl/x.code-workspace"]);
    expect(projects).toContainEqual(["c", undefined]);
    expect(projects).toContainEqual(["96ef", undefined]);
  });

  it.each([
    ["session_20260820_093237_089e44.json", "20260820_093237_089e44"],
    ["a.jsonl", "a"],
    ["state.db", undefined],
    [".x.jsonl", undefined],
  ])("have the id that %s holds", (name, id) => {
    expect(hermesSessionId(name)).toBe(id);
  });
});

describe("a walk", () => {
  it("takes each folder and each file once, whatever links lead to it", async () => {
    const disk = files("/p/real/1.jsonl", "/p/real/2.jsonl");
    disk.links.set("/p/again", "/p/real");
    disk.links.set("/p/up", "/p");
    disk.links.set("/p/nowhere", "/gone");
    disk.links.set("/p/real/3.jsonl", "/p/real/1.jsonl");
    const steps = await stepsOf(FIND_SESSIONS["claude-code"], ["/p", "/p"], disk);
    expect(steps.map(({ path }) => path.split("/").at(-1)).sort()).toEqual(["1.jsonl", "2.jsonl"]);
  });

  it("ends where links lead in a circle, and names the folder", async () => {
    const disk = files("/p/real/1.jsonl");
    disk.links.set("/a", "/b");
    disk.links.set("/b", "/a");
    const steps = await stepsOf(FIND_SESSIONS["claude-code"], ["/a", "/p"], disk);
    expect(troubles(steps)).toEqual([["/a", "ELOOP"]]);
    expect(paths(steps)).toEqual(["/p/real/1.jsonl"]);
  });

  it("names a link inside that leads in a circle, once, and passes over one that leads nowhere", async () => {
    const disk = files("/p/real/1.jsonl");
    disk.links.set("/p/x", "/p/y");
    disk.links.set("/p/y", "/p/x");
    disk.links.set("/p/real/2.jsonl", "/p/real/2.jsonl");
    disk.links.set("/p/nowhere", "/gone");
    const steps = await stepsOf(FIND_SESSIONS["claude-code"], ["/p"], disk);
    expect([...troubles(steps)].sort()).toEqual([
      ["/p/real/2.jsonl", "ELOOP"],
      ["/p/x", "ELOOP"],
      ["/p/y", "ELOOP"],
    ]);
    expect(paths(steps)).toEqual(["/p/real/1.jsonl"]);
  });

  it("goes on after a folder that may not be listed, and names it", async () => {
    const disk = files("/p/-a/1.jsonl", "/p/-b/2.jsonl");
    disk.denied.set("/p/-b", "EACCES");
    const steps = await stepsOf(FIND_SESSIONS["claude-code"], ["/p"], disk);
    expect(paths(steps)).toEqual(["/p/-a/1.jsonl"]);
    expect(troubles(steps)).toEqual([["/p/-b", "EACCES"]]);
  });

  it("says so when a folder has more entries than are looked at", async () => {
    const disk = files("/p/-a/1.jsonl", "/p/-a/2.jsonl");
    const list = disk.list.bind(disk);
    disk.list = (path) => list(path, path === "/p/-a" ? 1 : 9);
    expect(troubles(await stepsOf(FIND_SESSIONS["claude-code"], ["/p"], disk))).toEqual([["/p/-a", "cut"]]);
  });
});

describe("a walk on this machine's disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "context-budget-walk-"));
  const denied = join(folder, "p", "denied");
  afterEach(async () => {
    await chmod(denied, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });

  it("survives circles, dangling links, pipes and folders without permission", async () => {
    const p = join(folder, "p");
    await mkdir(join(p, "real"), { recursive: true });
    await mkdir(denied);
    await writeFile(join(p, "real", "1.jsonl"), "{}");
    await writeFile(join(denied, "2.jsonl"), "{}");
    await symlink(p, join(p, "real", "back.jsonl"));
    await symlink(join(p, "x"), join(p, "y"));
    await symlink(join(p, "y"), join(p, "x"));
    await symlink(join(p, "real"), join(p, "again"));
    await chmod(denied, 0);
    const steps = await stepsOf(FIND_SESSIONS["claude-code"], [p], nodeScanFiles);
    const isRoot = process.getuid?.() === 0;
    expect([...troubles(steps)].sort()).toEqual([
      ...(isRoot ? [] : [[denied, "EACCES"]]),
      [join(p, "x"), "ELOOP"],
      [join(p, "y"), "ELOOP"],
    ]);
    expect(await nodeScanFiles.blocked(join(denied, "2.jsonl"))).toBe(isRoot ? undefined : "EACCES");
    expect(await nodeScanFiles.blocked(join(p, "none", "2.jsonl"))).toBeUndefined();
    const sessions = paths(steps).map((path) => path.slice(folder.length + 1));
    expect(sessions.filter((path) => path.endsWith("1.jsonl"))).toHaveLength(1);
    expect(await nodeScanFiles.file(join(p, "real", "back.jsonl"))).toBeUndefined();
    expect(await nodeScanFiles.file(join(p, "x"))).toBeUndefined();
  });
});

it("a database was written when its log was", async () => {
  const own = mkdtempSync(join(tmpdir(), "context-budget-log-"));
  const path = join(own, "state.db");
  await writeFile(path, "12345");
  await utimes(path, 1, 1);
  expect(await nodeScanFiles.file(path)).toEqual({ bytes: 5, mtimeMs: 1_000 });
  await writeFile(`${path}-wal`, "123");
  await utimes(`${path}-wal`, 9, 9);
  expect(await nodeScanFiles.file(path)).toEqual({ bytes: 8, mtimeMs: 9_000 });
  await utimes(path, 20, 20);
  expect(await nodeScanFiles.file(path)).toEqual({ bytes: 8, mtimeMs: 20_000 });
  rmSync(own, { recursive: true });
});

describe("homes", () => {
  it("are where the agents say", () => {
    expect(agentHomes("codex", GROUND)).toEqual(["/home/ada/.codex"]);
    expect(agentHomes("codex", { ...GROUND, env: { CODEX_HOME: "/x" } })).toEqual(["/x"]);
    expect(agentHomes("opencode", { ...GROUND, env: { XDG_DATA_HOME: "/d" } })).toEqual(["/d/opencode"]);
    expect(agentHomes("gemini-cli", GROUND)).toEqual(["/home/ada/.gemini"]);
    expect(agentHomes("gemini-cli", { ...GROUND, env: { GEMINI_CLI_HOME: "/g" } })).toEqual(["/g/.gemini"]);
    expect(agentHomes("claude-code", { ...GROUND, env: { CLAUDE_CONFIG_DIR: "/c" } })).toEqual(["/c/projects"]);
    const moved = { ...GROUND, env: { COPILOT_HOME: "/p", XDG_CONFIG_HOME: "/x" } };
    expect(agentHomes("copilot", moved)).toEqual(["/p", "/x/Code/User"]);
    expect(agentHomes("openmausbot", GROUND)).toEqual(["/home/ada/.openmausbot", "/home/ada/.opengrokbot"]);
    expect(agentHomes("copilot", { ...GROUND, editorUserFolder: "/srv/data/User" })).toEqual([
      "/home/ada/.copilot",
      "/home/ada/.config/Code/User",
      "/srv/data/User",
    ]);
    const windows = { ...GROUND, platform: "win32", homeFolder: "C:\\Users\\ada", env: { APPDATA: "C:\\R" } };
    expect(agentHomes("copilot", windows)).toEqual(["C:\\Users\\ada\\.copilot", "C:\\R\\Code\\User"]);
  });

  it("are added by agent; what is no full path is left out", () => {
    const added = [
      ["~/work/.claude", "claude-code"],
      ["/srv/claude/projects/", "claude-code"],
      ["relative", "claude-code"],
      ["/srv/codex", "codex"],
    ] as const;
    expect(agentHomes("claude-code", { ...GROUND, added })).toEqual([
      "/home/ada/.claude/projects",
      "/home/ada/.config/claude/projects",
      "/home/ada/work/.claude/projects",
      "/srv/claude/projects",
    ]);
    expect(agentHomes("codex", { ...GROUND, added })).toEqual(["/home/ada/.codex", "/srv/codex"]);
  });

  it("tell which files of an open folder are listed as an agent's, also through a link to that folder", async () => {
    const disk = files("/w/dots/claude/projects/-a/1.jsonl", "/w/dots/hermes/sessions/2.jsonl");
    disk.links.set("/home/ada/.claude", "/w/dots/claude");
    disk.links.set("/home/ada/.hermes", "/w/dots/hermes");
    const isListed = await inHomes({ hermes: ["/home/ada/.hermes"], others: ["/home/ada/.claude/projects"] }, disk);
    const listed = [
      "/home/ada/.claude/projects/-a/1.jsonl",
      "/w/dots/claude/projects/-a/1.jsonl",
      "/w/dots/hermes/sessions/2.jsonl",
      "/w/dots/hermes/profiles/work/sessions/3.jsonl",
    ];
    expect(listed.map(isListed)).toEqual([true, true, true, true]);
    const own = ["/w/dots/claude/projects-old/1.jsonl", "/w/dots/hermes/notes/2.jsonl", "/w/sessions/4.jsonl"];
    expect(own.map(isListed)).toEqual([false, false, false]);
  });

  it("are searched only where trust and settings allow it", () => {
    const input = { ...GROUND, extra: ["/data/hermes"], workspaceFolders: ["/w/one"] };
    const parts = { homes: () => input, mayScanHomes: () => true, isOn: () => true };
    expect(searched("hermes", parts)).toEqual(["/home/ada/.hermes", "/data/hermes", "/w/one/.hermes"]);
    expect(searched("codex", parts)).toEqual(["/home/ada/.codex"]);
    const restricted = { ...parts, mayScanHomes: () => false };
    expect(AGENT_HOMES.flatMap((agent) => searched(agent, restricted))).toEqual(["/w/one/.hermes"]);
    const off = { ...parts, isOn: (agent: string) => agent !== "hermes" && agent !== "codex" };
    expect([searched("hermes", off), searched("codex", off)]).toEqual([[], []]);
  });
});
