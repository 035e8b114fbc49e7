import { PY_NONE } from "../../model/pyValue";
import { lookup } from "../../yaml/lookup";
import { target } from "../../yaml/nodes";
import type { YamlLoad } from "../../yaml/types";
import { type Environment, expandValue, placeholders } from "../expand";
import { parseSetting } from "./parse";
import { SETTINGS } from "./table";
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
  return SETTINGS.flatMap((setting) =>
    exists(setting.path[0] ?? "") ? (findSetting(load, setting, environment) ?? []) : [],
  );
}

function findSetting(load: YamlLoad, setting: Setting, environment: Environment | undefined): FoundSetting | undefined {
  const found = lookup(load, setting.path);
  if (found.at !== "value") return undefined;
  const loaded = load.values.get(target(found.pair.value)) ?? PY_NONE;
  const value = expandValue(loaded, environment);
  const parsed = parseSetting(setting, value, load.loader);
  const open = environment === undefined && loaded.t === "str" && placeholders(loaded.v, undefined).length > 0;
  return { setting, loader: load.loader, pair: found.pair, shadowed: found.shadowed, loaded, value, parsed, open };
}
