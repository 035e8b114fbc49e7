import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FormatId } from "../../../extension/src/core/model/transcript";
import { CAPABILITIES, type Capabilities } from "../../../extension/src/core/transcript/capabilities";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { FORMATS } from "../../../extension/src/core/transcript/readers/index";
import { corpusPath, hasCorpus, repoPath } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { copilotRequest, SAMPLES } from "./samples";
import { jsonLines, read } from "./support";

type Told = Omit<Capabilities, "name" | "note">;
const KEYS = [
  "usage",
  "cache",
  "threads",
  "times",
  "compaction",
  "turns",
  "results",
] as const satisfies readonly (keyof Told)[];

/** What one transcript shows that its format can tell. */
function shown(index: TranscriptIndex): Record<keyof Told, boolean> {
  const { calls } = index;
  return {
    usage: calls.some((call) => call.usage !== undefined),
    cache: calls.some((call) => call.usage?.cacheRead !== undefined),
    threads: index.threads.length > 1 || index.threads.some((thread) => thread.kind !== "main"),
    times: calls.some((call) => call.at !== undefined),
    compaction: index.compactions.length > 0,
    turns: index.messages.some((message) => message.turn !== undefined),
    results: index.results.some((result) => result.state !== "missing"),
  };
}

const files = [
  ...filesBelow("claude-code", ".jsonl"),
  ...filesBelow("codex", ".jsonl"),
  ...filesBelow("gemini-cli", ".json"),
  ...filesBelow("gemini-cli", ".jsonl"),
  ...filesBelow("openai-responses", ".json"),
  ...filesBelow("openai-chat", ".json"),
  ...filesBelow("anthropic-messages", ".json"),
  ...filesBelow("opencode", ".json"),
  ...filesBelow("vscode-copilot-chat", ".jsonl"),
  ...filesBelow("copilot-cli", ".jsonl"),
  ...filesBelow("langchain", ".json"),
  ...filesBelow("swe-agent", ".traj"),
  ...filesBelow("mini-swe-agent", ".json"),
  ...filesBelow("openhands", ".json"),
  ...filesBelow("openhands", ".jsonl"),
  ...filesBelow("hermes", ".jsonl").filter((file) => !/manifest|markdown/.test(file)),
  ...filesBelow("hermes", ".json").filter((file) => file.includes("session_")),
];

const compacted = { role: "user", content: "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted" };
const summarised = copilotRequest();
const eventOf = (type: string, data: unknown) => ({ type, data, id: "e", timestamp: "2026-01-01T00:00:00Z" });

/** What neither corpus nor samples happen to hold. */
const more = [
  JSON.stringify({ model: "m", system: "s", messages: [{ role: "user", content: "hi" }] }),
  JSON.stringify({ session_id: "s", platform: "cli", messages: [compacted] }),
  jsonLines({ role: "session_meta", model: "m" }, compacted),
  JSON.stringify({
    session_id: "s",
    timestamp: "t",
    reason: "preflight",
    request: { body: { messages: [compacted] } },
  }),
  JSON.stringify({
    messages: [
      { id: "1", role: "user", kind: "text", text: "hi", at: 1 },
      {
        id: "2",
        role: "bot",
        kind: "activity",
        text: `${"x".repeat(16_000)}\n\n[Large tool result: showing the first 16000 characters. The remaining redacted result is temporarily saved. If a missing detail is needed, call tool_result_read with id "r-00000000-0000-0000-0000-000000000000" and offset 16000. Saved results expire after one hour, on app restart, or under cache pressure. Do not repeat an action just to retrieve its output.]`,
        tool: { name: "read", ok: true },
        at: 2,
      },
    ],
  }),
  JSON.stringify({
    version: 3,
    responderUsername: "GitHub Copilot",
    requests: [
      {
        ...summarised,
        result: { metadata: { ...summarised.result.metadata, summary: { toolCallRoundId: "r-1", text: "Short." } } },
      },
    ],
  }),
  jsonLines(
    eventOf("session.start", { sessionId: "s" }),
    eventOf("assistant.message", { messageId: "m", content: "x", toolRequests: [], parentToolCallId: "t" }),
  ),
  jsonLines({
    offset: 0,
    created_at_ms: 1,
    value: {
      run_id: "r",
      event: {
        kind: "model_completed",
        call_id: "c",
        usage: { input_tokens: 9, output_tokens: 1, cache_read_tokens: 4 },
      },
    },
  }),
];

/** Databases are read and tested elsewhere. */
const textFormats = (Object.keys(CAPABILITIES) as FormatId[]).filter((format) => !format.endsWith("-db"));

async function allShown(): Promise<Map<FormatId, Record<keyof Told, boolean>>> {
  const found = new Map<FormatId, Record<keyof Told, boolean>>();
  const add = (index: TranscriptIndex): void => {
    if (index.header === undefined) return;
    const now = shown(index);
    const before = found.get(index.header.format);
    for (const key of KEYS) now[key] ||= before?.[key] ?? false;
    found.set(index.header.format, now);
  };
  for (const content of [...SAMPLES.map((sample) => sample[2]), ...more]) add(await read(content));
  for (const file of files) add(await read(readFileSync(corpusPath(file)), {}, file));
  return found;
}

describe("what each format can tell", () => {
  it("every format has a row, and every row a reader", () => {
    expect(textFormats.sort()).toEqual((Object.keys(FORMATS) as FormatId[]).sort());
    for (const { name, note } of Object.values(CAPABILITIES)) {
      expect(name).not.toBe("");
      expect(note.length).toBeLessThanOrEqual(80);
    }
  });

  it("whatever is only partly told is explained", () => {
    for (const row of Object.values(CAPABILITIES)) {
      if (KEYS.some((key) => row[key] === "partly")) expect(row.note, row.name).not.toBe("");
    }
  });

  it.skipIf(!hasCorpus)("agrees with what the readers tell of the corpus and of the samples", async () => {
    const found = await allShown();
    const wrong: string[] = [];
    for (const format of textFormats) {
      const now = found.get(format);
      for (const key of KEYS) {
        const stated = CAPABILITIES[format][key];
        if (now === undefined || (stated === "no" ? now[key] : stated === "yes" && !now[key])) {
          wrong.push(`${format}.${key}: ${stated}, shown: ${now?.[key]}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** The README's table. */
function table(): string {
  const word = { yes: "yes", partly: "partly", no: "–" } as const;
  const heads = ["format", "tokens per call", "cache", "threads", "times", "compactions", "turns", "result texts", ""];
  const rows = Object.values(CAPABILITIES).map((row) => [row.name, ...KEYS.map((key) => word[row[key]]), row.note]);
  const lines = [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n");
}

describe("README", () => {
  it("has the same table", () => {
    const readme = readFileSync(repoPath("README.md"), "utf8");
    const [, found] = /<!-- formats -->\n([\s\S]*?)\n<!-- \/formats -->/.exec(readme) ?? [];
    expect(found).toBe(table());
  });
});
