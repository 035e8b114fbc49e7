import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type GlancedAt, sessionFill, sessionGlance } from "../../../extension/src/client/sessions/sessionGlance";
import type { SecretFinder } from "../../../extension/src/core/ports";
import type { FullState, Overview } from "../../../extension/src/protocol/webview";

const work = mkdtempSync(join(tmpdir(), "context-budget-glance-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const SECRET = "tok-1234567890";
const finder: SecretFinder = {
  find: async (text) => {
    const start = text.indexOf(SECRET);
    return start < 0 ? [] : [{ start, end: start + SECRET.length, rule: "token" }];
  },
};

/** A short session of Claude Code: one prompt and an answer that states 1,200 tokens in context. */
function sessionFile(prompt: string): string {
  const path = join(work, "session.jsonl");
  const user = { type: "user", uuid: "u1", message: { role: "user", content: prompt } };
  const usage = { input_tokens: 200, cache_read_input_tokens: 1_000, output_tokens: 5 };
  const answer = {
    type: "assistant",
    uuid: "a1",
    parentUuid: "u1",
    message: { id: "m1", role: "assistant", model: "claude-sonnet-4-5", content: [], usage },
  };
  const records = [user, answer].map((one) => ({ ...one, sessionId: "s1", timestamp: "2026-01-01T00:00:00Z" }));
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}

interface Read {
  readonly tokens: number | null;
  readonly model: string | null;
  readonly callsWithUsage: number;
}

function session(path: string, read?: Read): GlancedAt {
  const thread = { id: "t", model: read?.model ?? null, callsWithUsage: read?.callsWithUsage ?? 0 };
  return {
    path,
    phase: read === undefined ? "reading" : "done",
    isDatabase: path.endsWith(".db"),
    full: () => ({ header: { measuredTokens: read?.tokens ?? null, model: null } }) as FullState,
    overview: async () => ({ thread: "t", threads: [thread] }) as unknown as Overview,
  };
}

describe("what a page says above everything else", () => {
  it("is told by the ends of the file before the rest was read", async () => {
    const open = session(sessionFile("Mend the fog signal, please."));
    expect(await sessionGlance(open, finder)).toEqual({
      title: "Mend the fog signal, please.",
      window: { tokens: 200_000, from: "model" },
      windows: [],
    });
    expect(await sessionFill(open)).toMatchObject({ tokens: 1_200 });
  });

  it("never shows a secret in the title", async () => {
    const { title } = await sessionGlance(session(sessionFile(`Log in with ${SECRET} first`)), finder);
    expect(title).toContain("Log in with");
    expect(title).not.toContain(SECRET);
  });

  it("takes the figures of the whole transcript once it was read", async () => {
    const path = sessionFile("Hello");
    const read = { tokens: 900_000, model: "claude-opus-4-6", callsWithUsage: 3 };
    expect(await sessionFill(session(path, read))).toEqual({
      tokens: 900_000,
      window: { tokens: 1_000_000, from: "model" },
    });
    // No usage is stated: nothing is known of how full the context is.
    expect(await sessionFill(session(path, { tokens: null, model: "gpt-5", callsWithUsage: 0 }))).toBeUndefined();
    expect(
      (await sessionGlance(session(path, { tokens: null, model: "gpt-5", callsWithUsage: 0 }), finder)).window,
    ).toBe(null);
  });

  it("has no title for a database, which holds many sessions, or for a file that is gone", async () => {
    expect((await sessionGlance(session(join(work, "state.db")), finder)).title).toBe(null);
    expect(await sessionGlance(session(join(work, "gone.jsonl")), finder)).toEqual({
      title: null,
      window: null,
      windows: [],
    });
  });

  it("knows the window of each session of a database by that session's own model", async () => {
    const thread = (id: string, kind: string, model: string | null, measuredTokens: number | null) => ({
      ...{ id, kind, model, measuredTokens, callsWithUsage: measuredTokens === null ? 0 : 1 },
    });
    const threads = [
      thread("a", "main", "claude-opus-4-6", 300_000),
      thread("b", "main", "claude-sonnet-4-5", 1_200),
      thread("c", "main", null, 700),
      thread("d", "subagent", "claude-sonnet-4-5", null),
    ];
    const open = {
      ...session(join(work, "opencode.db"), { tokens: 1_200, model: null, callsWithUsage: 1 }),
      overview: async () => ({ thread: "a", threads }) as unknown as Overview,
    };
    expect(await sessionGlance(open, finder)).toEqual({
      title: null,
      // Of the session whose tokens the header has.
      window: { tokens: 200_000, from: "model" },
      windows: [
        { thread: "a", tokens: 1_000_000, from: "model" },
        { thread: "b", tokens: 200_000, from: "model" },
        { thread: "d", tokens: 200_000, from: "model" },
      ],
    });
  });
});
