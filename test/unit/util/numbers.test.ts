import { describe, expect, it } from "vitest";
import { shortTokens } from "../../../extension/src/core/util/numbers";
import { formatFor } from "../../../webview/src/format";

describe("short numbers of tokens", () => {
  it("read on the command line as in the inspector", () => {
    const { short } = formatFor("en");
    for (const tokens of [
      0, 1, 999, 1_000, 10_349, 26_014, 132_648, 999_949, 999_950, 1_471_184, 9_898_000, 16_003_493,
    ])
      expect(shortTokens(tokens), String(tokens)).toBe(short(tokens));
  });

  it("are grouped beyond a thousand millions", () => {
    expect(shortTokens(1_234_567_000_000)).toBe("1,234,567.00M");
  });
});
