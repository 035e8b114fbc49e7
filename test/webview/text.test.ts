import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFor, UNKNOWN } from "../../webview/src/format";
import { strings } from "../../webview/src/strings";
import { visibleLine, visiblePieces } from "../../webview/src/visibleText";
import { whatIfStrings } from "../../webview/src/whatIf/whatIfStrings";

const joined = (text: string): string =>
  visiblePieces(text)
    .map((piece) => (piece.mark === null ? piece.text : `[${piece.text}|${piece.mark}]`))
    .join("");

describe("untrusted text", () => {
  test.each([
    ["plain", "plain"],
    ["a\tb\nc", "a\tb\nc"],
    ["a\r\nb\rc", "a\nb[CR|U+000D]c"],
    ["\u001B[31mred", "[ESC|U+001B][31mred"],
    ["nul\u0000 del\u007F", "nul[NUL|U+0000] del[DEL|U+007F]"],
    ["\u202Etxt.exe\u202C", "[U+202E|U+202E]txt.exe[U+202C|U+202C]"],
    ["zero\u200Bwidth", "zero[U+200B|U+200B]width"],
    ["lone \uD83D end", "lone [U+D83D|U+D83D] end"],
    ["tag \u{E0041}", "tag [U+E0041|U+E0041]"],
    [`Z${"\u0301".repeat(12)}.`, `Z${"\u0301".repeat(8)}[+4 marks|U+0301].`],
    [`Z${"\u0301".repeat(8)}.`, `Z${"\u0301".repeat(8)}.`],
    ["😀 é 漢", "😀 é 漢"],
    ["", ""],
  ])("%j", (text, shown) => {
    expect(joined(text)).toBe(shown);
  });

  test("nothing that hides or reorders is left in plain pieces or lines", () => {
    const hidden = /[\p{Cc}\p{Cs}\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/u;
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        for (const piece of visiblePieces(text)) {
          expect(piece.text.replace(/[\t\n]/gu, "")).not.toMatch(hidden);
        }
        expect(visibleLine(text).replace(/\u2068([^\u2066-\u2069]+)\u2069/gu, "$1")).not.toMatch(hidden);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["read שלום 12", "read \u2068שלום\u2069 12"],
    ["שלום, (12) עולם! x", "\u2068שלום, (12) עולם\u2069! x"],
    ["سلام ab سلام", "\u2068سلام\u2069 ab \u2068سلام\u2069"],
    ["\u2068שלום", "‹U+2068›\u2068שלום\u2069"],
  ])("what reads from right to left is isolated: %j", (text, shown) => {
    expect(visibleLine(text)).toBe(shown);
  });

  test("visible characters are never changed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 60 }), (text) => {
        expect(
          visiblePieces(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});

describe("numbers", () => {
  test("counts have the locale's separators", () => {
    expect(formatFor("en").count(41203)).toBe("41,203");
    expect(formatFor("de").count(41203)).toBe("41.203");
    expect(formatFor("de").short(10300)).toBe("10,3k");
  });

  test("unknown is a dash, zero is zero", () => {
    expect(formatFor("en").count(null)).toBe(UNKNOWN);
    expect(formatFor("en").short(null)).toBe(UNKNOWN);
    expect(formatFor("en").count(0)).toBe("0");
    expect(formatFor("en").percent(0, 0)).toBe(UNKNOWN);
  });

  test.each([
    [999, "999"],
    [1000, "1.0k"],
    [10_301, "10.3k"],
    [999_949, "999.9k"],
    [999_950, "1.00M"],
    [999_994_999, "999.99M"],
    [999_995_000, "1.00G"],
    [45_622_500_000, "45.62G"],
    [4_380_112, "4.38M"],
  ])("%d is %s in short", (value, shown) => {
    expect(formatFor("en").short(value)).toBe(shown);
  });

  test.each([
    [0, "0 B"],
    [31_400_000, "31.4 MB"],
    [1_500, "1.5 kB"],
  ])("%d bytes are %s", (value, shown) => {
    expect(formatFor("en").bytes(value)).toBe(shown);
  });

  test.each([
    [1, 100_000, "< 0.1%"],
    [0, 5, "0%"],
    [42, 1000, "4.2%"],
    [996, 1000, "99.6%"],
    [1000, 1000, "100%"],
    [99_999, 100_000, "> 99.9%"],
  ])("%d of %d is %s", (part, whole, shown) => {
    expect(formatFor("en").percent(part, whole)).toBe(shown);
  });

  test("what is no language tag falls back to the runtime's own", () => {
    expect(formatFor("not a locale").count(7)).toBe("7");
  });
});

describe("words", () => {
  /** Every text of the page that has a number in it, with 1 for each of its numbers. */
  function* withOne(texts: unknown, path: string): Generator<readonly [path: string, text: string]> {
    if (typeof texts === "function" && path !== "what if.assumptions.summary") {
      yield [path, String(texts("1", "1", "1", "1"))];
    } else if (typeof texts === "object" && texts !== null) {
      for (const [name, inner] of Object.entries(texts)) yield* withOne(inner, `${path}.${name}`);
    }
  }
  const all = [...withOne(strings, "page"), ...withOne(whatIfStrings, "what if")];

  // There are always several of these.
  const several = [/\.sumOf$/, /\.titleOfAll$/, /\.perPoint$/, /\.search\.capped$/];

  test("one of a thing is told in the singular", () => {
    const counted = all.filter(([path]) => several.every((one) => !one.test(path)));
    expect(counted.length).toBeGreaterThan(80);
    const things = "results|calls|hits|problems|messages|usage records|threads|handles|images|compactions|steps";
    const plurals = new RegExp(`(?<!of |[\\d.,])1 (?:further )?(?:${things})\\b`, "i");
    expect(counted.filter(([, text]) => plurals.test(text))).toEqual([]);
  });
});
