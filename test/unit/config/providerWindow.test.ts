import { describe, expect, it } from "vitest";
import { checkConfig } from "../../../extension/src/core/config/check";
import { effectiveConfig } from "../../../extension/src/core/config/effective";
import { InForce, shareOfModel, statedWindow } from "../../../extension/src/core/config/explain";
import type { LoaderId } from "../../../extension/src/core/model/loader";
import { loadYaml } from "../../../extension/src/core/yaml/load";

function inForce(text: string, loader: LoaderId = "ruamel"): InForce {
  return new InForce(effectiveConfig({ user: loadYaml(text, loader), environment: undefined, managed: undefined }));
}

const model = "model: {default: m1, base_url: https://LLM.example.com:443/v1/}\n";
const entry = (url: string, window: string, key = "base_url") =>
  `{name: a, ${key}: "${url}", models: {m1: {context_length: ${window}}}}`;

describe("the window that a provider's entry states", () => {
  it.each([
    [
      "the list, by address",
      `${model}custom_providers: [${entry("https://llm.example.com/v1", "300000")}]`,
      300_000,
      "custom_providers[0].models.m1.context_length",
    ],
    [
      "numeric text",
      `${model}custom_providers: [${entry("https://llm.example.com/v1", '"70000"')}]`,
      70_000,
      "custom_providers[0].models.m1.context_length",
    ],
    [
      "the mapping, by address",
      `${model}providers: {mine: ${entry("https://llm.example.com/v1", "90000", "api")}}`,
      90_000,
      "providers.mine.models.m1.context_length",
    ],
    [
      "the list before the mapping",
      `${model}providers: {mine: ${entry("https://llm.example.com/v1", "90000")}}\ncustom_providers: [${entry("https://llm.example.com/v1", "80000")}]`,
      80_000,
      "custom_providers[0].models.m1.context_length",
    ],
    [
      "an entry without a number gives way",
      `${model}custom_providers: [${entry("https://llm.example.com/v1", "256K")}, ${entry("https://llm.example.com/v1", "80000")}]`,
      80_000,
      "custom_providers[1].models.m1.context_length",
    ],
    [
      "by the provider's name where the model has no address",
      `model: {default: m1, provider: "custom:My LLM"}\nproviders: {my-llm: ${entry("http://h:80", "66000")}}`,
      66_000,
      "providers.my-llm.models.m1.context_length",
    ],
  ])("%s", (_, text, tokens, place) => {
    expect(statedWindow(inForce(text))).toEqual({ tokens, place });
    expect(checkConfig(text, { loader: "ruamel" }).contextLength).toEqual({ tokens, source: "file" });
  });

  it.each([
    ["another address", `${model}custom_providers: [${entry("https://other.example.com/v1", "300000")}]`],
    ["another path", `${model}custom_providers: [${entry("https://llm.example.com/v2", "300000")}]`],
    [
      "another model",
      `${model.replace("m1", "m2")}custom_providers: [${entry("https://llm.example.com/v1", "300000")}]`,
    ],
    ["a unit", `${model}custom_providers: [${entry("https://llm.example.com/v1", "256K")}]`],
    ["zero", `${model}custom_providers: [${entry("https://llm.example.com/v1", "0")}]`],
    [
      "disabled",
      `${model}providers: {a: {enabled: "off", api: https://llm.example.com/v1, models: {m1: {context_length: 90000}}}}`,
    ],
    [
      "a list that is none hides the mapping",
      `${model}custom_providers: {}\nproviders: {a: ${entry("https://llm.example.com/v1", "9")}}`,
    ],
    [
      "no name",
      `${model}custom_providers: [{base_url: https://llm.example.com/v1, models: {m1: {context_length: 90000}}}]`,
    ],
    [
      "entries of all kinds",
      `${model}custom_providers: [1, null, [], {name: a}, {name: a, base_url: 3, models: []}]\nproviders: {x: null, 3: []}`,
    ],
    ["nothing about a model", "custom_providers: [{name: a, base_url: http://h, models: {m1: {context_length: 9}}}]"],
  ])("none: %s", (_, text) => {
    expect(statedWindow(inForce(text))).toBeUndefined();
    expect(checkConfig(text, { loader: "ruamel" }).contextLength).toBeNull();
  });

  it("gives way to model.context_length", () => {
    const text = `model: {default: m1, base_url: http://h, context_length: 128000}\ncustom_providers: [${entry("http://h", "90000")}]`;
    expect(statedWindow(inForce(text))).toEqual({ tokens: 128_000, place: "model.context_length" });
  });

  it("judges every number that stands there, in both shapes", () => {
    const text = `custom_providers:\n  - {models: {a: {context_length: 256K}}}\nproviders:\n  x: {models: {b: {context_length: true}, c: {context_length: 70000}}}\n`;
    expect(checkConfig(text, { loader: "ruamel" }).problems.map(({ code }) => code)).toEqual([
      "setting-ignored",
      "setting-coerced",
    ]);
  });

  it("stays quick with many entries", () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `  - ${entry(`https://h${n}/v1`, "70000")}`).join("\n");
    const text = `model: {default: m1, base_url: https://h999/v1}\ncustom_providers:\n${many}\n`;
    expect(statedWindow(inForce(text))?.place).toBe("custom_providers[999].models.m1.context_length");
  });
});

describe("the share of a model", () => {
  const config = (thresholds: string, more = "") =>
    `model: {default: anthropic/claude-opus-4.6, provider: OpenRouter${more}}\ncompression: {model_thresholds: ${thresholds}}`;

  it.each<[string, LoaderId, number | undefined]>([
    ["{claude: 0.6, claude-opus: 0.9, gpt: 0.1}", "ruamel", 0.9],
    ["{Claude: 0.6}", "ruamel", undefined],
    ["{claude: 0.6, 'openrouter:claude': 0.8}", "ruamel", 0.8],
    ["{claude-opus: 0.6, 'openrouter:claude': 0.8}", "ruamel", 0.6],
    ["{claude: 0.6, 'codex:claude-opus': 0.8}", "ruamel", 0.6],
    ["{claude: 0.6, 'openrouter:claude': 0.8}", "pyyaml", 0.6],
    ["{' OPENROUTER :opus': 0.7}", "ruamel", 0.7],
    ["{opus: 0.7, laude: 0.6, claud: 0.5}", "ruamel", 0.6],
    ["{laude: 0.6, claud: 0.5}", "pyyaml", 0.6],
    ["{claude: '0.7', opus: true}", "ruamel", undefined],
    ["{'': 0.7}", "pyyaml", undefined],
  ])("%s with %s is %s", (thresholds, loader, share) => {
    expect(shareOfModel(inForce(config(thresholds), loader))?.share).toBe(share);
  });

  it("takes a name with a colon whole in older Hermes only", () => {
    const text = "model: {default: qwen3:8b}\ncompression: {model_thresholds: {'qwen3:8b': 0.7}}";
    expect(shareOfModel(inForce(text, "pyyaml"))?.share).toBe(0.7);
    expect(shareOfModel(inForce(text, "ruamel"))).toBeUndefined();
  });
});
