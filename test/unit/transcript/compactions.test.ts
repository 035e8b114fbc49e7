import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { answer, claude, jsonLines, memorySource, prompt, read, toolResult, use } from "./support";

async function totals(content: string) {
  const summary = new Summary();
  for await (const batch of readTranscript(memorySource(content), { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) {
    summary.add(batch);
  }
  return summary.totals();
}

const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 3 };
const session = [
  prompt("hello"),
  answer("m1", use("t1"), usage),
  toolResult("t1", "x".repeat(1000)),
  answer("m2", use("t2"), usage),
  toolResult("t2", "y".repeat(50)),
];

describe("Claude Code", () => {
  it("a compact boundary empties the context, with its trigger and tokens", async () => {
    const lines = jsonLines(
      ...session,
      claude("system", {
        subtype: "compact_boundary",
        content: "Conversation compacted",
        compactMetadata: { trigger: "auto", preTokens: 155_250 },
      }),
      prompt("This session is being continued", { isCompactSummary: true }),
    );
    const index = await read(lines);
    expect(index.compactions).toMatchObject([
      {
        what: "summary",
        scope: "all",
        trigger: "auto",
        tokensBefore: 155_250,
        tokensAfter: undefined,
        atMessage: 5,
        threadId: "s-1",
      },
    ]);
    expect(index.compactions[0]?.place.line).toBe(6);
    expect(await totals(lines)).toMatchObject({ chars: 31, messages: 6, results: 2, measuredTokens: null });
    expect(await totals(lines)).toMatchObject({ resultsLeft: 2, charsLeft: 1050 });
  });

  it("a microcompact boundary clears the results that it names, and only those", async () => {
    const lines = jsonLines(
      ...session,
      claude("system", {
        subtype: "microcompact_boundary",
        microcompactMetadata: {
          trigger: "auto",
          preTokens: 71_221,
          tokensSaved: 34_078,
          compactedToolIds: ["t1", "gone"],
        },
      }),
    );
    const index = await read(lines);
    expect(index.compactions).toMatchObject([
      {
        what: "micro",
        scope: "listed",
        trigger: "auto",
        tokensBefore: undefined,
        tokensFreed: 34_078,
        clearedCallIds: ["t1", "gone"],
        gone: { messages: [], results: [0] },
      },
    ]);
    const before = await totals(jsonLines(...session));
    const after = await totals(lines);
    expect(before.measuredTokens).toBe(115);
    expect(after.measuredTokens).toBeNull();
    expect(before).toMatchObject({ results: 2, resultsLeft: 0, charsLeft: 0 });
    expect(after).toMatchObject({ results: 2, resultsLeft: 1, charsLeft: 1000 });
    expect(before.composition.inlineResults - after.composition.inlineResults).toBe(1000);
    expect({ ...after.composition, inlineResults: 0 }).toEqual({ ...before.composition, inlineResults: 0 });
  });

  it.skipIf(!hasCorpus)("the corpus: every boundary, where it stands", async () => {
    const of = async (file: string) => (await read(readFileSync(corpusPath("claude-code", file)))).compactions;
    const brief = (found: Awaited<ReturnType<typeof of>>) =>
      found.map((one) => [
        one.what,
        one.trigger,
        one.tokensBefore,
        one.tokensFreed,
        one.clearedCallIds.length,
        one.gone.results.length,
      ]);
    expect(brief(await of("checkpoints/micro-and-compact-2.1.14.jsonl"))).toEqual([
      // This copy begins after the calls that were cleared.
      ["micro", "auto", undefined, 21_091, 42, 0],
      ["summary", "auto", 155_068, undefined, 0, 0],
    ]);
    expect(brief(await of("microcompact-2.1.22/f28e368b-423a-4989-a7b9-33d64ce6da47.jsonl"))).toEqual([
      ["micro", "auto", undefined, 34_078, 6, 6],
    ]);
    expect(brief(await of("checkpoints/persist-and-micro-2.1.12.jsonl"))).toEqual([
      ["micro", "auto", undefined, 20_801, 11, 11],
    ]);
    expect((await of("checkpoints/two-compacts-2.1.14.jsonl")).map((one) => one.trigger)).toEqual(["manual", "manual"]);
  });
});

describe("other agents", () => {
  it("Anthropic: edits that the server applied, with what they freed; which results it does not say", async () => {
    const index = await read(
      JSON.stringify({
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [{ type: "text", text: "ok" }],
        usage,
        context_management: {
          applied_edits: [
            { type: "clear_tool_uses_20250919", cleared_tool_uses: 8, cleared_input_tokens: 50_000 },
            { type: "clear_thinking_20251015", cleared_thinking_turns: 3, cleared_input_tokens: 15_000 },
          ],
        },
      }),
    );
    expect(
      index.compactions.map(({ what, scope, trigger, tokensFreed, atMessage }) => [
        what,
        scope,
        trigger,
        tokensFreed,
        atMessage,
      ]),
    ).toEqual([
      ["clear", "unstated", "clear_tool_uses_20250919", 50_000, 0],
      ["clear", "unstated", "clear_thinking_20251015", 15_000, 0],
    ]);
    expect(index.calls).toHaveLength(1);
  });

  it.each([
    "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below",
    "[CONTEXT SUMMARY]: earlier",
    "[PRIOR CONTEXT — for reference only; not a new message]\nx",
  ])("Hermes: a summary tells that there was more before it: %s", async (text) => {
    const messages = [
      { role: "system", content: "s" },
      { role: "user", content: text },
      { role: "user", content: "[CONTEXT] is a word" },
    ];
    const index = await read(JSON.stringify({ session_id: "s", platform: "cli", messages }));
    expect(index.compactions).toMatchObject([
      { what: "summary", scope: "listed", atMessage: 1, gone: { messages: [], results: [] } },
    ]);
    // What it replaced is not in the file, so everything in the file is in context.
    expect((await totals(JSON.stringify({ session_id: "s", platform: "cli", messages }))).chars).toBe(
      1 + [...text].length + 19,
    );
  });

  it("Hermes: a row that is marked as a summary is one, whatever it says; chat messages of others are not", async () => {
    const message = { role: "assistant", content: "Earlier …", _compressed_summary: 1 };
    const index = await read(JSON.stringify({ session_id: "s", platform: "cli", messages: [message] }));
    expect(index.compactions).toHaveLength(1);
    const chat = await read(JSON.stringify({ messages: [{ role: "user", content: "[CONTEXT SUMMARY]: x" }] }));
    expect(chat.compactions).toEqual([]);
  });

  it("a compaction of one thread leaves the others alone", async () => {
    const other = { sessionId: "s-1", isSidechain: true, agentId: "a1" };
    const lines = jsonLines(
      ...session,
      prompt("sub", other),
      claude("system", { subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 1 }, ...other }),
    );
    const index = await read(lines);
    expect(index.compactions[0]?.threadId).toBe("a1");
    expect(await totals(lines)).toEqual({ ...(await totals(jsonLines(...session))), messages: 6 });
  });
});
