import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { checkDocument } from "../../extension/src/service/context";
import { toDiagnostics } from "../../extension/src/service/diagnostics";
import { explainConfig } from "../../extension/src/service/explainConfig";
import { createFormat } from "../../extension/src/service/format";

const KEY = "tool_result_persist_threshold_chars";
const value = (written: string): string => `tools:\n  ${KEY}: ${written}\n`;
const many = (count: number, line: (index: number) => string, between = "\n"): string =>
  Array.from({ length: count }, (_, index) => line(index)).join(between);

/** Texts that make a reader work, nest or remember without end; and the problem that says what became of it, if there is one. */
const BOMBS: Readonly<Record<string, readonly [text: () => string, code: string | undefined]>> = {
  "aliases of aliases": [
    () => `a0: &a0 [x,x]\n${many(60, (i) => `a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i}]`)}\n${value("5")}`,
    "yaml-limit",
  ],
  "aliases as values of a setting": [
    () =>
      `a0: &a0 [x]\n${many(40, (i) => `a${i + 1}: &a${i + 1} [*a${i},*a${i}]`)}\ncompression: {model_thresholds: *a40}\n`,
    "yaml-limit",
  ],
  "a mapping that contains itself": [() => "a: &a {b: *a}\n", "yaml-recursive"],
  "a flow nested a million times": [() => `a: ${"[".repeat(1_000_000)}`, "yaml-limit"],
  "a flow nested and closed": [() => `a: ${"{a: ".repeat(100_000)}1${"}".repeat(100_000)}`, "yaml-limit"],
  "blocks in one line": [() => `${"- ".repeat(300_000)}x`, "yaml-limit"],
  "blocks in many lines": [() => many(3_000, (i) => `${" ".repeat(i)}a:`), "yaml-limit"],
  questions: [() => "? ".repeat(300_000), "yaml-limit"],
  "a chain of merge keys": [
    () => `m0: &m0 {k0: 1}\n${many(3_000, (i) => `m${i + 1}: &m${i + 1} {<<: *m${i}, k${i + 1}: 1}`)}\n`,
    "yaml-limit",
  ],
  "lists of merge keys": [
    () => `m0: &m0 {k: 1}\n${many(40, (i) => `m${i + 1}: &m${i + 1} {<<: [*m${i}, *m${i}, *m${i}]}`)}\n`,
    "yaml-limit",
  ],
  "a number of 10 million digits": [() => value("1".repeat(10_000_000)), "yaml-construct"],
  "the same in quotes": [() => value(`"${"1".repeat(10_000_000)}"`), "threshold-string-too-long"],
  "a scalar of 10 million letters": [() => value("x".repeat(10_000_000)), "threshold-non-whole-string"],
  "a hexadecimal number of a million digits": [() => value(`0x${"f".repeat(1_000_000)}`), "yaml-limit"],
  "a binary number of 3 million digits": [() => value(`0b${"1".repeat(3_000_000)}`), "yaml-limit"],
  "an octal number of a million digits": [() => value(`0${"7".repeat(1_000_000)}`), "yaml-limit"],
  "a number of half a million parts": [() => value(`1${":59".repeat(500_000)}`), "yaml-limit"],
  "a hexadecimal number that is read": [() => value(`0x${"f".repeat(15_000)}`), "threshold-reads-differently"],
  "an exponent": [() => value("1e999999999"), "threshold-non-whole-string"],
  "an exponent with a dot": [() => value("1.0e+999999999"), "threshold-float"],
  "200,000 keys": [() => many(200_000, (i) => `k${i}: 1`), undefined],
  "one key 100,000 times": [() => "k: 1\n".repeat(100_000), "yaml-duplicate-key"],
  "a tag of a million letters": [() => `x: !${"a".repeat(1_000_000)} 1`, "yaml-tag"],
  "an alias of a million letters": [() => `x: *${"a".repeat(1_000_000)}`, "yaml-anchor"],
  "a million openings of a variable": [() => value(`"${"${".repeat(1_000_000)}"`), "threshold-non-whole-string"],
  "3 million empty lines": [() => `${"\n".repeat(3_000_000)}${value("5")}`, undefined],
  "21 million characters": [() => `${value("5")}# ${"x".repeat(21_000_000)}`, "yaml-limit"],
};

/** Bytes of heap that may be in use when a text of at most 42 MB was looked at. */
const MOST_HEAP = 1_200_000_000;

describe("a config that is a bomb", () => {
  it.each(Object.entries(BOMBS))("%s ends, with its problem by name", (_, [text, code]) => {
    for (const loader of ["ruamel", "pyyaml"] as const) {
      const document = TextDocument.create("file:///config.yaml", "yaml", 1, text());
      const checked = checkDocument(document, { loader });
      const problems = toDiagnostics(checked, { source: "", docs: undefined });
      // Only the newer loader refuses a key that comes twice.
      if (code !== undefined && !(code === "yaml-duplicate-key" && loader === "pyyaml")) {
        expect(problems.map((problem) => problem.code)).toContain(code);
      }
      for (const { message } of problems) expect(String(message).length).toBeLessThan(1_000);
      const explained = explainConfig(checked, PLACE, createFormat("en"));
      expect(explained.length).toBeLessThan(60_000);
      expect(process.memoryUsage().heapUsed).toBeLessThan(MOST_HEAP);
    }
  });
});

const PLACE = {
  path: "/home/user/.hermes/config.yaml",
  profile: undefined,
  envFile: undefined,
  managedFile: { path: "/etc/hermes/config.yaml", exists: false },
  restricted: false,
  backups: [],
  others: [],
  activeProfile: undefined,
  lockedBy: undefined,
  othersLeftOut: 0,
};
