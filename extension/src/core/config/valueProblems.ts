import type { TextRange } from "../model/problem";
import type { PyValue } from "../model/pyValue";
import type { YamlPair } from "../yaml/types";
import { expansionOf } from "./environment";
import { clip, pythonValue, rejectedMessage } from "./messages";
import { normalizePersistThreshold } from "./normalize";
import { surpriseOf } from "./surprise";
import type { ConfigProblem } from "./types";

/** Where to underline a pair's value: its first line, or the key where nothing is written. */
export function valueRange(text: string, pair: YamlPair): TextRange {
  const { outerStart: start, end } = pair.value;
  if (start >= end) return { start: pair.key.outerStart, end: pair.key.end };
  const line = /[\r\n]/.exec(text.slice(start, end));
  return { start, end: line === null ? end : start + line.index };
}

/** Problems of one value of the key, seen by itself. */
export function valueProblems(text: string, pair: YamlPair, value: PyValue): readonly ConfigProblem[] {
  const written = text.slice(pair.value.outerStart, pair.value.end);
  const make = (code: string, severity: ConfigProblem["severity"], message: string): readonly ConfigProblem[] => [
    { code, severity, message, range: valueRange(text, pair), subject: { kind: "value", pair, value } },
  ];
  const outcome = normalizePersistThreshold(value);
  if (outcome.verdict === "rejected") {
    return (
      environmentProblem(value, make) ??
      make(`threshold-${outcome.reason}`, "error", rejectedMessage(outcome.reason, written, value))
    );
  }
  if (outcome.verdict === "unset") {
    if (outcome.reason === "none") return [];
    const message = `Hermes reads ${pythonValue(value)} and treats zero and negative numbers as unset: its context-scaled budget applies. Remove the key, or write a number above 0.`;
    return make("threshold-not-positive", "warning", message);
  }
  const surprise = value.t === "int" ? surpriseOf(pair.value, value.v) : undefined;
  if (surprise === undefined) return [];
  const message = `Hermes reads ${clip(written)} as ${pythonValue(value)} (${surprise.how}). Write the number in plain digits.`;
  return make("threshold-reads-differently", "warning", message);
}

function environmentProblem(
  value: PyValue,
  make: (code: string, severity: ConfigProblem["severity"], message: string) => readonly ConfigProblem[],
): readonly ConfigProblem[] | undefined {
  const expansion = value.t === "str" ? expansionOf(value.v) : ({ kind: "none" } as const);
  if (expansion.kind === "variable") {
    const message = `Hermes puts the environment variable ${expansion.name} here when it loads the file and keeps the result as text. It counts if that is a whole number above 0; an unset variable makes Hermes ignore the value.`;
    return make("threshold-from-environment", "info", message);
  }
  if (expansion.kind === "secret") {
    const message = `The config loader leaves the secret reference ${clip(expansion.name)} as it is, so Hermes ignores the value. Write the number, or use an environment variable.`;
    return make("threshold-from-environment", "warning", message);
  }
  return undefined;
}
