import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { LONG, OPENCODE, OPENCODE_PART, OPENCODE_TWO, OPENCODE_TWO_MESSAGES } from "./samples";
import { bodyText, brief, briefCall, codes, memorySource, read } from "./support";

const CLEARED = "[Old tool result content cleared]";

describe("opencode exports", () => {
  it("steps are calls, the pruned result is what the model gets, its text is kept beside it", async () => {
    const index = await read(OPENCODE);
    expect(index.header).toMatchObject({ sessionId: "ses_1", agent: "opencode", unit: "utf16", model: "m-1" });
    expect(index.threads[0]).toMatchObject({ id: "ses_1", title: "Fix it", startedAt: "2026-03-18T20:58:45.000Z" });
    const usage = (input: number) => ({ input, cacheRead: 300, cacheWrite: 40, output: 25 });
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", usage(100)],
      [2, 1, "m-1", usage(7)],
      [3, 2, "m-1", undefined],
    ]);
    expect(index.results.map(brief)).toEqual([
      [1, 1, "bash", "call_1", "cleared", "paired", CLEARED.length],
      [1, 2, "bash", "call_2", "inline", "paired", 12],
      [1, 2, "bash", "call_3", "missing", "paired", 0],
    ]);
    expect(index.results[1]?.isError).toBe(true);
    expect(await bodyText(OPENCODE, index.results[0]?.body)).toBe(CLEARED);
    expect(await bodyText(OPENCODE, index.results[0]?.fullText)).toBe(LONG);
    expect(index.messages[0]).toMatchObject({ images: 1, size: { utf16: LONG.length } });
  });

  it("a prune and a compaction stand where they happened", async () => {
    const index = await read(OPENCODE);
    expect(
      index.compactions.map(({ what, atMessage, trigger, clearedCallIds, scope }) => [
        what,
        atMessage,
        trigger,
        clearedCallIds,
        scope,
      ]),
    ).toEqual([
      ["summary", 3, "auto", [], "all"],
      ["prune", 2, undefined, ["call_1"], "unstated"],
    ]);
    const summary = new Summary();
    for await (const batch of readTranscript(memorySource(OPENCODE), { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) {
      summary.add(batch);
    }
    expect(summary.totals()).toMatchObject({ messages: 4, chars: "Summary so far.".length, measuredTokens: null });
  });

  it("a compaction that keeps a tail says what left", async () => {
    const session = JSON.parse(OPENCODE);
    session.messages[2].parts[0].tail_start_id = "msg_2";
    const index = await read(JSON.stringify(session));
    const [compaction] = index.compactions;
    expect(compaction).toMatchObject({ scope: "listed" });
    expect(compaction?.gone.messages.map((message) => message.index)).toEqual([0]);
  });

  it("a child session is a sub-agent's", async () => {
    const index = await read(
      JSON.stringify({ info: { id: "ses_2", parentID: "ses_1" }, messages: [{ info: { role: "user" }, parts: [] }] }),
    );
    expect(index.threads[0]?.kind).toBe("subagent");
  });

  it("a truncated output is persisted, with its path", async () => {
    const session = JSON.parse(OPENCODE);
    session.messages[1].parts[2].state = {
      status: "completed",
      input: {},
      output:
        "head\n...900 lines truncated...\n\nThe tool call succeeded but the output was truncated. Full output saved to: /d/tool-output/tool_x\nUse Grep to search it.",
      attachments: [{ mime: "image/png", url: "data:" }, { mime: "text/plain" }],
    };
    const index = await read(JSON.stringify(session));
    expect(index.results[0]).toMatchObject({
      state: "persisted",
      images: 1,
      persisted: { path: "/d/tool-output/tool_x" },
    });
  });

  it("one file of the storage tree shows what it has and says what to open", async () => {
    const index = await read(OPENCODE_PART);
    expect(index.results.map(brief)).toEqual([
      [undefined, undefined, "bash", "call_9", "inline", "paired", [...LONG].length],
    ]);
    expect(codes(index)).toEqual(["part-of-store"]);
    expect(index.problems[0]?.message).toContain("storage/session");
    const files = [
      { id: "ses_1", projectID: "p", directory: "/w", title: "T", time: { created: 1 } },
      { id: "p", worktree: "/w", time: { created: 1 } },
      { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1 } },
      { id: "part_1", type: "text", text: "hi" },
    ];
    for (const file of files) {
      const found = await read(JSON.stringify(file, null, 2));
      expect(found.header?.format).toBe("opencode-storage");
      expect(codes(found)).toEqual(["part-of-store"]);
    }
  });
});

describe("what was undone in opencode and is not yet gone", () => {
  const sizes = (index: TranscriptIndex) =>
    index.compactions
      .filter(({ what }) => what === "rewind")
      .map(({ gone }) => [gone.messages.map(({ role }) => role), gone.results]);
  const undone = (content: string, revert: unknown, last: boolean): string => {
    const { info, messages } = JSON.parse(content);
    const told = { ...info, revert };
    return JSON.stringify(last ? { messages, info: told } : { info: told, messages });
  };

  it.each([false, true])("leaves the context, the session's facts standing last: %s", async (last) => {
    // Nothing before the summary is in context any more.
    expect(sizes(await read(undone(OPENCODE, { messageID: "msg_4" }, last)))).toEqual([[["assistant"], []]]);
    expect(sizes(await read(undone(OPENCODE, { messageID: "msg_1" }, last)))).toEqual([]);
    const plain = JSON.parse(OPENCODE);
    const open = JSON.stringify({ ...plain, messages: plain.messages.slice(0, 2) });
    expect(sizes(await read(undone(open, { messageID: "msg_2" }, last)))).toEqual([[["assistant"], [0, 1]]]);
    // From a part of it on: what stays of that message is not told apart.
    expect(sizes(await read(undone(open, { messageID: "msg_1", partID: "prt_1" }, last)))).toEqual([
      [["assistant"], [0, 1]],
    ]);
    expect(sizes(await read(undone(open, { messageID: "gone" }, last)))).toEqual([]);
    expect(sizes(await read(undone(open, "x", last)))).toEqual([]);
  });

  it("in version 2 as well", async () => {
    const plain = JSON.parse(OPENCODE_TWO);
    const from = plain.messages.findIndex(({ type }: { type: string }) => type === "user");
    const rest = plain.messages.slice(0, from + 2);
    const index = await read(
      undone(JSON.stringify({ ...plain, messages: rest }), { messageID: rest.at(from).id }, false),
    );
    const behind = index.messages.filter(({ role }) => role !== "system");
    expect(sizes(index)).toEqual([[behind.map(({ role }) => role), [0, 1]]]);
    expect(behind.length).toBeGreaterThan(0);
  });
});

describe("exports of opencode 2", () => {
  const usage = (input: number) => ({ input, cacheRead: 300, cacheWrite: 40, output: 25 });

  it("each message is one record; an answer is a call and holds its results", async () => {
    const index = await read(OPENCODE_TWO);
    expect(index.header).toMatchObject({ sessionId: "ses_2", agent: "opencode", unit: "utf16", model: "m-2" });
    expect(index.problems).toEqual([]);
    expect(index.messages.map(({ role, size, images, turn }) => [role, size.utf16, images, turn])).toEqual([
      ["system", 16, 0, undefined],
      ["user", LONG.length, 1, 1],
      ["assistant", 8, 0, 1],
      ["user", 8, 0, 2],
      ["user", 5, 0, 2],
      ["user", 15, 0, 2],
      ["user", 5, 0, 3],
      ["user", 6, 0, 3],
      ["assistant", 5, 0, 3],
    ]);
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-2", usage(100)],
      [2, 2, "m-2", usage(7)],
      [3, 3, "m-2", undefined],
    ]);
    expect(index.results.map(brief)).toEqual([
      [1, 1, "bash", "call_21", "inline", "paired", [...LONG].length],
      [1, 1, "bash", "call_22", "inline", "paired", 12],
      [1, 1, "bash", "call_23", "missing", "paired", 0],
    ]);
    expect(index.results[0]?.images).toBe(1);
    expect(index.results[1]?.isError).toBe(true);
    expect(await bodyText(OPENCODE_TWO, index.results[0]?.body)).toBe(LONG);
    expect(await bodyText(OPENCODE_TWO, index.results[1]?.body)).toBe("no such file");
  });

  it("from a completed compaction on, nothing before it is in context", async () => {
    const index = await read(OPENCODE_TWO);
    expect(index.compactions).toMatchObject([{ what: "summary", trigger: "auto", scope: "all", atMessage: 5 }]);
    expect(index.compactions[0]?.gone.messages.map(({ role }) => role)).toEqual(["system"]);
    const summary = new Summary();
    for await (const batch of readTranscript(memorySource(OPENCODE_TWO), { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) {
      summary.add(batch);
    }
    expect(summary.totals()).toMatchObject({ chars: "Summary so far.go onfasterDone.".length, measuredTokens: null });
  });

  it("one that runs or failed took nothing out; what it cost is a call all the same", async () => {
    const compaction = (more: object) => ({ ...OPENCODE_TWO_MESSAGES[7], ...more });
    const messages = [
      compaction({ id: "msg_0197f000000000000000000020", status: "failed", error: { message: "no" } }),
      compaction({ id: "msg_0197f000000000000000000021", status: "running", tokens: undefined }),
    ];
    const index = await read(JSON.stringify({ info: { id: "ses_2" }, messages }));
    expect(index.compactions).toEqual([]);
    expect(index.calls.map(briefCall)).toEqual([[1, undefined, "m-2", usage(7)]]);
  });

  it("earlier releases name no status, keep what a provider ran in `result`, and structured values apart", async () => {
    const tool = (id: string, more: object, state: object) => ({ type: "tool", id, name: "search", ...more, state });
    const completed = { status: "completed", input: {}, content: [] };
    const messages = [
      {
        id: "msg_1",
        type: "assistant",
        time: {},
        content: [
          tool("a", { provider: { executed: true } }, { ...completed, result: [{ type: "text", text: "found" }] }),
          tool("b", {}, { ...completed, structured: { n: 1 } }),
        ],
      },
      { id: "msg_2", type: "compaction", time: {}, reason: "manual", summary: "s", recent: "r" },
    ];
    const index = await read(JSON.stringify({ info: { id: "ses_2" }, messages }));
    expect(index.results.map(({ size }) => size.utf16)).toEqual([5, 7]);
    expect(index.compactions).toMatchObject([{ trigger: "manual" }]);
  });

  it("kinds that are not known are named, as are files whose text is stored packed", async () => {
    const messages = [
      { id: "msg_1", type: "user", time: {}, text: "x", files: [{ mime: "text/plain", data: "eA==" }] },
      { id: "msg_2", type: "assistant", time: {}, content: [{ type: "video" }] },
    ];
    const both = [...messages, { id: "msg_3", type: "user", time: {}, text: "y" }];
    const index = await read(JSON.stringify({ info: { id: "ses_2" }, messages: both }));
    expect(index.problems.map(({ message }) => message).join()).toMatch(/2 content blocks .*file text\/plain, video/);
    const odd = JSON.stringify({ info: { id: "ses_2" }, messages: [...messages, { id: "msg_3", type: "poll" }] });
    expect((await read(odd, { format: "opencode-export" })).problems.map(({ message }) => message).join()).toContain(
      "message poll",
    );
  });
});
