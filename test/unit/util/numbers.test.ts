import { describe, expect, it } from "vitest";
import { aboutPercent, percent, shortNumber } from "../../../extension/src/core/util/numbers";
import { formatFor } from "../../../webview/src/format";

describe("short numbers", () => {
  it("read on the command line as in the inspector", () => {
    const { short } = formatFor("en");
    for (const tokens of [
      0, 1, 999, 1_000, 10_349, 26_014, 132_648, 999_949, 999_950, 1_471_184, 9_898_000, 16_003_493, 999_994_999,
      999_995_000, 45_622_500_000, 1_234_567_000_000,
    ])
      expect(shortNumber(tokens), String(tokens)).toBe(short(tokens));
  });
});

describe("percentages", () => {
  it("read on the command line as in the inspector", () => {
    const page = formatFor("en");
    for (const [part, whole] of [
      [0, 5],
      [1, 100_000],
      [42, 1_000],
      [40, 1_000],
      [999, 10_000],
      [1, 10],
      [401, 1_000],
      [996, 1_000],
      [99_999, 100_000],
      [39, 10],
      [5, 0],
    ] as const)
      expect(percent(part, whole), `${part} of ${whole}`).toBe(page.percent(part, whole));
  });

  it.each([
    [-401, 1_000, "−40%"],
    [-42, 1_000, "−4.2%"],
    [-1, 100_000, "> −0.1%"],
    [-1, 0, "–"],
    [132_200, 132_648, "99.7%"],
    [99_999, 100_000, "> 99.9%"],
    [-99_999, 100_000, "< −99.9%"],
    [7, 7, "100%"],
    [99, 100, "99%"],
  ])("%d of %d is %s", (part, whole, shown) => {
    expect(percent(part, whole)).toBe(shown);
  });

  it("say where they are estimated, and nothing of nothing", () => {
    expect(aboutPercent(42, 1_000)).toBe("≈ 4.2%");
    expect(aboutPercent(42, 0)).toBe("–");
  });
});
