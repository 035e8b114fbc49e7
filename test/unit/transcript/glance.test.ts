import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { glance, glanceTail, TITLE_UNITS } from "../../../extension/src/core/transcript/glance";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { memorySource } from "./support";

const lines = (...values: readonly unknown[]): string => `${values.map((one) => JSON.stringify(one)).join("\n")}\n`;

const claude = (more: object): object => ({ uuid: "u", sessionId: "s", cwd: "/home/ada/shop", ...more });
const prompt = (content: unknown): object => claude({ type: "user", message: { role: "user", content } });
const answer = (usage: object, more: object = {}): object =>
  claude({ type: "assistant", message: { role: "assistant", model: "claude-opus-4-6", usage, content: [] }, ...more });

describe("the beginning of a session's file", () => {
  it("names project, first prompt and model of Claude Code", () => {
    const head = lines(
      { type: "file-history-snapshot", messageId: "m" },
      { type: "summary", summary: "Of another session", leafUuid: "x" },
      prompt("<command-name>/clear</command-name>"),
      claude({ type: "user", isMeta: true, message: { role: "user", content: "Caveat of the program" } }),
      prompt([{ type: "tool_result", tool_use_id: "t", content: "a result" }]),
      prompt([{ type: "text", text: "Fix  the\ntests" }]),
      answer({ input_tokens: 1 }),
    );
    expect(glance(head)).toEqual({
      project: "/home/ada/shop",
      projectHash: undefined,
      title: "Fix the tests",
      model: "claude-opus-4-6",
    });
  });

  it("prefers a title that the user gave", () => {
    expect(glance(lines(prompt("Hello"), { type: "custom-title", customTitle: "Release" }, prompt("More"))).title).toBe(
      "Release",
    );
  });

  it("takes no model from lines that the program made itself", () => {
    const made = claude({ type: "assistant", message: { role: "assistant", model: "<synthetic>", content: [] } });
    expect(glance(lines(made)).model).toBeUndefined();
  });

  it("reads the project of Codex although the first line is cut in its instructions", () => {
    const meta = { type: "session_meta", payload: { id: "1", cwd: "/src/app", instructions: "x".repeat(5_000) } };
    expect(glance(lines(meta).slice(0, 2_000)).project).toBe("/src/app");
  });

  it("takes the first record of a Codex fork, and what the person wrote", () => {
    const item = (text: string) => ({
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    });
    const head = lines(
      { type: "session_meta", payload: { id: "2", cwd: "/src/fork" } },
      { type: "session_meta", payload: { id: "1", cwd: "/src/app" } },
      item("# AGENTS.md instructions for /src/app"),
      item("<environment_context>…</environment_context>"),
      { type: "turn_context", payload: { cwd: "/src/fork", model: "gpt-5" } },
      item("Please look"),
      { type: "event_msg", payload: { type: "user_message", message: "Please look at it" } },
    );
    expect(glance(head)).toMatchObject({ project: "/src/fork", title: "Please look at it", model: "gpt-5" });
  });

  it.each<readonly [string, string, object]>([
    [
      "Gemini CLI lines",
      lines(
        { sessionId: "s", projectHash: "abc", startTime: "t" },
        { id: "1", type: "info", content: "started" },
        { id: "2", type: "user", content: [{ text: "long text" }], displayContent: [{ text: "/init" }] },
        { id: "3", type: "gemini", content: "", model: "gemini-3-pro" },
      ),
      { projectHash: "abc", title: "/init", model: "gemini-3-pro", project: undefined },
    ],
    [
      "a Gemini CLI document over several lines",
      JSON.stringify(
        { sessionId: "s", projectHash: "abc", messages: [{ type: "user", content: "Explain" }] },
        null,
        2,
      ).slice(0, -9),
      { projectHash: "abc", title: "Explain" },
    ],
    [
      "an opencode session file",
      JSON.stringify({ id: "ses", projectID: "p", directory: "/w/x", title: "Parser fix", time: {} }),
      { project: "/w/x", title: "Parser fix" },
    ],
    [
      "an opencode export",
      JSON.stringify({ info: { id: "ses", directory: "/w/x", title: "Parser fix" }, messages: [] }),
      { project: "/w/x", title: "Parser fix" },
    ],
    [
      "a VS Code chat log that is renamed later",
      lines(
        { kind: 0, v: { version: 3, customTitle: "Old", requests: [{ message: { text: "Hi" } }] } },
        { kind: 1, k: ["customTitle"], v: "New" },
      ),
      { title: "New" },
    ],
    [
      "Copilot's events",
      lines(
        { type: "session.start", data: { context: { cwd: "/repo" } } },
        { type: "session.model_change", data: { newModel: "claude-sonnet-4.6" } },
        { type: "user.message", data: { content: "Add tests" } },
      ),
      { project: "/repo", title: "Add tests", model: "claude-sonnet-4.6" },
    ],
    [
      "a Hermes snapshot",
      JSON.stringify({
        session_id: "x",
        model: "kimi",
        system_prompt: "You are",
        messages: [{ role: "user", content: "Run it" }],
      }),
      { title: "Run it", model: "kimi", project: undefined },
    ],
    [
      "a Hermes gateway log",
      lines({ role: "session_meta", model: "kimi" }, { role: "user", content: "Which tests fail?" }),
      { title: "Which tests fail?", model: "kimi" },
    ],
  ])("understands %s", (_what, head, expected) => {
    expect(glance(head)).toMatchObject(expected);
  });

  it("makes one line of a title, and no more than fits", () => {
    const { title } = glance(lines(prompt(`a\u0000\u202Eb\r\n${"😀".repeat(200)}`)));
    expect(title).toMatch(/^a b 😀+…$/u);
    expect(title?.length).toBeLessThanOrEqual(TITLE_UNITS);
  });

  it("says nothing of what is no transcript, wherever it is cut", () => {
    for (const text of [
      "",
      "\0".repeat(99),
      "not json\n{",
      '{"__proto__":{"cwd":"/x"}}',
      '{"cwd":7,"messages":7}',
      "[[[[",
      "null\n1\n",
    ]) {
      expect(glance(text)).toEqual({ project: undefined, projectHash: undefined, title: undefined, model: undefined });
    }
    const whole = lines(prompt("Fix the tests"), answer({ input_tokens: 3 }));
    for (let cut = 0; cut < whole.length; cut++) expect(() => glance(whole.slice(0, cut))).not.toThrow();
  });
});

describe("the end of a session's file", () => {
  const usage = {
    input_tokens: 4,
    cache_read_input_tokens: 190_000,
    cache_creation_input_tokens: 3_200,
    output_tokens: 9,
  };

  it("gives input + cache read + cache write of the newest call", () => {
    const tail = `torn line"}\n${lines(answer({ input_tokens: 1 }), answer(usage), prompt("Thanks"))}`;
    expect(glanceTail(tail)).toEqual({ tokens: 193_204, model: "claude-opus-4-6", window: undefined });
  });

  it("counts neither sub-agents nor lines of the program nor a torn line", () => {
    const side = answer({ input_tokens: 9 }, { isSidechain: true });
    const made = claude({ type: "assistant", message: { model: "<synthetic>", usage: { input_tokens: 0 } } });
    const progress = claude({ type: "progress", data: { message: { usage: { input_tokens: 5 } } } });
    const tail =
      lines(answer(usage), side, made, progress) + JSON.stringify(answer({ input_tokens: 77 })).slice(0, -20);
    expect(glanceTail(tail)?.tokens).toBe(193_204);
  });

  it.each(["compact_boundary", "microcompact_boundary"])("knows nothing of the context after a %s", (subtype) => {
    const boundary = claude({ type: "system", subtype, content: "" });
    expect(glanceTail(lines(answer(usage), boundary))).toMatchObject({ tokens: null });
    expect(glanceTail(lines(boundary, answer(usage)))).toMatchObject({ tokens: 193_204 });
  });

  it("takes no kept message that a compaction wrote again for a new call", () => {
    const at = (timestamp: string) => ({ timestamp });
    const boundary = claude({ type: "system", subtype: "compact_boundary", ...at("2026-02-02T10:00:00Z") });
    const kept = answer(usage, at("2026-02-02T09:00:00Z"));
    expect(glanceTail(lines(boundary, kept))).toMatchObject({ tokens: null });
    expect(glanceTail(lines(boundary, kept, answer({ input_tokens: 7 }, at("2026-02-02T10:01:00Z"))))).toMatchObject({
      tokens: 7,
    });
  });

  it("knows nothing of the context after the user went back, but of parallel calls", () => {
    const at = (uuid: string, parentUuid: string | null) => ({ uuid, parentUuid });
    const first = answer(usage, at("a1", null));
    const second = { ...answer({ input_tokens: 7 }), ...at("a2", "u2") };
    const asked = (uuid: string, parent: string) => ({ ...prompt("go"), ...at(uuid, parent) });
    expect(glanceTail(lines(first, asked("u2", "a1"), second, asked("u3", "a2")))?.tokens).toBe(7);
    expect(glanceTail(lines(first, asked("u2", "a1"), second, asked("u3", "a1")))?.tokens).toBeNull();
    const part = (uuid: string, parent: string) => ({
      ...claude({ type: "assistant", message: { id: "m", role: "assistant", model: "x", usage, content: [] } }),
      ...at(uuid, parent),
    });
    const parallel = [part("p1", "u1"), part("p2", "p1"), asked("r2", "p2"), asked("r1", "p1")];
    expect(glanceTail(lines(...parallel))?.tokens).toBe(193_204);
  });

  it("gives the last call and the window of Codex", () => {
    const event = (info: unknown) => ({ type: "event_msg", payload: { type: "token_count", info } });
    const told = {
      last_token_usage: { input_tokens: 5_000, cached_input_tokens: 4_000 },
      model_context_window: 258_400,
    };
    expect(glanceTail(lines(event(told), event(null)))).toEqual({ tokens: 5_000, model: undefined, window: 258_400 });
    const compacted = { type: "compacted", payload: { message: "", replacement_history: [] } };
    expect(glanceTail(lines(event(told), compacted))).toMatchObject({ tokens: null });
  });

  it("gives the last call of Gemini CLI that was not cancelled", () => {
    const call = (input: number) => ({
      type: "gemini",
      model: "gemini-3-pro",
      tokens: { input, output: 1, cached: 5 },
    });
    expect(glanceTail(lines(call(700), call(0)))).toMatchObject({ tokens: 700, model: "gemini-3-pro" });
  });

  it("is undefined where nothing states usage", () => {
    for (const tail of ["", "\0\0", lines(prompt("Hi")), lines({ role: "assistant", content: "usage" })])
      expect(glanceTail(tail)).toBeUndefined();
  });
});

describe.skipIf(!hasCorpus)("real files", () => {
  it.each([
    ["copilot-cli/events-2026-04-23.jsonl", { project: "/home/usr/repo/VibeCodingTracker" }],
    ["codex/rollout-2026-02-23T12-47-42.jsonl", { project: "/redacted/path/59b923df4d" }],
    [
      "gemini-cli/chats-jsonl/session-2026-04-23.jsonl",
      { projectHash: expect.stringMatching(/^9da8b3df[0-9a-f]{56}$/), title: "/init" },
    ],
    ["vscode-copilot-chat/session-2026-05-24.jsonl", { title: "Migrate to Quarkus" }],
    ["opencode/storage/session/proj_present/session_parser_fix.json", { title: expect.any(String) }],
    [
      "hermes/home/sessions/20260406_091200_4e3bbf37.jsonl",
      { title: "Which tests fail since yesterday?", model: "moonshotai/kimi-k2.5" },
    ],
  ])("%s", (path, expected) => {
    const text = readFileSync(corpusPath(path), "utf8");
    expect(glance(text.slice(0, 16_384))).toMatchObject(expected);
  });
});

/** A session's file is looked at with 32 KiB of its end; here it is cut at many records, as if it had been looked at while it grew. */
describe.skipIf(!hasCorpus)("the end of real files", () => {
  it("says what a reading of the whole file says, wherever both know", async () => {
    const files = ["claude-code", "codex", "gemini-cli"].flatMap((folder) => filesBelow(folder, ".jsonl"));
    const differing: unknown[] = [];
    let compared = 0;
    for (const file of files) {
      const bytes = readFileSync(corpusPath(file));
      const ends = [...lineEnds(bytes)];
      for (let n = 1; n <= 8; n++) {
        const end = ends[Math.floor((ends.length - 1) * (n / 8))] ?? bytes.length;
        const tail = glanceTail(bytes.subarray(Math.max(0, end - 32 * 1024), end).toString("utf8"));
        if (tail === undefined) continue;
        const summary = new Summary();
        const source = memorySource(bytes.subarray(0, end), file);
        for await (const batch of readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) summary.add(batch);
        if (summary.threads().some(({ kind }) => kind !== "main")) continue;
        const { measuredTokens } = summary.totals();
        compared++;
        // What a compaction kept stands after its boundary for the first time there; its time says that it is no new call.
        if (file.endsWith("compact-preserved-segment.jsonl") && tail.tokens === null) continue;
        if (measuredTokens !== tail.tokens) differing.push([file, end, measuredTokens, tail.tokens]);
      }
    }
    expect(differing).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  });
});

function* lineEnds(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) yield at + 1;
}
