import { describe, expect, it } from "vitest";
import { shortText, withShortTexts } from "../../../extension/src/core/util/shortTexts";

describe("texts that are too long to look at", () => {
  it("end with how much was left out, and never with half a character", () => {
    expect(shortText("abcdef", 6)).toBe("abcdef");
    expect(shortText("abcdefg", 6)).toBe("abcdef… (+1)");
    expect(shortText("ab😀cd", 3)).toBe("ab… (+4)");
    expect(shortText("ab😀cd", 4)).toBe("ab😀… (+2)");
  });

  it("are cut wherever they stand, but for those that are kept whole", () => {
    const value = {
      a: "12345",
      text: "12345",
      list: ["1", { b: "12345" }],
      n: 1,
      none: null,
      bytes: new Uint8Array(2),
    };
    expect(withShortTexts(value, 4, new Set(["text"]))).toEqual({
      ...value,
      a: "1234… (+1)",
      list: ["1", { b: "1234… (+1)" }],
    });
    expect(withShortTexts(value, 5)).toBe(value);
    expect(withShortTexts(undefined)).toBeUndefined();
  });
});
