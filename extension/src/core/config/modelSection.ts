import { pyTruth } from "../model/pyTruth";
import type { PyValue } from "../model/pyValue";
import { EMPTY_DICT, getItem, type PyDict, setItem, without } from "./pyDict";

const ROOT_KEYS = ["provider", "base_url", "context_length"];

function truthy(dict: PyValue, name: string): PyValue | undefined {
  const value = getItem(dict, name);
  return value !== undefined && pyTruth(value) ? value : undefined;
}

/**
 * The `model` section in its one form: keys at the root move in where the slot is empty, `api_base` is another name of `base_url`,
 * `model` and `name` of `default` (in this order), and a mapping as default is flattened. Source: `hermes_cli/config.py` @00067189.
 */
export function canonicalModel(config: PyDict): PyDict {
  const written = getItem(config, "model");
  const fromRoot = [...ROOT_KEYS, "api_base"].some((name) => truthy(config, name) !== undefined);
  if (written?.t !== "dict" && !fromRoot) return config;
  let model = written?.t === "dict" ? written : wrapped(written);
  for (const name of ROOT_KEYS) {
    const value = truthy(config, name);
    if (value !== undefined && truthy(model, name) === undefined) model = setItem(model, name, value);
  }
  const base = truthy(config, "api_base") ?? truthy(model, "api_base");
  if (base !== undefined && truthy(model, "base_url") === undefined) model = setItem(model, "base_url", base);
  const named = truthy(model, "default") ?? truthy(model, "model") ?? truthy(model, "name");
  model = without(model, ["api_base", "model", "name"]);
  if (named !== undefined) model = setItem(model, "default", named);
  return setItem(without(config, [...ROOT_KEYS, "api_base"]), "model", flattened(model));
}

function wrapped(value: PyValue | undefined): PyDict {
  return value !== undefined && pyTruth(value) ? setItem(EMPTY_DICT, "default", value) : EMPTY_DICT;
}

/** `default: {model: x, provider: y}`: the model's name, and its provider where none is set. */
function flattened(model: PyDict): PyDict {
  const inner = getItem(model, "default");
  if (inner?.t !== "dict") return model;
  const name = truthy(inner, "model") ?? truthy(inner, "default");
  const text = name?.t === "str" ? name.v.trim() : "";
  const named = setItem(model, "default", { t: "str", v: text });
  const provider = truthy(inner, "provider");
  return provider !== undefined && truthy(model, "provider") === undefined
    ? setItem(named, "provider", provider)
    : named;
}
