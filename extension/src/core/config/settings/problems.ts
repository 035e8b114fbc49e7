import { pyRepr, pyTypeName } from "../../model/pyRepr";
import { loadYaml } from "../../yaml/load";
import type { YamlPair } from "../../yaml/types";
import { bareVariable, type Environment, masked, placeholders } from "../expand";
import { FULL_KEY } from "../keys";
import { clip, LOADER_NAMES, pythonValue } from "../messages";
import { surpriseOf } from "../surprise";
import type { ConfigProblem } from "../types";
import { valueRange } from "../valueRange";
import { parseSetting } from "./parse";
import { shownSetting } from "./shown";
import type { FoundSetting, ParsedSetting } from "./types";

/** Problems of every setting by itself; the persist threshold has its own, stricter ones. */
export function settingProblems(
  text: string,
  settings: readonly FoundSetting[],
  environment: Environment | undefined,
): readonly ConfigProblem[] {
  return settings.flatMap((found) => {
    if (found.setting.name === FULL_KEY) return [];
    return [
      ...found.shadowed.map((pair) => duplicate(found, pair)),
      ...(variableProblem(text, found, environment) ?? [
        ...judgement(text, found, environment),
        ...disagreement(text, found),
      ]),
    ];
  });
}

function duplicate({ setting }: FoundSetting, pair: YamlPair): ConfigProblem {
  const message = `${setting.name} is written twice; Hermes takes the last one and ignores this one. Newer Hermes refuses the file.`;
  const range = { start: pair.key.outerStart, end: pair.key.end };
  return { code: "duplicate-key", severity: "warning", message, range, subject: { kind: "remove", pair } };
}

function problem(
  text: string,
  found: FoundSetting,
  code: string,
  severity: ConfigProblem["severity"],
  message: string,
): ConfigProblem {
  return { code, severity, message, range: valueRange(text, found.pair), subject: { kind: "setting", found } };
}

/** How a value is named in messages: as written, and as expanded where that differs. */
function subjectOf(text: string, found: FoundSetting): string {
  const written = text.slice(found.pair.value.outerStart, found.pair.value.end);
  return written === "" ? "this" : clip(written);
}

/** What went wrong with `${…}` explains the value better than any rule about it. */
function variableProblem(
  text: string,
  found: FoundSetting,
  environment: Environment | undefined,
): readonly ConfigProblem[] | undefined {
  const { loaded, setting } = found;
  if (loaded.t !== "str" || !loaded.v.includes("$")) return undefined;
  const places = placeholders(loaded.v, environment);
  const secret = places.find(({ kind }) => kind === "secret");
  const effect = effectOf(found.parsed, setting.name);
  if (secret !== undefined) {
    const message = `The config loader leaves the secret reference ${clip(secret.name)} as it is. ${effect}`;
    return [problem(text, found, "secret-reference", "warning", message)];
  }
  const byDefault = places.find(({ kind }) => kind === "default");
  const bare = places.length === 0 ? bareVariable(loaded.v) : undefined;
  if (byDefault !== undefined || bare !== undefined) {
    const what =
      byDefault === undefined
        ? `$${bare} without braces; write \${${bare}}`
        : `defaults as in ${clip(byDefault.written)}: it takes the whole text for the name of a variable`;
    return [problem(text, found, "variable-syntax", "warning", `Hermes does not know ${what}. ${effect}`)];
  }
  if (places.length === 0) return undefined;
  if (found.open) return [];
  const unset = places.find((place) => place.found === undefined);
  if (unset === undefined) return undefined;
  const message = `${unset.name} is not set in the environment known here, so Hermes leaves ${clip(unset.written)} as it is. ${effect}`;
  return [problem(text, found, "variable-unset", "warning", message)];
}

function effectOf(parsed: ParsedSetting, name: string): string {
  if (parsed.outcome === "fatal") return `The agent does not start with that in ${name}.`;
  if (parsed.outcome === "taken") return "The text is used as it stands.";
  return `For ${name} it works with ${shownSetting(parsed.value)}.`;
}

function judgement(text: string, found: FoundSetting, environment: Environment | undefined): readonly ConfigProblem[] {
  const { setting, parsed, value, loaded, pair } = found;
  if (found.open) return [];
  const read = value === loaded ? "reads" : "expands";
  const subject = `Hermes ${read} ${subjectOf(text, found)} ${value === loaded ? "as" : "to"} ${pythonValue(masked(loaded, value, environment))}`;
  switch (parsed.outcome) {
    case "ignored":
      return [
        problem(
          text,
          found,
          "setting-ignored",
          "warning",
          `${subject}; ${parsed.why}. It ignores the value and keeps its default for ${setting.name}: ${shownSetting(parsed.value)}.`,
        ),
      ];
    case "coerced":
      return [
        problem(
          text,
          found,
          "setting-coerced",
          "warning",
          `${subject}, and ${parsed.why}: ${setting.name} becomes ${shownSetting(parsed.value)}.`,
        ),
      ];
    case "clamped":
      return [
        problem(
          text,
          found,
          "setting-clamped",
          "warning",
          `${subject}; ${parsed.why}, so ${setting.name} becomes ${shownSetting(parsed.value)}.`,
        ),
      ];
    case "fatal":
      return [problem(text, found, "setting-fatal", "error", `${subject}; ${parsed.why}. The agent does not start.`)];
    case "taken": {
      const surprise = value.t === "int" && value === loaded ? surpriseOf(pair.value, value.v) : undefined;
      if (surprise === undefined) return [];
      const message = `${subject} (${surprise.how}). Write the number in plain digits.`;
      return [problem(text, found, "setting-reads-differently", "warning", message)];
    }
    case "unset":
      return [];
  }
}

/** Plain texts that the two loaders are known to type differently: `y`, `n`, and exponents without a dot or sign. */
const DIFFERS = /^(?:[yYnN]|[-+]?[\d_]*(?:\.[\d_]*)?[eE][-+]?\d+)$/;

function disagreement(text: string, found: FoundSetting): readonly ConfigProblem[] {
  const { pair, setting, loaded } = found;
  const node = pair.value;
  if (node.kind !== "scalar" || node.style !== "plain" || !DIFFERS.test(node.text)) return [];
  const mine = found.loader;
  const other = mine === "pyyaml" ? "ruamel" : "pyyaml";
  const theirs = loadYaml(node.text, other).value;
  if (theirs === undefined || (pyTypeName(theirs) === pyTypeName(loaded) && pyRepr(theirs) === pyRepr(loaded)))
    return [];
  const here = shownSetting(found.parsed.value);
  const there = parseSetting(setting, theirs, other);
  const result = there.outcome === "fatal" ? "does not start" : `works with ${shownSetting(there.value)}`;
  const message = `${LOADER_NAMES[mine]} reads ${pythonValue(loaded)} (${here}); ${LOADER_NAMES[other]} reads ${pythonValue(theirs)} and ${result}.`;
  return [problem(text, found, "loaders-disagree", "warning", message)];
}
