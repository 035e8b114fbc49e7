import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { bodyText, memorySource } from "./support";

const utf8 = nodeUtf8;

const read = async (file: string) => {
  const source = memorySource(readFileSync(corpusPath(file)), corpusPath(file));
  return { source, index: await collect(readTranscript(source, { utf8 }, {}, NEVER_CANCELLED)) };
};
const opened = new Map<string, ReturnType<typeof read>>();

/** Each file is read once for all tests. */
function open(file: string) {
  const known = opened.get(file) ?? read(file);
  opened.set(file, known);
  return known;
}

/** Two objects glued together, as far as the corpus has them. */
const GLUE = /(?<=\})(?=\{"(?:parentUuid|type)")/;
/** Keys below which copies stand (a lineage's segments, progress records), and one that is misspelt on purpose. */
const NOT_MESSAGES = new Set(["segments", "data", "contenst"]);

/** Every tool result content of a text, found the plainest way: parse every line (or glued half of one), walk everything. */
function plainResults(text: string): { id: string; text: string }[] {
  const found = new Map<string, { id: string; text: string }>();
  const values: unknown[] = [];
  const attempt = (json: string) => {
    try {
      values.push(JSON.parse(json));
      return true;
    } catch {
      return false;
    }
  };
  if (!attempt(text)) {
    for (const line of text.replace(/^\ufeff/, "").split("\n")) {
      if (attempt(line)) continue;
      for (const half of line.split(GLUE)) attempt(half);
    }
  }
  const flat = (content: unknown): string =>
    Array.isArray(content)
      ? content.map((part) => (part?.type === "text" ? part.text : "")).join("")
      : String(content ?? "");
  const walk = (value: unknown, key: string): void => {
    if (typeof value !== "object" || value === null) return;
    const item = value as Record<string, unknown>;
    const add = (id: unknown, name: string) => found.set(name, { id: String(id), text: flat(item["content"]) });
    if (item["type"] === "tool_result") add(item["tool_use_id"], `${key}/${item["tool_use_id"]}`);
    else if (item["role"] === "tool") add(item["tool_call_id"], `${key}/${found.size}`);
    else for (const [name, inner] of Object.entries(item)) if (!NOT_MESSAGES.has(name)) walk(inner, key);
  };
  values.forEach((value, i) => {
    const uuid = typeof value === "object" && value !== null && "uuid" in value ? value.uuid : i;
    walk(value, String(uuid));
  });
  return [...found.values()];
}

const claudeFiles = [
  ...filesBelow("claude-code", ".jsonl"),
  ...filesBelow("derived", ".jsonl").filter((file) => file.includes("claude-code")),
];
const hermesFiles = [
  ...filesBelow("hermes/home/sessions", ".jsonl"),
  ...filesBelow("hermes/home-2026-04/sessions", ".jsonl"),
  ...filesBelow("hermes/home/sessions", ".json").filter((file) => file.includes("session_")),
  ...filesBelow("hermes/home-2026-04/sessions", ".json").filter((file) => file.includes("session_")),
  "hermes/export.jsonl",
  "hermes/export-lineage.jsonl",
];
const chatFiles = filesBelow("openai-chat", ".json");
const anthropicFiles = filesBelow("anthropic-messages", ".json");

describe.skipIf(!hasCorpus)("every file of a format that is read", () => {
  const formats: [string, string][] = [
    ...claudeFiles.map((file): [string, string] => [file, "claude-code"]),
    ...chatFiles.map((file): [string, string] => [file, "openai-chat"]),
    ...anthropicFiles.map((file): [string, string] => [file, "anthropic-messages"]),
    ...hermesFiles.map((file): [string, string] => [
      file,
      file.includes("export") ? "hermes-export" : file.endsWith(".json") ? "hermes-snapshot" : "hermes-gateway",
    ]),
    ["hermes/export-user-prompts.jsonl", "hermes-export"],
  ];

  it("is there", () => {
    expect(claudeFiles.length).toBeGreaterThan(35);
    expect(formats.length).toBeGreaterThan(60);
  });

  it.each(formats)("%s opens as %s, and every body is what was measured", async (file, format) => {
    const { source, index } = await open(file);
    expect(index.header?.format).toBe(format);
    expect(index.problems.filter((problem) => problem.severity === "error")).toEqual([]);
    expect(index.messages.length).toBeGreaterThan(0);
    for (const result of index.results) {
      if (result.body === undefined) continue;
      const text = await bodyText(source, result.body);
      expect(result.size).toEqual({ codePoints: [...text].length, utf16: text.length, bytes: Buffer.byteLength(text) });
    }
    const bytes = readFileSync(corpusPath(file));
    let line = 1;
    let counted = 0;
    for (const message of index.messages) {
      const { start, end } = message.place;
      for (; counted < start; counted++) if (bytes[counted] === 0x0a) line++;
      expect(message.place.line).toBe(line);
      expect(() => JSON.parse(bytes.toString("utf8", start, end))).not.toThrow();
    }
  });

  it.each([...claudeFiles, ...hermesFiles, ...chatFiles])(
    "%s: the results are those that a plain walk finds",
    async (file) => {
      const { source, index } = await open(file);
      const plain = plainResults(readFileSync(corpusPath(file), "utf8"));
      const ours = await Promise.all(
        index.results
          .filter((result) => result.body !== undefined)
          .map(async (result) => ({ id: result.callId, text: await bodyText(source, result.body) })),
      );
      const key = (each: { id: string | undefined; text: string }) => `${each.id}: ${each.text}`;
      expect(ours.map(key).sort()).toEqual(plain.map(key).sort());
    },
  );
});

/**
 * Persisted results against a search for the markers. A marker that another result only quotes (a `read_file` of the
 * documentation, a grep) is text, not a notice; the files where that happens are named here with their number.
 */
const QUOTED: Record<string, number> = {
  // One terminal result quotes the tag in a line of documentation.
  "hermes/home/sessions/session_20260908_090003_1c40de.json": 1,
  "hermes/export.jsonl": 1,
};

describe.skipIf(!hasCorpus)("persisted results against a search for the markers", () => {
  const MARKERS = /<persisted-output>|\[Large tool response: |\[Truncated: tool response was |Full output saved to: /;

  it.each([...claudeFiles, ...hermesFiles])("%s", async (file) => {
    const { source, index } = await open(file);
    const marked = plainResults(readFileSync(corpusPath(file), "utf8")).filter((each) => MARKERS.test(each.text));
    const noticed = index.results.filter((result) => result.state === "persisted" || result.state === "truncated");
    expect(marked.length - noticed.length).toBe(QUOTED[file] ?? 0);
    for (const result of noticed) {
      expect(await bodyText(source, result.body)).toMatch(MARKERS);
      if (result.state === "persisted") {
        expect(result.persisted?.path).toBeTruthy();
        expect(result.persisted?.statedChars).toBeGreaterThan(0);
      }
    }
  });
});

describe.skipIf(!hasCorpus)("Claude Code usage", () => {
  it("is counted once per message, with the largest of each figure", async () => {
    for (const file of claudeFiles.filter((each) => each.includes("checkpoints/joined-lines-2.0.76"))) {
      const { index } = await open(file);
      const wanted = new Map<string, Record<string, number>>();
      for (const line of readFileSync(corpusPath(file), "utf8")
        .split("\n")
        .flatMap((each) => each.split(GLUE))) {
        if (line === "") continue;
        const record = JSON.parse(line);
        if (record.type !== "assistant" || record.message.model === "<synthetic>") continue;
        const key = `${record.message.id} ${record.requestId}`;
        const usage = wanted.get(key) ?? {};
        for (const [name, value] of Object.entries(record.message.usage)) {
          if (typeof value === "number") usage[name] = Math.max(usage[name] ?? 0, value);
        }
        wanted.set(key, usage);
      }
      expect(index.calls).toHaveLength(wanted.size);
      const sum = (values: (number | undefined)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
      const all = [...wanted.values()];
      expect(sum(index.calls.map((call) => call.usage?.cacheRead))).toBe(
        sum(all.map((usage) => usage["cache_read_input_tokens"])),
      );
      expect(sum(index.calls.map((call) => call.usage?.output))).toBe(sum(all.map((usage) => usage["output_tokens"])));
      expect(sum(index.calls.map((call) => call.usage?.input))).toBe(sum(all.map((usage) => usage["input_tokens"])));
    }
  });

  it("a damaged copy reads like its source", async () => {
    const strip = ({ index }: Awaited<ReturnType<typeof open>>) =>
      index.results.map(({ place, body, fullText, ...rest }) => rest);
    expect(strip(await open("derived/claude-code-bom-crlf-nul.jsonl"))).toEqual(
      strip(await open("claude-code/small/short.jsonl")),
    );
    const summary = async (file: string) => {
      const totals = new Summary();
      const source = memorySource(readFileSync(corpusPath(file)), file);
      for await (const batch of readTranscript(source, { utf8 }, {}, NEVER_CANCELLED)) totals.add(batch);
      return totals.totals();
    };
    expect(await summary("derived/claude-code-reordered-duplicated.jsonl")).toEqual(
      await summary("claude-code/small/tool_heavy.jsonl"),
    );
    const { index } = await open("derived/claude-code-truncated-in-marker.jsonl");
    expect(index.problems.map((problem) => problem.code)).toEqual(["torn-last-line"]);
    expect(index.results.at(-1)?.state).toBe("missing");
  });
});

describe.skipIf(!hasCorpus)("Hermes", () => {
  it("an export holds the rows that get_messages returns", async () => {
    const reads = JSON.parse(readFileSync(corpusPath("hermes/state-reads.json"), "utf8")) as {
      sessions: { id: string; live: number[]; conversation: [string, number][] }[];
    };
    const { index } = await open("hermes/export.jsonl");
    expect(index.threads.map((thread) => thread.id)).toEqual(reads.sessions.map((session) => session.id));
    for (const session of reads.sessions) {
      const messages = index.messages.filter((message) => message.threadId === session.id && message.index >= 0);
      // A `session_meta` row is bookkeeping, not a message.
      const wanted = session.conversation.filter(([role]) => role !== "session_meta");
      expect(
        messages.map((message) => message.role),
        session.id,
      ).toEqual(wanted.map(([role]) => role));
    }
  });

  it("shows what its README lists for the session with persisted results", async () => {
    const { index } = await open("hermes/home/sessions/session_20260908_090003_1c40de.json");
    const count = (state: string) => index.results.filter((result) => result.state === state).length;
    // Terminal, MCP, web page, emoji, two of the batch over the turn budget, a diff and a page; one failed save.
    expect([count("persisted"), count("truncated"), count("inline"), count("missing")]).toEqual([8, 1, 12, 0]);
    const emoji = index.results.find((result) => result.callId === "call_9a91fa790087");
    expect(emoji?.persisted?.statedChars).toBe(30001);
    const exact = index.results.find((result) => result.callId === "call_b89ed4940086");
    expect(exact).toMatchObject({ state: "inline", size: { codePoints: 30000 } });
    expect(index.results.filter((result) => result.tool === "read_file" && result.state === "persisted")).toHaveLength(
      2,
    );
    const quoting = index.results.find((result) => result.callId === "call_d2dc76e90098");
    expect(quoting?.state).toBe("inline");
    // The rows of the same session keep the full text of the batch.
    const exported = await open("hermes/export.jsonl");
    const rows = exported.index.results.filter((result) => result.threadId === "20260908_090003_1c40de");
    expect(rows.filter((result) => result.tool === "read_file" && result.state === "persisted")).toHaveLength(0);
  });

  it("finds the result without a call and the call without a result", async () => {
    const { index } = await open("hermes/export.jsonl");
    const odd = index.results.filter((result) => result.threadId === "20260910_050000_0badcafe");
    expect(odd.map(({ state, orphan, tool }) => [state, orphan, tool])).toEqual([
      ["inline", true, "terminal"],
      ["missing", false, odd[1]?.tool],
    ]);
    expect(index.threads.filter((thread) => thread.kind === "subagent").map((thread) => thread.id)).toEqual([
      "20260909_150007_093e44",
    ]);
  });

  it("reads the April sessions alike as snapshot and as gateway file", async () => {
    for (const id of ["20260406_091200_4e3bbf37", "20260410_203305_f8aa453d"]) {
      const view = ({ index }: Awaited<ReturnType<typeof open>>) =>
        index.results.map(({ place, body, ...rest }) => rest);
      const gateway = await open(`hermes/home-2026-04/sessions/${id}.jsonl`);
      const snapshot = await open(`hermes/home-2026-04/sessions/session_${id}.json`);
      expect(view(gateway)).toEqual(view(snapshot));
      const stated = JSON.parse(readFileSync(corpusPath(`hermes/home-2026-04/sessions/session_${id}.json`), "utf8"));
      expect(snapshot.index.messages.filter((message) => message.index >= 0)).toHaveLength(stated.message_count);
    }
  });
});
