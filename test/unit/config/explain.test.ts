import { describe, expect, it } from "vitest";
import { type CompactionSettings, compactionTrigger } from "../../../extension/src/core/config/compactionTrigger";
import { effectiveConfig } from "../../../extension/src/core/config/effective";
import { compactionSettings, InForce } from "../../../extension/src/core/config/explain";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { check, codes, KEY, underlined } from "./samples";

const DEFAULT: CompactionSettings = {
  enabled: true,
  share: 0.5,
  thresholdTokens: undefined,
  maxTokens: undefined,
  summaryWindow: undefined,
};

describe("compactionTrigger", () => {
  it.each([
    [200_000, 150_000, ["share-raised"]],
    [1_000_000, 500_000, []],
    [64_000, 54_400, ["share-raised", "floor-share"]],
    [512_000, 256_000, []],
    [511_999, 383_999, ["share-raised"]],
  ])("%d tokens: %d by default", (window, tokens, steps) => {
    expect(compactionTrigger(window, DEFAULT, "pyyaml")).toMatchObject({ tokens, steps });
  });

  it("the floor binds differently in the two generations", () => {
    expect(compactionTrigger(80_000, DEFAULT, "pyyaml").tokens).toBe(64_000);
    expect(compactionTrigger(80_000, DEFAULT, "ruamel").tokens).toBe(68_000);
  });

  it("subtracts the answer and applies the caps last", () => {
    expect(compactionTrigger(200_000, { ...DEFAULT, maxTokens: 20_000 }, "pyyaml").tokens).toBe(135_000);
    expect(compactionTrigger(200_000, { ...DEFAULT, thresholdTokens: 90_000 }, "pyyaml")).toMatchObject({
      tokens: 90_000,
      steps: ["share-raised", "threshold-tokens"],
    });
    expect(compactionTrigger(200_000, { ...DEFAULT, thresholdTokens: 160_000 }, "pyyaml").tokens).toBe(150_000);
    expect(compactionTrigger(1_000_000, { ...DEFAULT, summaryWindow: 128_000 }, "pyyaml").tokens).toBe(128_000);
  });
});

describe("compactionSettings", () => {
  it("take the longest matching model name", () => {
    const text =
      "model: {default: anthropic/claude-opus-4.6}\ncompression:\n  model_thresholds: {claude: 0.6, claude-opus: 0.9, gpt: 0.1}\n";
    const inForce = new InForce(
      effectiveConfig({ user: loadYaml(text, "pyyaml"), environment: undefined, managed: undefined }),
    );
    expect(compactionSettings(inForce).share).toBe(0.9);
  });
});

describe("conflicts", () => {
  it.each([
    ["compression: {tool_result_prune: {enabled: true, threshold_chars: 1000}}\n", "1000"],
    ["compression: {enabled: false, tool_result_prune: {enabled: true}}\n", "true"],
    ["context: {engine: mine}\ncompression: {proactive_prune_tokens: 48000}\n", "48000"],
    ["model: {context_length: 200000}\ncompression: {threshold_tokens: 160000}\n", "160000"],
    ["model: {context_length: 200000}\ncompression: {threshold: 0.6}\n", "0.6"],
    ["model: {context_length: 200000}\ncompression: {proactive_prune_tokens: 150000}\n", "150000"],
    [`tools: {${KEY}: 5000}\ncompression: {tool_result_prune: {enabled: true}}\n`, "true"],
  ])("%j", (text, place) => {
    expect(codes(text)).toEqual(["settings-conflict"]);
    expect(underlined(text, "settings-conflict")).toBe(place);
  });

  it("say the numbers", () => {
    const [problem] = check("compression: {tool_result_prune: {enabled: on, head_chars: 9000}}\n").problems;
    expect(problem?.message).toMatch(/\(9000 \+ 39 \+ 1024\) are longer than the threshold \(8192\)/);
  });

  it("are none where the numbers fit or nothing is known", () => {
    expect(codes("compression: {threshold: 0.6, threshold_tokens: 160000}\n")).toEqual([]);
    expect(codes("model: {context_length: 200000}\ncompression: {threshold: 0.8, threshold_tokens: 90000}\n")).toEqual(
      [],
    );
    expect(codes("model: {context_length: 200000}\ncompression: {proactive_prune_tokens: 48000}\n")).toEqual([]);
  });
});
