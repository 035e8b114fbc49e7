import { describe, expect, it } from "vitest";
import { buildThread } from "../../../extension/src/core/compaction/buildThread";
import { plainFacts } from "../../../extension/src/core/compaction/facts";
import { type MicroPolicy, POLICY_DEFAULTS } from "../../../extension/src/core/compaction/policy";
import { Simulation } from "../../../extension/src/core/compaction/simulate";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { countTokensApproximately } from "../../oracle/approximately";

interface Step {
  readonly result: string;
  readonly trusted?: boolean;
}

/** A tinyagents conversation: user, then per step one call and its result, then an answer. */
function conversation(steps: readonly Step[]): unknown[] {
  const messages: unknown[] = [{ user: { content: [{ text: "go" }] } }];
  for (const [i, step] of steps.entries()) {
    messages.push({
      assistant: { content: [{ text: "ok" }], tool_calls: [{ id: `c${i}`, name: "run", arguments: { n: i } }] },
    });
    messages.push({
      tool: { tool_call_id: `c${i}`, trusted_verbatim: step.trusted === true, content: [{ text: step.result }] },
    });
  }
  messages.push({ assistant: { content: [{ text: "done" }], tool_calls: [] } });
  return messages;
}

async function simulate(messages: readonly unknown[], policy: Partial<MicroPolicy>): Promise<string[]> {
  const bytes = new TextEncoder().encode(JSON.stringify({ messages }));
  const source = {
    path: "run.json",
    bytes: bytes.length,
    read: (start: number, end: number) => Promise.resolve(bytes.subarray(start, end)),
  };
  const options = { format: "tinyagents-messages" as const };
  const index = await collect(readTranscript(source, { utf8: nodeUtf8 }, options, NEVER_CANCELLED));
  const thread = buildThread(index, index.threads[0]?.id ?? "");
  if (thread === undefined) throw new Error("no thread");
  const simulation = new Simulation(thread, plainFacts(thread));
  const policies = [{ ...POLICY_DEFAULTS.micro, placeholder: "[gone]", ...policy }];
  const perCall: string[] = [];
  for (let call = 0; call < thread.calls.count; call++) {
    const results = simulation.requestAt(policies, call).filter(({ item }) => (thread.items.result[item] ?? -1) >= 0);
    perCall.push(results.map(({ replacement }) => (replacement === undefined ? "r" : "-")).join(""));
  }
  return perCall;
}

/** Four results; the requests hold 0 to 4 of them. */
const FOUR: readonly Step[] = ["a", "b", "c", "d"].map((letter) => ({ result: letter.repeat(40) }));

/** Requests after the middleware: `r` = whole, `-` = placeholder. Derived from the description of the middleware. */
const CASES: readonly (readonly [string, Partial<MicroPolicy>, readonly Step[], readonly string[]])[] = [
  ["count alone", { keepRecent: 2, tokenBudget: null }, FOUR, ["", "r", "rr", "-rr", "--rr"]],
  ["a budget of 0 is no gate", { keepRecent: 2, tokenBudget: 0 }, FOUR, ["", "r", "rr", "-rr", "--rr"]],
  ["keep none", { keepRecent: 0, tokenBudget: null }, FOUR, ["", "-", "--", "---", "----"]],
  ["keep as many as there are", { keepRecent: 4, tokenBudget: null }, FOUR, ["", "r", "rr", "rrr", "rrrr"]],
  ["a budget never reached", { keepRecent: 1, tokenBudget: 10_000 }, FOUR, ["", "r", "rr", "rrr", "rrrr"]],
  ["a budget of 1", { keepRecent: 1, tokenBudget: 1 }, FOUR, ["", "r", "-r", "--r", "---r"]],
  [
    "trusted results stay and still count as results",
    { keepRecent: 1, tokenBudget: null },
    FOUR.map((step, i) => ({ ...step, trusted: i === 0 })),
    ["", "r", "rr", "r-r", "r--r"],
  ],
  [
    "a result that is the placeholder already",
    { keepRecent: 1, tokenBudget: null, placeholder: "[Old tool result content cleared]" },
    [{ result: "[Old tool result content cleared]" }, ...FOUR.slice(1)],
    ["", "r", "rr", "r-r", "r--r"],
  ],
  [
    "short results are blanked too",
    { keepRecent: 1, tokenBudget: null },
    [{ result: "" }, { result: "x" }, { result: "y" }],
    ["", "r", "-r", "--r"],
  ],
];

describe("micro-compaction", () => {
  for (const [name, policy, steps, expected] of CASES) {
    it(name, async () => {
      expect(await simulate(conversation(steps), policy)).toEqual(expected);
    });
  }

  it("the gate is judged on the request before anything is blanked, so it does not swing back", async () => {
    const messages = conversation(FOUR);
    // What the fourth request weighs: everything before the fourth call.
    const before = countTokensApproximately(JSON.stringify(messages.slice(0, 7)));
    expect(before).toBe(
      // go + user; per step: ok + assistant + calls of 46 characters; 40 + id + tool
      Math.ceil(6 / 4) + 3 + 3 * (Math.ceil((2 + 9 + 46) / 4) + 3) + 3 * (Math.ceil((40 + 2 + 4) / 4) + 3),
    );
    const at = await simulate(messages, { keepRecent: 1, tokenBudget: before ?? 0 });
    expect(at).toEqual(["", "r", "rr", "rrr", "---r"]);
    const below = await simulate(messages, { keepRecent: 1, tokenBudget: (before ?? 0) - 1 });
    expect(below).toEqual(["", "r", "rr", "--r", "---r"]);
  });
});

describe("count_tokens_approximately", () => {
  const cases: readonly (readonly [string, unknown, number])[] = [
    ["nothing", [], 0],
    ["role and text", [{ system: { content: [{ text: "ab" }] } }], Math.ceil(8 / 4) + 3],
    ["code points, not units", [{ user: { content: [{ text: "😀😀" }] } }], Math.ceil(6 / 4) + 3],
    ["thinking", [{ assistant: { content: [{ thinking: { text: "abc", signature: "zzzz" } }] } }], 3 + 3],
    ["redacted thinking by its data", [{ assistant: { content: [{ redacted_thinking: { data: "abc" } }] } }], 3 + 3],
    ["an image", [{ user: { content: [{ image: { url: "data:,", mime_type: "image/png" } }] } }], 4100 / 4 + 3],
    ["JSON as compact text", [{ user: { content: [{ json: { a: [1, 2] } }] } }], Math.ceil((4 + 11) / 4) + 3],
    ["a call id", [{ tool: { tool_call_id: "call_1", content: [{ text: "abc" }] } }], Math.ceil((3 + 4 + 6) / 4) + 3],
    ["no calls", [{ assistant: { content: [], tool_calls: [] } }], Math.ceil(9 / 4) + 3],
    [
      "artefacts and usage cost nothing",
      [{ tool: { tool_call_id: "c", content: [], artifact: { big: "x".repeat(100) } } }],
      Math.ceil(5 / 4) + 3,
    ],
  ];
  for (const [name, messages, tokens] of cases) {
    it(name, () => {
      expect(countTokensApproximately(JSON.stringify(messages))).toBe(tokens);
    });
  }

  it("anything else has no count", () => {
    expect(countTokensApproximately("{}")).toBeUndefined();
    expect(countTokensApproximately('[{"role": "user"}]')).toBeUndefined();
  });
});
