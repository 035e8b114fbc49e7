import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { corpusPath, hasCorpus } from "../../corpus";
import { check, codes, KEY, underlined, variable, withValue } from "./samples";

describe("verdicts", () => {
  it.each<[string, string, string, bigint | null, string | null]>([
    ["20000", "20000", "accepted", 20000n, null],
    ['"20000"', "'20000'", "accepted", 20000n, null],
    ["0800", "'0800'", "accepted", 800n, null],
    ["020000", "8192", "accepted", 8192n, null],
    ["1e4", "'1e4'", "rejected", null, "non-whole-string"],
    ["20000.0", "20000.0", "rejected", null, "float"],
    ["yes", "True", "rejected", null, "boolean"],
    ["2026-08-14", "datetime.date(2026, 8, 14)", "rejected", null, "date"],
    ["[20000]", "[20000]", "rejected", null, "list"],
    ["{a: 1}", "{'a': 1}", "rejected", null, "mapping"],
    ['""', "''", "rejected", null, "empty-string"],
    ["!!binary MjAwMDA=", "b'20000'", "rejected", null, "bytes"],
    ["0", "0", "unset", null, "zero"],
    ["-5", "-5", "unset", null, "negative"],
    ["~", "None", "unset", null, "none"],
    ["", "None", "unset", null, "none"],
  ])("%s is %s: %s", (written, repr, verdict, threshold, reason) => {
    const result = check(withValue(written));
    expect(result).toMatchObject({ verdict, threshold, reason });
    expect(result.value).toMatchObject({ text: written, repr });
  });

  it("is absent without the key, in an empty file, and in a file that does not load", () => {
    for (const text of ["", "a: 1\n", "tools:\n", "tools: {}\n", withValue("[")]) {
      expect(check(text)).toMatchObject({ verdict: "absent", value: null, threshold: null });
    }
  });

  it("reads the window of the model, as a number or numeric text, and falls back to the setting", () => {
    const window = (text: string) => check(text, { contextLength: 7 }).contextLength;
    expect(window("model: {context_length: 65536}\n")).toEqual({ tokens: 65536, source: "file" });
    expect(window("context_length: '65536'\n")).toEqual({ tokens: 65536, source: "file" });
    expect(window("model: {context_length: 256K}\n")).toEqual({ tokens: 7, source: "setting" });
    expect(window("model: gpt-5\n")).toEqual({ tokens: 7, source: "setting" });
    expect(check("a: 1\n").contextLength).toBeNull();
  });
});

describe("problems of the value", () => {
  it.each([
    ["threshold-boolean", "true"],
    ["threshold-float", "20000.5"],
    ["threshold-bytes", "!!binary aGk="],
    ["threshold-list", "[1]"],
    ["threshold-mapping", "{}"],
    ["threshold-date", "2026-08-14"],
    ["threshold-other-type", "!!set {a}"],
    ["threshold-non-whole-string", "20k"],
    ["threshold-empty-string", "''"],
    ["threshold-string-too-long", `"${"1".repeat(4301)}"`],
  ])("%s is an error on the value", (code, written) => {
    const text = withValue(written);
    expect(codes(text)).toEqual([code]);
    expect(check(text).problems[0]).toMatchObject({ severity: "error" });
    expect(underlined(text, code)).toBe(written);
  });

  it("says what Hermes reads and what it does instead", () => {
    const [problem] = check(withValue("yes")).problems;
    expect(problem?.message).toContain("reads yes as bool True (YAML 1.1)");
    expect(problem?.message).toContain("ignores the value");
  });

  it.each(["0", "-1", "'0'", "-0x10"])("%s is a warning, treated as unset", (written) => {
    expect(check(withValue(written)).problems).toMatchObject([{ code: "threshold-not-positive", severity: "warning" }]);
  });

  it.each([
    ["020000", "int 8192"],
    ["5:33:20", "int 20000"],
    ["20_000", "int 20000"],
    ["0x4e20", "int 20000"],
    ["0b11", "int 3"],
  ])("%s is a warning: %s", (written, reads) => {
    const { problems } = check(withValue(written));
    expect(problems).toMatchObject([{ code: "threshold-reads-differently", severity: "warning" }]);
    expect(problems[0]?.message).toContain(reads);
  });

  it.each(["20000", "+20000", "'020000'", '" 20000 "', "~", "null", "", "!!int 20000", "!!str 20000", "&a 20000"])(
    "%s is silent",
    (written) => {
      expect(codes(withValue(written))).toEqual([]);
    },
  );

  it("cannot know a variable, and says what would count", () => {
    expect(check(withValue(variable("LIMIT"))).problems).toMatchObject([
      { code: "threshold-from-environment", severity: "info" },
    ]);
    expect(codes(withValue(variable("env:LIMIT")))).toEqual(["threshold-from-environment"]);
    expect(check(withValue(variable("vault:limit"))).problems).toMatchObject([{ severity: "warning" }]);
    expect(codes(withValue(variable("LIMIT:-20000")))).toEqual(["variable-syntax"]);
    expect(codes(withValue(`about ${variable("LIMIT")}`))).toEqual(["threshold-non-whole-string"]);
  });

  it("underlines the node that the user has to edit", () => {
    expect(underlined(`x: &t 1e4\ntools:\n  ${KEY}: *t\n`, "threshold-non-whole-string")).toBe("*t");
    expect(underlined(`base: &b\n  ${KEY}: 1e4\ntools:\n  <<: *b\n`, "threshold-non-whole-string")).toBe("1e4");
    expect(underlined(`tools: {${KEY}: 1e4}\n`, "threshold-non-whole-string")).toBe("1e4");
    expect(underlined(withValue("!!str 1e4"), "threshold-non-whole-string")).toBe("!!str 1e4");
    expect(underlined(withValue("|\n    1e4"), "threshold-non-whole-string")).toBe("|");
    expect(underlined(`tools:\n  ${KEY}:\n    - 1\n    - 2\n`, "threshold-list")).toBe("- 1");
  });
});

describe("loaders that disagree", () => {
  it.each(["1e+4", "y", "1.0e4"])("%s is read differently by the two generations", (written) => {
    for (const loader of ["pyyaml", "ruamel"] as const) {
      const problem = check(withValue(written), { loader }).problems.find(({ code }) => code === "loaders-disagree");
      expect(problem).toMatchObject({ severity: "warning" });
      expect(problem?.message).toContain("PyYAML");
      expect(problem?.message).toContain("ruamel");
    }
  });

  it("says when only one of them reads the file", () => {
    const anchors = `x: &a 1\ny: &a 2\n${withValue("20000")}`;
    expect(codes(anchors, { loader: "ruamel" })).toEqual(["loaders-disagree"]);
    expect(codes(anchors, { loader: "pyyaml" }).toSorted()).toEqual(["loaders-disagree", "yaml-anchor"]);
  });
});

describe("structure", () => {
  it("a parse error says what the agent falls back to", () => {
    const [problem, ...rest] = check(withValue("[")).problems;
    expect(rest).toEqual([]);
    expect(problem?.severity).toBe("error");
    expect(problem?.message).toMatch(/last good config.*backups\/config.*defaults/);
  });

  it("a duplicate key is an error for newer Hermes and a warning for older", () => {
    const text = `tools:\n  ${KEY}: 1\n  ${KEY}: 2\n`;
    expect(codes(text, { loader: "ruamel" })).toEqual(["yaml-duplicate-key"]);
    const older = check(text, { loader: "pyyaml" });
    expect(older).toMatchObject({ verdict: "accepted", threshold: 2n });
    expect(older.problems).toMatchObject([{ code: "duplicate-key", severity: "warning", range: { start: 9 } }]);
    expect(codes(`a: 1\na: 2\n${withValue("1")}`, { loader: "pyyaml" })).toEqual(["loaders-disagree"]);
  });

  it("a second tools section replaces the first", () => {
    const text = `tools:\n  ${KEY}: 20000\nx: 1\ntools:\n  y: 1\n`;
    const older = check(text, { loader: "pyyaml" });
    expect(older.verdict).toBe("absent");
    expect(older.problems[0]).toMatchObject({ code: "duplicate-section", severity: "warning" });
    expect(older.problems[0]?.message).toContain("is lost");
  });

  it("still judges the value of a file that a duplicate elsewhere breaks", () => {
    expect(codes(`a: 1\na: 2\n${withValue("1e4")}`)).toEqual(["yaml-duplicate-key", "threshold-non-whole-string"]);
  });

  it.each([
    ["tools: foo\n", "foo"],
    ["tools:\n  - a\n", "- a"],
    ["tools: 3\n", "3"],
    ["compression: foo\n", "foo"],
    ["tool_budget: 20000\n", "20000"],
  ])("%j is silently ignored by the agent", (text, place) => {
    expect(check(text).problems).toMatchObject([{ code: "section-not-mapping", severity: "warning" }]);
    expect(underlined(text, "section-not-mapping")).toBe(place);
  });

  it("a section that is empty keeps the defaults", () => {
    expect(codes("tools:\ncompression: ~\ntool_budget: null\n")).toEqual([]);
  });

  it("names the missing space after the colon", () => {
    expect(check(`tools:\n  ${KEY}:20000\n`).problems[0]?.message).toContain("space is missing");
  });

  it.each([
    ["- 1\n", "error"],
    ["just text\n", "error"],
    ["[]\n", "warning"],
    ["0\n", "warning"],
    ["''\n", "warning"],
  ])("%j has no mapping at its root: %s", (text, severity) => {
    expect(check(text).problems).toMatchObject([{ code: "root-not-mapping", severity }]);
  });
});

describe("stray keys", () => {
  it.each([
    "tool_result_persist_threshold",
    "tool_results_persist_threshold_chars",
    "toolResultPersistThresholdChars",
    "tool-result-persist-threshold-chars",
    "tool_result_presist_treshold_chars",
    "persist_threshold_chars",
    "max_result_size_chars",
  ])("tools.%s is probably the key", (name) => {
    const text = `tools:\n  ${name}: 20000\n`;
    expect(check(text).problems).toMatchObject([{ code: "misspelt-key", severity: "hint" }]);
    expect(underlined(text, "misspelt-key")).toBe(name);
  });

  it.each([
    `${KEY}: 20000\n`,
    `tools.${KEY}: 20000\n`,
    `tool_budget:\n  ${KEY}: 20000\n`,
    `tool_output:\n  ${KEY}: 20000\n`,
    `compression:\n  ${KEY}: 20000\n`,
    `agent:\n  tools:\n    ${KEY}: 20000\n`,
    `tools:\n  tool_search:\n    ${KEY}: 20000\n`,
  ])("%j is in the wrong place", (text) => {
    expect(check(text).problems).toMatchObject([{ code: "misplaced-key", severity: "hint" }]);
  });

  it.each(["tool", "Tools", "toosl", "TOOLS"])("section %s is probably tools", (name) => {
    expect(check(`${name}:\n  ${KEY}: 20000\n`).problems).toMatchObject([
      { code: "misspelt-section", severity: "hint" },
    ]);
    expect(codes(`${name}:\n  other: 1\n`)).toEqual([]);
  });

  it.each(["mcp_result_size_chars", "max_bytes", "tool_result_prune", "output_spill", "file_read_max_chars"])(
    "tools.%s belongs somewhere else",
    (name) => {
      expect(check(`tools:\n  ${name}: 1\n`).problems).toMatchObject([{ code: "rival-key", severity: "hint" }]);
    },
  );

  it("rival keys in their own sections and unknown keys are silent", () => {
    const text =
      "tool_budget: {mcp_result_size_chars: 1, max_result_size_chars: 1}\ntool_output: {max_bytes: 1, tool_overrides: {}}\ncompression: {tool_result_prune: {threshold_chars: 9000}}\ntools: {tool_search: {enabled: true}, zebra: 1}\nzebra: 1\n";
    expect(codes(text)).toEqual([]);
  });
});

describe("documents that merely contain the key", () => {
  const foreign = { isAgentConfig: false };

  it("are judged where a tools section holds it, at any depth", () => {
    const text = `agents:\n  - config:\n      tools:\n        ${KEY}: 1e4\n`;
    expect(codes(text, foreign)).toEqual(["threshold-non-whole-string"]);
    expect(check(text, foreign).verdict).toBe("rejected");
  });

  it("get no advice about anything else", () => {
    expect(codes(`tools: [a]\nx: {${KEY}: 1e4}\ncompression: foo\n`, foreign)).toEqual([]);
    expect(codes(`a: !Ref b\n${withValue("20000")}`, foreign)).toEqual([]);
    expect(codes(`a: 1\n---\n${withValue("20000")}`, foreign)).toEqual([]);
  });

  it("get a hint for the key at the root", () => {
    expect(codes(`${KEY}: 1\n`, foreign)).toEqual(["misplaced-key"]);
  });
});

describe("JSON", () => {
  it.each([
    ["1e4", "float", "threshold-float"],
    ["20000.0", "float", "threshold-float"],
    ['"1e4"', "str", "threshold-non-whole-string"],
    ["true", "bool", "threshold-boolean"],
    ["0", "int", "threshold-not-positive"],
  ])("%s is %s", (written, type, code) => {
    const text = `{"tools": {"${KEY}": ${written}}}`;
    expect(check(text, { language: "json" }).value).toMatchObject({ type });
    expect(codes(text, { language: "json" })).toEqual([code]);
    expect(underlined(text, code, { language: "json" })).toBe(written);
  });

  it("accepts a whole number, with comments in JSONC", () => {
    expect(codes(`{"tools": {"${KEY}": 20000}}`, { language: "json" })).toEqual([]);
    expect(codes(`{ // c\n"tools": {"${KEY}": "20000",},}`, { language: "jsonc" })).toEqual([]);
  });

  it("warns about duplicates, of which the last wins", () => {
    const text = `{"tools": {"${KEY}": 1, "${KEY}": 2}}`;
    expect(check(text, { language: "json" })).toMatchObject({ threshold: 2n });
    expect(codes(text, { language: "json" })).toEqual(["duplicate-key"]);
  });
});

describe.skipIf(!hasCorpus)("real configs", () => {
  it.each(["cli-config.example.yaml", "real-1.yaml", "real-2.yaml"])("%s has no problem", (name) => {
    const text = readFileSync(corpusPath("hermes-config", name), "utf8");
    for (const loader of ["pyyaml", "ruamel"] as const) expect(codes(text, { loader })).toEqual([]);
  });
});
