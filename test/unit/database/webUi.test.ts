import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { corpusPath, hasCorpus } from "../../corpus";
import { callOf, makeDatabase, mustRead, scratchFolder } from "./support";

const folder = scratchFolder();
const T0 = 1_786_636_800_000;

const row = (id: string, at: number, rest: Readonly<Record<string, string | number | null>>) => ({
  id,
  roomId: "room-1",
  senderId: "u",
  senderName: "Dana",
  senderType: "",
  senderAgentRecordId: "",
  content: "",
  timestamp: T0 + at,
  run_id: null,
  role: "user",
  tool_call_id: null,
  tool_calls: null,
  tool_name: null,
  ...rest,
});

describe("hermes-web-ui.db", () => {
  it("a room is a thread: messages by their time, results paired with their calls, usage summed over its runs", async () => {
    const run = (model: string, input: number, purpose = "") => ({
      session_id: "s-1",
      run_id: `r-${input}`,
      model,
      purpose,
      api_calls: 2,
      input_tokens: input,
      output_tokens: 5,
      cache_read_tokens: 100,
      cache_write_tokens: 0,
    });
    const path = makeDatabase(join(folder, "web.db"), {
      gc_rooms: [{ id: "room-1", name: "Harbour", createdAt: T0, workspace: "/home/dana/tide" }],
      gc_room_agents: [{ id: "a", roomId: "room-1", agentId: "h", model: "m-1" }],
      gc_session_profiles: [{ session_id: "s-1", room_id: "room-1", agent_id: "h" }],
      session_usage: [
        run("m-1", 1000),
        run("m-1", 500),
        run("m-2", 30, "summary"),
        { ...run("m-1", 9), session_id: "x" },
      ],
      gc_messages: [
        row("m1", 0, { content: "hello" }),
        // Stored when the run ended: the answer before what led to it.
        row("m4", 30, { role: "assistant", content: "done", senderType: "agent" }),
        row("m2", 10, { role: "assistant", tool_calls: callOf("c1"), senderType: "agent" }),
        row("m3", 20, {
          role: "tool",
          content: "潮位",
          tool_call_id: "c1",
          tool_name: "terminal",
          senderType: "agent",
        }),
        row("m5", 5, { roomId: "room-2", content: "elsewhere" }),
      ],
    });
    const index = await mustRead(path);
    expect(index.header).toMatchObject({ format: "hermes-web-ui-db", agent: "hermes", unit: "codePoints" });
    expect(index.threads).toMatchObject([
      {
        id: "room-1",
        title: "Harbour",
        model: "m-1",
        startedAt: "2026-08-13T16:00:00.000Z",
        project: "/home/dana/tide",
        usage: [
          { model: "m-1", task: undefined, calls: 4, input: 1300, cacheRead: 200, cacheWrite: 0, output: 10 },
          { model: "m-2", task: "summary", calls: 2, input: 0 },
        ],
      },
      { id: "room-2", title: "room-2", model: undefined, usage: [] },
    ]);
    const first = index.messages.filter(({ threadId }) => threadId === "room-1");
    expect(first.map(({ role, size, turn }) => [role, size.codePoints, turn])).toEqual([
      ["user", 5, 1],
      ["assistant", 0, 1],
      ["tool", 2, 1],
      ["assistant", 4, 1],
    ]);
    expect(index.results).toMatchObject([{ callId: "c1", tool: "terminal", orphan: false, call: 1, turn: 1 }]);
    expect(index.calls.every(({ usage }) => usage === undefined)).toBe(true);
    expect(index.problems).toEqual([]);
  });

  it("older schemas: no roles, no rooms, no tools", async () => {
    const old = (id: string, senderType: string, content: string) => ({
      id,
      roomId: "r",
      senderType,
      content,
      timestamp: T0,
    });
    const path = makeDatabase(join(folder, "old.db"), {
      gc_messages: [old("1", "", "hello"), old("2", "agent", "hi"), old("3", "", "bye")],
    });
    const index = await mustRead(path);
    expect(index.messages.map(({ role, turn }) => [role, turn])).toEqual([
      ["user", 1],
      ["assistant", 1],
      ["user", 2],
    ]);
    expect(index.threads).toMatchObject([{ id: "r", title: "r", usage: [] }]);
  });

  it.skipIf(!hasCorpus)(
    "the corpus: the rooms of the study, with the calls and results that its README lists",
    async () => {
      const index = await mustRead(corpusPath("hermes/web-ui/hermes-web-ui.db"));
      expect(index.threads.map(({ title, model }) => [title, model])).toEqual([
        ["Stock floor", "anthropic/claude-sonnet-4.6"],
        ["Weekly figures", "deepseek-v4"],
      ]);
      expect([index.calls.length, index.results.length]).toEqual([49, 81]);
      expect(index.results.reduce((sum, { size }) => sum + size.codePoints, 0)).toBe(686_072);
      expect(index.results.filter(({ orphan }) => orphan)).toEqual([]);
      const persisted = index.results.filter(({ state }) => state === "persisted");
      expect(persisted.every(({ persisted: notice }) => (notice?.statedChars ?? 0) > 100_000)).toBe(true);
      expect(persisted).toHaveLength(2);
      expect(index.threads[1]?.usage).toMatchObject([{ calls: 8, input: 438_689 - 368_832, cacheRead: 368_832 }]);
    },
  );
});
