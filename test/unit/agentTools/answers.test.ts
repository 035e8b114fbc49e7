import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitted, type Json, shownTexts } from "../../../extension/src/core/agentTools/answers";
import { SECRET_SLACK_UNITS } from "../../../extension/src/core/secrets/mask";
import { findSecrets } from "./fakePorts";

describe("rows that fit", () => {
  it("are the longest beginning that stays within the bound", () => {
    const rows = fc.array(fc.record({ name: fc.string({ maxLength: 40 }), at: fc.nat() }), { maxLength: 30 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 20, max: 900 }), (all, units) => {
        const build = (shown: readonly Json[]): Json => ({ shown });
        const text = fitted(all, build, units);
        const lengthOf = (count: number): number => JSON.stringify(build(all.slice(0, count))).length;
        if (text === undefined) {
          expect(lengthOf(Math.min(1, all.length))).toBeGreaterThan(units);
          return;
        }
        expect(text.length).toBeLessThanOrEqual(units);
        const { shown } = JSON.parse(text);
        expect(text).toBe(JSON.stringify(build(all.slice(0, shown.length))));
        if (shown.length < all.length) expect(lengthOf(shown.length + 1)).toBeGreaterThan(units);
      }),
      { numRuns: 800 },
    );
  });
});

describe("the texts of an answer", () => {
  /** Places near every cut, so that a secret lies before, across and behind it. */
  const places = [0, 90, 380, 399, 400, 401, 8_191, SECRET_SLACK_UNITS, SECRET_SLACK_UNITS + 399, 40_000];
  const text = fc
    .array(
      fc.record({
        before: fc.oneof(fc.constantFrom(...places), fc.nat({ max: 500 })),
        letters: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) =>
      parts.map(({ before, letters }) => `${"x".repeat(before)} SECRET-${"A".repeat(letters)} `).join(""),
    );

  it("hold no part of a secret, wherever they are cut, and stay within their lengths", async () => {
    const value = fc.record({
      title: text,
      tool: text,
      transcript: text,
      notes: fc.array(text, { maxLength: 2 }),
      deep: fc.record({ path: text, count: fc.nat(), none: fc.constant(null) }),
    });
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const shown = await shownTexts(given, { find: findSecrets });
        expect(JSON.stringify(shown)).not.toMatch(/SE?C?R?E?T?-A|SECR/);
        expect(shown.title.length).toBeLessThanOrEqual(400);
        expect(shown.tool.length).toBeLessThanOrEqual(100);
        expect(shown.transcript.length).toBeLessThanOrEqual(8_192);
        expect(shown.deep).toMatchObject({ count: given.deep.count, none: null });
        const begins = given.title.slice(0, given.title.indexOf("SECRET-")).slice(0, 380);
        expect(shown.title.startsWith(begins)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("that are short and hold none are what they were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        expect(await shownTexts(value as Json, { find: findSecrets })).toEqual(value);
      }),
    );
  });
});
