import type { LoaderId } from "../model/loader";
import { pyRepr, pyTypeName } from "../model/pyRepr";
import { loadYaml } from "../yaml/load";
import { lookup } from "../yaml/lookup";
import type { Lookup, YamlLoad } from "../yaml/types";
import { FALLBACK, LOADER_NAMES, pythonValue } from "./messages";
import { normalizePersistThreshold } from "./normalize";
import type { ConfigProblem } from "./types";
import { valueRange } from "./valueRange";

function other(loader: LoaderId): LoaderId {
  return loader === "pyyaml" ? "ruamel" : "pyyaml";
}

/**
 * Compares what the two generations of Hermes make of the key in the same file. Files that the chosen loader refuses because of a
 * duplicate are left alone, because that problem already says so.
 */
export function loadersDisagree(
  text: string,
  load: YamlLoad,
  found: Lookup,
  duplicatesReported: boolean,
): readonly ConfigProblem[] {
  if (load.failure?.code === "yaml-duplicate-key") return [];
  const second = loadYaml(text, other(load.loader));
  if (load.failure !== undefined && second.failure !== undefined) return [];
  const anchor = found.at === "value" ? valueRange(text, found.pair) : { start: 0, end: 0 };
  if (second.failure !== undefined) {
    if (second.failure.code === "yaml-duplicate-key" && duplicatesReported) return [];
    const range = second.failure.range ?? anchor;
    return [
      disagreement(
        `${LOADER_NAMES[second.loader]} cannot read this file: ${second.failure.message} ${FALLBACK}`,
        range,
      ),
    ];
  }
  const seen = lookup(second, ["tools", "tool_result_persist_threshold_chars"]);
  if (load.failure !== undefined) {
    const range = load.failure.range ?? anchor;
    return [disagreement(`${LOADER_NAMES[second.loader]} reads this file and finds ${describe(seen)}.`, range)];
  }
  if (same(found, seen)) return [];
  const message = `${LOADER_NAMES[load.loader]} reads ${describe(found)}, ${lowerFirst(LOADER_NAMES[second.loader])} reads ${describe(seen)}. Write a plain whole number.`;
  return [disagreement(message, found.at === "value" || seen.at !== "value" ? anchor : valueRange(text, seen.pair))];
}

function disagreement(message: string, range: ConfigProblem["range"]): ConfigProblem {
  return { code: "loaders-disagree", severity: "warning", message, range };
}

/** Compared by repr, because Python holds NaN unequal to itself and 1 equal to True. */
function same(a: Lookup, b: Lookup): boolean {
  if (a.at !== "value" || b.at !== "value") return a.at === b.at;
  return pyTypeName(a.value) === pyTypeName(b.value) && pyRepr(a.value) === pyRepr(b.value);
}

const VERDICTS = { accepted: "accepted", unset: "unset", rejected: "ignored" } as const;

function describe(found: Lookup): string {
  if (found.at !== "value") return "no value";
  return `${pythonValue(found.value)} (${VERDICTS[normalizePersistThreshold(found.value).verdict]})`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
