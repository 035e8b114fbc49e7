import { describe, expect, it } from "vitest";
import type { ListedResult, ListedSession, SimulatedPolicy } from "../../../extension/src/core/agentTools/ports";
import { ok } from "../../../extension/src/core/model/problem";
import { WHOLE_UNITS } from "../../../extension/src/core/results/store/boundText";
import { harness, SESSION } from "./fakePorts";

const LISTED: ListedResult = {
  result: 0,
  thread: "main",
  turn: 1,
  tool: "Bash",
  state: "inline",
  chars: 10,
  tokens: 3,
  fullChars: 10,
  isRounded: false,
  isError: false,
  line: 4,
  left: false,
  path: null,
  handle: null,
  readable: "all",
};
const FOUND: ListedSession = {
  transcript: SESSION,
  agent: "claude-code",
  title: null,
  project: null,
  model: null,
  bytes: 10,
  modifiedMs: 0,
  contextTokens: null,
  isDatabase: false,
};

describe("a list", () => {
  it("says the total and where it goes on, and fits however long its names are", async () => {
    const { call } = harness({
      listResults: async (_, { offset, limit }) =>
        ok({
          results: Array.from({ length: Math.max(0, Math.min(limit, 1_000 - offset)) }, (_, i) => ({
            ...LISTED,
            result: offset + i,
            tool: `tool ${"\u0001".repeat(300)}`,
            path: `/home/dana/${"x".repeat(5_000)}`,
          })),
          total: 1_000,
          all: 1_200,
          states: [
            ["inline", 900],
            ["persisted", 100],
          ],
          threads: 2,
          unit: "codePoints",
          agent: "hermes",
          notes: [`Line 3: SECRET-XYZ is not JSON.`, ...Array.from({ length: 30 }, (_, i) => `note ${i}`)],
        }),
    });
    const seen: number[] = [];
    for (let offset: unknown = 0; offset !== null; ) {
      const { text } = await call("listResults", { transcript: SESSION, offset, limit: 200 });
      expect(text.length).toBeLessThanOrEqual(WHOLE_UNITS);
      const page = JSON.parse(text);
      expect(page).toMatchObject({ total: 1_000, resultsInTranscript: 1_200, states: { inline: 900, persisted: 100 } });
      expect(page.notes[0]).toBe("Line 3: [secret: test] is not JSON.");
      expect(page.notes.at(-1)).toBe("21 more notes are left out.");
      seen.push(...page.results.map((row: { result: number }) => row.result));
      offset = page.nextOffset;
    }
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
  });

  it("gives the threads of a database instead, page by page", async () => {
    const { call } = harness({
      listThreads: async (_, { offset, limit }) =>
        ok({
          threads: Array.from({ length: Math.min(limit, 300 - offset) }, (_, i) => ({
            ...{
              thread: `t${offset + i}`,
              title: `SECRET-A${"x".repeat(900)}`,
              kind: "main" as const,
              calls: 3,
              messages: 9,
            },
          })),
          total: 300,
          agent: "hermes",
          notes: [],
        }),
    });
    const seen: string[] = [];
    for (let offset: unknown = 0; offset !== null; ) {
      const { text } = await call("listResults", { transcript: SESSION, threads: true, offset, limit: 200 });
      expect(text.length).toBeLessThanOrEqual(WHOLE_UNITS);
      const page = JSON.parse(text);
      expect(page.threads[0]).toMatchObject({ title: expect.stringMatching(/^\[secret: test\]x+…$/), modelCalls: 3 });
      seen.push(...page.threads.map((row: { thread: string }) => row.thread));
      offset = page.nextOffset;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => `t${i}`));
  });

  it("of nothing ends at once, also beyond its end", async () => {
    const { call } = harness({ listSessions: async () => ok({ sessions: [], total: 3, notes: [] }) });
    const page = JSON.parse((await call("listSessions", { offset: 50 })).text);
    expect(page).toMatchObject({ total: 3, nextOffset: null, sessions: [] });
  });

  it("tells unknown from none, and every number what it is", async () => {
    const { call } = harness({
      listSessions: async () => ok({ sessions: [{ ...FOUND, modifiedMs: 8.64e15 + 1 }], total: 1, notes: [] }),
    });
    const page = JSON.parse((await call("listSessions", {})).text);
    expect(page.sessions[0]).toMatchObject({
      title: null,
      model: null,
      contextTokens: null,
      modified: null,
      fileBytes: 10,
    });
    for (const number of ["fileBytes", "modified", "contextTokens"])
      expect(page.numbers[number]).toMatch(/measured|states/);
  });

  it("says so when one name alone is too long", async () => {
    const { call } = harness({
      listSessions: async () => ok({ sessions: [{ ...FOUND, transcript: "\0".repeat(4_096) }], total: 9, notes: [] }),
    });
    expect(await call("listSessions", { offset: 4 })).toEqual({
      ok: false,
      text: expect.stringContaining("Go on with offset 5"),
    });
  });

  it("loses a secret in a name before the name is cut, wherever the cut is", async () => {
    for (const before of [380, 395, 399, 400, 16_384, 16_784, 100_000]) {
      const title = `${"x".repeat(before)}SECRET-${"A".repeat(50)}`;
      const { call } = harness({
        listSessions: async () => ok({ sessions: [{ ...FOUND, title }], total: 1, notes: [title] }),
      });
      const page = JSON.parse((await call("listSessions", {})).text);
      expect(JSON.stringify(page)).not.toMatch(/SEC/);
      expect(page.sessions[0].title.length).toBeLessThanOrEqual(401);
      expect(page.sessions[0].title.slice(0, 380)).toBe("x".repeat(380));
    }
  });

  it("loses the secrets in its names", async () => {
    const { call } = harness({
      listSessions: async () => ok({ sessions: [{ ...FOUND, title: "use SECRET-TOKEN please" }], total: 1, notes: [] }),
    });
    expect((await call("listSessions", {})).text).toContain('"title":"use [secret: test] please"');
  });
});

describe("a simulation", () => {
  const side = { input: 1000.4, cached: 400, uncached: 600.4, peak: 300, overWindow: null };
  const RUN: SimulatedPolicy = {
    thread: "main",
    calls: 9,
    results: 4,
    resultsRead: 3,
    measured: null,
    windowTokens: null,
    baseTokens: 0,
    before: side,
    after: { ...side, input: 500 },
    breaks: 1,
    cachedTokensLost: 20,
    paysBackAfterCalls: null,
    replaced: 2,
    kept: { pinned: 1 },
    idle: {},
    largest: [],
    isCapped: false,
    notes: [],
  };

  it("is told in numbers that say what they are, within the bound", async () => {
    const saving = {
      result: 1,
      tool: "SECRET-TOOLNAME",
      call: 2,
      action: "persisted",
      charsBefore: 9,
      charsAfter: 3,
      isExact: true,
      charsSaved: Number.MAX_SAFE_INTEGER,
    };
    const largest = Array.from({ length: 500 }, () => saving);
    const { call } = harness({ simulate: async () => ok({ ...RUN, largest }) });
    const { text } = await call("simulatePolicy", { transcript: SESSION, policy: { preset: "tinyagents" } });
    expect(text.length).toBeLessThanOrEqual(WHOLE_UNITS);
    const report = JSON.parse(text);
    expect(report).toMatchObject({
      policy: { kind: "micro", keepRecent: 5 },
      measured: null,
      windowTokens: null,
      before: { estimatedInputTokens: 1000, callsOverWindow: null },
      saved: { estimatedInputTokens: 500 },
      paysBackAfterCalls: null,
    });
    expect(report.largest[0]).toMatchObject({
      tool: "[secret: test]",
      charsSavedOverAllCalls: Number.MAX_SAFE_INTEGER,
    });
  });

  it("says a long list of the policy by its length", async () => {
    const { call } = harness({ simulate: async () => ok(RUN) });
    const excludeTools = Array.from({ length: 200 }, (_, i) => `tool${i}`.padEnd(300, "x"));
    const { text } = await call("simulatePolicy", { transcript: SESSION, policy: { kind: "clear", excludeTools } });
    expect(JSON.parse(text).policy.excludeTools).toMatch(/^\d+ UTF-16 units of JSON$/);
  });
});
