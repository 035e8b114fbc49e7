import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../extension/src/core/config/edits";
import { configFixes } from "../../../extension/src/core/config/fixes";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { check, variable } from "./samples";

/** Each fix for the only problem of a text: its title and the text afterwards. */
function fixes(text: string, options: Partial<CheckOptions> = {}): Readonly<Record<string, string>> {
  const found = check(text, options);
  const [problem, ...others] = found.problems;
  expect(others).toEqual([]);
  if (problem === undefined) throw new Error("the sample has no problem");
  const offered = configFixes(text, found, problem, { loader: "ruamel", ...options });
  return Object.fromEntries(offered.map((fix) => [fix.title, applyEdits(text, fix.edits)]));
}

describe("quick fixes of settings", () => {
  it("offers both readings of a unit, and the way back to the default", () => {
    expect(fixes("model:\n  a: 1\n  context_length: 256K # big\n")).toEqual({
      "Write 256000": "model:\n  a: 1\n  context_length: 256000 # big\n",
      "Write 262144": "model:\n  a: 1\n  context_length: 262144 # big\n",
      "Remove model.context_length": "model:\n  a: 1\n  # big\n",
    });
  });

  it("writes what a switch says before what it does", () => {
    expect(Object.keys(fixes("compression:\n  x: 1\n  enabled: 'on'\n"))).toEqual([
      "Write true",
      "Write false",
      "Remove compression.enabled",
    ]);
    expect(fixes('compression:\n  tool_result_prune: {enabled: "false"}\n')["Write false"]).toBe(
      "compression:\n  tool_result_prune: {enabled: false}\n",
    );
    expect(fixes("compression:\n  enabled:\n  x: 1\n")["Write true"]).toBe("compression:\n  enabled: true\n  x: 1\n");
  });

  it("moves numbers to their limit and writes hidden ones out", () => {
    expect(fixes("compression:\n  max_attempts: 50\n")["Write 10"]).toBe("compression:\n  max_attempts: 10\n");
    expect(fixes("compression:\n  target_ratio: 0.9\n")["Write 0.8"]).toBe("compression:\n  target_ratio: 0.8\n");
    expect(Object.keys(fixes("file_read_max_chars: 0100000\nx: 1\n"))).toEqual([
      "Write 32768",
      "Write 100000",
      "Remove file_read_max_chars",
    ]);
    expect(fixes("compression:\n  threshold: 50%\n")["Write 0.5"]).toBe("compression:\n  threshold: 0.5\n");
  });

  it("offers the words of a choice, quoted in JSON", () => {
    expect(fixes("compression:\n  codex_app_server_auto: never\n")["Write off"]).toBe(
      "compression:\n  codex_app_server_auto: 'off'\n",
    );
    expect(fixes('{"compression": {"tail_mode": "long"}}', { language: "json" })["Write lean"]).toBe(
      '{"compression": {"tail_mode": "lean"}}',
    );
  });

  it("offers nothing but removal where the value comes from the environment", () => {
    const environment = { get: () => ({ value: "x", source: "here" }) };
    expect(Object.keys(fixes(`file_read_max_chars: ${variable("A")}\nb: 1\n`, { environment }))).toEqual([
      "Remove file_read_max_chars",
    ]);
  });
});
