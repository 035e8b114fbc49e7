import { pyFloat, pyInt } from "../model/pyNumber";
import { pyRepr, pyTypeName } from "../model/pyRepr";
import { PY_NONE, type PyValue } from "../model/pyValue";
import { loadYaml } from "../yaml/load";
import { clip } from "./messages";
import { parseSetting } from "./settings/parse";
import { shownSetting } from "./settings/shown";
import type { FoundSetting, Setting } from "./settings/types";

const WORDS: ReadonlyMap<string, PyValue> = new Map<string, PyValue>([
  ...["true", "yes", "on"].map((word) => [word, { t: "bool", v: true }] as const),
  ...["false", "no", "off"].map((word) => [word, { t: "bool", v: false }] as const),
  ...["null", "none", "~"].map((word) => [word, PY_NONE] as const),
]);

/** What `hermes config set KEY TEXT` stores. Source: `hermes_cli/config.py` @00067189. */
export function configSetValue(setting: Setting, text: string): PyValue {
  const asText: PyValue = { t: "str", v: text };
  if (setting.inDefaults && setting.fallback.pyyaml.t === "str") return asText;
  const word = WORDS.get(text.trim().toLowerCase());
  if (word !== undefined) return word;
  const int = pyInt(text);
  if (int !== undefined) return { t: "int", v: int };
  const float = pyFloat(text);
  if (float !== undefined && Number.isFinite(float)) return { t: "float", v: float };
  // Lists and mappings go through the YAML loader; a text that it refuses stays text.
  return /^\s*[[{]/.test(text) ? (loadYaml(text, "ruamel").value ?? asText) : asText;
}

export interface ConfigSetHint {
  readonly command: string;
  readonly effect: string;
}

/** Where the command line would store something that counts differently than the same text in the file; undefined where it does not matter. */
export function configSetHint(found: FoundSetting, written: string): ConfigSetHint | undefined {
  const { setting, loader, loaded, parsed, pair } = found;
  if (pair.value.kind !== "scalar" || pair.value.style !== "plain" || written === "" || written.includes("\n"))
    return undefined;
  // A key at many places has no name of its own on the command line.
  if (setting.name.includes("[")) return undefined;
  const stored = configSetValue(setting, written);
  if (pyTypeName(stored) === pyTypeName(loaded) && pyRepr(stored) === pyRepr(loaded)) return undefined;
  const there = parseSetting(setting, stored, loader);
  if (there.outcome === parsed.outcome && pyRepr(there.value) === pyRepr(parsed.value)) return undefined;
  const effect =
    there.outcome === "fatal" ? "with which the agent does not start" : `in force: ${shownSetting(there.value)}`;
  return {
    command: `hermes config set ${setting.name} ${written}`,
    effect: `stores ${pyTypeName(stored)} ${clip(pyRepr(stored))}, ${effect}; the same text in the file is ${pyTypeName(loaded)} ${clip(pyRepr(loaded))}, in force: ${shownSetting(parsed.value)}`,
  };
}
