import { describe, expect, it } from "vitest";
import { contextStatus, fillWords } from "../../../extension/src/client/sessions/contextStatus";
import { gauge, shortTokens, windowFor } from "../../../extension/src/client/sessions/gauge";
import {
  byFolder,
  byProject,
  type Place,
  threadsByProject,
} from "../../../extension/src/client/sessions/sessionPlaces";
import { ThreadLists } from "../../../extension/src/client/sessions/threadLists";
import { momentsFor } from "../../../extension/src/client/views/moments";
import { numbersFor } from "../../../extension/src/client/views/numbers";
import { MAX_OFFERED, matching, searchText } from "../../../extension/src/client/views/sessionSearch";
import { sessionText, threadText, troubleText } from "../../../extension/src/client/views/sessionWords";
import { ok } from "../../../extension/src/core/model/problem";
import type { Thread } from "../../../extension/src/core/model/transcript";
import type { SessionDetails } from "../../../extension/src/node/sessions/sessionDetails";
import type { FoundSession } from "../../../extension/src/node/sessions/sessionScan";
import { TimeSlices } from "../../../extension/src/node/sessions/timeSlices";
import { HandTime } from "../node/scanFakes";
import { MemoryLog } from "./fakes";

const slices = new TimeSlices(new HandTime());

const session = (path: string, mtimeMs = 0): FoundSession => ({
  path,
  label: path.split("/").at(-1) ?? "",
  place: path.slice(0, path.lastIndexOf("/")),
  bytes: 70_412,
  mtimeMs,
});

const names = (places: readonly Place[]) =>
  places.map(({ label, sessions }) => [label, sessions.map(({ path }) => path)]);

describe("sessions by project", () => {
  const all = ["/p/-w-a-b/3", "/p/-w-c/2", "/p/-w-a-b/1"].map((path) => session(path));

  it("take the project from the record, not from the folder's name", async () => {
    const projects: Record<string, string> = { "/p/-w-a-b/3": "/w/a-b", "/p/-w-c/2": "/w/c", "/p/-w-a-b/1": "/w/a/b" };
    const parts = {
      projectOf: ({ path }: FoundSession) => projects[path],
      isRead: () => true,
      folderIsProject: true,
    };
    const places = await byProject(all, parts, slices);
    expect(names(places)).toEqual([
      ["a-b", ["/p/-w-a-b/3"]],
      ["c", ["/p/-w-c/2"]],
      ["b", ["/p/-w-a-b/1"]],
    ]);
    expect(new Set(places.map(({ id }) => id)).size).toBe(3);
  });

  it("stand with their neighbours until they are read, and keep their place's id", async () => {
    const read = new Map<string, string>();
    const parts = { projectOf: ({ path }: FoundSession) => read.get(path), isRead: () => false, folderIsProject: true };
    const before = await byProject(all, parts, slices);
    expect(names(before)).toEqual([
      ["-w-a-b", ["/p/-w-a-b/3", "/p/-w-a-b/1"]],
      ["-w-c", ["/p/-w-c/2"]],
    ]);
    read.set("/p/-w-a-b/3", "/w/a-b");
    const after = await byProject(all, parts, slices);
    expect(names(after)[0]).toEqual(["a-b", ["/p/-w-a-b/3", "/p/-w-a-b/1"]]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    read.set("/p/-w-a-b/1", "/w/a-b");
    read.set("/p/-w-c/2", "/w/c");
    expect((await byProject(all, parts, slices)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it("gather one project from several folders, and say where none is stated or nothing was read", async () => {
    const projects: Record<string, string> = { "/c/1": "/w/shop", "/d/2": "/w/shop" };
    const parts = {
      projectOf: ({ path }: FoundSession) => projects[path],
      isRead: ({ path }: FoundSession) => path !== "/d/9",
      folderIsProject: false,
    };
    const places = await byProject(
      ["/c/1", "/d/2", "/c/7", "/d/9"].map((path) => session(path)),
      parts,
      slices,
    );
    expect(names(places)).toEqual([
      ["shop", ["/c/1", "/d/2"]],
      ["No project stated", ["/c/7"]],
      ["Not read yet", ["/d/9"]],
    ]);
  });

  it("are told apart where two projects have one name, also those of another system", async () => {
    const projects: Record<string, string> = { "/c/1": "/w/one/shop", "/c/2": "C:\\work\\two\\shop", "/c/3": "/x" };
    const parts = { projectOf: ({ path }: FoundSession) => projects[path], isRead: () => true, folderIsProject: false };
    const places = await byProject(
      ["/c/1", "/c/2", "/c/3"].map((path) => session(path)),
      parts,
      slices,
    );
    expect(places.map(({ label }) => label)).toEqual(["shop", "shop", "x"]);
    expect(places[0]?.detail).toBe("/w/one");
    expect(places[1]?.detail).not.toBe("");
    expect(places[2]?.detail).toBe("");
  });

  it("stand by their home where the agent has no projects", () => {
    expect(names(byFolder(all))).toEqual([
      ["-w-a-b", ["/p/-w-a-b/3", "/p/-w-a-b/1"]],
      ["-w-c", ["/p/-w-c/2"]],
    ]);
  });
});

describe("a gauge", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1k"],
    [193_204, "193k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [1_047_576, "1.05M"],
    [1_000_000, "1M"],
  ])("writes %i tokens as %s", (tokens, text) => {
    expect(shortTokens(tokens)).toBe(text);
  });

  it.each([
    [0, "0 / 200k ▯▯▯▯▯"],
    [1, "1 / 200k ▮▯▯▯▯"],
    [100_000, "100k / 200k ▮▮▮▯▯"],
    [200_000, "200k / 200k ▮▮▮▮▮"],
  ])("shows %i tokens of a window", (tokens, text) => {
    expect(gauge({ tokens, window: { tokens: 200_000, from: "model" } })).toBe(text);
  });

  it("says nothing of what is not known", () => {
    expect(gauge({ tokens: null, window: { tokens: 200_000, from: "model" } })).toBe("");
    expect(gauge({ tokens: 5_000, window: undefined })).toBe("5k tok");
  });

  it("takes the window that the transcript states, then the setting, then the model's, and none that is too small", () => {
    const parts = { stated: 258_400, setting: 65_536, model: "claude-sonnet-4-5" };
    expect(windowFor(parts, 1)).toEqual({ tokens: 258_400, from: "transcript" });
    expect(windowFor({ ...parts, stated: undefined }, 1)).toEqual({ tokens: 65_536, from: "setting" });
    expect(windowFor({ ...parts, stated: undefined, setting: undefined }, 1)).toEqual({
      tokens: 200_000,
      from: "model",
    });
    expect(windowFor({ ...parts, stated: undefined, setting: undefined }, 200_001)).toBeUndefined();
    expect(windowFor({ stated: undefined, setting: undefined, model: "unheard-of" }, 1)).toBeUndefined();
  });
});

describe("what is said of a session", () => {
  const NOW = new Date(2026, 10, 30, 12, 30).getTime();
  const words = { numbers: numbersFor("en"), moments: momentsFor("en", () => NOW) };
  const at = new Date(2026, 7, 14, 18, 3).getTime();
  const found = session("/p/-w/5f1c9c52-1111-4222-8333-123456789abc", at);
  const details: SessionDetails = {
    bytes: 1,
    mtimeMs: at,
    project: "/home/ada/shop",
    projectHash: undefined,
    title: "Fix the tests",
    model: "claude-opus-4-6",
    tail: { tokens: 193_204, model: undefined, window: undefined },
  };

  it("is its id, time and size until it is read", () => {
    expect(sessionText(found, undefined, words)).toMatchObject({
      label: "5f1c9c52…",
      description: expect.stringMatching(/^Aug 14, 06:03.PM · 70\.4 kB$/),
    });
  });

  it("is its title, time and how full its context is", () => {
    const text = sessionText(found, details, words);
    expect(text.label).toBe("Fix the tests");
    expect(text.description).toMatch(/ · 193k \/ 200k ▮▮▮▮▮$/);
    expect(text.tooltip).toContain("Project: /home/ada/shop");
    expect(text.tooltip).toContain(
      "193,204 tokens (measured, newest call), 97% of a window of 200k (by the model's name",
    );
    expect(text.spoken).not.toMatch(/[▮▯]/);
  });

  it("is unknown after a compaction, and never 0", () => {
    const compacted = { ...details, tail: { tokens: null, model: undefined, window: undefined } };
    const text = sessionText(found, compacted, words);
    expect(text.description).toMatch(/70\.4 kB$/);
    expect(text.tooltip).toContain("unknown until the next call");
    expect(fillWords({ tokens: 5, window: undefined }, words.numbers)).toBe(
      "Context in use: 5 tokens (measured, newest call)",
    );
  });

  it("tells two files of one session apart", () => {
    const twin = { ...found, path: "/h/sessions/a.jsonl", isTwin: true as const };
    expect(sessionText(twin, details, words)).toMatchObject({
      label: "Fix the tests",
      description: expect.stringMatching(/^\.jsonl · Aug 14/),
    });
  });

  it.each<readonly [string, Parameters<typeof contextStatus>[0], string]>([
    ["measured against a window", { tokens: 193_204, window: { tokens: 1_000_000, from: "model" } }, "193k / 1M tok"],
    ["without a window", { tokens: 193_204, window: undefined }, "193k tok"],
    ["after a compaction", { tokens: null, window: undefined }, "context unknown until the next call"],
    ["where nothing states usage", undefined, "context –"],
  ])("is in the status bar: %s", (_when, fill, text) => {
    const status = contextStatus(fill, words.numbers);
    expect(status.text).toBe(text);
    expect(status.detail).toMatch(/^Context in use: .+\.$/);
  });

  it("is the name that people gave a file in their folder, and of a database where it lies", () => {
    expect(sessionText({ ...found, label: "run-7.jsonl" }, details, words, true).label).toBe("run-7.jsonl");
    const database = {
      ...found,
      path: "/h/night/state.db",
      label: "state.db",
      place: "/h/night",
      isDatabase: true as const,
    };
    expect(sessionText(database, undefined, words)).toMatchObject({
      label: "state.db",
      description: expect.stringMatching(/^night · Aug 14.* · 70\.4 kB$/),
    });
  });

  it("names what a database's session is", () => {
    const thread: Thread = {
      id: "s1",
      title: "room-42",
      kind: "subagent",
      model: "kimi",
      startedAt: new Date(at).toISOString(),
      project: "/w",
      source: "telegram",
    };
    const text = threadText(thread, words);
    expect(text).toMatchObject({ label: "room-42", description: expect.stringMatching(/^Aug 14.* · kimi$/) });
    for (const part of ["s1", "/w", "telegram", "Sub-agent"]) expect(text.tooltip).toContain(part);
    const bare = threadText({ id: "x", title: "x", kind: "main", model: undefined, startedAt: "no time" }, words);
    expect([bare.description, bare.tooltip]).toEqual(["", "x"]);
  });

  it("does without a locale that the runtime does not know", () => {
    expect(momentsFor("qps-ploc!", () => NOW).short(at)).toContain("Aug");
  });

  it("leaves out of a time what goes without saying", () => {
    const { short } = momentsFor("en-GB", () => NOW);
    expect([short(NOW), short(at), short(new Date(2025, 7, 14).getTime())]).toEqual([
      "12:30",
      "14 Aug, 18:03",
      "14 Aug 2025",
    ]);
  });

  it("says what is wrong with a folder", () => {
    expect(["EACCES", "ELOOP", "cut", "EIO"].map((code) => troubleText({ path: "/x", code }))).toEqual([
      expect.stringContaining("permissions"),
      expect.stringContaining("circle"),
      expect.stringContaining("more entries"),
      expect.stringContaining("EIO"),
    ]);
  });

  it("is found by every word of what is known of it", () => {
    const all = [found, session("/p/-x/other", 1)].map((one) => ({
      found: one,
      text: searchText(one, one === found ? details : undefined),
    }));
    const paths = (query: string) => matching(all, query).map((one) => one.found.path);
    expect(paths("")).toHaveLength(2);
    expect(paths("TESTS shop")).toEqual([found.path]);
    expect(paths("opus 5f1c9c52")).toEqual([found.path]);
    expect(paths("tests other")).toEqual([]);
    expect(matching(Array(1_000).fill(all[0]), "tests")).toHaveLength(MAX_OFFERED);
  });
});

describe("sessions of databases", () => {
  const thread = (id: string, startedAt: string | undefined): Thread => ({
    id,
    title: id,
    kind: "main",
    model: undefined,
    startedAt,
  });

  function lists() {
    const opened: string[] = [];
    const asked: string[] = [];
    const closed: string[] = [];
    const source = (path: string) => {
      opened.push(path);
      return {
        threads: async () => {
          asked.push(path);
          if (path === "/bad") throw new Error("its thread ended");
          return ok([thread("old", "2024-01-01"), thread("none", undefined), thread("new", "2026-01-01")]);
        },
        dispose: async () => {
          closed.push(path);
        },
      };
    };
    const log = new MemoryLog();
    const clock = { ms: 0 };
    const threads = new ThreadLists(source, log, { find: async () => [] }, () => clock.ms);
    return { opened, asked, closed, log, clock, threads };
  }

  it("are listed newest first, and again only when the file changed", async () => {
    const { threads, asked, opened, clock } = lists();
    const first = await threads.of(session("/a", 1));
    expect(first.ok && first.value.map(({ id }) => id)).toEqual(["new", "old", "none"]);
    await threads.of(session("/a", 1));
    expect(asked).toHaveLength(1);
    clock.ms = 2_000;
    await threads.of(session("/a", 2));
    expect([asked.length, opened.length]).toEqual([2, 1]);
  });

  it("are listed in a twentieth of the time while an agent writes, for each listing copies the database", async () => {
    const { threads, asked, clock } = lists();
    const first = threads.of(session("/a", 1));
    clock.ms = 500;
    expect(await threads.of(session("/a", 2))).toBe(await first);
    expect([threads.restMs(session("/a", 1)), threads.restMs(session("/a", 2))]).toEqual([0, 10_000]);
    clock.ms += 9_999;
    await threads.of(session("/a", 3));
    expect(asked).toHaveLength(1);
    clock.ms++;
    await threads.of(session("/a", 4));
    expect(asked).toHaveLength(2);
  });

  it("stand by the project that the database records", () => {
    const of = (id: string, project: string | undefined): Thread => ({ ...thread(id, undefined), project });
    const places = threadsByProject([of("1", "/w/a"), of("2", undefined), of("3", "/w/b"), of("4", "/w/a")]);
    expect([...places].map(([project, threads]) => [project, threads.map(({ id }) => id)])).toEqual([
      ["/w/a", ["1", "4"]],
      ["No project stated", ["2"]],
      ["/w/b", ["3"]],
    ]);
  });

  it("are let go of when others are used, and at the end", async () => {
    const { threads, closed } = lists();
    for (let n = 0; n < 12; n++) await threads.of(session(`/${n}`));
    expect(closed).toEqual(["/0", "/1"]);
    threads.dispose();
    expect(closed).toHaveLength(12);
  });

  it("say so when the reader fails", async () => {
    const { threads, log } = lists();
    const answer = await threads.of(session("/bad"));
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining("/bad") });
    expect(log.lines.join()).toContain("its thread ended");
  });
});
