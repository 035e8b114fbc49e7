import { describe, expect, it } from "vitest";
import { LineIndex } from "../../../extension/src/cli/lines";
import { jsonThreshold } from "../../../extension/src/cli/report";
import { counted, grouped, middle, paint, plain, table, width } from "../../../extension/src/cli/text";

describe("plain", () => {
  it("leaves letters of every script and emoji alone", () => {
    for (const text of ["Größe", "潮位", "👩‍🚒 🦭", "a b"]) expect(plain(text)).toBe(text);
  });

  it("shows what could move the cursor, recolour, hide or reorder", () => {
    expect(plain("\u001b[31mred\u001b]8;;http://x\u0007")).toBe("\\u{1b}[31mred\\u{1b}]8;;http://x\\u{7}");
    expect(plain("a\nb\r\tc\u0000\u007f\u009b2J")).toBe("a\\nb\\r\\tc\\u{0}\\u{7f}\\u{9b}2J");
    expect(plain("x\u202egnp.exe\u2066\u200b\ufeff")).toBe("x\\u{202e}gnp.exe\\u{2066}\\u{200b}\\u{feff}");
    expect(plain("\ud83d!\udc00")).toBe("\\u{d83d}!\\u{dc00}");
  });
});

describe("numbers and tables", () => {
  it("groups by commas", () => {
    expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
    expect([counted(1, "file"), counted(2_000, "file")]).toEqual(["1 file", "2,000 files"]);
  });

  it("aligns by the cells that a terminal shows", () => {
    expect(width("潮位")).toBe(4);
    expect(width("e\u0301")).toBe(1);
    expect(
      table(
        [{ title: "tool" }, { title: "chars", right: true }],
        [
          ["潮", "7"],
          ["terminal", "41,203"],
        ],
      ),
    ).toBe("tool       chars\n潮             7\nterminal  41,203\n");
  });

  it("shortens in the middle and never splits a character", () => {
    expect(middle("/home/dana/.hermes/cache/spillover/call_1.txt", 20)).toBe("/home/dan…call_1.txt");
    expect(middle("🦭🦭🦭🦭🦭", 3)).toBe("🦭…🦭");
    expect(middle("short", 20)).toBe("short");
  });

  it("colours only when asked", () => {
    expect(paint("error", "error", false)).toBe("error");
    expect(paint("error", "error", true)).toBe("\u001b[31merror\u001b[0m");
  });

  it("writes thresholds that a double cannot hold as digits", () => {
    expect(jsonThreshold(9_007_199_254_740_991n)).toBe(9_007_199_254_740_991);
    expect(jsonThreshold(9_007_199_254_740_993n)).toBe("9007199254740993");
    expect(jsonThreshold(null)).toBeNull();
  });
});

describe("lines", () => {
  it("counts CR, LF and CR LF once each", () => {
    const lines = new LineIndex("a\r\nbb\rccc\n\nd");
    expect([0, 1, 3, 6, 10, 11, 12].map((offset) => lines.position(offset))).toEqual([
      { line: 1, column: 1, offset: 0 },
      { line: 1, column: 2, offset: 1 },
      { line: 2, column: 1, offset: 3 },
      { line: 3, column: 1, offset: 6 },
      { line: 4, column: 1, offset: 10 },
      { line: 5, column: 1, offset: 11 },
      { line: 5, column: 2, offset: 12 },
    ]);
    expect(new LineIndex("").range({ start: 0, end: 0 }).end).toEqual({ line: 1, column: 1, offset: 0 });
  });
});
