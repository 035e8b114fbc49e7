import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRowBody } from "../../../extension/src/core/transcript/database/rowBody";
import { corpusPath, hasCorpus } from "../../corpus";
import { makeDatabase, message, mustOpen, mustRead, ports, readIndex, scratchFolder } from "./support";

const folder = scratchFolder();

describe("opencode.db", () => {
  const path = makeDatabase(join(folder, "opencode.db"), {
    session: [
      { id: "ses_1", title: "First", parent_id: null, directory: "/w/shop", time_created: 1_704_067_200_000 },
      { id: "ses_2", title: "Fork", parent_id: "ses_1", time_created: 1_704_067_300_000 },
    ],
    message: [
      {
        id: "msg_2",
        session_id: "ses_1",
        time_created: 2,
        data: JSON.stringify({
          role: "assistant",
          modelID: "m",
          tokens: { input: 5, output: 2, cache: { read: 7, write: 1 } },
        }),
      },
      { id: "msg_1", session_id: "ses_1", time_created: 1, data: JSON.stringify({ role: "user" }) },
      { id: "msg_9", session_id: "ses_2", time_created: 3, data: "{broken" },
    ],
    part: [
      {
        id: "prt_2",
        message_id: "msg_2",
        session_id: "ses_1",
        data: JSON.stringify({
          type: "tool",
          callID: "c1",
          tool: "bash",
          state: { status: "completed", input: {}, output: "out 😀" },
        }),
      },
      {
        id: "prt_1",
        message_id: "msg_2",
        session_id: "ses_1",
        data: JSON.stringify({ type: "text", text: "running" }),
      },
      { id: "prt_0", message_id: "msg_1", session_id: "ses_1", data: JSON.stringify({ type: "text", text: "go" }) },
    ],
  });

  it("is read like an export of each session, in the order of creation", async () => {
    const index = await mustRead(path);
    expect(index.header).toMatchObject({ format: "opencode-db", agent: "opencode", unit: "utf16" });
    expect(index.threads).toMatchObject([
      { id: "ses_1", title: "First", kind: "main", project: "/w/shop", startedAt: "2024-01-01T00:00:00.000Z" },
      { id: "ses_2", title: "Fork", parent: { id: "ses_1", relation: "child" } },
    ]);
    expect(index.messages.map(({ role, size }) => [role, size.utf16])).toEqual([
      ["user", 2],
      ["assistant", 7],
    ]);
    expect(index.calls).toMatchObject([{ model: "m", usage: { input: 5, cacheRead: 7, cacheWrite: 1, output: 2 } }]);
    expect(index.results).toMatchObject([
      { tool: "bash", callId: "c1", size: { utf16: 6 }, place: { row: { table: "part", id: 1 } } },
    ]);
    expect(index.problems).toMatchObject([{ code: "bad-record", at: { row: { table: "message", id: 3 } } }]);
  });

  it("gives texts from the rows of their parts", async () => {
    const [result] = (await mustRead(path)).results;
    const database = await mustOpen(path);
    expect(result?.body && readRowBody(database, result.body, ports)).toEqual({
      ok: true,
      value: { text: "out 😀", images: 0 },
    });
    database.close();
  });

  it.skipIf(!hasCorpus)("of the corpus agrees with itself", async () => {
    const index = await mustRead(corpusPath("opencode", "opencode.db"));
    expect(index.threads).toHaveLength(5);
    expect(index.messages.filter((each) => each.index >= 0)).toHaveLength(10);
    const database = await mustOpen(corpusPath("opencode", "opencode.db"));
    const sizes = index.results.flatMap(({ body }) => {
      const text = body && readRowBody(database, body, ports);
      return text === undefined ? [] : [text.ok && text.value.text.length];
    });
    database.close();
    expect(sizes).toEqual(index.results.filter(({ body }) => body).map(({ size }) => size.utf16));
  });
});

describe("OpenMausBot messages.db", () => {
  const notice =
    "p".repeat(16_000) +
    '\n\n[Large tool result: showing the first 16000 characters. The remaining redacted result is temporarily saved. If a missing detail is needed, call tool_result_read with id "r-01234567-89ab-cdef-0123-456789abcdef" and offset 16000. Saved results expire after one hour, on app restart, or under cache pressure. Do not repeat an action just to retrieve its output.]';
  const row = (id: string, parentId: string | null, more: Record<string, string | number | null>) => ({
    thread_id: "t1",
    id,
    at: 1_788_760_800_000,
    role: "bot",
    kind: "text",
    text: null,
    json: JSON.stringify({ id, parentId, text: "from json" }),
    ...more,
  });

  it("is a thread per id; branches that were left are out of context", async () => {
    const path = makeDatabase(join(folder, "messages.db"), {
      messages: [
        row("a", null, { role: "user", text: "go" }),
        row("b", "a", { kind: "activity", text: notice }),
        row("x", "a", { text: "a branch that was left" }),
        row("c", "b", {}),
        { ...row("z", null, { role: "user", text: "other" }), thread_id: "t2" },
      ],
      thread_state: [{ thread_id: "t1", active_leaf_id: "c" }],
    });
    const index = await mustRead(path);
    expect(index.header).toMatchObject({ format: "openmausbot-db", agent: "openmausbot" });
    expect(index.threads.map(({ id }) => id)).toEqual(["t1", "t2"]);
    expect(index.messages.map(({ size }) => size.utf16)).toEqual([2, notice.length, 22, 9, 5]);
    expect(index.results).toMatchObject([
      { state: "handle", persisted: { handle: "r-01234567-89ab-cdef-0123-456789abcdef" } },
    ]);
    expect(index.compactions).toMatchObject([{ threadId: "t1", what: "rewind", scope: "listed" }]);
    expect(index.compactions[0]?.gone.messages.map(({ place }) => place.row?.id)).toEqual([3]);
  });
});

describe("other databases", () => {
  it("say what they are, or what they lack", async () => {
    const problem = async (name: string, tables: Parameters<typeof makeDatabase>[1]) => {
      const index = await mustRead(makeDatabase(join(folder, name), tables));
      expect(index.header).toBeUndefined();
      return index.problems.map(({ code, message: text }) => `${code}: ${text}`).join();
    };
    expect(await problem("web.db", { gc_messages: [{ id: "1" }] })).toMatch(/^database-schema: .*gc_messages\.roomId/);
    expect(await problem("second.db", { session_message: [{ id: "1" }] })).toMatch(/^unsupported-format: .*opencode/);
    expect(await problem("cookies.db", { cookies: [{ a: 1 }] })).toMatch(/^unknown-format: .*cookies/);
    expect(await problem("wrong.db", { sessions: [{ id: "s" }], messages: [{ session_id: "s", body: "x" }] })).toMatch(
      /^database-schema: .*messages\.role, messages\.content/,
    );
  });

  it("with an agent's tables as views are not run", async () => {
    const path = makeDatabase(join(folder, "views.db"), { sessions: [{ id: "s" }] }, [
      "CREATE VIEW messages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS session_id, i AS role, i AS content FROM n",
    ]);
    expect(await readIndex(path)).toMatchObject({ problems: [{ code: "unknown-format" }] });
  });

  it("without any row are empty transcripts", async () => {
    const path = makeDatabase(join(folder, "empty.db"), { sessions: [{ id: "s" }], messages: [message({ id: 1 })] }, [
      "DELETE FROM sessions",
      "DELETE FROM messages",
    ]);
    expect(await mustRead(path)).toMatchObject({
      header: { format: "hermes-db" },
      threads: [],
      messages: [],
      problems: [],
    });
  });
});
