import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBody } from "../../../extension/src/core/transcript/body";
import { measureText } from "../../../extension/src/core/util/textSize";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { SAMPLES } from "./samples";
import { memorySource, read } from "./support";

const SEED = { seed: 20261130, endOnFailure: false };

type Value = ReturnType<typeof JSON.parse>;

/** Values that stand where others are expected: of every type, with the keys and words that readers look for. */
const strange: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e21, "", "x", "\u0000json:[", "\u0000", "__proto__", [], {}, [[]], [null], [{}]),
  fc.constantFrom(
    { type: "text" },
    { type: "image" },
    { $mid: 21 },
    { functionResponse: {} },
    { text: "t" },
    { json: [1] },
  ),
  fc.constantFrom("user", "assistant", "tool", "gemini", "human", "ai", "completed", "function_call", "AIMessageChunk"),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text)),
);

/** Every place inside a value, as a setter. */
function places(value: Value, out: ((to: Value) => void)[] = []): ((to: Value) => void)[] {
  if (typeof value !== "object" || value === null) return out;
  for (const key of Object.keys(value)) {
    out.push((to) => {
      value[key] = to;
    });
    places(value[key], out);
  }
  return out;
}

const isLines = (content: string) => content.endsWith("\n");
const parse = (content: string): Value =>
  isLines(content)
    ? content
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : JSON.parse(content);
const print = (value: Value, lines: boolean): string =>
  lines ? value.map((line: Value) => `${JSON.stringify(line)}\n`).join("") : JSON.stringify(value);

describe("damaged samples", () => {
  it.each(SAMPLES)(
    "%s: values of any kind in any place never throw, and every text is what was measured",
    async (_, format, content) => {
      const lines = isLines(content);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 3 }), async (edits) => {
          const value = parse(content);
          for (const [at, to] of edits) {
            const all = places(value);
            all[at % all.length]?.(structuredClone(to));
          }
          const text = print(value, lines);
          const index = await read(text, { format });
          const numbers = index.results.map((result) => result.index);
          expect(numbers).toEqual(numbers.map((_number, i) => i));
          for (const result of index.results) {
            if (result.body === undefined) continue;
            const body = await readBody(memorySource(text), result.body, { utf8: nodeUtf8 });
            if (!body.ok) throw new Error(body.error.message);
            expect(measureText(body.value.text)).toEqual(result.size);
          }
        }),
        { ...SEED, numRuns: 120 },
      );
    },
  );

  it.each(SAMPLES)("%s: any bytes in any place never throw", async (_, format, content) => {
    const base = Buffer.from(content);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (edits) => {
          const mutated = Buffer.from(base);
          for (const [at, byte] of edits) mutated[at] = byte;
          await read(mutated, { format });
          await read(mutated);
        },
      ),
      { ...SEED, numRuns: 25 },
    );
  });
});
