import type { PyValue } from "../model/pyValue";
import type { YamlPair } from "../yaml/types";
import { expansionOf } from "./environment";
import { type Environment, expandValue, masked, placeholders } from "./expand";
import { clip, IGNORED, pythonValue, rejectedMessage } from "./messages";
import { normalizePersistThreshold } from "./normalize";
import { surpriseOf } from "./surprise";
import type { ConfigProblem } from "./types";
import { valueRange } from "./valueRange";

/** Problems of one value of the key, seen by itself. */
export function valueProblems(
  text: string,
  pair: YamlPair,
  value: PyValue,
  environment: Environment | undefined,
): readonly ConfigProblem[] {
  const written = text.slice(pair.value.outerStart, pair.value.end);
  const make = (code: string, severity: ConfigProblem["severity"], message: string): readonly ConfigProblem[] => [
    { code, severity, message, range: valueRange(text, pair), subject: { kind: "value", pair, value } },
  ];
  const expanded = expandValue(value, environment);
  const shown = masked(value, expanded, environment);
  const outcome = normalizePersistThreshold(expanded);
  if (outcome.verdict === "rejected") {
    return (
      environmentProblem(value, environment, make) ??
      make(`threshold-${outcome.reason}`, "error", rejectedMessage(outcome.reason, written, shown))
    );
  }
  if (outcome.verdict === "unset") {
    if (outcome.reason === "none") return [];
    const message = `Hermes reads ${pythonValue(shown)} and treats zero and negative numbers as unset: its context-scaled budget applies. Remove the key, or write a number above 0.`;
    return make("threshold-not-positive", "warning", message);
  }
  const surprise = value.t === "int" ? surpriseOf(pair.value, value.v) : undefined;
  if (surprise === undefined) return [];
  const message = `Hermes reads ${clip(written)} as ${pythonValue(value)} (${surprise.how}). Write the number in plain digits.`;
  return make("threshold-reads-differently", "warning", message);
}

/** Undefined where the value is judged by what it expands to, or holds no placeholder. */
function environmentProblem(
  value: PyValue,
  environment: Environment | undefined,
  make: (code: string, severity: ConfigProblem["severity"], message: string) => readonly ConfigProblem[],
): readonly ConfigProblem[] | undefined {
  if (value.t !== "str") return undefined;
  const expansion = expansionOf(value.v);
  if (expansion.kind === "secret") {
    const message = `The config loader leaves the secret reference ${clip(expansion.name)} as it is, so Hermes ignores the value. Write the number, or use an environment variable.`;
    return make("threshold-from-environment", "warning", message);
  }
  const places = placeholders(value.v, environment);
  const byDefault = places.find(({ kind }) => kind === "default");
  if (byDefault !== undefined) {
    const message = `Hermes knows no defaults as in ${clip(byDefault.written)}: it takes the whole text for the name of a variable. ${IGNORED}`;
    return make("variable-syntax", "error", message);
  }
  const bare = places.length === 0 ? /^\s*\$(\w+)\s*$/.exec(value.v)?.[1] : undefined;
  if (bare !== undefined) {
    const message = `Hermes does not know $${bare} without braces; write \${${bare}}. ${IGNORED}`;
    return make("variable-syntax", "error", message);
  }
  if (environment === undefined && expansion.kind === "variable") {
    const message = `Hermes puts the environment variable ${expansion.name} here when it loads the file and keeps the result as text. It counts if that is a whole number above 0; an unset variable makes Hermes ignore the value.`;
    return make("threshold-from-environment", "info", message);
  }
  const unset = environment === undefined ? undefined : places.find(({ found }) => found === undefined);
  if (unset === undefined) return undefined;
  const message = `${unset.name} is not set in the environment known here, so Hermes leaves ${clip(unset.written)} as it is. ${IGNORED}`;
  return make("variable-unset", "warning", message);
}
