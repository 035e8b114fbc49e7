import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countCodePoints,
  headCodePoints,
  measureText,
  offsetAfterCodePoints,
  tailCodePoints,
} from "../../../extension/src/core/util/textSize";

const units = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0x20, max: 0x7e }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
    ),
    { maxLength: 40 },
  )
  .map((codes) => String.fromCharCode(...codes));

describe("measureText", () => {
  it.each([
    ["", 0, 0, 0],
    ["abc", 3, 3, 3],
    ["é", 1, 1, 2],
    ["߿ࠀ", 2, 2, 5],
    ["😀", 1, 2, 4],
    ["\ud83d", 1, 1, 3],
    ["\ude00\ud83d", 2, 2, 6],
    ["\ud83d😀\ude00", 3, 4, 10],
    ["\uffff\u0000", 2, 2, 4],
  ])("%j", (text, codePoints, utf16, bytes) => {
    expect(measureText(text)).toEqual({ codePoints, utf16, bytes });
  });

  it("agrees with the string iterator and with the platform's encoder", () => {
    fc.assert(
      fc.property(units, (text) => {
        const points = Array.from(text);
        // The encoder writes a lone surrogate as U+FFFD, which takes three bytes as well.
        const bytes = new TextEncoder().encode(text).length;
        expect(measureText(text)).toEqual({ codePoints: points.length, utf16: text.length, bytes });
        expect(countCodePoints(text)).toBe(points.length);
      }),
    );
  });
});

describe("cutting by code points", () => {
  it("cuts as Python slices do", () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 45 }), (text, n) => {
        const points = Array.from(text);
        expect(headCodePoints(text, n)).toBe(points.slice(0, n).join(""));
        expect(tailCodePoints(text, n)).toBe(n === 0 ? "" : points.slice(-n).join(""));
      }),
    );
  });

  it("starts anywhere and stops at the end", () => {
    expect(offsetAfterCodePoints("a😀b", 1, 1)).toBe(3);
    expect(offsetAfterCodePoints("a😀b", 9, 1)).toBe(4);
  });
});
