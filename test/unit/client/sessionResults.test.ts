import { describe, expect, it } from "vitest";
import { numbersFor } from "../../../extension/src/client/views/numbers";
import { toRow } from "../../../extension/src/client/views/rows";
import { SESSIONS_PER_LEVEL, sessionPage } from "../../../extension/src/client/views/sessionPages";
import {
  resultContext,
  resultDescription,
  resultLabel,
  shortLabel,
  TAKEN_OUT,
} from "../../../extension/src/client/views/sessionResults";
import {
  claudeSessions,
  hermesSessionId,
  hermesSessions,
  listedSessions,
} from "../../../extension/src/client/views/sessionsScan";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { RowList } from "../../../extension/src/core/transcript/rowList";
import { memoryFiles, persisted, result } from "./fakes";

const files = memoryFiles({
  "/h/sessions/session_20260908_090003_1c40de.json": [10, 3],
  "/h/sessions/20260406_091200_4e3bbf37.jsonl": [10, 9],
  "/h/sessions/sessions.json": [10, 99],
  "/h/sessions/request_dump_x_1.json": [10, 99],
  "/h/sessions/empty.jsonl": [0, 99],
  "/h/profiles/night/sessions/session_n.json": [10, 5],
  "/h/profiles/.deleted/sessions/session_d.json": [10, 5],
  "/c/-home-dana-a/1111.jsonl": [10, 1],
  "/c/-home-dana-a/agent-22.jsonl": [10, 1],
  "/c/-home-dana-a/1111/subagents/agent-33.jsonl": [10, 1],
  "/c/-home-dana-b/3333.jsonl": [10, 2],
});

describe("scans", () => {
  it("finds Hermes sessions of homes and profiles, newest first", async () => {
    const found = await hermesSessions(["/h", "/not-there"], files, NEVER_CANCELLED);
    expect(found.sessions.map((one) => [one.label, one.place])).toEqual([
      ["20260406_091200_4e3bbf37", "/h"],
      ["n", "/h/profiles/night"],
      ["20260908_090003_1c40de", "/h"],
    ]);
    expect(found.omitted).toBe(0);
  });

  it("tells the snapshot and the gateway log of one session apart", async () => {
    const twice = memoryFiles({ "/h/sessions/session_a.json": [10, 3], "/h/sessions/a.jsonl": [10, 2] });
    const { sessions } = await hermesSessions(["/h"], twice, NEVER_CANCELLED);
    expect(sessions.map((one) => one.label)).toEqual(["a.json", "a.jsonl"]);
  });

  it("tells files of one name in one place apart by their folders", async () => {
    const paths = ["/w/one/x.json", "/w/two/x.json", "/w/two/y.json"];
    const three = memoryFiles(Object.fromEntries(paths.map((path) => [path, [10, 1]])));
    const { sessions } = await listedSessions(paths, () => "w", three, NEVER_CANCELLED);
    expect(sessions.map((one) => one.label)).toEqual(["one/x.json", "two/x.json", "y.json"]);
  });

  it("finds Claude Code sessions without their sub-agents", async () => {
    const found = await claudeSessions(["/c"], files, NEVER_CANCELLED);
    expect(found.sessions.map((one) => [one.label, one.place])).toEqual([
      ["3333", "/c/-home-dana-b"],
      ["1111", "/c/-home-dana-a"],
    ]);
  });

  it("is bounded and counts what it left out", async () => {
    const found = await hermesSessions(["/h"], files, NEVER_CANCELLED, { sessions: 1, entries: 100 });
    expect([found.sessions.length, found.omitted]).toEqual([1, 2]);
    const listed = await listedSessions(["/c/-home-dana-b/3333.jsonl", "/gone"], () => "w", files, NEVER_CANCELLED, {
      sessions: 10,
      entries: 1,
    });
    expect([listed.sessions.length, listed.omitted]).toEqual([1, 1]);
  });

  it("goes on after a folder that cannot be listed, and counts it", async () => {
    const list = async (path: string) => {
      if (path === "/c/-home-dana-b") throw Object.assign(new Error("no"), { code: "EACCES" });
      return files.list(path);
    };
    const found = await claudeSessions(["/c"], { ...files, list }, NEVER_CANCELLED);
    expect([found.sessions.map((one) => one.label), found.unreadable]).toEqual([["1111"], 1]);
  });

  it("stops when cancelled", async () => {
    expect((await hermesSessions(["/h"], files, { isCancellationRequested: true })).sessions).toEqual([]);
  });

  it.each([
    ["session_20260820_093237_089e44.json", "20260820_093237_089e44"],
    ["a.jsonl", "a"],
    ["state.db", undefined],
    [".x.jsonl", undefined],
  ])("reads the session id from %s", (name, id) => {
    expect(hermesSessionId(name)).toBe(id);
  });
});

describe("a folder of 10,000 sessions", () => {
  const tree: Record<string, readonly [number, number]> = {};
  for (let n = 0; n < 10_000; n++) tree[`/p/-w-${n % 40}/${n}.jsonl`] = [70_000, n + 1];

  it("is listed whole, newest first, with sizes and times", async () => {
    const found = await claudeSessions(["/p"], memoryFiles(tree), NEVER_CANCELLED);
    expect(found.sessions).toHaveLength(10_000);
    expect(found).toMatchObject({ omitted: 0, unreadable: 0 });
    expect(found.sessions[0]).toMatchObject({ label: "9999", bytes: 70_000, mtimeMs: 10_000, place: "/p/-w-39" });
  });

  it("can be called off on the way", async () => {
    const cancel = { isCancellationRequested: false };
    const files = memoryFiles(tree);
    let looked = 0;
    const stat: typeof files.stat = (path) => {
      cancel.isCancellationRequested = ++looked >= 100;
      return files.stat(path);
    };
    await claudeSessions(["/p"], { ...files, stat }, cancel);
    expect(looked).toBeLessThan(200);
  });

  it("is shown a level at a time", async () => {
    let { sessions } = await claudeSessions(["/p"], memoryFiles(tree), NEVER_CANCELLED);
    const all = sessions;
    const seen = [];
    while (sessions.length > 0) {
      const page = sessionPage(sessions);
      expect(page.shown.length).toBeLessThanOrEqual(SESSIONS_PER_LEVEL * 1.1);
      seen.push(...page.shown);
      sessions = page.older;
    }
    expect(seen).toEqual(all);
    expect(sessionPage(all.slice(0, SESSIONS_PER_LEVEL + 5)).older).toEqual([]);
  });
});

describe("results in the tree", () => {
  const numbers = numbersFor("en");
  const row = toRow(persisted(0, "/h/a.txt"), "codePoints", "expired", undefined);

  it("say what was taken out and what became of the file", () => {
    expect(resultLabel(row)).toBe("terminal · turn 1");
    expect(resultDescription(row, numbers)).toBe("46,003 chars · file expired");
    expect([999, 70_412, 999_950, 104_857_600].map((bytes) => numbers.bytes(bytes))).toEqual([
      "999 B",
      "70.4 kB",
      "1 MB",
      "104.9 MB",
    ]);
    expect(resultDescription({ ...row, file: "ok" }, numbers)).toBe("46,003 chars · persisted");
    expect(shortLabel("8463c716-a2ea-4c14-9efa-87158ebd9f20")).toBe("8463c716…");
    expect(shortLabel("8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl")).toBe("8463c716….jsonl");
    expect(shortLabel("20260908_090003_1c40de")).toBe("20260908_090003_1c40de");
    expect(resultContext(row)).toBe("result persisted path");
    expect(resultContext({ ...row, file: "ok" })).toBe("result persisted path full");
    expect(resultLabel({ ...row, tool: null, turn: null })).toBe("unknown tool");
  });

  it("leave out what is still in context", () => {
    const states = ["inline", "persisted", "truncated", "handle", "cleared", "missing"] as const;
    const rows = states.map((state, index) => toRow(result(index, { state }), "utf16", "none", undefined));
    expect(new RowList(rows).answer(TAKEN_OUT).rows.map((one) => one.state)).toEqual([
      "persisted",
      "truncated",
      "handle",
    ]);
  });
});
