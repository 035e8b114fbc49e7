import { describe, expect, it } from "vitest";
import { run } from "../../../extension/src/cli/main";
import { hostileSamples } from "../../safety/hostileTranscripts";
import { SAMPLES } from "../transcript/samples";
import { fakeIo } from "./fakeIo";
import { validated } from "./schema";

async function inspect(content: string, ...argv: readonly string[]) {
  const io = fakeIo({ "/work/t.jsonl": content });
  const code = await run(["inspect", "t.jsonl", ...argv], io);
  return { code, out: io.stdout.text, err: io.stderr.text };
}

/** All that moves a cursor, hides or reorders; lines end with a line feed. */
const ACTING =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/u;

describe("the command line on hostile transcripts", async () => {
  const transcripts = await hostileSamples();

  it.each(transcripts.map((one) => [one.name, one.content] as const))(
    "%s: nothing in its text acts on a terminal",
    async (_, content) => {
      for (const argv of [[], ["--summary"]]) {
        const { out, err } = await inspect(content, ...argv);
        expect(out.length).toBeGreaterThan(20);
        expect(out + err).not.toMatch(ACTING);
      }
      const { out } = await inspect(content, "--json");
      expect(validated(out, "inspectReport").format).not.toBeNull();
    },
  );

  it.each(SAMPLES.map(([name, , content]) => [name, content] as const))(
    "%s with impossible numbers gives a valid report",
    async (_, content) => {
      for (const written of ["1e308", "-5", "0.25", "9007199254740993", '"7"', "99999999999999999999", "1e999"]) {
        // Every number, whatever it stands for: counts, times, sizes, positions.
        const { out } = await inspect(content.replace(/(?<=\\?":\s?)\d+(?:\.\d+)?(?=[,}])/g, written), "--json");
        const report = validated(out, "inspectReport");
        const numbers: number[] = [];
        JSON.stringify(report, (_key, value: unknown) => {
          if (typeof value === "number") numbers.push(value);
          return value;
        });
        expect(
          numbers.filter((one) => !Number.isSafeInteger(one) || one < 0),
          written,
        ).toEqual([]);
      }
    },
  );
});
