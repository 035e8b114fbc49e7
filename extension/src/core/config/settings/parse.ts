import type { LoaderId } from "../../model/loader";
import { pyTruth } from "../../model/pyTruth";
import type { PyValue } from "../../model/pyValue";
import { pyStrip } from "../../util/pyStrip";
import { lenientInt } from "../budgets";
import { DEFAULTS } from "../defaults";
import { WHY } from "../messages";
import { normalizePersistThreshold } from "../normalize";
import { floatOf, strLower } from "./python";
import type { ParsedSetting, Parser, Setting, SettingOutcome } from "./types";

type Of<K extends Parser["kind"]> = Extract<Parser, { kind: K }>;

const TRUE: PyValue = { t: "bool", v: true };
const FALSE: PyValue = { t: "bool", v: false };
const FALSE_WORDS: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""]);

function result(outcome: SettingOutcome, value: PyValue, why = ""): ParsedSetting {
  return { outcome, value, why };
}

/**
 * What the agent works with when a key holds `value` (already expanded). None counts as written: whether it overrides the default
 * at all is a matter of merging. Sources: the `source` of each setting.
 */
export function parseSetting(setting: Setting, value: PyValue, loader: LoaderId): ParsedSetting {
  const fallback = setting.fallback[loader];
  const { parser } = setting;
  switch (parser.kind) {
    case "persist":
      return persist(value, fallback);
    case "int":
      return plainInt(parser, value, fallback);
    case "bare-int":
      return bareInt(parser, value, fallback);
    case "whole":
      return whole(parser, value, fallback);
    case "number":
      return number(value, fallback);
    case "float":
      return float(parser, value, fallback, loader);
    case "word":
      return word(value);
    case "switch":
      return toggle(value, fallback);
    case "truth":
      return truth(value);
    case "choice":
      return choice(parser, value, fallback);
    case "window":
      return windowLength(value, fallback);
    case "map":
      return map(parser, value);
    case "text":
      return value.t === "str" ? result("taken", value) : unsetOr(value, fallback, "only text counts");
    case "unknown":
      return value.t === "NoneType" ? result("unset", fallback) : result("taken", value);
  }
}

function unsetOr(value: PyValue, fallback: PyValue, why: string): ParsedSetting {
  return value.t === "NoneType" ? result("unset", fallback) : result("ignored", fallback, why);
}

function persist(value: PyValue, fallback: PyValue): ParsedSetting {
  const outcome = normalizePersistThreshold(value);
  if (outcome.verdict === "accepted") return result("taken", { t: "int", v: outcome.threshold });
  if (outcome.verdict === "unset") return unsetOr(value, fallback, "zero and negative numbers count as unset");
  return result("ignored", fallback, WHY[outcome.reason]);
}

/** How `int(value)` hides what was written; undefined where it does not. */
function coercion(value: PyValue, int: bigint): string | undefined {
  if (value.t === "bool") return `a boolean counts as ${int}`;
  return value.t === "float" && value.v !== Math.trunc(value.v) ? "floats lose their fraction" : undefined;
}

const NO_INT = "it is not a whole number";

function plainInt(parser: Of<"int">, value: PyValue, fallback: PyValue): ParsedSetting {
  if (value.t === "NoneType") return result("unset", fallback);
  if (value.t === "bool" && parser.bool === "refused")
    return result("ignored", fallback, "a boolean is no number here");
  const int = lenientInt(value);
  if (int === undefined) return result("ignored", fallback, NO_INT);
  if (int < parser.min) return result("ignored", fallback, `only numbers from ${parser.min} on count`);
  const how = coercion(value, int);
  return result(how === undefined ? "taken" : "coerced", { t: "int", v: int }, how);
}

function bareInt(parser: Of<"bare-int">, value: PyValue, fallback: PyValue): ParsedSetting {
  const int = lenientInt(value);
  if (int === undefined) return result("fatal", fallback, NO_INT);
  if (parser.min !== undefined && int < parser.min) return clampedTo({ t: "int", v: parser.min });
  const how = coercion(value, int);
  return result(how === undefined ? "taken" : "coerced", { t: "int", v: int }, how);
}

function clampedTo(value: PyValue & { readonly t: "int" | "float" }): ParsedSetting {
  return result("clamped", value, `the limit is ${Number(value.v).toLocaleString("en")}`);
}

function whole(parser: Of<"whole">, value: PyValue, fallback: PyValue): ParsedSetting {
  if (value.t === "NoneType") return result("unset", fallback);
  if (value.t === "bool") return result("ignored", fallback, "a boolean is no number here");
  if (value.t === "float" && !Number.isInteger(value.v))
    return result("ignored", fallback, "a number with a fraction does not count");
  const int = lenientInt(value);
  if (int === undefined) return result("ignored", fallback, NO_INT);
  if (parser.zeroIsDefault === true && int === 0n) return result("ignored", fallback, "0 means the default");
  if (int < parser.min)
    return parser.below === "min"
      ? clampedTo({ t: "int", v: parser.min })
      : result("ignored", fallback, `only numbers from ${parser.min} on count`);
  if (parser.max !== undefined && int > parser.max) return clampedTo({ t: "int", v: parser.max });
  return result("taken", { t: "int", v: int });
}

function number(value: PyValue, fallback: PyValue): ParsedSetting {
  if (value.t !== "int" && value.t !== "float" && value.t !== "bool")
    return unsetOr(value, fallback, "only a bare number counts, text does not");
  const int = lenientInt(value);
  if (int === undefined || int <= 0n) return result("ignored", fallback, "only numbers above 0 count");
  const how = coercion(value, int);
  return result(how === undefined ? "taken" : "coerced", { t: "int", v: int }, how);
}

function float(parser: Of<"float">, value: PyValue, fallback: PyValue, loader: LoaderId): ParsedSetting {
  const found = floatOf(value);
  if (found === undefined) {
    const fatal = parser.raises === "both" || loader === "pyyaml";
    return result(fatal ? "fatal" : "ignored", fallback, "it is not a number");
  }
  if (parser.min !== undefined && found < parser.min) return clampedTo({ t: "float", v: parser.min });
  if (parser.max !== undefined && found > parser.max) return clampedTo({ t: "float", v: parser.max });
  const taken = { t: "float", v: found } as const;
  return value.t === "bool" ? result("coerced", taken, `a boolean counts as ${found}`) : result("taken", taken);
}

function word(value: PyValue): ParsedSetting {
  if (value.t === "bool") return result("taken", value);
  const text = strLower(value);
  if (text === "true" || text === "1" || text === "yes") return result("taken", TRUE);
  if (FALSE_WORDS.has(text)) return result("taken", FALSE);
  const why = value.t === "NoneType" ? "nothing written counts as false" : "only true, 1 and yes are true";
  return result("coerced", FALSE, why);
}

function toggle(value: PyValue, fallback: PyValue): ParsedSetting {
  if (value.t === "NoneType") return result("unset", fallback);
  if (value.t === "bool") return result("taken", value);
  if (value.t !== "str")
    return result("coerced", pyTruth(value) ? TRUE : FALSE, "anything that is not empty or 0 is true");
  const text = pyStrip(value.v).toLowerCase();
  if (text === "true" || text === "1" || text === "yes" || text === "on") return result("taken", TRUE);
  return FALSE_WORDS.has(text) ? result("taken", FALSE) : result("coerced", FALSE, "only true, 1, yes and on are true");
}

function truth(value: PyValue): ParsedSetting {
  if (value.t === "NoneType") return result("taken", FALSE);
  if (value.t === "bool") return result("taken", value);
  const on = pyTruth(value);
  const asWritten = value.t === "int" ? value.v === 0n || value.v === 1n : value.t === "str" && value.v === "true";
  return result(asWritten ? "taken" : "coerced", on ? TRUE : FALSE, asWritten ? "" : TRUTH_RULE);
}

const TRUTH_RULE = "any text that is not empty and any number but 0 is true";

function choice(parser: Of<"choice">, value: PyValue, fallback: PyValue): ParsedSetting {
  if (value.t === "NoneType") return result("unset", fallback);
  const text = value.t === "str" ? pyStrip(value.v).toLowerCase() : "";
  return parser.of.includes(text)
    ? result("taken", { t: "str", v: text })
    : result("ignored", fallback, `only ${parser.of.join(", ")} count`);
}

function windowLength(value: PyValue, fallback: PyValue): ParsedSetting {
  if (value.t === "NoneType") return result("unset", fallback);
  const tokens = lenientInt(value);
  if (tokens === undefined)
    return result("ignored", fallback, "only a plain whole number counts, so the window is looked up");
  if (tokens <= 0n) return result("ignored", fallback, "only numbers above 0 count, so the window is looked up");
  const found = { t: "int", v: tokens } as const;
  if (tokens < BigInt(DEFAULTS.minContextLength)) return result("fatal", found, "the smallest window is 64,000 tokens");
  const how = coercion(value, tokens);
  return result(how === undefined ? "taken" : "coerced", found, how);
}

function map(parser: Of<"map">, value: PyValue): ParsedSetting {
  const empty: PyValue = { t: "dict", v: [] };
  if (value.t !== "dict") return unsetOr(value, empty, "it is not a mapping");
  const kept = value.v.flatMap(([name, one]): readonly (readonly [PyValue, PyValue])[] => {
    const number = parser.of === "float" ? numberOnly(one) : positive(name, one);
    return number === undefined ? [] : [[name, number]];
  });
  const dict: PyValue = { t: "dict", v: kept };
  const lost = value.v.length - kept.length;
  return lost === 0
    ? result("taken", dict)
    : result("coerced", dict, `${lost === 1 ? "one entry is" : `${lost} entries are`} no number and skipped`);
}

function numberOnly(value: PyValue): PyValue | undefined {
  return value.t === "int" || value.t === "float" ? { t: "float", v: Number(value.v) } : undefined;
}

function positive(name: PyValue, value: PyValue): PyValue | undefined {
  if (name.t !== "str" || name.v.trim() === "" || value.t === "bool") return undefined;
  const int = lenientInt(value);
  return int !== undefined && int > 0n ? { t: "int", v: int } : undefined;
}

/** The number of a text with a unit (`256K`), in both readings; undefined for anything else. */
export function withUnit(value: PyValue): readonly bigint[] | undefined {
  const match = value.t === "str" ? /^\s*(\d{1,7})\s*([kKmM])\s*$/.exec(value.v) : null;
  const digits = match?.[1];
  if (digits === undefined) return undefined;
  const whole = BigInt(digits);
  const big = match?.[2]?.toLowerCase() === "m";
  return big ? [whole * 1_000_000n] : [whole * 1_000n, whole * 1_024n];
}
