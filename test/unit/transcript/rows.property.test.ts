import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NEVER_CANCELLED, type PieceRange, type StartHelper, type Wasm } from "../../../extension/src/core/ports";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import { type ReadOptions, readTranscript } from "../../../extension/src/core/transcript/read";
import { ClaudeRows } from "../../../extension/src/core/transcript/readers/claudeRows";
import { ResultStates } from "../../../extension/src/core/transcript/resultStates";
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
import { file, first, line, sessionLines, sizes, step, text, uuid } from "./rowRecords";
import { blockingSource, claude, prompt, toolResult } from "./support";

/** Several processes may share this machine's processors. */
vi.setConfig({ testTimeout: 120_000 });

const SEED = { seed: 20260130, numRuns: Number(process.env["ROWS_RUNS"] ?? 200) };

afterEach(() => {
  vi.restoreAllMocks();
});

async function events(
  bytes: Uint8Array,
  options: ReadOptions,
  wasm: Wasm | undefined,
  helper?: StartHelper,
): Promise<TranscriptEvent[]> {
  const all: TranscriptEvent[] = [];
  const ports = { utf8: nodeUtf8, wasm, helper };
  for await (const batch of readTranscript(blockingSource(bytes), ports, options, NEVER_CANCELLED)) {
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
  const [summary, usage, states] = [new Summary(), new UsageByThread(), new ResultStates()];
  const sink: RowSink = {
    totals: (totals) => {
      summary.rows(totals);
      usage.rows(totals);
      states.rows(totals);
    },
    rows: (run) => {
      const some = [...rowEvents(run)];
      expect([...callEvents(run)]).toStrictEqual(some.filter(({ kind }) => kind === "call"));
      all.push(...some);
    },
    events: (some) => {
      summary.add(some);
      usage.add(some);
      states.add(some);
      all.push(...some);
    },
  };
  const told = await events(bytes, { ...options, sink }, wasm, helper);
  expect(told).toStrictEqual([]);
  // What is summed up without events is what the events say.
  const [plain, plainUsage, plainStates] = [new Summary(), new UsageByThread(), new ResultStates()];
  plain.add(all);
  plainUsage.add(all);
  plainStates.add(all);
  expect(states.counts()).toStrictEqual(plainStates.counts());
  expect(summary.totals()).toStrictEqual(plain.totals());
  expect(summary.threads()).toStrictEqual(plain.threads());
  for (const { id } of plain.threads()) expect(usage.of(id)).toStrictEqual(plainUsage.of(id));
  return all;
}

function uuidOf(number: number): string {
  return `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
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

  it("for records of few shapes, with bytes changed in some", async () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom(...Buffer.from('09aftn"{}[],: \\\n\u0000')),
      kind: fc.nat(2),
    });
    const copy = fc.record({ of: fc.nat(), changes: fc.array(change, { maxLength: 2 }) });
    const copies = fc.array(copy, { minLength: 4, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 3 }), copies, sizes, async (lines, all, options) => {
        const bytes = all.map(({ of, changes }, number) => {
          const line = lines[of % lines.length] ?? "";
          let now = Buffer.from(line.replace(/"uuid":"[^"]{36}"/, `"uuid":"${uuidOf(number)}"`));
          for (const { at, byte, kind } of number < 3 ? [] : changes) {
            const place = at % Math.max(1, now.length);
            const [head, tail] = [now.subarray(0, place), now.subarray(place + (kind === 1 ? 0 : 1))];
            now = Buffer.concat(kind === 2 ? [head, tail] : [head, Buffer.from([byte]), tail]);
          }
          return now;
        });
        await expectSame(Buffer.concat([Buffer.from(first), ...bytes]), options);
      }),
      SEED,
    );
  });

  it("for prompts with white space before what a program writes, of any length", async () => {
    const starts = [" ", "\n", "\u2003", "\t "].flatMap((space) =>
      [0, 1, 49, 50, 84, 85, 86, 87, 99, 100, 101, 150, 599, 601].map((count) => space.repeat(count)),
    );
    const texts = starts.flatMap((start) =>
      ["<command-name>x", "<bash-input>", "go on"].flatMap((text) => [
        `${start}${text}`,
        `${start}${text}${" and more".repeat(90)}`,
      ]),
    );
    const lines = texts.map((text, n) => JSON.stringify({ ...prompt(text), uuid: uuidOf(n) }));
    await expectSame(Buffer.from(`${first}${lines.join("\n")}\n`), {});
  });

  it("for records of more shapes than are kept", async () => {
    const shapes = Array.from({ length: 3000 }, (_, n) =>
      JSON.stringify({
        ...toolResult("t-1", `r ${n}`),
        [`${"k".repeat(40)}${n}`]: n % 3 === 0 ? "v" : n,
        uuid: uuidOf(n),
      }),
    );
    await expectSame(Buffer.from(`${first}${shapes.join("\n")}\n`), {});
  });

  it("for results whose text stands a second time in the record, whole or not", async () => {
    const change = fc.constantFrom(
      (all: string) => all,
      (all: string) => `${all}.`,
      (all: string) => all.slice(0, -1),
      (all: string, at: number) => `${all.slice(0, at)}ä${all.slice(at + 1)}`,
      (all: string, at: number) => `${all.slice(0, at)}"${all.slice(at)}`,
      () => "quite another one ".repeat(20),
    );
    const place = fc.constantFrom(
      (copy: string): unknown => copy,
      (copy: string): unknown => ({ stdout: copy, stderr: copy }),
      (copy: string): unknown => ({ file: { content: copy } }),
      (copy: string): unknown => ({ structuredPatch: [copy, copy] }),
    );
    const result = fc
      .tuple(text, fc.nat(400), change, place, fc.boolean())
      .map(([some, at, changed, placed, first]) => {
        const all = some.repeat(3);
        const { toolUseResult, ...rest } = {
          ...toolResult("t-1", all),
          toolUseResult: placed(changed(all, at % (all.length + 1))),
        };
        return JSON.stringify(first ? { toolUseResult, ...rest } : { ...rest, toolUseResult });
      });
    await fc.assert(
      fc.asyncProperty(fc.array(result, { minLength: 1, maxLength: 4 }), sizes, (results, options) =>
        expectSame(Buffer.from(`${first}${results.join("\n")}\n`), options),
      ),
      SEED,
    );
  });

  it("as rows for what the system notes beside the conversation", async () => {
    const take = vi.spyOn(ClaudeRows.prototype, "take");
    const note = claude("system", { subtype: "turn_duration", durationMs: 1 });
    await expectSame(Buffer.from(`${first}${JSON.stringify(note)}\n`), {});
    expect(take.mock.results.at(-1)?.value).toBe(true);
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

  it("for more records of little known types than their places are kept of", async () => {
    const some = ["summary", "new-kind", "mode"].map((type) => JSON.stringify(claude(type, {})));
    await expectSame(Buffer.from(`${first}${`${some.join("\n")}\n`.repeat(2000)}`), {});
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
    const file = blockingSource(bytes).blocking?.();
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
