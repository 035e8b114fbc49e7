import { describe, expect, it } from "vitest";
import { checkConfig } from "../../../extension/src/core/config/check";
import type { Environment } from "../../../extension/src/core/config/expand";

const known: Environment = { get: (name) => (name === "SET" ? { value: "x", source: "here" } : undefined) };

function found(text: string, environment: Environment | null = known) {
  return checkConfig(text, { loader: "ruamel", ...(environment === null ? {} : { environment }) })
    .problems.filter(({ code }) => code.startsWith("variable-"))
    .map(({ code, severity, range }) => [code, severity, text.slice(range.start, range.end)]);
}

describe("variables at keys that are not judged", () => {
  it("flags what is not set, in values, lists and quoted or folded texts, but not in keys and comments", () => {
    const text = [
      `a: \${A} # \${COMMENT}`,
      `b: ["x \${env:B}", '\${SET}', '\${C}']`,
      `\${KEY}: 1`,
      "d: >-",
      `  one \${D}`,
      "  two",
      `e: \${vault:secret}`,
      'f: "\\x24{F}"',
      "",
    ].join("\n");
    expect(found(text)).toEqual([
      ["variable-unset", "hint", `\${A}`],
      ["variable-unset", "hint", `\${env:B}`],
      ["variable-unset", "hint", `\${C}`],
      ["variable-unset", "hint", `\${D}`],
      ["variable-unset", "hint", '"\\x24{F}"'],
    ]);
  });

  it("flags defaults, which do not exist", () => {
    expect(found(`a: \${A:-b}\n`)).toEqual([["variable-syntax", "hint", `\${A:-b}`]]);
  });

  it("leaves keys that are judged to their own checks", () => {
    const text = `tools: {tool_result_persist_threshold_chars: '\${T}'}\ncompression: {max_attempts: '\${M}'}\n`;
    expect(found(text)).toEqual([
      ["variable-unset", "warning", `'\${T}'`],
      ["variable-unset", "warning", `'\${M}'`],
    ]);
  });

  it("says nothing where no environment is known, or the file does not load", () => {
    expect(found(`a: \${A}\n`, null)).toEqual([]);
    expect(found(`a: \${A}\nb: [\n`)).toEqual([]);
  });

  it("comes once for what aliases repeat, and survives circles", () => {
    expect(found(`a: &x ['\${A}']\nb: *x\nc: *x\n`)).toHaveLength(1);
    expect(found(`a: &x ['\${A}', *x]\n`)).toEqual([]);
  });

  it("is bounded, and says so", () => {
    const many = Array.from({ length: 300 }, (_, n) => `k${n}: \${V${n}}`).join("\n");
    const all = checkConfig(many, { loader: "ruamel", environment: known }).problems;
    expect(all).toHaveLength(101);
    expect(all.at(-1)?.message).toContain("More than 100 variables");
  });
});
