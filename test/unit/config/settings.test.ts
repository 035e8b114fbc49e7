import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findSettings } from "../../../extension/src/core/config/settings/find";
import { parseSetting } from "../../../extension/src/core/config/settings/parse";
import { toolResultPrune } from "../../../extension/src/core/config/settings/prune";
import { shownSetting } from "../../../extension/src/core/config/settings/shown";
import { SETTINGS, settingNamed } from "../../../extension/src/core/config/settings/table";
import type { SettingOutcome } from "../../../extension/src/core/config/settings/types";
import type { LoaderId } from "../../../extension/src/core/model/loader";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { corpusPath, hasCorpus } from "../../corpus";
import { readOracle, type Tagged, untag } from "../../oracle/tagged";
import { check, codes, KEY, underlined, variable } from "./samples";

/** What the agent makes of `written` at a key: outcome and value as people write it. */
function parsed(name: string, written: string, loader: LoaderId = "pyyaml"): readonly [SettingOutcome, string] {
  const setting = settingNamed(name);
  if (setting === undefined) throw new Error(`${name} is not in the table`);
  const value = loadYaml(written, loader).value ?? { t: "NoneType" };
  const result = parseSetting(setting, value, loader);
  return [result.outcome, shownSetting(result.value)];
}

describe("the table of settings", () => {
  it("names each key once, with what it does and where that was read", () => {
    expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length);
    for (const { does, trap, source, path } of SETTINGS) {
      expect(does).toMatch(/^[^a-z].*\.$|^read_file .*\.$/);
      if (trap !== undefined) expect(trap).toMatch(/\.$/);
      expect(source).toMatch(/\w/);
      expect(path.length).toBeGreaterThan(0);
    }
  });

  it("has defaults that its own parsers take", () => {
    for (const setting of SETTINGS) {
      for (const loader of ["pyyaml", "ruamel"] as const) {
        const fallback = setting.fallback[loader];
        const result = parseSetting(setting, fallback, loader);
        expect([setting.name, result.outcome]).toEqual([setting.name, fallback.t === "NoneType" ? "unset" : "taken"]);
        expect(result.value).toEqual(fallback);
      }
    }
  });
});

describe("each kind of parser keeps its own traps", () => {
  it.each<[string, string, SettingOutcome, string]>([
    ["tool_budget.mcp_result_size_chars", "true", "coerced", "1"],
    ["tool_budget.mcp_result_size_chars", "false", "ignored", "50000"],
    ["tool_budget.mcp_result_size_chars", "20000.9", "coerced", "20000"],
    ["tool_budget.mcp_result_size_chars", "20000.0", "taken", "20000"],
    ["tool_budget.mcp_result_size_chars", "'20_000'", "taken", "20000"],
    ["tool_budget.mcp_result_size_chars", "'20000.9'", "ignored", "50000"],
    ["tool_output.mcp_result_size_chars", "true", "ignored", "50000"],
    ["tool_output.max_bytes", "true", "coerced", "1"],
    ["tool_output.max_bytes", "0", "ignored", "50000"],
    ["tool_output.max_bytes", ".inf", "ignored", "50000"],
    [
      "tool_output.tool_overrides",
      "{a: 1, b: true, c: x, d: '5', e: 2.9, f: 0, ' ': 3}",
      "coerced",
      "{'a': 1, 'd': 5, 'e': 2}",
    ],
    ["hooks.output_spill.preview_head", "0", "taken", "0"],
    ["hooks.output_spill.preview_head", "-1", "ignored", "500"],
    ["file_read_max_chars", "'200000'", "ignored", "100000"],
    ["file_read_max_chars", "200000.7", "coerced", "200000"],
    ["model.context_length", "256K", "ignored", "unset"],
    ["model.context_length", "'200000'", "taken", "200000"],
    ["model.context_length", "63999", "fatal", "63999"],
    ["model.context_length", "true", "fatal", "1"],
    ["model.context_length", "0", "ignored", "unset"],
    ["model.max_tokens", "true", "ignored", "unset"],
    ["compression.enabled", "'on'", "coerced", "false"],
    ["compression.enabled", "on", "taken", "true"],
    ["compression.enabled", "", "coerced", "false"],
    ["compression.enabled", "'YES'", "taken", "true"],
    ["compression.enabled", "1", "taken", "true"],
    ["compression.enabled", "2", "coerced", "false"],
    ["compression.enabled", "'false'", "taken", "false"],
    ["compression.threshold", "'0.8'", "taken", "0.8"],
    ["compression.threshold", "true", "coerced", "1.0"],
    ["compression.threshold", "", "fatal", "0.5"],
    ["compression.threshold", "50%", "fatal", "0.5"],
    ["compression.target_ratio", "0.05", "clamped", "0.1"],
    ["compression.target_ratio", "0.95", "clamped", "0.8"],
    ["compression.threshold_tokens", "100000", "taken", "100000"],
    ["compression.threshold_tokens", "0", "ignored", "unset"],
    ["compression.model_thresholds", "{opus: 0.9, haiku: '0.8'}", "coerced", "{'opus': 0.9}"],
    ["compression.model_thresholds", "[1]", "ignored", "no entries"],
    ["compression.tail_mode", "' LEAN '", "taken", "lean"],
    ["compression.tail_mode", "long", "ignored", "legacy"],
    ["compression.protect_last_n", "many", "fatal", "20"],
    ["compression.protect_last_n", "12.9", "coerced", "12"],
    ["compression.protect_first_n", "-2", "clamped", "0"],
    ["compression.max_attempts", "4.0", "taken", "4"],
    ["compression.max_attempts", "4.7", "ignored", "3"],
    ["compression.max_attempts", "true", "ignored", "3"],
    ["compression.max_attempts", "99", "clamped", "10"],
    ["compression.max_attempts", "0", "ignored", "3"],
    ["compression.min_tail_user_messages", "0", "clamped", "1"],
    ["compression.proactive_prune_tokens", "-5", "clamped", "0"],
    ["compression.proactive_prune_min_result_chars", "0", "ignored", "8000"],
    ["compression.proactive_prune_min_result_chars", "100", "clamped", "200"],
    ["compression.tool_result_prune.enabled", "'false'", "coerced", "true"],
    ["compression.tool_result_prune.enabled", "''", "coerced", "false"],
    ["compression.micro_compact", "'on'", "taken", "true"],
    ["compression.micro_compact", "maybe", "coerced", "false"],
    ["compression.micro_compact", "", "unset", "false"],
    ["compression.codex_app_server_auto", "never", "ignored", "native"],
    ["compression.codex_responses_compact_threshold", "true", "ignored", "200000"],
  ])("%s: %s → %s %s", (name, written, outcome, value) => {
    expect(parsed(name, written)).toEqual([outcome, value]);
  });

  it("differs between the generations where they differ", () => {
    expect(parsed("compression.tail_mode", "", "pyyaml")).toEqual(["unset", "legacy"]);
    expect(parsed("compression.tail_mode", "", "ruamel")).toEqual(["unset", "lean"]);
    expect(parsed("compression.threshold", "half", "ruamel")).toEqual(["ignored", "0.5"]);
    expect(parsed("compression.codex_responses_compact_threshold", "x", "ruamel")).toEqual(["ignored", "unset"]);
  });
});

describe.skipIf(!hasCorpus)("recorded outcomes", () => {
  it("compression.tool_result_prune, 81 sections", () => {
    const { configs } = readOracle<{
      configs: readonly { readonly config: Tagged; readonly result?: readonly [boolean, number, number, number] }[];
    }>("prune85479.json");
    // One recording could not hold its result: an infinite threshold, which means the default.
    const wrong = configs.filter(({ config, result = [false, 8192, 4096, 1024] }) => {
      const found = toolResultPrune(untag(config));
      const numbers = [found.threshold, found.head, found.tail].map(Number);
      return found.enabled !== result[0] || numbers.join() !== result.slice(1).join();
    });
    expect(wrong).toEqual([]);
    expect(configs.length).toBeGreaterThan(80);
  });

  it("tool_budget.mcp_result_size_chars, 25 files", () => {
    const { mcp_config: cases } = readOracle<{
      mcp_config: readonly { readonly yaml: string; readonly budgets: readonly (readonly (number | null)[])[] }[];
    }>("budgets.json");
    const setting = settingNamed("tool_budget.mcp_result_size_chars");
    for (const { yaml, budgets } of cases) {
      const found = findSettings(loadYaml(yaml, "pyyaml"), undefined).find((one) => one.setting === setting);
      const value = found?.parsed.value ?? setting?.fallback.pyyaml;
      expect([yaml, value === undefined ? "" : shownSetting(value)]).toEqual([yaml, String(budgets[0]?.[1])]);
    }
    expect(cases).toHaveLength(25);
  });

  it.each(["pyyaml", "ruamel"] as const)("no problems in the real configs, %s", (loader) => {
    const files = readdirSync(corpusPath("hermes-config")).filter((name) => name.endsWith(".yaml"));
    for (const name of files) {
      const text = readFileSync(corpusPath("hermes-config", name), "utf8");
      const { problems, settings } = check(text, { loader, environment: { get: () => undefined } });
      expect([name, problems]).toEqual([name, []]);
      expect([name, settings.length > 10]).toEqual([name, true]);
    }
    expect(files).toHaveLength(3);
  });
});

describe("problems of settings", () => {
  it.each([
    ["model:\n  context_length: 256K\n", "setting-ignored", "256K"],
    ["model: {context_length: 32000}\n", "setting-fatal", "32000"],
    ["tool_output:\n  max_bytes: yes\n", "setting-coerced", "yes"],
    ["compression:\n  max_attempts: 50 # many\n", "setting-clamped", "50"],
    ["file_read_max_chars: 0x4e20\n", "setting-reads-differently", "0x4e20"],
    ["compression:\n  micro_compact: y\n", "loaders-disagree", "y"],
    ["compression:\n  enabled:\n", "setting-coerced", "enabled"],
    ["compression:\n  tool_result_prune: true\n", "section-not-mapping", "true"],
  ])("%j: %s", (text, code, place) => {
    expect(codes(text)).toEqual([code]);
    expect(underlined(text, code)).toBe(place);
  });

  it("the persist threshold keeps its own, stricter problems", () => {
    expect(codes("tools: {tool_result_persist_threshold_chars: 20000.0}\n")).toEqual(["threshold-float"]);
  });

  it("never shows what a variable holds that looks like a secret", () => {
    const environment = { get: () => ({ value: "hunter2", source: "here" }) };
    for (const key of ["compression: {max_attempts", `tools: {${KEY}`, "compression: {threshold"]) {
      const { problems } = check(`${key}: "${variable("API_KEY")}"}\n`, { loader: "pyyaml", environment });
      expect(problems.length, key).toBe(1);
      expect(problems[0]?.message).toContain("••••••");
      expect(problems[0]?.message).not.toContain("hunter2");
    }
  });

  it("reads the windows of a provider's models", () => {
    const text =
      "custom_providers:\n  - name: a\n    models:\n      m: {context_length: 256K}\n      n: {context_length: 200000}\n  - 5\n";
    expect(codes(text)).toEqual(["setting-ignored"]);
    expect(underlined(text, "setting-ignored")).toBe("256K");
    for (const odd of ["custom_providers:\n", "custom_providers: {a: 1}\n", "custom_providers: [{models: [1]}]\n"])
      expect(codes(odd), odd).toEqual([]);
  });

  it("names keys and sections that stand twice", () => {
    const twice = "tool_output:\n  max_lines: 5\n  max_lines: 6\n";
    expect(codes(twice, { loader: "pyyaml" })).toEqual(["duplicate-key"]);
    expect(codes(twice)).toEqual(["yaml-duplicate-key"]);
    const sections = "compression:\n  enabled: true\nx: 1\ncompression:\n  in_place: true\n";
    expect(codes(sections, { loader: "pyyaml" })).toEqual(["duplicate-section"]);
    expect(underlined(sections, "duplicate-section", { loader: "pyyaml" })).toBe("compression");
  });

  it("takes numbers of any size, and stays calm where shapes are wrong", () => {
    expect(codes(`tool_output: {max_lines: ${"9".repeat(4000)}}\n`)).toEqual([]);
    expect(codes("tool_output: {max_lines: [1, {a: 2}], tool_overrides: [1]}\n")).toEqual([
      "setting-ignored",
      "setting-ignored",
    ]);
    expect(codes("compression: [1]\nmodel: [1]\nhooks: 5\n")).toEqual(["section-not-mapping"]);
  });

  it("only an agent's config has settings", () => {
    expect(codes("model: {context_length: 5}\n", { isAgentConfig: false })).toEqual([]);
  });

  it("names key, value and consequence", () => {
    const [problem] = check("compression:\n  threshold: half\n", { loader: "pyyaml" }).problems;
    expect(problem?.message).toBe("Hermes reads half as str 'half'; it is not a number. The agent does not start.");
  });
});
