import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../extension/src/core/config/edits";
import { setThreshold } from "../../../extension/src/core/config/setThreshold";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { check, KEY } from "./samples";

const set = (text: string, threshold: number, options: Partial<CheckOptions> = {}): string | undefined => {
  const found = check(text, options);
  const fix = setThreshold(text, found, threshold, { loader: "ruamel", ...options });
  return fix && applyEdits(text, fix.edits);
};

describe("the threshold of a config is set", () => {
  it.each([
    ["a value", `tools:\n  ${KEY}: 50000  # mine\n  x: 1\n`, `tools:\n  ${KEY}: 20000  # mine\n  x: 1\n`],
    ["a rejected value", `tools:\n  ${KEY}: 1e4\n`, `tools:\n  ${KEY}: 20000\n`],
    ["no value", `tools:\n  ${KEY}:\n  x: 1\n`, `tools:\n  ${KEY}: 20000\n  x: 1\n`],
    ["null", `tools:\n  ${KEY}: null\n`, `tools:\n  ${KEY}: 20000\n`],
    ["quotes", `tools: {${KEY}: "9000"}\n`, `tools: {${KEY}: 20000}\n`],
    ["an anchor", `tools:\n  ${KEY}: &a 9000\nx: *a\n`, `tools:\n  ${KEY}: &a 20000\nx: *a\n`],
    ["no key", "model: m\ntools:\n  x: 1\n", `model: m\ntools:\n  ${KEY}: 20000\n  x: 1\n`],
    ["an empty section", "tools:\nmodel: m\n", `tools:\n  ${KEY}: 20000\nmodel: m\n`],
    ["no section", "model: m", `model: m\ntools:\n  ${KEY}: 20000\n`],
    ["line ends of Windows", "model: m\r\n", `model: m\r\ntools:\r\n  ${KEY}: 20000\r\n`],
    ["nothing at all", "", `tools:\n  ${KEY}: 20000\n`],
    ["comments only", "# mine\n", `# mine\ntools:\n  ${KEY}: 20000\n`],
    ["two equal keys", `tools:\n  ${KEY}: 1000\n  ${KEY}: 2000\n`, undefined],
    ["a file that does not load", "tools: [\n", undefined],
    ["a list", "- a\n", undefined],
    ["a section that is a text", "tools: all\n", undefined],
  ])("in a file with %s", (_, text, expected) => {
    expect(set(text, 20_000)).toBe(expected);
  });

  it("in JSON", () => {
    const options = { language: "json" } as const;
    expect(set(`{"tools": {"x": 1}}`, 12_000, options)).toBe(`{"tools": {"${KEY}": 12000, "x": 1}}`);
    expect(set(`{"a": 1}`, 12_000, options)).toBe(`{"tools": {"${KEY}": 12000}, "a": 1}`);
    expect(set("{}", 12_000, options)).toBe(`{"tools": {"${KEY}": 12000}}`);
  });
});
