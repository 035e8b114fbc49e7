import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { GEMINI, GEMINI_LOG, GEMINI_MESSAGES, LONG } from "./samples";
import { bodyText, brief, briefCall, briefMessage, codes, jsonLines, memorySource, read } from "./support";

const usage = { input: 600, cacheRead: 400, cacheWrite: undefined, output: 80 };

describe("Gemini CLI chats", () => {
  it("one record is call and result; notes of the program are no messages", async () => {
    const index = await read(GEMINI);
    expect(index.header).toMatchObject({ sessionId: "gs-1", agent: "gemini-cli", unit: "utf16", model: "gemini-3" });
    expect(index.messages.map((message) => [message.role, message.images, message.size.utf16])).toEqual([
      ["user", 1, LONG.length],
      ["assistant", 0, 10],
    ]);
    expect(index.calls.map(briefCall)).toEqual([[1, 1, "gemini-3", usage]]);
    expect(index.results.map(brief)).toEqual([[1, 1, "read_file", "read-1", "inline", "paired", [...LONG].length]]);
    expect(await bodyText(GEMINI, index.results[0]?.body)).toBe(LONG);
  });

  it("in the log the last record of an id wins and stands at its first place", async () => {
    const index = await read(GEMINI_LOG);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 7],
      [1, "assistant", 1, 10],
      [2, "user", 2, 11],
    ]);
    expect(index.calls.map(briefCall)).toEqual([[1, 1, "gemini-3", usage]]);
    expect(index.results.map(brief)).toEqual([[1, 1, "read_file", "read-1", "inline", "paired", [...LONG].length]]);
    expect(index.results[0]?.place.line).toBe(7);
  });

  it("totals count a grown message once", async () => {
    const summary = new Summary();
    for await (const batch of readTranscript(memorySource(GEMINI_LOG), { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) {
      summary.add(batch);
    }
    const args = JSON.stringify({ path: "a.txt" }).length;
    expect(summary.totals()).toMatchObject({ messages: 3, results: 1, calls: 1, measuredTokens: 1000 });
    expect(summary.totals().composition).toEqual({
      system: 0,
      user: 18,
      assistant: 10 + args,
      inlineResults: LONG.length,
      persistedPreviews: 0,
    });
  });

  it("$rewindTo takes back that message and all after it; an unknown id takes back everything", async () => {
    const rewound = await read(`${GEMINI_LOG}${jsonLines({ $rewindTo: "g-2" })}`);
    expect(rewound.compactions).toMatchObject([{ what: "rewind", scope: "listed", atMessage: 3 }]);
    expect(rewound.compactions[0]?.gone.messages.map((message) => message.index)).toEqual([1, 2]);
    expect(rewound.compactions[0]?.gone.results).toEqual([0]);
    const summary = new Summary();
    const source = memorySource(`${GEMINI_LOG}${jsonLines({ $rewindTo: "nobody" })}`);
    for await (const batch of readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) summary.add(batch);
    expect(summary.totals()).toMatchObject({ messages: 3, chars: 0, results: 1, measuredTokens: null });
  });

  it("$set.messages replaces the history", async () => {
    const kept = { id: "g-3", type: "user", content: "and quickly" };
    const summary = { id: "g-9", type: "user", content: "So far." };
    const index = await read(`${GEMINI_LOG}${jsonLines({ $set: { messages: [summary, kept] } })}`);
    expect(
      index.compactions.map((compaction) => [compaction.what, compaction.gone.messages.map((m) => m.index)]),
    ).toEqual([["summary", [0, 1]]]);
    expect(index.messages.map((message) => message.index)).toEqual([0, 1, 2, 3]);
  });

  it("zero tokens are unknown, a pending call is missing, a display text stands in, nothing at all is said", async () => {
    const tool = (id: string, rest: object) => ({ id, name: "t", args: {}, ...rest });
    const index = await read(
      jsonLines(
        { sessionId: "s", projectHash: "p" },
        {
          id: "1",
          type: "gemini",
          content: "",
          tokens: { input: 0, output: 0, cached: 0, thoughts: 0, total: 0 },
          toolCalls: [
            tool("a", { status: "executing" }),
            tool("b", { status: "success", resultDisplay: "shown" }),
            tool("c", { status: "success", resultDisplay: { fileDiff: "x" } }),
            tool("d", { status: "error", result: [{ functionResponse: { response: { error: "boom" } } }] }),
          ],
        },
      ),
    );
    expect(index.calls[0]?.usage).toBeUndefined();
    expect(index.results.map((result) => [result.callId, result.state, result.isError, result.size.utf16])).toEqual([
      ["b", "inline", false, 5],
      ["d", "inline", true, 4],
      ["a", "missing", false, 0],
    ]);
    expect(codes(index)).toEqual(["result-not-stored"]);
  });

  it("a chat that is cut off is recognised and read to the cut", async () => {
    const cut = GEMINI.slice(0, GEMINI.indexOf('"toolCalls"'));
    const index = await read(cut);
    expect(index.header?.format).toBe("gemini-cli");
    expect(codes(index)).toContain("cut-off");
    expect(index.messages).toHaveLength(1);
  });

  it("offloaded and masked outputs are persisted", async () => {
    const notice = `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /t/tool-outputs/x.txt\n${"a".repeat(8000)}\n\n... [5,000 characters omitted] ...\n\n${"b".repeat(32_000)}`;
    const messages = structuredClone(GEMINI_MESSAGES);
    const call = messages[2]?.toolCalls?.[0];
    if (call?.result?.[0] === undefined) throw new Error("the sample has a result");
    call.result[0].functionResponse.response.output = notice;
    const index = await read(JSON.stringify({ sessionId: "s", projectHash: "p", messages }));
    expect(index.results[0]).toMatchObject({
      state: "persisted",
      persisted: { path: "/t/tool-outputs/x.txt", statedChars: 45_000 },
    });
  });
});
