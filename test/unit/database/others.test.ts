import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readDatabase } from "../../../extension/src/core/transcript/database/readDatabase";
import { readRowBody } from "../../../extension/src/core/transcript/database/rowBody";
import { UsageSum } from "../../../extension/src/core/transcript/usageOverFiles";
import { corpusPath, hasCorpus } from "../../corpus";
import { OPENCODE_TWO, OPENCODE_TWO_MESSAGES } from "../transcript/samples";
import { brief, briefCall, read } from "../transcript/support";
import { makeDatabase, message, mustOpen, mustRead, ports, readIndex, scratchFolder, type Value } from "./support";

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

describe("opencode.db of version 2", () => {
  const rowOf = (session_id: string, message: object, seq: number, more = {}): Record<string, Value> => {
    const { id, type, ...data } = message as { id: string; type: string };
    return { id, session_id, type, seq, time_created: seq, data: JSON.stringify(data), ...more };
  };
  const rows = OPENCODE_TWO_MESSAGES.map((message, i) => rowOf("ses_2", message, i + 1));
  const session = { id: "ses_2", title: "Fix it too", parent_id: null, fork_session_id: null, time_created: 1 };
  const answer = { role: "assistant", modelID: "m", tokens: { input: 5, output: 2, cache: { read: 7, write: 1 } } };
  const oldMessage = (id: string, session_id: string) => ({
    id,
    session_id,
    time_created: 1,
    data: JSON.stringify(answer),
  });
  const old = (...messages: Record<string, Value>[]) => ({
    message: messages,
    part: [{ id: "prt_1", message_id: "-", data: "{}" }],
  });

  it("what was undone and is still in the store is told as a rewind", async () => {
    const from = OPENCODE_TWO_MESSAGES.findLast(({ type }) => type === "assistant")?.id;
    let made = 0;
    const reverted = (revert: Value) =>
      makeDatabase(join(folder, `undone${++made}.db`), { session_v2: [{ ...session, revert }], session_message: rows });
    const rewinds = async (revert: Value) =>
      (await mustRead(reverted(revert))).compactions.filter(({ what }) => what === "rewind");
    expect(await rewinds(JSON.stringify({ messageID: from }))).toMatchObject([{ scope: "listed" }]);
    expect(await rewinds(null)).toEqual([]);
    const broken = await mustRead(reverted("{"));
    expect(broken.problems.map(({ code }) => code)).toEqual(["bad-record"]);
    expect(broken.messages.length).toBeGreaterThan(3);
  });

  it("is read like an export of the session, texts from the rows", async () => {
    // The order of the rows is not that of the messages.
    const path = makeDatabase(join(folder, "two.db"), { session_v2: [session], session_message: rows.toReversed() });
    const [index, exported] = [await mustRead(path), await read(OPENCODE_TWO)];
    expect(index.header).toMatchObject({ format: "opencode-db", sessionId: "ses_2", model: "m-2" });
    expect(index.problems).toEqual([]);
    expect(index.calls.map(briefCall)).toEqual(exported.calls.map(briefCall));
    expect(index.results.map(brief)).toEqual(exported.results.map(brief));
    expect(index.messages.map(({ role, turn, size }) => [role, turn, size])).toEqual(
      exported.messages.map(({ role, turn, size }) => [role, turn, size]),
    );
    const database = await mustOpen(path);
    const texts = index.results.map(({ body }) => body && readRowBody(database, body, ports));
    database.close();
    expect(texts.map((text) => text?.ok && text.value.text.length)).toEqual(
      index.results.map(({ body, size }) => body && size.utf16),
    );
  });

  it("a session that was taken over counts once, one that was not is read from the older tables", async () => {
    const path = makeDatabase(join(folder, "moved.db"), {
      session: [
        { id: "ses_1", title: "Old", time_created: 0 },
        { id: "ses_2", title: "Stale title", time_created: 1 },
      ],
      session_v2: [session],
      ...old(oldMessage("msg_1", "ses_1"), oldMessage("msg_2", "ses_2")),
      session_message: rows,
    });
    const index = await mustRead(path);
    expect(index.threads.map(({ id, title }) => [id, title])).toEqual([
      ["ses_1", "Old"],
      ["ses_2", "Fix it too"],
    ]);
    expect(index.calls.map(({ threadId, model }) => [threadId, model])).toEqual([
      ["ses_1", "m"],
      ["ses_2", "m-2"],
      ["ses_2", "m-2"],
      ["ses_2", "m-2"],
    ]);
  });

  it("before version 2 the older tables count, where they say anything of a session", async () => {
    const path = makeDatabase(join(folder, "before.db"), {
      session: [{ id: "ses_1", time_created: 0 }, session].map(({ id, time_created }) => ({ id, time_created })),
      ...old(oldMessage("msg_1", "ses_1")),
      session_message: [rowOf("ses_1", { id: "msg_8", type: "agent-switched" }, 1), ...rows],
    });
    const index = await mustRead(path);
    expect(index.calls.map(({ threadId }) => threadId)).toEqual(["ses_1", "ses_2", "ses_2", "ses_2"]);
    expect(index.messages.filter(({ threadId }) => threadId === "ses_1")).toHaveLength(1);
  });

  it("a fork's copies are the requests of the session that they were copied from", async () => {
    const fork = { ...session, id: "ses_3", fork_session_id: "ses_2", time_created: 2 };
    const again = { ...session, id: "ses_4", fork_session_id: "ses_3", time_created: 3 };
    const copies = (to: string, name: string) =>
      OPENCODE_TWO_MESSAGES.slice(0, 5).map((message, i) =>
        rowOf(to, { ...message, id: `msg_${name}00000000000000_${i + 1}` }, i + 1),
      );
    const own = { ...OPENCODE_TWO_MESSAGES[3], id: "msg_0197f000000000000000000077" };
    const path = makeDatabase(join(folder, "forked.db"), {
      session_v2: [session, fork, again],
      session_message: [...rows, ...copies("ses_3", "a"), ...copies("ses_4", "b"), rowOf("ses_4", own, 6)],
    });
    const opened = await mustOpen(path);
    const sum = new UsageSum();
    for await (const events of readDatabase(opened, ports, NEVER_CANCELLED)) sum.add(events);
    opened.close();
    sum.end("forked.db");
    expect(sum.total()).toMatchObject({ calls: 4, copies: 2, usage: { calls: 3, input: 207 } });
    expect((await mustRead(path)).threads.map(({ parent }) => parent)).toEqual([
      undefined,
      { id: "ses_2", relation: "branch" },
      { id: "ses_3", relation: "branch" },
    ]);
  });

  it("forks that point at each other, rows without a number and rows of no session are read all the same", async () => {
    const path = makeDatabase(join(folder, "odd-two.db"), {
      session_v2: [
        { id: "ses_a", fork_session_id: "ses_b", title: null },
        { id: "ses_b", fork_session_id: "ses_a", title: null },
      ],
      session_message: [
        rowOf("ses_a", { ...OPENCODE_TWO_MESSAGES[3], id: "msg_aaaaaaaaaaaaaaaaaaaaaaa_1" }, 1),
        rowOf("ses_b", { ...OPENCODE_TWO_MESSAGES[3], id: "msg_bbbbbbbbbbbbbbbbbbbbbbb_1" }, 1),
        rowOf("../../etc", OPENCODE_TWO_MESSAGES[2] ?? {}, 0, { seq: null, time_created: null }),
        rowOf("ses_b", { id: "msg_c", type: "user" }, 2, { data: "[]" }),
        rowOf("ses_b", { id: "msg_d", type: "poll" }, 3),
      ],
    });
    const index = await mustRead(path);
    expect(index.threads.map(({ id }) => id)).toEqual(["ses_a", "ses_b", "../../etc"]);
    expect(index.calls).toHaveLength(2);
    expect(index.problems.map(({ code, message: text }) => [code, /\b\d+ \w+/.exec(text)?.[0]])).toEqual([
      ["bad-record", "1 row"],
      ["unknown-record", "1 record"],
    ]);
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
    expect(await problem("second.db", { session_message: [{ id: "1" }] })).toMatch(
      /^database-schema: .*session_message\.session_id/,
    );
    expect(await problem("state_5.sqlite", { threads: [{ id: "1", rollout_path: "/r" }] })).toMatch(
      /^unsupported-format: .*Codex.*rollout/,
    );
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
