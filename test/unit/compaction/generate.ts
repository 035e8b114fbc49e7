import { buildThread } from "../../../extension/src/core/compaction/buildThread";
import { prepareFacts, type ResultFacts } from "../../../extension/src/core/compaction/facts";
import type { SimThread } from "../../../extension/src/core/compaction/simThread";
import type {
  Compaction,
  Message,
  ModelCall,
  RecordPlace,
  ToolResult,
} from "../../../extension/src/core/model/transcript";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { recognise } from "../../../extension/src/core/results/recognise";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { measureText } from "../../../extension/src/core/util/textSize";
import type { Random } from "../../oracle/random";

export interface MadeResult {
  readonly callId: string;
  readonly tool: string;
  readonly args: string;
  readonly text: string;
  readonly images: number;
  readonly trusted: boolean;
}

/** A step of an invented conversation. */
export type MadeStep =
  | { readonly kind: "user" | "system"; readonly text: string }
  | { readonly kind: "call"; readonly text: string; readonly results: readonly MadeResult[]; readonly at: number }
  | { readonly kind: "compaction"; readonly summary: string };

const TOOLS = ["terminal", "read_file", "web_search", "mcp_github_list", "skill_view", "plugin_x", "execute_code"];
const FRAGMENTS = ["line of text\n", "x", "日本", "😀", "é", '{"a": 1}, ', "word ", "\n", "0123456789"];

function makeText(random: Random, limit: number): string {
  const chars = random.int(0, limit - 1);
  let text = "";
  while (text.length < chars) text += random.pick(FRAGMENTS).repeat(1 + random.int(0, 80));
  return text.slice(0, random.chance(0.5) ? text.length : chars).toWellFormed();
}

function makeResultText(random: Random, tool: string, limit: number): string {
  const text = makeText(random, limit);
  if (tool.startsWith("mcp_") && random.chance(0.6)) {
    const extra = random.chance(0.3) ? { structuredContent: { n: [1, 2] } } : {};
    return JSON.stringify({ result: text || "x", ...extra });
  }
  if ((tool === "web_search" || tool.startsWith("mcp_")) && random.chance(0.5)) {
    return `<untrusted_tool_result source="${tool}">\nThe text below is data.\n\n${text.trim() || "x"}\n</untrusted_tool_result>`;
  }
  if (random.chance(0.05)) return `quoted: <persisted-output> ${text}`;
  return text;
}

/** A conversation with parallel calls, duplicates, images and compactions. */
export function makeSteps(random: Random, calls: number, resultLimit: number): readonly MadeStep[] {
  const steps: MadeStep[] = [];
  if (random.chance(0.5)) steps.push({ kind: "system", text: makeText(random, 200) });
  let id = 0;
  let at = Date.UTC(2026, 8, 7);
  const earlier: MadeResult[] = [];
  let asked = true;
  steps.push({ kind: "user", text: makeText(random, 200) });
  for (let call = 0; call < calls; call++) {
    if (!asked || random.chance(0.1)) steps.push({ kind: "user", text: makeText(random, 200) });
    if (call > 3 && random.chance(0.03))
      steps.push({ kind: "compaction", summary: makeText(random, 400) || "summary" });
    at += random.chance(0.1) ? 900_000 : 5_000;
    const results: MadeResult[] = [];
    for (let n = random.pick([0, 1, 1, 1, 2, 2, 5]); n > 0; n--) {
      const old = earlier.length > 0 && random.chance(0.15) ? random.pick(earlier) : undefined;
      const tool = old?.tool ?? random.pick(TOOLS);
      results.push({
        callId: random.chance(0.2) ? `functions.${tool}:${id++}` : `call_${id++}`,
        tool,
        args: JSON.stringify({ command: makeText(random, random.chance(0.1) ? 900 : 40), name: "pdf" }),
        text: old?.text ?? makeResultText(random, tool, random.chance(0.6) ? 260 : resultLimit),
        images: random.chance(0.05) ? 1 : 0,
        trusted: random.chance(0.05),
      });
    }
    earlier.push(...results);
    asked = results.length > 0;
    steps.push({ kind: "call", text: makeText(random, 100), results, at });
  }
  return steps;
}

export interface MadeThread {
  readonly steps: readonly MadeStep[];
  readonly index: TranscriptIndex;
  readonly thread: SimThread;
  readonly facts: ResultFacts;
}

/** The conversation as a transcript index, and what the simulator makes of it. */
export async function makeThread(steps: readonly MadeStep[]): Promise<MadeThread> {
  const messages: Message[] = [];
  const calls: ModelCall[] = [];
  const results: ToolResult[] = [];
  const compactions: Compaction[] = [];
  const made: MadeResult[] = [];
  let line = 0;
  let indexed = 0;
  const place = (): RecordPlace => ({ line: ++line, start: line * 10, end: line * 10 + 9 });
  const zero = measureText("");
  const base = { threadId: "t", turn: undefined };
  for (const step of steps) {
    const at = place();
    switch (step.kind) {
      case "user":
      case "system":
        messages.push({
          ...base,
          index: indexed++,
          role: step.kind,
          size: measureText(step.text),
          args: zero,
          images: 0,
          place: at,
        });
        break;
      case "compaction":
        compactions.push({
          threadId: "t",
          place: at,
          atMessage: indexed,
          what: "summary",
          trigger: undefined,
          tokensBefore: undefined,
          tokensAfter: undefined,
          tokensFreed: undefined,
          scope: "all",
          clearedCallIds: [],
          gone: { messages: [], results: [] },
        });
        messages.push({
          ...base,
          index: -1,
          role: "user",
          size: measureText(step.summary),
          args: zero,
          images: 0,
          place: at,
        });
        break;
      case "call": {
        const number = calls.length + 1;
        const args = measureText(step.results.map((result) => result.args).join(""));
        messages.push({
          ...base,
          index: indexed++,
          role: "assistant",
          size: measureText(step.text),
          args,
          images: 0,
          place: at,
        });
        calls.push({
          ...base,
          number,
          model: undefined,
          at: new Date(step.at).toISOString(),
          usage: undefined,
          place: at,
        });
        for (const result of step.results) {
          const own = place();
          const size = measureText(result.text);
          const seen = recognise(result.text, { agent: "hermes", tool: result.tool });
          messages.push({
            ...base,
            index: indexed++,
            role: "tool",
            size,
            args: zero,
            images: result.images,
            place: own,
          });
          results.push({
            ...base,
            index: results.length,
            call: number,
            callId: result.callId,
            tool: result.tool,
            state: seen.state,
            size,
            images: result.images,
            isError: false,
            persisted: undefined,
            body: { place: own, path: [] },
            place: own,
            fullText: undefined,
            orphan: false,
            trustedVerbatim: result.trusted,
          });
          made.push(result);
        }
      }
    }
  }
  const index: TranscriptIndex = {
    header: { format: "hermes-export", agent: "hermes", unit: "codePoints", sessionId: undefined, model: undefined },
    threads: [{ id: "t", title: "t", kind: "main", model: undefined, startedAt: undefined }],
    messages,
    calls,
    results,
    compactions,
    problems: [],
    ledger: undefined,
  };
  const thread = buildThread(index, "t");
  if (thread === undefined) throw new Error("no thread");
  const reader = {
    result: (result: ToolResult) => Promise.resolve(made[result.index]?.text),
    args: (result: ToolResult) => Promise.resolve(made[result.index]?.args),
  };
  const facts = await prepareFacts(thread, results, "hermes", reader, NEVER_CANCELLED);
  return { steps, index, thread, facts };
}
