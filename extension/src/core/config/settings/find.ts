import { PY_NONE } from "../../model/pyValue";
import { lookup } from "../../yaml/lookup";
import { target } from "../../yaml/nodes";
import type { YamlLoad, YamlNode, YamlPair } from "../../yaml/types";
import { type Environment, expandValue, placeholders } from "../expand";
import { keyText } from "../tree";
import { parseSetting } from "./parse";
import { PROVIDER_WINDOW, SETTINGS } from "./table";
import type { FoundSetting, Setting } from "./types";

/** Settings that stand in a document, in the order of the table. Where the file does not load, none counts. */
export function findSettings(load: YamlLoad, environment: Environment | undefined): readonly FoundSetting[] {
  if (load.failure !== undefined || load.recursive || load.root === undefined) return [];
  const sections = new Map<string, boolean>();
  const exists = (name: string): boolean => {
    const known = sections.get(name) ?? lookup(load, [name]).at === "value";
    sections.set(name, known);
    return known;
  };
  const plain = SETTINGS.flatMap((setting) =>
    exists(setting.path[0] ?? "") ? (findSetting(load, setting, environment) ?? []) : [],
  );
  return exists(PROVIDERS) ? [...plain, ...providerWindows(load, environment)] : plain;
}

const PROVIDERS = "custom_providers";
/** Models looked at in one file. */
const MAX_MODELS = 1_000;

/** `custom_providers[].models.<model>.context_length`, one for each model. */
function providerWindows(load: YamlLoad, environment: Environment | undefined): readonly FoundSetting[] {
  const list = lookup(load, [PROVIDERS]);
  const node = list.at === "value" ? target(list.pair.value) : undefined;
  if (node?.kind !== "seq") return [];
  const found = node.items.flatMap((item) => {
    const models = pairNamed(item, "models")?.value;
    const map = models && target(models);
    return map?.kind === "map" ? map.pairs.flatMap(({ value }) => pairNamed(value, "context_length") ?? []) : [];
  });
  return found.slice(0, MAX_MODELS).map((pair) => judged(load, PROVIDER_WINDOW, pair, [], environment));
}

/** The last pair of this name in a mapping. */
function pairNamed(written: YamlNode, name: string): YamlPair | undefined {
  const node = target(written);
  return node.kind === "map" ? node.pairs.findLast((pair) => keyText(pair) === name) : undefined;
}

function findSetting(load: YamlLoad, setting: Setting, environment: Environment | undefined): FoundSetting | undefined {
  const found = lookup(load, setting.path);
  if (found.at !== "value") return undefined;
  return judged(load, setting, found.pair, found.shadowed, environment);
}

function judged(
  load: YamlLoad,
  setting: Setting,
  pair: YamlPair,
  shadowed: readonly YamlPair[],
  environment: Environment | undefined,
): FoundSetting {
  const loaded = load.values.get(target(pair.value)) ?? PY_NONE;
  const value = expandValue(loaded, environment);
  const parsed = parseSetting(setting, value, load.loader);
  const open = environment === undefined && loaded.t === "str" && placeholders(loaded.v, undefined).length > 0;
  return { setting, loader: load.loader, pair, shadowed, loaded, value, parsed, open };
}
