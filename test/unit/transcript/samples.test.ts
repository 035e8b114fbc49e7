import { describe, expect, it } from "vitest";
import { measureText } from "../../../extension/src/core/util/textSize";
import { SAMPLES } from "./samples";
import { bodyText, codes, events, memorySource, plainUtf8, read } from "./support";

/** Formats whose state is known at the end of the log only: a cut log may end in the middle of a change. */
const REPLAYED = "a VS Code chat log";

/** Bytes between two cuts of the larger samples; `npm run fuzz` cuts at every one. */
const STEP = Number(process.env["CUT_STEP"] ?? 7);

describe("samples of every format", () => {
  it.each(SAMPLES)("%s is known by its content and read without complaint", async (_, format, content) => {
    const index = await read(content);
    expect(index.header?.format).toBe(format);
    const expected = format === "opencode-storage" ? ["part-of-store"] : [];
    expect(codes(index).filter((code) => code !== "result-not-stored")).toEqual(expected);
    expect(index.messages.length + index.results.length).toBeGreaterThan(0);
    for (const result of index.results) {
      if (result.body === undefined) expect(result.state).toBe("missing");
      else expect(measureText(await bodyText(content, result.body))).toEqual(result.size);
    }
  });

  it.each(SAMPLES)("%s: neither chunks nor the way of parsing matter", async (_, _format, content) => {
    const strip = (all: Awaited<ReturnType<typeof events>>) => all.filter((event) => event.kind !== "progress");
    const whole = strip(await events(memorySource(content)));
    for (const chunkBytes of [1, 64, 1000]) {
      expect(strip(await events(memorySource(content), { chunkBytes }))).toEqual(whole);
    }
    expect(strip(await events(memorySource(content), {}, plainUtf8))).toEqual(whole);
  });

  it.each(SAMPLES)(
    "%s: cut at any byte, nothing is thrown and nothing before the cut is lost",
    async (name, format, content) => {
      const bytes = Buffer.from(content);
      const whole = await read(content);
      const results = whole.results.filter((result) => result.body !== undefined);
      // The last command's output is told when it is sure that no history holds it.
      const ends = name === REPLAYED ? [] : results.map((result) => result.place.end);
      const messageEnds = name === REPLAYED ? [] : whole.messages.filter((m) => m.index >= 0).map((m) => m.place.end);
      for (let cut = 0; cut < bytes.length; cut += bytes.length > 700 ? STEP : 1) {
        const found = await read(bytes.subarray(0, cut), { format });
        const bodies = found.results.filter((result) => result.body !== undefined);
        expect(bodies.length, `results at ${cut}`).toBeGreaterThanOrEqual(ends.filter((end) => end <= cut).length);
        const messages = found.messages.filter((message) => message.index >= 0);
        expect(messages.length, `messages at ${cut}`).toBeGreaterThanOrEqual(
          messageEnds.filter((end) => end <= cut).length,
        );
      }
    },
    60_000 * Math.ceil(7 / STEP),
  );
});
