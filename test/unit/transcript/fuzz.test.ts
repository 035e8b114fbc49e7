import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import type { TranscriptEvent, TranscriptIndex } from "../../../extension/src/core/transcript/events";
import { LeftContext } from "../../../extension/src/core/transcript/leftContext";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { FORMATS } from "../../../extension/src/core/transcript/readers/index";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { ContextTimeline } from "../../../extension/src/core/transcript/timeline";
import { UsageSum } from "../../../extension/src/core/transcript/usageOverFiles";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";
import { mutated, Random } from "./mutate";
import { SAMPLES } from "./samples";
import { blockingSource, memorySource, read } from "./support";

/** Lines that are changed, over all formats; `npm run fuzz` asks for 100,000. */
const LINES = Number(process.env["FUZZ_LINES"] ?? 5_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_130);
const NEWLINE = Buffer.from("\n");

function linesOf(content: string): Buffer[] {
  return content
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => Buffer.from(line));
}

const joined = (lines: readonly Uint8Array[]): Buffer => Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));

/** What must hold of any transcript, whatever its bytes are. */
function check(all: readonly TranscriptEvent[], index: TranscriptIndex): void {
  const numbers = index.results.map((result) => result.index);
  expect(numbers).toEqual(numbers.map((_, i) => i));
  const summary = new Summary(new ContextTimeline());
  summary.add(all);
  const totals = summary.totals();
  const counts = [totals.chars, totals.charsLeft, totals.resultsLeft, ...Object.values(totals.composition)];
  expect(counts.filter((count) => !(count >= 0 && Number.isFinite(count)))).toEqual([]);
  expect(totals.results).toBe(index.results.length);
  const left = new LeftContext();
  left.add(all);
  const usage = new UsageSum();
  usage.add(all);
  usage.end("one");
  expect(usage.total().calls + usage.total().copies).toBe(index.calls.length);
  for (const { line, start, end } of [...index.messages, ...index.results].map(({ place }) => place)) {
    expect(line >= 1 && start >= 0 && start <= end).toBe(true);
  }
}

describe("mutated lines", () => {
  it("every format has a sample", () => {
    expect(new Set(SAMPLES.map(([, format]) => format))).toEqual(new Set(Object.keys(FORMATS)));
  });

  const share = Math.ceil(LINES / SAMPLES.length);
  it.each(SAMPLES)(`%s: ${share} times`, { timeout: 60_000 + share * 60 }, async (name, format, content) => {
    const lines = linesOf(content);
    const isLines = content.endsWith("\n");
    const others = SAMPLES.map(([, , text]) => linesOf(text)[0] ?? NEWLINE).filter((line) => line.length < 4_000);
    for (let n = 0; n < share; n++) {
      const random = new Random(SEED + n * 7919 + name.length * 104_729);
      const at = random.below(lines.length);
      const line = mutated(lines[at] ?? NEWLINE, random, random.pick(others));
      const bytes = joined([...lines.slice(0, at), line, ...lines.slice(at + 1)]);
      const context = `FUZZ_SEED=${SEED}, ${name}, ${n}`;
      const all: TranscriptEvent[] = [];
      let index: TranscriptIndex;
      try {
        for await (const batch of readTranscript(
          memorySource(bytes),
          { utf8: nodeUtf8 },
          { format },
          NEVER_CANCELLED,
        )) {
          all.push(...batch);
        }
        index = await collect(once(all));
        check(all, index);
        if (isLines) await keepsEarlier(lines.slice(0, at), index, format);
        if (format === "claude-code")
          expect(await asRows(bytes)).toEqual(all.filter(({ kind }) => kind !== "progress"));
        if (n % 5 === 0) await read(bytes);
      } catch (error) {
        throw new Error(`${context}: ${bytes.toString("latin1").slice(0, 2_000)}`, { cause: error });
      }
    }
  });
});

/** Formats of lines in which a later line may change an earlier message: a log of changes, records written again, a new prompt. */
const REWRITES = new Set(["copilot-chat", "gemini-cli", "copilot-events"]);

/** The lines before the changed one are told as if it were not there. */
async function keepsEarlier(lines: readonly Uint8Array[], index: TranscriptIndex, format: keyof typeof FORMATS) {
  if (lines.length === 0 || REWRITES.has(format)) return;
  const alone = await read(joined(lines), { format });
  const own = (found: TranscriptIndex) => found.messages.filter((message) => message.index >= 0);
  const [first, all] = [own(alone), own(index)];
  expect(all.length).toBeGreaterThanOrEqual(first.length);
  expect(all.slice(0, first.length).map(({ role, place, size }) => [role, place, size])).toEqual(
    first.map(({ role, place, size }) => [role, place, size]),
  );
}

async function asRows(bytes: Buffer): Promise<readonly TranscriptEvent[]> {
  const all: TranscriptEvent[] = [];
  const ports = { utf8: nodeUtf8, wasm: nodeWasm };
  for await (const batch of readTranscript(blockingSource(bytes), ports, { format: "claude-code" }, NEVER_CANCELLED)) {
    all.push(...batch.filter(({ kind }) => kind !== "progress"));
  }
  return all;
}

async function* once(events: readonly TranscriptEvent[]): AsyncGenerator<readonly TranscriptEvent[]> {
  yield events;
}
