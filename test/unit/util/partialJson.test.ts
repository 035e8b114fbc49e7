import { describe, expect, it } from "vitest";
import { parseJson, parsePartialJson } from "../../../extension/src/core/util/partialJson";

const VALUE = {
  cwd: "/home/ada/p",
  list: [1, -2.5e3, true, null, 'a\\"b', { deep: ["x"] }],
  text: 'quote " backslash \\ line\n emoji 😀 é',
  message: { role: "user", content: [{ type: "text", text: "Hello, you" }] },
};

/** True when everything in `part` is in `whole` too: fewer members and elements, and texts that go on there. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part === "string" && typeof whole === "string")
    return whole.startsWith(part.replace(/[\uD800-\uDBFF]$/, ""));
  if (Array.isArray(part) && Array.isArray(whole)) return part.every((one, n) => isPartOf(one, whole[n]));
  if (typeof part === "object" && part !== null && typeof whole === "object" && whole !== null)
    return Object.entries(part).every(
      ([key, one]) => key in whole && isPartOf(one, (whole as Record<string, unknown>)[key]),
    );
  return Object.is(part, whole);
}

describe("a JSON value that is cut off", () => {
  it.each([JSON.stringify(VALUE), JSON.stringify(VALUE, null, 2), JSON.stringify([VALUE, VALUE])])(
    "gives what is there, at every place of the cut: %#",
    (text) => {
      let found = 0;
      for (let cut = 1; cut < text.length; cut++) {
        const part = parsePartialJson(text.slice(0, cut));
        expect(part, `cut at ${cut}: ${text.slice(0, cut)}`).toBeTypeOf("object");
        expect(isPartOf(part, JSON.parse(text)), `cut at ${cut}: ${JSON.stringify(part)}`).toBe(true);
        found = Math.max(found, JSON.stringify(part).length);
      }
      expect(found).toBeGreaterThan(JSON.stringify(VALUE).length * 0.9);
      expect(parsePartialJson(text)).toEqual(JSON.parse(text));
    },
  );

  it("keeps a text that is cut as far as it goes", () => {
    expect(parsePartialJson('{"a":1,"b":"some te')).toEqual({ a: 1, b: "some te" });
    expect(parsePartialJson('{"a":1,"b":"x\\')).toEqual({ a: 1, b: "x" });
    expect(parsePartialJson('{"a":1,"b":"x\\\\')).toEqual({ a: 1, b: "x\\" });
    expect(parsePartialJson('{"a":1,"b":"x\\u00')).toEqual({ a: 1, b: "x" });
    expect(parsePartialJson('{"a":1,"b')).toEqual({ a: 1 });
    expect(parsePartialJson('{"a":1,"b":tru')).toEqual({ a: 1 });
  });

  it.each(["", "x", "<html>", "]", "nul", "\0\0", '"}'])("gives nothing for %j, which is none", (text) => {
    expect(typeof parsePartialJson(text)).not.toBe("object");
  });

  it("is strict where that is asked for", () => {
    expect(parseJson('{"a":1')).toBeUndefined();
    expect(parseJson('{"a":1}')).toEqual({ a: 1 });
  });
});
