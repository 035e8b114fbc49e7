import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeRow, readRowBody } from "../../../extension/src/core/transcript/database/rowBody";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { callOf, makeDatabase, message, mustOpen, mustRead, ports, scratchFolder, type Value } from "./support";

const folder = scratchFolder();
let made = 0;

const SESSION = { id: "s", source: "cli", model: "m", started_at: 1_788_760_800, title: null, parent_session_id: null };

type Rows = readonly Readonly<Record<string, Value>>[];

async function read(messages: Rows, tables: Readonly<Record<string, Rows>> = {}): Promise<TranscriptIndex> {
  const all = { sessions: [SESSION], messages, ...tables };
  return mustRead(makeDatabase(join(folder, `${made++}.db`), all));
}

const placed = (index: TranscriptIndex) => index.messages.map(({ role, place }) => `${role} ${place.row?.id}`);

describe("Hermes rows", () => {
  it("are told by id, whatever their time", async () => {
    const index = await read([
      message({ id: 1, content: "go", timestamp: 9 }),
      message({ id: 2, role: "assistant", content: "ok", timestamp: 5 }),
      message({ id: 7, content: "more", timestamp: 1 }),
    ]);
    expect(placed(index)).toEqual(["user 1", "assistant 2", "user 7"]);
    expect(index.messages.map(({ turn }) => turn)).toEqual([1, 1, 2]);
    expect(index.calls).toMatchObject([{ number: 1, at: "1970-01-01T00:00:05.000Z" }]);
    expect(index.threads).toMatchObject([
      { id: "s", title: "s", kind: "main", model: "m", source: "cli", startedAt: "2026-09-07T06:00:00.000Z" },
    ]);
    expect(index.header).toMatchObject({ format: "hermes-db", agent: "hermes", unit: "codePoints", sessionId: "s" });
  });

  it("say which folder a session worked in, where the schema has it", async () => {
    const sessions = [{ ...SESSION, cwd: "/home/ada/shop" }];
    const index = await read([message({ id: 1, content: "go" })], { sessions });
    expect(index.threads).toMatchObject([{ id: "s", project: "/home/ada/shop" }]);
    expect((await read([message({ id: 1, content: "go" })])).threads[0]?.project).toBeUndefined();
  });

  it("count in code points, and what was sent instead of the text", async () => {
    const index = await read([
      message({ id: 1, content: "short", api_content: "😀 what was sent" }),
      message({ id: 2, role: "assistant", content: "", tool_calls: callOf("a") }),
      message({ id: 3, role: "tool", content: "😀".repeat(10), tool_call_id: "a", api_content: "never for tools" }),
    ]);
    expect(index.messages[0]?.size).toEqual({ codePoints: 15, utf16: 16, bytes: 18 });
    expect(index.results).toMatchObject([{ tool: "terminal", size: { codePoints: 10, utf16: 20, bytes: 40 } }]);
    expect(index.problems.map(({ code }) => code)).toEqual(["upper-bound"]);
  });

  it("hold structured content behind a NUL character", async () => {
    const parts = [
      { type: "text", text: "seen" },
      { type: "image_url", image_url: { url: "data:," } },
    ];
    const path = makeDatabase(join(folder, `${made++}.db`), {
      sessions: [SESSION],
      messages: [
        message({ id: 1, role: "assistant", content: null, tool_calls: callOf("a") }),
        message({ id: 2, role: "tool", content: `\u0000json:${JSON.stringify(parts)}`, tool_call_id: "a" }),
        message({ id: 3, role: "assistant", content: null, tool_calls: callOf("b") }),
        message({ id: 4, role: "tool", content: "before\u0000after", tool_call_id: "b" }),
        message({ id: 5, content: new Uint8Array(Buffer.from("as a blob")) }),
      ],
    });
    const index = await mustRead(path);
    expect(index.results).toMatchObject([
      { size: { codePoints: 4 }, images: 1 },
      { size: { codePoints: 12 }, images: 0 },
    ]);
    expect(index.messages.at(-1)?.size.codePoints).toBe(9);
    const database = await mustOpen(path);
    const texts = index.results.map(({ body }) => body && readRowBody(database, body, ports));
    expect(texts).toMatchObject([{ value: { text: "seen", images: 1 } }, { value: { text: "before\u0000after" } }]);
    const [first] = index.results;
    const row = first && describeRow(database, first.place, ports);
    expect(row?.ok && JSON.parse(row.value)).toMatchObject({ id: 2, role: "tool", content: parts, tool_call_id: "a" });
    const gone = readRowBody(
      database,
      { place: { line: 99, start: 0, end: 0, row: { table: "messages", id: 99 } }, path: ["content"] },
      ports,
    );
    expect(gone).toMatchObject({ ok: false, error: { code: "transcript-changed" } });
    database.close();
  });

  it("that a compaction archived are told once; what it kept stays, what it cut keeps its full text", async () => {
    const kept = { content: "task", timestamp: 1 };
    const asked = { role: "assistant", content: null, tool_calls: callOf("a"), timestamp: 2 };
    const answer = { role: "tool", tool_call_id: "a", tool_name: "terminal", timestamp: 3 };
    const full = "line\n".repeat(400);
    const path = makeDatabase(join(folder, `${made++}.db`), {
      sessions: [SESSION],
      messages: [
        message({ id: 1, ...kept, active: 0, compacted: 1 }),
        message({ id: 2, ...asked, active: 0, compacted: 1 }),
        message({ id: 3, ...answer, content: full, active: 0, compacted: 1 }),
        message({ id: 4, role: "assistant", content: "gone", timestamp: 4, active: 0, compacted: 1 }),
        message({ id: 5, ...kept }),
        message({ id: 6, content: "[CONTEXT COMPACTION — REFERENCE ONLY] so far", timestamp: 9 }),
        message({ id: 7, ...asked }),
        message({ id: 8, ...answer, content: "[terminal] ran `ls` -> exit 0, 400 lines output" }),
        message({ id: 9, content: "next", timestamp: 10 }),
      ],
    });
    const index = await mustRead(path);
    expect(placed(index)).toEqual(["user 5", "assistant 7", "tool 8", "assistant 4", "user 6", "user 9"]);
    expect(index.results).toMatchObject([
      { state: "pruned", place: { row: { id: 8 } }, fullText: { place: { row: { id: 3 } } }, call: 1, turn: 1 },
    ]);
    expect(index.calls).toHaveLength(2);
    expect(index.compactions).toMatchObject([
      { what: "summary", scope: "listed", place: { row: { id: 5 } }, atMessage: 4, clearedCallIds: ["a"] },
    ]);
    expect(index.compactions[0]?.gone.messages.map(({ place }) => place.row?.id)).toEqual([4]);
    const database = await mustOpen(path);
    const fullText = index.results[0]?.fullText;
    expect(fullText && readRowBody(database, fullText, ports)).toMatchObject({ value: { text: full } });
    database.close();
    expect(chars(index)).toBe(4 + 44 + 2 + 47 + 4);
  });

  it("that were undone left the context", async () => {
    const index = await read([
      message({ id: 1, content: "keep", timestamp: 1 }),
      message({ id: 2, content: "undone", timestamp: 2, active: 0 }),
      message({ id: 3, role: "assistant", content: "undone too", timestamp: 3, active: 0 }),
      message({ id: 4, content: "instead", timestamp: 4 }),
    ]);
    expect(index.messages).toHaveLength(4);
    expect(index.compactions).toMatchObject([{ what: "rewind", scope: "listed" }]);
    expect(chars(index)).toBe(4 + 7);
  });

  it("of any schema: the oldest, and one with columns that nobody knows", async () => {
    const old = await read([{ id: 1, session_id: "s", role: "user", content: "hi" }]);
    expect(old.messages).toHaveLength(1);
    const strange = await read([{ ...message({ id: 1, content: "hi" }), zz_future: "x" }]);
    expect(strange.messages).toHaveLength(1);
    expect([...old.problems, ...strange.problems]).toEqual([]);
  });
});

describe("Hermes sessions", () => {
  it("say where they came from and what they used", async () => {
    const sessions = [
      { ...SESSION, id: "a", started_at: 1, end_reason: "compression", model_config: null },
      {
        ...SESSION,
        id: "b",
        started_at: 2,
        parent_session_id: "a",
        end_reason: null,
        model_config: null,
        title: "Second",
      },
      {
        ...SESSION,
        id: "c",
        started_at: 3,
        parent_session_id: "b",
        end_reason: null,
        model_config: '{"_delegate_from": "b"}',
      },
      {
        ...SESSION,
        id: "d",
        started_at: 4,
        parent_session_id: "b",
        end_reason: null,
        model_config: '{"_branched_from": "b"}',
      },
      { ...SESSION, id: "e", started_at: 5, parent_session_id: "gone", end_reason: null, model_config: "not json" },
    ];
    const sum = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 30, cache_write_tokens: 4 };
    const index = await read([message({ id: 1, session_id: "elsewhere", content: "x" })], {
      sessions,
      session_model_usage: [
        { session_id: "a", model: "m1", task: "", api_call_count: 3, ...sum },
        { session_id: "a", model: "m2", task: "background_review", api_call_count: 1, ...sum, input_tokens: 1 },
      ],
    });
    expect(index.threads).toMatchObject([
      {
        id: "a",
        kind: "main",
        usage: [
          { model: "m1", calls: 3, input: 10, cacheRead: 30 },
          { task: "background_review", input: 1 },
        ],
      },
      { id: "b", title: "Second", kind: "main", parent: { id: "a", relation: "compression" } },
      { id: "c", kind: "subagent", parent: { id: "b", relation: "delegate" } },
      { id: "d", kind: "main", parent: { id: "b", relation: "branch" } },
      { id: "e", kind: "main", parent: { id: "gone", relation: "child" } },
      { id: "elsewhere", kind: "main", model: undefined },
    ]);
    expect(index.problems.map(({ code }) => code)).toEqual(["unlisted-session"]);
    expect(index.header?.sessionId).toBeUndefined();
  });

  it("take their system prompt from either table", async () => {
    const index = await read([message({ id: 1, content: "x" })], {
      sessions: [
        { ...SESSION, id: "s", system_prompt: null, system_prompt_hash: "h" },
        { ...SESSION, id: "t", system_prompt: "own prompt", system_prompt_hash: null },
        { ...SESSION, id: "u", system_prompt: null, system_prompt_hash: "lost" },
      ],
      system_prompts: [{ hash: "h", prompt: "shared" }],
    });
    const prompts = index.messages.filter((each) => each.index === -1);
    expect(prompts.map(({ threadId, size, place }) => [threadId, size.codePoints, place.row?.table])).toEqual([
      ["s", 6, "system_prompts"],
      ["t", 10, "sessions"],
    ]);
  });
});

/** Characters in context as the inspector's header says them. */
function chars(index: TranscriptIndex): number {
  const summary = new Summary();
  const { header, threads, messages, results, compactions } = index;
  if (header !== undefined) summary.add([{ kind: "header", header }]);
  summary.add(threads.map((thread) => ({ kind: "thread", thread })));
  summary.add(messages.map((each) => ({ kind: "message", message: each })));
  summary.add(results.map((result) => ({ kind: "result", result })));
  summary.add(compactions.map((each) => ({ kind: "compaction", ...each })));
  return summary.totals().chars;
}
