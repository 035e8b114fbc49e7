import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED, type Wasm } from "../../../extension/src/core/ports";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { type Platform, wasmOn } from "../../../extension/src/node/wasm";
import { answer, blockingSource, jsonLines, prompt, toolResult, use } from "./support";

const PAGE = 65_536;
const real = (globalThis as unknown as { readonly WebAssembly: Platform }).WebAssembly;

/** A module whose memory may grow by so many pages beyond what it begins with. */
const wasmWith = (pages: number): Wasm => ({
  ...wasmOn(real),
  instantiate: (module, bytes) => wasmOn(real, Math.ceil(bytes / PAGE) + pages).instantiate(module, bytes),
});

const RECORDS = 40_000;
const content = Buffer.from(
  Array.from({ length: RECORDS / 4 }, (_, i) =>
    jsonLines(
      prompt(`ask ${i}`),
      answer(`m${i}`, use(`toolu_${i}`), { input_tokens: 1 }),
      toolResult(`toolu_${i}`, `r${i}`),
    ),
  ).join(""),
);

async function summed(wasm: Wasm) {
  const summary = new Summary();
  const problems: string[] = [];
  const take = (events: readonly TranscriptEvent[]): void => {
    summary.add(events);
    for (const event of events) if (event.kind === "problem") problems.push(event.problem.code);
  };
  const sink = { events: take, totals: (totals: Parameters<Summary["rows"]>[0]) => summary.rows(totals) };
  const ports = { utf8: nodeUtf8, wasm };
  for await (const batch of readTranscript(blockingSource(content), ports, { sink, chunkBytes: PAGE }, NEVER_CANCELLED))
    take(batch);
  return { totals: summary.totals(), problems };
}

describe("a session with more records than there is room for", () => {
  it("is read whole where there is room", async () => {
    const { totals, problems } = await summed(wasmWith(2_000));
    expect(problems).toEqual([]);
    expect(totals.results).toBe(RECORDS / 4);
  });

  it.each([0, 8, 20, 40])("with %i pages to grow, what was read is told, and the problem by name", async (pages) => {
    const { totals, problems } = await summed(wasmWith(pages));
    if (totals.results === RECORDS / 4) {
      // There was no room to begin: the reader took in each record.
      expect({ pages, problems }).toEqual({ pages: 0, problems: [] });
      return;
    }
    expect(problems).toEqual(["too-many-records"]);
    expect(totals.results).toBeGreaterThan(0);
    expect(totals.results).toBeLessThan(RECORDS / 4);
    expect(Number.isSafeInteger(totals.chars)).toBe(true);
  });
});
