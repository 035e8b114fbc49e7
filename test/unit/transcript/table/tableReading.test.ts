import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileFormatId } from "../../../../extension/src/core/model/transcript";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { Collector } from "../../../../extension/src/core/transcript/collect";
import type { TranscriptEvent } from "../../../../extension/src/core/transcript/events";
import { LeftContext } from "../../../../extension/src/core/transcript/leftContext";
import type { ReadOptions } from "../../../../extension/src/core/transcript/read";
import { Summary } from "../../../../extension/src/core/transcript/summary";
import { tableOf, tableParts } from "../../../../extension/src/core/transcript/table/tableBytes";
import { type ReadingEnd, TableReading } from "../../../../extension/src/core/transcript/table/tableReading";
import { ContextTimeline } from "../../../../extension/src/core/transcript/timeline";
import { packedPieces, unpacked } from "../../../../extension/src/core/util/packed";
import { nodeUtf8 } from "../../../../extension/src/node/utf8";
import { SAMPLES } from "../samples";
import { answer, claudeBlock, events, jsonLines, memorySource, prompt, toolResult, use } from "../support";

const PORTS = { utf8: nodeUtf8 };
const boundary = (type: string, rest: object) => ({ type: "system", subtype: type, uuid: `b-${type}`, ...rest });
const CLAUDE = jsonLines(
  prompt("go"),
  answer("m1", use("t1"), { input_tokens: 3, output_tokens: 1 }),
  answer("m1", use("t2", "Grep"), { input_tokens: 3, output_tokens: 9 }),
  toolResult("t1", "done"),
  toolResult("t2", claudeBlock("x".repeat(50_000), "/h/tool-results/t2.txt")),
  boundary("microcompact_boundary", { microcompactMetadata: { compactedToolIds: ["t1"], tokensSaved: 9 } }),
  { type: "content-replacement", replacements: [{ toolUseId: "t2", replacement: "shorter 🌊" }], uuid: "r-1" },
  toolResult("nobody", "lost"),
  answer("m2", use("t3")),
  boundary("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: 99 } }),
  { type: "strange", uuid: "x-1" },
  { type: "stranger", uuid: "x-1" },
  prompt("more"),
  answer("m3", use("t1")),
);

/** Every sample whose records are lines, and the formats that the others leave out. */
const LINES = [["a Claude Code session", "claude-code", CLAUDE] as const, ...SAMPLES].filter(([, , content]) =>
  content.endsWith("\n"),
);

/** Formats whose readers keep what cannot be copied, and say so. */
const ANEW: ReadonlySet<string> = new Set(["copilot-chat"]);

/** What one reading of all the bytes tells. */
async function oracle(bytes: Uint8Array, options: ReadOptions) {
  const told: TranscriptEvent[] = await events(memorySource(bytes), options);
  const collector = new Collector();
  collector.add(told);
  const timeline = new ContextTimeline();
  const summary = new Summary(timeline);
  summary.add(told);
  const left = new LeftContext();
  left.add(told);
  const index = collector.index();
  return {
    index,
    totals: { totals: summary.totals(), threads: summary.threads() },
    timelines: index.threads.map(({ id }) => timeline.thread(id)),
    left: index.results.map((result) => left.leftBy(result.index)),
  };
}

function shown(reading: TableReading) {
  const index = reading.table.toIndex();
  return {
    index,
    totals: reading.totals(),
    timelines: index.threads.map(({ id }) => reading.observers.timeline.thread(id)),
    left: index.results.map((result) => reading.table.leftBy(result.index)),
  };
}

async function advance(reading: TableReading, bytes: Uint8Array): Promise<ReadingEnd> {
  const steps = reading.advance(memorySource(bytes), NEVER_CANCELLED);
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}

/** The reading as another process takes it up again. */
function restored(reading: TableReading, options: ReadOptions): TableReading {
  const state = reading.state();
  if (!state.ok) throw new Error(state.error);
  const parts = unpacked(new Uint8Array(Buffer.concat(packedPieces(tableParts(reading.table)))));
  const table = parts && tableOf(parts);
  const again = table && TableReading.restored(table, state.value, PORTS, options);
  if (again === undefined) throw new Error("the state is not whole");
  return again;
}

/** Appends piece by piece; after each the index is what one reading of the bytes so far gives. */
async function grow(
  content: Uint8Array,
  cuts: readonly number[],
  options: ReadOptions,
  save: boolean,
): Promise<number> {
  let reading = new TableReading(PORTS, options);
  let anew = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const bytes = content.subarray(0, cut);
    if (bytes.length === 0) continue;
    if (save && reading.goesOn) reading = restored(reading, options);
    if ((await advance(reading, bytes)) === "changed") {
      anew++;
      reading = new TableReading(PORTS, options);
      expect(await advance(reading, bytes)).toBe("done");
    }
    expect(shown(reading)).toEqual(await oracle(bytes, options));
  }
  return anew;
}

/** Breaks the content somewhere: lines that are torn, glued together, of blanks or of NULs. */
const damages: fc.Arbitrary<(content: Buffer) => Buffer> = fc.oneof(
  fc.constant((content: Buffer) => content),
  fc
    .tuple(fc.nat(), fc.constantFrom("\n", "\n\n", "\r\n", "  \n", "\0\0\n", "{}", "{", "12", "\n[1]\n", "}\n{", "é"))
    .map(([at, text]) => (content: Buffer) => {
      const where = at % content.length;
      return Buffer.concat([content.subarray(0, where), Buffer.from(text), content.subarray(where)]);
    }),
  fc.nat().map((at) => (content: Buffer) => {
    const newline = content.indexOf("\n", at % content.length);
    return Buffer.concat([content.subarray(0, newline), content.subarray(newline + 1)]);
  }),
);

describe("a file that grows", () => {
  it.each(LINES)("%s: any schedule of appends gives the same index as one reading", async (_, format, content) => {
    const bytes = Buffer.from(content);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(bytes.length), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        damages,
        async (cuts, save, forced, damage) => {
          const damaged = damage(bytes);
          await grow(damaged, [...cuts, damaged.length], forced ? { format } : {}, save);
        },
      ),
      { seed: 20261130, numRuns: 30 },
    );
  });

  it.each(LINES)("%s: goes on line by line, and its state can be stored", async (_, format, content) => {
    const bytes = Buffer.from(content);
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
    // A first line alone may be one document.
    const most = ANEW.has(format) ? ends.length : 1;
    expect(await grow(bytes, ends, { format: format as FileFormatId }, true)).toBeLessThanOrEqual(most);
    // Before the line end is there, too.
    const early = ends.flatMap((end) => [end - 1, end]);
    expect(await grow(bytes, early, { format: format as FileFormatId }, false)).toBeLessThanOrEqual(2 * most);
  });

  it("a record whose line goes on after all makes it read anew", async () => {
    const first = Buffer.from(jsonLines(prompt("go"), answer("m1", use("t1"))).trimEnd());
    const reading = new TableReading(PORTS, {});
    expect(await advance(reading, first)).toBe("done");
    expect(await advance(reading, Buffer.concat([first, Buffer.from("  ")]))).toBe("done");
    expect(await advance(reading, Buffer.concat([first, Buffer.from('{"type":')]))).toBe("changed");
  });

  it("a file that is shorter than before is read anew", async () => {
    const bytes = Buffer.from(CLAUDE);
    const reading = new TableReading(PORTS, {});
    expect(await advance(reading, bytes)).toBe("done");
    expect(await advance(reading, bytes.subarray(0, 500))).toBe("changed");
  });

  it("one JSON document is read anew", async () => {
    const [, format, content] = SAMPLES.find(([name]) => name === "a Gemini chat") ?? ["", undefined, ""];
    const reading = new TableReading(PORTS, format === undefined ? {} : { format });
    expect(await advance(reading, Buffer.from(content))).toBe("done");
    expect(reading.goesOn).toBe(false);
    expect(reading.state().ok).toBe(false);
    expect(await advance(reading, Buffer.from(`${content} `))).toBe("changed");
  });

  it("cancelled, it keeps what it has and is read anew", async () => {
    const cancel = { isCancellationRequested: false };
    const reading = new TableReading(PORTS, { chunkBytes: 400 });
    const steps = reading.advance(memorySource(CLAUDE), cancel);
    expect((await steps.next()).done).toBe(false);
    cancel.isCancellationRequested = true;
    expect(await steps.next()).toEqual({ done: true, value: "cancelled" });
    expect(reading.table.messages.rows).toBeGreaterThan(0);
    expect(reading.table.ledger).toBeUndefined();
    expect(await advance(reading, Buffer.from(CLAUDE))).toBe("changed");
  });
});
