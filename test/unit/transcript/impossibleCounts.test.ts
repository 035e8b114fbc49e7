import { describe, expect, it } from "vitest";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { ContextTimeline } from "../../../extension/src/core/transcript/timeline";
import { UsageSum } from "../../../extension/src/core/transcript/usageOverFiles";
import { SAMPLES } from "./samples";
import { answer, codes, events, jsonLines, memorySource, prompt, read, use } from "./support";

/** As they stand in JSON; Python also writes the last three, which is no JSON. */
const IMPOSSIBLE = ["-1", "0.5", "1e308", "1e400", "9007199254740993", "1000000000000", '"12"', "true", "[1]", "{}"];

const withUsage = (written: string): string =>
  jsonLines(prompt("Hi"), answer("m1", use("t1"), { input_tokens: 777, output_tokens: 5 })).replace(
    '"input_tokens":777',
    `"input_tokens":${written}`,
  );

describe("counts that cannot be", () => {
  it.each(IMPOSSIBLE)("%s is unknown, and a problem by name", async (written) => {
    const index = await read(withUsage(written));
    expect(codes(index)).toContain("impossible-count");
    expect(index.calls).toMatchObject([{ usage: { input: undefined, output: 5 } }]);
  });

  it.each(["0", "1", "999999999999", "1e3"])("%s is a count", async (written) => {
    const index = await read(withUsage(written));
    expect(codes(index)).not.toContain("impossible-count");
    expect(index.calls[0]?.usage?.input).toBe(Number(written));
  });

  it("a call of which nothing is left states no usage", async () => {
    const text = jsonLines(prompt("Hi"), answer("m1", use("t1"), { input_tokens: -1, output_tokens: "5" }));
    const index = await read(text);
    expect(index.calls).toMatchObject([{ usage: undefined }]);
    expect(index.ledger?.callsWithoutUsage.count).toBe(1);
  });

  it.each(["NaN", "Infinity", "-Infinity"])(
    "a record with Python's %s is a problem of its own, and the others are there",
    async (word) => {
      const text = withUsage(word) + jsonLines(answer("m2", use("t2"), { input_tokens: 7 }));
      const index = await read(text);
      expect(codes(index)).toContain("bad-record");
      expect(index.calls).toMatchObject([{ usage: { input: 7 } }]);
    },
  );

  it.each([...SAMPLES.map(([name, , content]) => [name, content] as const)])(
    "sums of %s stay whole numbers, whatever its numbers are",
    async (_, content) => {
      for (const written of ["1e308", "-5", "0.25", "9007199254740993", '"7"', "999999999999"]) {
        // Numbers of the sample that may be counts; each is replaced, whatever it stands for.
        const hostile = content.replace(
          /(?<=(?:[tT]okens|input|output|cached|read|write|sent|received)[\w]*\\?":\s?)\d+/g,
          written,
        );
        const all = await events(memorySource(hostile));
        const summary = new Summary(new ContextTimeline());
        summary.add(all);
        const sum = new UsageSum();
        sum.add(all);
        sum.end("one");
        const numbers: number[] = [];
        JSON.stringify([summary.totals(), summary.threads(), sum.total()], (_key, value: unknown) => {
          if (typeof value === "number") numbers.push(value);
          return value;
        });
        expect(numbers.length).toBeGreaterThan(3);
        expect(numbers.filter((number) => !Number.isSafeInteger(number) || number < 0)).toEqual([]);
      }
    },
  );
});
