import { PY_NONE } from "../../model/pyValue";
import { lookup } from "../../yaml/lookup";
import { target } from "../../yaml/nodes";
import type { YamlLoad, YamlNode, YamlPair } from "../../yaml/types";
import { type Environment, expandValue, placeholders } from "../expand";
import { keyText } from "../tree";
import { parseSetting } from "./parse";
import { PROVIDER_WINDOWS, SETTINGS } from "./table";
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
  return PROVIDER_WINDOWS.some((setting) => exists(sectionOf(setting)))
    ? [...plain, ...providerWindows(load, environment)]
    : plain;
}

function sectionOf({ path }: Setting): string {
  return (path[0] ?? "").replace("[]", "");
}

/** Models looked at in one file. */
const MAX_MODELS = 1_000;

/** Windows under `custom_providers[]` and `providers.<name>`, one for each model. */
function providerWindows(load: YamlLoad, environment: Environment | undefined): readonly FoundSetting[] {
  return PROVIDER_WINDOWS.flatMap((setting) => {
    const name = sectionOf(setting);
    const section = lookup(load, [name]);
    const node = section.at === "value" ? target(section.pair.value) : undefined;
    const entries =
      node?.kind === "seq" ? node.items : node?.kind === "map" ? node.pairs.map((pair) => target(pair.value)) : [];
    // A list is that of `custom_providers`, a mapping that of `providers`; the other way round Hermes finds none.
    if (node === undefined || (node.kind === "seq") !== (name === "custom_providers")) return [];
    return entries
      .flatMap((entry) => windowPairs(entry))
      .slice(0, MAX_MODELS)
      .map((pair) => judged(load, setting, pair, [], environment));
  });
}

function windowPairs(entry: YamlNode): readonly YamlPair[] {
  const models = pairNamed(entry, "models")?.value;
  const map = models && target(models);
  return map?.kind === "map" ? map.pairs.flatMap(({ value }) => pairNamed(value, "context_length") ?? []) : [];
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
