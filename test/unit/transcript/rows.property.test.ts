import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type FileSource,
  NEVER_CANCELLED,
  type PieceRange,
  type StartHelper,
  type Wasm,
} from "../../../extension/src/core/ports";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import { type ReadOptions, readTranscript } from "../../../extension/src/core/transcript/read";
import { ClaudeRows } from "../../../extension/src/core/transcript/readers/claudeRows";
import { callEvents, rowEvents } from "../../../extension/src/core/transcript/rows/rowEvents";
import { RowFold, type RowSink } from "../../../extension/src/core/transcript/rows/rowFold";
import { Skimmer } from "../../../extension/src/core/transcript/rows/skimmer";
import { UuidSet } from "../../../extension/src/core/transcript/rows/uuidSet";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { UsageByThread } from "../../../extension/src/core/transcript/usageByThread";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";
import { corpusPath } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { answer, claude, claudeBlock, memorySource, prompt, toolResult, use } from "./support";

/** Several processes may share this machine's processors. */
vi.setConfig({ testTimeout: 120_000 });

const SEED = { seed: 20260130, numRuns: Number(process.env["ROWS_RUNS"] ?? 200) };

afterEach(() => {
  vi.restoreAllMocks();
});

function rowSource(bytes: Uint8Array): FileSource {
  const data = Buffer.from(bytes);
  const fill = (into: Uint8Array, start: number): number => {
    const part = data.subarray(start, start + into.length);
    into.set(part);
    return part.length;
  };
  const take = (start: number, end: number): Uint8Array => Buffer.from(data.subarray(start, end));
  return { ...memorySource(data), blocking: () => ({ fill, take, close: () => {} }) };
}

async function events(
  bytes: Uint8Array,
  options: ReadOptions,
  wasm: Wasm | undefined,
  helper?: StartHelper,
): Promise<TranscriptEvent[]> {
  const all: TranscriptEvent[] = [];
  const ports = { utf8: nodeUtf8, wasm, helper };
  for await (const batch of readTranscript(rowSource(bytes), ports, options, NEVER_CANCELLED)) {
    all.push(...batch.filter(({ kind }) => kind !== "progress"));
  }
  return all;
}

/** The same through a sink, which gets rows. */
async function folded(
  bytes: Uint8Array,
  options: ReadOptions,
  wasm: Wasm | undefined,
  helper?: StartHelper,
): Promise<TranscriptEvent[]> {
  const all: TranscriptEvent[] = [];
  const [summary, usage] = [new Summary(), new UsageByThread()];
  const sink: RowSink = {
    rows: (run) => {
      summary.rows(run);
      usage.rows(run);
      const some = [...rowEvents(run)];
      expect([...callEvents(run)]).toStrictEqual(some.filter(({ kind }) => kind === "call"));
      all.push(...some);
    },
    events: (some) => {
      summary.add(some);
      usage.add(some);
      all.push(...some);
    },
  };
  const told = await events(bytes, { ...options, sink }, wasm, helper);
  expect(told).toStrictEqual([]);
  // What is summed up without events is what the events say.
  const [plain, plainUsage] = [new Summary(), new UsageByThread()];
  plain.add(all);
  plainUsage.add(all);
  expect(summary.totals()).toStrictEqual(plain.totals());
  expect(summary.threads()).toStrictEqual(plain.threads());
  for (const { id } of plain.threads()) expect(usage.of(id)).toStrictEqual(plainUsage.of(id));
  return all;
}

/** Rows, folded rows and parsed records must tell the same, event by event. */
async function expectSame(bytes: Uint8Array, options: ReadOptions): Promise<void> {
  const format = "claude-code";
  const [rows, folds, parsed] = await Promise.all([
    events(bytes, { ...options, format }, nodeWasm),
    folded(bytes, { ...options, format }, nodeWasm),
    events(bytes, { format }, undefined),
  ]);
  expect(rows).toStrictEqual(parsed);
  expect(folds).toStrictEqual(parsed);
}

// --- Records as agents write them, and as nobody does ----------------------------------------------------------------

const words = fc.constantFrom(
  "plain text of some words ",
  "\n",
  "\t",
  '"',
  "\\",
  "\\n",
  "/",
  "\u001b[0m",
  "\u007f",
  "é",
  "潮位",
  "🌊",
  "\u2028",
  "<persisted-output>",
  "[Old tool result content cleared]",
  "Error: result (10 characters) exceeds",
  "]",
  "<command-name>",
  "Caveat: ",
  "x".repeat(300),
  "y\n".repeat(700),
  "wide ä ".repeat(200),
  claudeBlock("full text ".repeat(4000), "/tmp/a.txt"),
);
const text = fc
  .array(
    fc.oneof(
      { weight: 60, arbitrary: words },
      { weight: 1, arbitrary: fc.constantFrom("\ud800", "\udc00x", "\u0000") },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));
const rare = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });
const anything = fc.oneof(fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, "", "1", [], {}), fc.jsonValue());
const id = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("t-1", "t-2", "t-3") },
  { weight: 1, arbitrary: fc.constantFrom("t-é", "") },
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: rare(text, anything) }),
  fc.record({ type: fc.constantFrom("thinking", "redacted_thinking"), thinking: text }),
  fc.record({
    type: fc.constant("tool_use"),
    id: rare(id, anything),
    name: rare(fc.constantFrom("Bash", "Read"), anything),
    input: rare(fc.record({ command: text, n: fc.oneof(fc.integer(), fc.double()) }), anything),
  }),
  fc.record({ type: fc.constantFrom("image", "document", "server_tool_use"), source: anything }),
  fc.record(
    {
      type: fc.constantFrom("tool_result", "tool_result", "web_search_tool_result"),
      tool_use_id: rare(id, anything),
      content: rare(
        fc.oneof(text, fc.array(fc.record({ type: fc.constantFrom("text", "image", "tool_reference"), text }))),
        anything,
      ),
      is_error: rare(fc.boolean(), anything),
    },
    { requiredKeys: ["type"] },
  ),
  anything,
);
const texts = fc.record({ type: fc.constant("text"), text });
const uses = fc.record({
  type: fc.constant("tool_use"),
  id,
  name: fc.constantFrom("Bash", "Read"),
  input: fc.oneof(
    { weight: 6, arbitrary: fc.record({ command: text, n: fc.oneof(fc.integer(), fc.constantFrom(0.5, -1.25, 0.1)) }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
});
const results = fc.record({ type: fc.constant("tool_result"), tool_use_id: id, content: text, is_error: fc.boolean() });
const content = fc.oneof(
  text,
  fc.array(texts, { maxLength: 3 }),
  fc.tuple(texts, uses),
  fc.array(results, { minLength: 1, maxLength: 2 }),
  fc.array(block, { maxLength: 3 }),
);
const tokens = rare(fc.nat(200_000), anything);
const usage = rare(
  fc.record(
    {
      input_tokens: tokens,
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: tokens,
      output_tokens: tokens,
      service_tier: fc.constant("standard"),
    },
    { requiredKeys: [] },
  ),
  anything,
);
const uuid = fc.oneof(
  { weight: 9, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom("u-1", "00000000-0000-0000-0000-000000000000", "ÜÜ", "x".repeat(300)) },
);
const envelope = {
  uuid: rare(uuid, anything),
  timestamp: rare(fc.constant("2026-01-02T03:04:05.000Z"), anything),
  isSidechain: rare(fc.constantFrom(false, false, true), anything),
  agentId: rare(fc.constantFrom("a-1", "a-2"), anything),
};
const flag = fc.option(rare(fc.boolean(), anything), { nil: undefined, freq: 4 });
const user = fc.record({
  type: fc.constant("user"),
  message: rare(fc.record({ role: fc.constant("user"), content: rare(content, anything) }), anything),
  isMeta: flag,
  isCompactSummary: flag,
  toolUseResult: rare(
    fc.oneof(text, fc.record({ stdout: text, content: text, result: text }, { requiredKeys: [] })),
    anything,
  ),
  ...envelope,
});
const assistant = fc.record({
  type: fc.constant("assistant"),
  message: fc.record({
    model: rare(fc.constantFrom("m-1", "m-2", "<synthetic>"), anything),
    id: rare(fc.constantFrom("msg-1", "msg-2", "msg-3"), anything),
    content: rare(content, anything),
    usage,
  }),
  requestId: fc.option(rare(fc.constantFrom("r-1", "r-2"), anything), { nil: undefined }),
  ...envelope,
});
const other = fc.record({
  type: rare(fc.constantFrom("system", "progress", "summary", "new-kind"), anything),
  subtype: rare(fc.constantFrom("compact_boundary", "microcompact_boundary", "turn_duration"), anything),
  data: rare(
    fc.record({
      type: fc.constantFrom("agent_progress", "bash_progress"),
      message: fc.record({ message: fc.record({ usage }) }),
    }),
    anything,
  ),
  ...envelope,
});
const record = fc.oneof(user, user, assistant, assistant, other);

/** The same JSON written otherwise: white space, escapes of any character, slashes. */
function rewritten(json: string, style: number): string {
  switch (style) {
    case 1:
      return json.replaceAll(",", " , ").replaceAll('":', '" :\t');
    case 2:
      return json.replace(/[^\u0020-\u007e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    case 3:
      return json.replace(/[aeit](?=[a-z])/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`);
    case 4:
      return json.replaceAll("/", "\\/").replace(/(?<=\d)(?=[,}])/g, ".0");
    default:
      return json;
  }
}

const line = fc
  .tuple(
    record,
    fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    fc.constantFrom(..."\n".repeat(12), "\r\n", " \n", "\t\n", "\n\n", ""),
  )
  .map(([value, style, end]) => rewritten(JSON.stringify(value), style) + end);
const first = `${JSON.stringify(prompt("go"))}\n${JSON.stringify(answer("msg-1", use("t-1"), { input_tokens: 1 }, { isSidechain: true, agentId: "a-1" }))}\n`;
const file = fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(first + lines.join("")));
const sizes = fc.record({
  chunkBytes: fc.constantFrom(7, 100, 1000, 65_536),
  tailBytes: fc.constantFrom(16, 500, 65_536),
});

describe("rows tell what parsed records tell", () => {
  it("for records of every shape, at every size of piece", async () => {
    const take = vi.spyOn(ClaudeRows.prototype, "take");
    const fold = vi.spyOn(RowFold.prototype, "take");
    await fc.assert(fc.asyncProperty(file, sizes, expectSame), SEED);
    const taken = take.mock.results.filter(({ value }) => value === true).length;
    // Otherwise nothing was compared.
    expect(taken).toBeGreaterThan(SEED.numRuns);
    const runs = fold.mock.results.filter(({ value }, i) => value > (fold.mock.calls[i]?.[1] ?? 0)).length;
    expect(runs).toBeGreaterThan(SEED.numRuns / 4);
  });

  it("for files with bytes changed, cut out or doubled", async () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom(0, 9, 10, 13, 34, 44, 58, 92, 123, 125, 128, 195, 240, 255),
      kind: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.array(change, { minLength: 1, maxLength: 6 }),
        sizes,
        async (bytes, changes, options) => {
          let now = bytes;
          for (const { at, byte, kind } of changes) {
            const place = first.length + (at % Math.max(1, now.length - first.length));
            const [head, tail] = [now.subarray(0, place), now.subarray(place + (kind === 1 ? 0 : 1))];
            now = Buffer.concat(kind === 2 ? [head, tail] : [head, Buffer.from([byte]), tail]);
          }
          await expectSame(now, options);
        },
      ),
      SEED,
    );
  });

  it("for bytes that are UTF-8 and bytes that are not, wherever they stand in a text", async () => {
    const edges = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
    ];
    const byte = fc.constantFrom(...edges, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff);
    const runs = fc.array(fc.tuple(fc.nat(70), fc.array(byte, { maxLength: 4 })), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(runs, async (some) => {
        const parts = some.flatMap(([gap, bytes]) => [Buffer.alloc(gap, "x"), Buffer.from(bytes)]);
        const head = Buffer.from(
          `${first}{"type":"user","uuid":"${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}","message":{"content":"`,
        );
        await expectSame(Buffer.concat([head, ...parts, Buffer.from('"}}\n')]), {});
      }),
      SEED,
    );
  });

  it("for keys that stand twice and keys written with escapes", async () => {
    const bodies = [
      '{"type":"user","type":"assistant","message":{"content":"a"},"uuid":"d-1"}',
      '{"type":"user","message":{"content":"a"},"message":{"content":"longer"},"uuid":"d-2"}',
      '{"type":"user","message":{"content":"a","content":[]},"uuid":"d-3"}',
      '{"type":"assistant","message":{"id":"i","model":"m","content":[{"type":"tool_use","id":"a","name":"B","input":{"k":1,"k":"22"}}]},"timestamp":"t"}',
      '{"type":"assistant","message":{"id":"i","model":"m","content":[{"type":"tool_use","id":"a","name":"B","input":{"k":1,"\\u006b":"22"}}]},"timestamp":"t"}',
      '{"t\\u0079pe":"user","message":{"content":"a"},"uuid":"d-4"}',
      '{"type":"user","message":{"content":"a"},"uuid":"d-5"}{"type":"user","message":{"content":"b"},"uuid":"d-6"}',
      '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"q","content":"a","content":"bb"}]}}',
      '{"type":"user","__proto__":{"message":1},"message":{"content":"a"}}',
    ];
    await expectSame(Buffer.from(`${first}${bodies.join("\n")}\n`), {});
  });

  it("for a line that goes on for longer than is followed", async () => {
    const long = JSON.stringify(toolResult("t-1", "word \n".repeat(20_000)));
    const lines = [
      JSON.stringify(prompt("go")),
      long,
      JSON.stringify(claude("summary", {})),
      JSON.stringify(prompt("more")),
    ];
    for (const end of ["\n", ""]) {
      const bytes = Buffer.from(lines.join("\n") + end);
      for (const options of [
        { chunkBytes: 1000, tailBytes: 100 },
        { chunkBytes: 100_000, tailBytes: 16 },
        { maxLineBytes: 5000, chunkBytes: 999, tailBytes: 1 },
      ]) {
        const [rows, folds, parsed] = await Promise.all([
          events(bytes, options, nodeWasm),
          folded(bytes, options, nodeWasm),
          events(bytes, options, undefined),
        ]);
        expect(rows).toStrictEqual(parsed);
        expect(folds).toStrictEqual(parsed);
      }
    }
  });

  const found = [...filesBelow("claude-code", ".jsonl"), ...filesBelow("derived", ".jsonl")];
  it.skipIf(found.length === 0)(
    `for every Claude Code file of the corpus${found.length === 0 ? " (absent here)" : ""}`,
    async () => {
      expect(found.length).toBeGreaterThan(20);
      for (const path of found) {
        const bytes = readFileSync(corpusPath(path));
        for (const options of [{}, { chunkBytes: 3001, tailBytes: 700 }, { chunkBytes: 50_000, tailBytes: 65_536 }]) {
          const [rows, folds, parsed] = await Promise.all([
            events(bytes, options, nodeWasm),
            folded(bytes, options, nodeWasm),
            events(bytes, {}, undefined),
          ]);
          expect(rows, path).toStrictEqual(parsed);
          expect(folds, path).toStrictEqual(parsed);
        }
      }
    },
    60_000,
  );
});

// --- Sessions as agents write them, with what happens to them now and then ---------------------------------------------

const STEPS = {
  prompt: 4,
  speak: 8,
  call: 8,
  result: 12,
  progress: 2,
  duration: 2,
  compact: 1,
  keep: 1,
  micro: 1,
  replace: 1,
  repeat: 1,
  branch: 2,
  orphan: 1,
  odd: 1,
} as const;
const step = fc.record({
  kind: fc.oneof(
    ...Object.entries(STEPS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as keyof typeof STEPS) })),
  ),
  pick: fc.nat(40),
  text,
  agent: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("a-1", "a-2") },
  ),
  model: fc.oneof(
    { weight: 20, arbitrary: fc.constant("m-1") },
    { weight: 1, arbitrary: fc.constantFrom("m-2", "<synthetic>") },
  ),
  tokens: fc.oneof(
    { weight: 20, arbitrary: fc.nat(9) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 53, 1.5, 1e300, 1e10) },
  ),
});

/** Lines of one session; `texts`: its records have ids that are no UUIDs. */
function sessionLines(
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  texts: boolean,
): string[] {
  const lines: string[] = [];
  const uuids: string[] = [];
  const calls: string[] = [];
  let requests = 0;
  const uuidOf = (n: number): string =>
    texts ? `record-${n}` : `${String(n).padStart(8, "0")}-1111-4111-8111-${String(n * 7).padStart(12, "0")}`;
  const put = (record: object, parent = uuids.at(-1) ?? null, agent?: string): void => {
    const uuid = uuidOf(uuids.length);
    const time = new Date(1_770_000_000_000 + lines.length * 1000).toISOString();
    const thread = { isSidechain: agent !== undefined, ...(agent === undefined ? {} : { agentId: agent }) };
    lines.push(JSON.stringify({ parentUuid: parent, ...thread, sessionId: "s-1", ...record, uuid, timestamp: time }));
    uuids.push(uuid);
  };
  const at = <T>(list: readonly T[], pick: number): T | undefined =>
    list[list.length - 1 - (pick % Math.max(1, list.length))];
  put({ type: "user", message: { role: "user", content: "go" } });
  for (const { kind, pick, text: body, agent, model, tokens: n } of steps) {
    const usage = { input_tokens: n, output_tokens: pick, ...(pick % 3 === 0 ? { cache_read_input_tokens: n } : {}) };
    const assistant = (content: unknown): object => {
      if (pick % 3 !== 0) requests++;
      const stated = pick % 7 === 6 ? {} : { usage };
      const message = { id: `msg-${requests}`, role: "assistant", model, content, ...stated };
      return { type: "assistant", message, ...(pick % 11 === 10 ? {} : { requestId: `req-${requests}` }) };
    };
    const result = (id: string, content: unknown): object => ({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: pick % 5 === 0 }] },
      toolUseResult: pick % 2 === 0 ? body : { stdout: body },
    });
    const answer = (): object =>
      result(at(calls, pick) ?? "t-0", pick % 4 === 0 ? claudeBlock(body, "/tmp/a.txt") : body);
    const system = (subtype: string, facts: object): object => ({ type: "system", subtype, ...facts });
    if (kind === "prompt") put({ type: "user", message: { role: "user", content: body || "x" } }, undefined, agent);
    else if (kind === "speak") put(assistant([{ type: "text", text: body }]), undefined, agent);
    else if (kind === "call") {
      calls.push(`t-${pick % 13 === 12 ? 1 : calls.length}`);
      put(
        assistant([{ type: "tool_use", id: calls.at(-1), name: pick % 2 ? "Bash" : "Read", input: { command: body } }]),
        undefined,
        agent,
      );
    } else if (kind === "result") put(answer(), undefined, agent);
    else if (kind === "progress") put({ type: "progress", data: { type: "bash_progress", output: body } });
    else if (kind === "duration") put(system("turn_duration", { durationMs: n }));
    else if (kind === "compact")
      put(system("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: n } }));
    else if (kind === "keep") {
      const kept = [at(uuids, pick), at(uuids, pick + 1)];
      const facts =
        pick % 2
          ? { preservedMessages: { uuids: kept } }
          : { preservedSegment: { headUuid: kept[1], tailUuid: kept[0] } };
      put(system("compact_boundary", { compactMetadata: { trigger: "auto", ...facts } }));
    } else if (kind === "micro") {
      const ids = [at(calls, pick), at(calls, pick + 1)];
      put(system("microcompact_boundary", { microcompactMetadata: { trigger: "auto", compactedToolIds: ids } }));
    } else if (kind === "replace") {
      lines.push(
        JSON.stringify({
          type: "content-replacement",
          replacements: [{ toolUseId: at(calls, pick), replacement: body }],
        }),
      );
    } else if (kind === "repeat") lines.push(at(lines, pick) ?? "");
    else if (kind === "branch") put({ type: "user", message: { role: "user", content: body || "x" } }, at(uuids, pick));
    else if (kind === "orphan") put(result(`late-${pick % 3}`, body), undefined, agent);
    else {
      calls.push(`late-${pick % 3}`, `\u00e9-${pick}`);
      put(
        assistant(calls.slice(-2).map((id) => ({ type: "tool_use", id, name: "Bash", input: {} }))),
        undefined,
        agent,
      );
    }
  }
  return lines;
}

describe("folded rows tell what parsed records tell", () => {
  it("for sessions with every kind of event, in pieces of any size and by two threads", async () => {
    const fold = vi.spyOn(RowFold.prototype, "take");
    const steps = fc.array(step, { maxLength: 60 });
    const often = fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
    await fc.assert(
      fc.asyncProperty(steps, often, sizes, async (some, texts, options) => {
        const bytes = Buffer.from(`${sessionLines(some, texts).join("\n")}\n`);
        await expectSame(bytes, options);
        const helped = { ...options, helpedBytes: 0, format: "claude-code" } as const;
        expect(await folded(bytes, helped, nodeWasm, helperFor(bytes, [0, 2, 0, 1]))).toStrictEqual(
          await events(bytes, { format: "claude-code" }, undefined),
        );
      }),
      SEED,
    );
    const rows = fold.mock.results.reduce(
      (all, { value }, i) => all + (value > (fold.mock.calls[i]?.[1] ?? 0) ? 1 : 0),
      0,
    );
    expect(rows).toBeGreaterThan(SEED.numRuns);
  });
});

/** A second thread that is sometimes late, and at last gone. */
function helperFor(bytes: Uint8Array, whims: readonly number[]): StartHelper {
  return (_path, total, room) => {
    const { fast } = nodeUtf8;
    const file = rowSource(bytes).blocking?.();
    if (fast === undefined || file === undefined) throw new Error("no skimmer here");
    const skimmer = new Skimmer(nodeWasm.join(room.shared), room, nodeUtf8, fast);
    const asked: { readonly range: PieceRange; readonly slot: number }[] = [];
    let turn = 0;
    const whim = (): number => whims[turn++ % whims.length] ?? 0;
    let gone = false;
    return {
      get isReady(): boolean {
        return !gone && whim() !== 1;
      },
      ask: (range, slot) => asked.push({ range, slot }),
      answer: (wait) => {
        const mood = whim();
        gone ||= mood === 3;
        if (gone || (!wait && mood === 2)) return "none";
        const next = asked.shift();
        if (next === undefined) throw new Error("nothing was asked");
        return skimmer.skim(file, next.range, total, next.slot);
      },
      close: () => {},
    };
  };
}

describe("two threads tell what one tells", () => {
  const moods = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 2), { minLength: 1, maxLength: 9 });
  const whims = fc.oneof(
    moods,
    moods.map((some) => [...some, ...some, ...some, 3]),
  );

  it("whichever is ahead, and when one of them stops", async () => {
    await fc.assert(
      fc.asyncProperty(file, whims, async (bytes, some) => {
        const options = { chunkBytes: 300, tailBytes: 200, helpedBytes: 0 };
        const [two, folds, one] = await Promise.all([
          events(bytes, options, nodeWasm, helperFor(bytes, some)),
          folded(bytes, options, nodeWasm, helperFor(bytes, some)),
          events(bytes, {}, undefined),
        ]);
        expect(two).toStrictEqual(one);
        expect(folds).toStrictEqual(one);
      }),
      SEED,
    );
  });
});

describe("UuidSet", () => {
  it("agrees with a set of texts", () => {
    const ids = fc.array(
      fc.oneof(
        uuid,
        fc.nat(50).map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
      ),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(ids, (all) => {
        const [ours, plain] = [new UuidSet(), new Set<string>()];
        for (const one of all) {
          expect(ours.has(one)).toBe(plain.has(one));
          expect(ours.add(one)).toBe(!plain.has(one));
          plain.add(one);
        }
      }),
      SEED,
    );
  });

  it("holds more than it began with", () => {
    const ids = Array.from(
      { length: 20_000 },
      (_, n) => `${n.toString(16).padStart(8, "0")}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`,
    );
    const set = new UuidSet();
    expect(ids.every((one) => set.add(one))).toBe(true);
    expect(ids.some((one) => set.add(one))).toBe(false);
    expect(set.has("ffffffff-aaaa-4aaa-8aaa-aaaaaaaaaaaa")).toBe(false);
  });
});
