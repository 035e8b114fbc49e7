import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { checkConfig } from "../../../extension/src/core/config/check";
import { applyEdits } from "../../../extension/src/core/config/edits";
import { configFixes, unquoteFix } from "../../../extension/src/core/config/fixes";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { completion } from "../../../extension/src/service/completion";
import { configSummary } from "../../../extension/src/service/configSummary";
import { checkDocument } from "../../../extension/src/service/context";
import { type ConfigPlace, explainConfig } from "../../../extension/src/service/explainConfig";
import { createFormat } from "../../../extension/src/service/format";
import { hover } from "../../../extension/src/service/hover";
import { KEY, variable } from "./samples";

const SEED = 20260814;
const FORMAT = createFormat("en");
const PLACE: ConfigPlace = {
  path: "/home/user/.hermes/config.yaml",
  profile: undefined,
  envFile: undefined,
  managedFile: { path: "/etc/hermes/config.yaml", exists: false },
  backups: [],
  others: [],
  activeProfile: "default",
  lockedBy: undefined,
  restricted: false,
  othersLeftOut: 0,
};

/** Pieces of configs, right and wrong, in any order and indentation. */
const piece = fc.oneof(
  fc.constantFrom(
    "tools:",
    "tool:",
    "tool_budget:",
    `${KEY}:`,
    `${KEY}`,
    "persist_threshold:",
    "max_bytes:",
    "compression:",
    "tool_result_prune:",
    "enabled:",
    "threshold:",
    "model_thresholds:",
    "model: {context_length: 200000}",
    "context_length: 256K",
    "9".repeat(400),
    variable("A:-1"),
    `tools.${KEY}:`,
    "a:",
    "- ",
    "? ",
    ": ",
    "20000",
    "1e4",
    '"20_000"',
    "020000",
    "5:33:20",
    "0x4e20",
    "1e+4",
    "yes",
    "y",
    "~",
    "''",
    variable("X"),
    "&a ",
    "*a",
    "<<: ",
    "!!int ",
    "!!str ",
    "!!set ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "|\n",
    ">-\n",
    "# c",
    " # c",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "\ufeff",
    "\u0000",
    "\t",
    "\r\n",
    "\r",
    '"',
    "'",
    "=",
    "\u0085",
    "\ud800",
  ),
  fc.string({ maxLength: 4 }),
);
const line = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.array(piece, { maxLength: 5 }))
  .map(([indent, parts]) => " ".repeat(indent) + parts.join(""));
const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
/** Mostly well-formed files around the key. */
const config = fc
  .tuple(
    fc.constantFrom("tools:\n  ", "tools: {", "tool:\n  ", "", "a: 1\ntools:\n  b: 2\n  "),
    fc.constantFrom(KEY, "persist_threshold", "max_bytes"),
    piece,
    fc.constantFrom("", " # c", "}", "\n", "\n  c: 3\n", "\r\n"),
  )
  .map(([head, key, value, tail]) => `${head}${key}: ${value}${tail}`);

const options = fc.record({
  loader: fc.constantFrom("pyyaml" as const, "ruamel" as const),
  language: fc.constantFrom("yaml" as const, "yaml" as const, "json" as const, "jsonc" as const),
  isAgentConfig: fc.boolean(),
});

function examine(source: string, how: CheckOptions): void {
  const check = checkConfig(source, how);
  expect(check.threshold !== null).toBe(check.verdict === "accepted");
  expect(check.value === null).toBe(check.verdict === "absent");
  for (const problem of check.problems) {
    const { start, end } = problem.range;
    expect(start >= 0 && start <= end && end <= source.length).toBe(true);
    for (const fix of configFixes(source, check, problem, how)) {
      const after = checkConfig(applyEdits(source, fix.edits), how);
      const number = /^Write (\d+)/.exec(fix.title)?.[1];
      if (number !== undefined && after.load.failure === undefined) expect(String(after.threshold)).toBe(number);
      if (check.load.failure === undefined) expect(after.load.failure).toBeUndefined();
    }
  }
  const unquote = unquoteFix(source, check, how);
  if (unquote !== undefined)
    expect(checkConfig(applyEdits(source, unquote.edits), how).threshold).toBe(check.threshold);
  const document = TextDocument.create("file:///x.yaml", "yaml", 1, source);
  const checked = checkDocument(document, how);
  const place = document.positionAt(check.pair?.value.outerStart ?? source.length);
  hover(checked, place, { locale: "en", explainCommand: undefined });
  completion(checked, place);
  configSummary(checked, FORMAT);
  expect(explainConfig(checked, PLACE, FORMAT)).toContain("# Context budget");
}

describe("any text is examined without a throw, in bounds, with fixes that keep their promise", () => {
  it("pieces of configs in any order", () => {
    fc.assert(fc.property(text, options, examine), { seed: SEED, numRuns: 500 });
  });

  it("files around the key", () => {
    fc.assert(fc.property(config, options, examine), { seed: SEED, numRuns: 500 });
  });
});
