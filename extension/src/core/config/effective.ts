import type { LoaderId } from "../model/loader";
import { pyEquals } from "../model/pyRepr";
import { pyTruth } from "../model/pyTruth";
import { PY_NONE, type PyValue } from "../model/pyValue";
import type { YamlLoad } from "../yaml/types";
import { type Environment, expandValue } from "./expand";
import { canonicalModel } from "./modelSection";
import { dictOf, EMPTY_DICT, getAt, getItem, type PyDict, setItem, without } from "./pyDict";
import { parseSetting } from "./settings/parse";
import { SETTINGS } from "./settings/table";
import type { ParsedSetting, Setting } from "./settings/types";

/** The layer that an administrator sets: its leaves win over the user's. */
export interface ManagedLayer {
  readonly path: string;
  readonly load: YamlLoad;
  /** Values expand against the process environment only. */
  readonly environment: Environment | undefined;
}

export interface ConfigLayers {
  readonly user: YamlLoad;
  /** What `${…}` in the user's file stands for. */
  readonly environment: Environment | undefined;
  readonly managed: ManagedLayer | undefined;
}

export type Layer = "default" | "file" | "managed";

/**
 * merged: the file counts · empty: it holds nothing · fallback: it does not load or its root is no mapping, so the agent runs with
 * another config, here the defaults · raises: the agent cannot start with it.
 */
export type LoadOutcome = "merged" | "empty" | "fallback" | "raises";

export interface EffectiveConfig {
  readonly loader: LoaderId;
  readonly outcome: LoadOutcome;
  /** Defaults (of the sections that decide about context), file and managed layer together. */
  readonly value: PyDict;
  /** The user's part after moved keys, before expansion; empty unless merged. */
  readonly user: PyDict;
  readonly managed: PyDict;
}

/** The agent's config as `load_config` builds it. Source: `hermes_cli/config.py` and `managed_scope.py` @00067189. Never throws. */
export function effectiveConfig(layers: ConfigLayers): EffectiveConfig {
  const { user: load, environment } = layers;
  const { loader } = load;
  const defaults = defaultConfig(loader);
  const managed = effectiveManaged(layers.managed);
  if (load.recursive && load.failure === undefined)
    return { loader, outcome: "raises", value: EMPTY_DICT, user: EMPTY_DICT, managed };
  const root = load.value;
  const outcome =
    root === undefined ? "fallback" : !pyTruth(root) ? "empty" : root.t === "dict" ? "merged" : "fallback";
  const user = outcome === "merged" && root?.t === "dict" ? moveMaxTurns(root) : EMPTY_DICT;
  const merged = canonicalModel(deepMerge(defaults, user));
  const expanded = expandValue(merged, environment);
  const value = deepMerge(expanded.t === "dict" ? expanded : merged, managed);
  return { loader, outcome, value, user, managed };
}

/** The managed values, expanded. A malformed managed file is ignored, with a warning of the agent. */
export function effectiveManaged(layer: ManagedLayer | undefined): PyDict {
  if (layer === undefined || layer.load.recursive) return EMPTY_DICT;
  const value = expandValue(layer.load.value ?? PY_NONE, layer.environment);
  return value.t === "dict" ? value : EMPTY_DICT;
}

/** Sections that are mappings in the agent's defaults, so that nothing written under them keeps the defaults. */
const DICT_SECTIONS = ["tools", "agent", "auxiliary"];

/** The part of DEFAULT_CONFIG that matters here. */
function defaultConfig(loader: LoaderId): PyDict {
  let config = dictOf([["model", { t: "str", v: "" }], ...DICT_SECTIONS.map((name) => [name, EMPTY_DICT] as const)]);
  for (const { path, inDefaults, fallback } of SETTINGS) if (inDefaults) config = setAt(config, path, fallback[loader]);
  return config;
}

function setAt(dict: PyDict, path: readonly string[], value: PyValue): PyDict {
  const [name = "", ...rest] = path;
  if (rest.length === 0) return setItem(dict, name, value);
  const inner = getItem(dict, name);
  return setItem(dict, name, setAt(inner?.t === "dict" ? inner : EMPTY_DICT, rest, value));
}

/** Mapping over mapping merges, None over a mapping is ignored, everything else replaces. */
export function deepMerge(base: PyDict, over: PyDict): PyDict {
  const entries = [...base.v];
  const places = new Map<string, number>();
  for (const [index, [key]] of entries.entries()) if (key.t === "str") places.set(key.v, index);
  for (const entry of over.v) {
    const [key, value] = entry;
    const at = key.t === "str" ? (places.get(key.v) ?? -1) : entries.findIndex(([other]) => pyEquals(other, key));
    const before = entries[at]?.[1];
    if (before === undefined) {
      if (key.t === "str") places.set(key.v, entries.length);
      entries.push(entry);
    } else if (before.t === "dict" && value.t === "dict") entries[at] = [key, deepMerge(before, value)];
    else if (before.t !== "dict" || value.t !== "NoneType") entries[at] = entry;
  }
  return { t: "dict", v: entries };
}

/** A `max_turns` at the root counts as `agent.max_turns` unless that is written too. */
function moveMaxTurns(user: PyDict): PyDict {
  const value = getItem(user, "max_turns");
  if (value === undefined) return user;
  const agent = getItem(user, "agent") ?? PY_NONE;
  if (agent.t !== "dict" && agent.t !== "NoneType") return user;
  const section = agent.t === "dict" ? agent : EMPTY_DICT;
  const moved = getItem(section, "max_turns") === undefined ? setItem(section, "max_turns", value) : section;
  return setItem(without(user, ["max_turns"]), "agent", moved);
}

/** A setting as it applies, and why. */
export interface EffectiveSetting {
  readonly setting: Setting;
  readonly layer: Layer;
  /** The merged and expanded value; undefined where no layer holds the key. */
  readonly value: PyValue | undefined;
  readonly parsed: ParsedSetting;
  /** The user wrote it too, but the managed layer wins. */
  readonly overridden: boolean;
}

/** What a setting comes to, and which layer said so. */
export function effectiveSetting(config: EffectiveConfig, setting: Setting): EffectiveSetting {
  const value = getAt(config.value, setting.path);
  const inFile = writtenAt(config.user, setting.path) || isModelWindow(config, setting);
  const isManaged = getAt(config.managed, setting.path) !== undefined;
  const parsed =
    value === undefined
      ? ({ outcome: "unset", value: setting.fallback[config.loader], why: "" } as const)
      : parseSetting(setting, value, config.loader);
  const layer = isManaged ? "managed" : inFile && value !== undefined ? "file" : "default";
  return { setting, layer, value, parsed, overridden: isManaged && inFile };
}

function writtenAt(user: PyDict, path: readonly string[]): boolean {
  return getAt(user, path) !== undefined;
}

/** A root-level `context_length` moves under `model`. */
function isModelWindow({ user }: EffectiveConfig, { name }: Setting): boolean {
  return name === "model.context_length" && getItem(user, "context_length") !== undefined;
}
