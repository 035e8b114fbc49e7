import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type ConfigLayers,
  deepMerge,
  effectiveConfig,
  effectiveSetting,
} from "../../../extension/src/core/config/effective";
import type { Environment } from "../../../extension/src/core/config/expand";
import { normalizePersistThreshold } from "../../../extension/src/core/config/normalize";
import { getAt, getItem } from "../../../extension/src/core/config/pyDict";
import { shownSetting } from "../../../extension/src/core/config/settings/shown";
import { SETTINGS, settingNamed } from "../../../extension/src/core/config/settings/table";
import { pyRepr, pyTypeName } from "../../../extension/src/core/model/pyRepr";
import type { PyValue } from "../../../extension/src/core/model/pyValue";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { corpusPath, hasCorpus } from "../../corpus";
import { type RecordedText, readOracle, textOf } from "../../oracle/tagged";
import { KEY, variable } from "./samples";

function environmentOf(values: Readonly<Record<string, string>>): Environment {
  return { get: (name) => (Object.hasOwn(values, name) ? { value: values[name] ?? "", source: "here" } : undefined) };
}

/** Environment of the recordings. */
const RECORDED = environmentOf({ THRESHOLD: "20000", TWENTY: "20", EMPTY_VARIABLE: "", FALSE_VARIABLE: "false" });

function layers(text: string, more: Partial<ConfigLayers> = {}): ConfigLayers {
  return { user: loadYaml(text, "pyyaml"), environment: undefined, managed: undefined, ...more };
}

function applies(text: string, name: string, more: Partial<ConfigLayers> = {}): readonly string[] {
  const setting = settingNamed(name);
  if (setting === undefined) throw new Error(`${name} is not in the table`);
  const { layer, parsed, overridden } = effectiveSetting(effectiveConfig(layers(text, more)), setting);
  return [layer, shownSetting(parsed.value), ...(overridden ? ["overridden"] : [])];
}

/** JSON of a loaded value, as the recordings hold it. */
function toJson(value: PyValue | undefined): unknown {
  if (value === undefined) return undefined;
  switch (value.t) {
    case "NoneType":
      return null;
    case "int":
      return Number(value.v);
    case "dict":
      return Object.fromEntries(value.v.map(([key, item]) => [key.t === "str" ? key.v : pyRepr(key), toJson(item)]));
    case "list":
      return value.v.map(toJson);
    default:
      return "v" in value ? value.v : value.repr;
  }
}

interface Recorded {
  readonly files: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly defaults_without_a_file: Readonly<Record<string, unknown>>;
}

describe.skipIf(!hasCorpus)("the agent's own load_config", () => {
  const recorded = hasCorpus
    ? (JSON.parse(readFileSync(corpusPath("hermes-config", "effective.json"), "utf8")) as Recorded)
    : undefined;

  /** Every setting whose section was recorded. */
  function compare(text: string, want: Readonly<Record<string, unknown>>): number {
    const config = effectiveConfig(layers(text));
    let compared = 0;
    for (const { name, path } of SETTINGS) {
      const [section = "", ...rest] = path;
      if (!Object.hasOwn(want, section)) continue;
      const expected = rest.reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[key],
        want[section],
      );
      expect([name, toJson(getAt(config.value, path))]).toEqual([name, expected]);
      compared += 1;
    }
    expect(toJson(getItem(config.value, "model"))).toEqual(want["model"]);
    return compared;
  }

  it("holds the same defaults", () => {
    expect(compare("", recorded?.defaults_without_a_file ?? {})).toBeGreaterThan(40);
  });

  it.each(["cli-config.example.yaml", "real-1.yaml", "real-2.yaml"])("makes the same of %s", (name) => {
    const want = recorded?.files[name] ?? {};
    const text = readFileSync(corpusPath("hermes-config", name), "utf8");
    expect(compare(text, want)).toBeGreaterThan(40);
    const config = effectiveConfig(layers(text));
    expect(toJson(getAt(config.value, ["agent", "max_turns"]))).toBe(want["agent.max_turns"]);
  });

  it("comes to the same value of the persist threshold in every recorded file", () => {
    const { cases } = readOracle<{
      cases: readonly {
        readonly name: string;
        readonly text?: RecordedText;
        readonly load_config: Readonly<Record<string, RecordedText | null>>;
      }[];
    }>("pyyaml-documents.json");
    const wrong: unknown[] = [];
    let compared = 0;
    for (const { name, text, load_config: want } of cases) {
      if (text === undefined) continue;
      const config = effectiveConfig(layers(textOf(text), { environment: RECORDED }));
      compared += 1;
      if ("raises" in want) {
        if (config.outcome !== "raises") wrong.push([name, config.outcome]);
        continue;
      }
      const tools = getItem(config.value, "tools");
      const value = getAt(config.value, ["tools", KEY]);
      const reason =
        tools?.t === "dict" ? "no key in tools" : `tools is ${tools === undefined ? "?" : pyTypeName(tools)}`;
      const outcome = value && normalizePersistThreshold(value);
      const found =
        value === undefined
          ? { at: "absent", reason }
          : {
              at: "value",
              type: pyTypeName(value),
              repr: pyRepr(value),
              normalized: outcome?.verdict === "accepted" ? String(outcome.threshold) : null,
            };
      const expected =
        want["at"] === "value"
          ? {
              at: "value",
              type: want["type"],
              repr: textOf(want["repr"] ?? ""),
              // Recorded in hexadecimal where decimal digits would be too many.
              normalized: want["normalized"] == null ? null : String(BigInt(textOf(want["normalized"]))),
            }
          : { at: want["at"], reason: want["reason"] };
      if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push([name, found, expected]);
      if ((config.outcome === "fallback") !== "load_failed" in want) wrong.push([name, config.outcome, want]);
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(340);
  });
});

describe("layers", () => {
  it("name where a value comes from", () => {
    expect(applies("a: 1\n", "tool_output.max_lines")).toEqual(["default", "2000"]);
    expect(applies("tool_output: {max_lines: 5}\n", "tool_output.max_lines")).toEqual(["file", "5"]);
    expect(applies("tool_output:\n", "tool_output.max_lines")).toEqual(["default", "2000"]);
    expect(applies("tool_output: foo\n", "tool_output.max_lines")).toEqual(["default", "2000"]);
    expect(applies("compression: {enabled: }\n", "compression.enabled")).toEqual(["file", "false"]);
    expect(applies("context_length: 200000\nmodel: x\n", "model.context_length")).toEqual(["file", "200000"]);
    expect(applies("max_turns: 7\n", "agent.max_turns")).toEqual(["file", "7"]);
    expect(applies("max_turns: 7\nagent: {max_turns: 8}\n", "agent.max_turns")).toEqual(["file", "8"]);
    expect(applies("a: [\n", "tool_output.max_lines")).toEqual(["default", "2000"]);
  });

  it("let the managed layer win leaf by leaf, with its own environment", () => {
    const managed = (text: string) => ({
      managed: {
        path: "/etc/hermes/config.yaml",
        load: loadYaml(text, "pyyaml"),
        environment: environmentOf({ LINES: "9" }),
      },
    });
    const user = "tool_output: {max_lines: 5, max_bytes: 6}\n";
    const layer = managed(`tool_output: {max_lines: "${variable("LINES")}"}\n`);
    expect(applies(user, "tool_output.max_lines", layer)).toEqual(["managed", "9", "overridden"]);
    expect(applies(user, "tool_output.max_bytes", layer)).toEqual(["file", "6"]);
    expect(applies("", "tool_output.max_lines", layer)).toEqual(["managed", "9"]);
    for (const broken of ["a: [\n", "- 1\n", "a: &a [*a]\n"])
      expect(applies(user, "tool_output.max_lines", managed(broken)), broken).toEqual(["file", "5"]);
  });

  it("expand the file's values before they are parsed", () => {
    const text = `tool_output: {max_lines: "${variable("LINES")}"}\n`;
    expect(applies(text, "tool_output.max_lines", { environment: environmentOf({ LINES: "12" }) })).toEqual([
      "file",
      "12",
    ]);
    expect(applies(text, "tool_output.max_lines", { environment: environmentOf({}) })).toEqual(["file", "2000"]);
  });

  it("merge by Python's equality and keep order", () => {
    const dict = (text: string) => {
      const { value } = loadYaml(text, "pyyaml");
      if (value?.t !== "dict") throw new Error("no mapping");
      return value;
    };
    expect(pyRepr(deepMerge(dict("{1: a, b: {x: 1}}"), dict("{true: c, b: {y: 2}, d: }")))).toBe(
      "{True: 'c', 'b': {'x': 1, 'y': 2}, 'd': None}",
    );
  });
});
