import type { PyValue } from "../../model/pyValue";
import { plainlyMeant } from "../plainNumber";
import { surpriseOf } from "../surprise";
import { parseSetting, withUnit } from "./parse";
import { shownSetting } from "./shown";
import type { FoundSetting } from "./types";

/** A value that may stand instead of the one that misleads. */
export interface Replacement {
  readonly title: string;
  readonly value: PyValue;
  readonly isPreferred: boolean;
}

/** Values that the author may have meant, best first; each is taken as written. Empty where it would be a guess. */
export function replacements(found: FoundSetting): readonly Replacement[] {
  const { setting, loader } = found;
  const values = meant(found).filter(
    (value, index, all) =>
      parseSetting(setting, value, loader).outcome === "taken" &&
      all.findIndex((other) => other.t === value.t && shownSetting(other) === shownSetting(value)) === index,
  );
  return values.map((value) => ({
    title: `Write ${shownSetting(value)}`,
    value,
    isPreferred: values.length === 1,
  }));
}

function meant(found: FoundSetting): readonly PyValue[] {
  const { setting, parsed, loaded, pair, value } = found;
  // What `${…}` stands for is no business of this file.
  if (loaded.t === "str" && loaded.v.includes("$")) return [];
  const ints = (numbers: readonly (bigint | undefined)[]): readonly PyValue[] =>
    numbers.flatMap((one): readonly PyValue[] => (one === undefined ? [] : [{ t: "int", v: one }]));
  switch (setting.parser.kind) {
    case "word":
    case "switch":
    case "truth":
      return switchValues(loaded, parsed.value);
    case "float":
      return parsed.outcome === "clamped" ? [parsed.value] : percent(value);
    case "choice":
      return setting.parser.of.map((v): PyValue => ({ t: "str", v }));
    case "map":
    case "text":
    case "unknown":
    case "persist":
      return [];
    default: {
      if (parsed.outcome === "clamped") return [parsed.value];
      const surprise = value.t === "int" ? surpriseOf(pair.value, value.v) : undefined;
      if (surprise !== undefined && value.t === "int") return ints([value.v, surprise.seen]);
      return ints([...(withUnit(value) ?? []), plainlyMeant(value), truncated(found)]);
    }
  }
}

function truncated({ value, parsed }: FoundSetting): bigint | undefined {
  return value.t === "float" && parsed.outcome === "coerced" && parsed.value.t === "int" ? parsed.value.v : undefined;
}

const ON: ReadonlySet<string> = new Set(["true", "1", "yes", "on", "enabled", "y"]);
const OFF: ReadonlySet<string> = new Set(["false", "0", "no", "off", "disabled", "n", ""]);

/** What the word says first, then what it does now. */
function switchValues(loaded: PyValue, now: PyValue): readonly PyValue[] {
  const word = loaded.t === "str" ? loaded.v.trim().toLowerCase() : undefined;
  const says = word === undefined ? undefined : ON.has(word) ? true : OFF.has(word) ? false : undefined;
  return says === undefined ? [now, { t: "bool", v: now.t === "bool" && !now.v }] : [{ t: "bool", v: says }, now];
}

/** `50%` is meant as 0.5. */
function percent(value: PyValue): readonly PyValue[] {
  const match = value.t === "str" ? /^\s*(\d{1,3}(?:\.\d+)?)\s*%\s*$/.exec(value.v) : null;
  return match === null ? [] : [{ t: "float", v: Number(match[1]) / 100 }];
}
