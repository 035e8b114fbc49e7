import { readFileSync } from "node:fs";
import { corpusPath } from "../../corpus";

/** A recorded text: a string, or [string, times] pairs to be repeated and joined. */
export type Parts = readonly (readonly [string, number])[];
export type RecordedText = string | { readonly parts: Parts };

export function join(parts: Parts): string {
  return parts.map(([text, times]) => text.repeat(times)).join("");
}

export function textOf(recorded: RecordedText): string {
  return typeof recorded === "string" ? recorded : join(recorded.parts);
}

export function readOracle<T>(...path: readonly string[]): T {
  return JSON.parse(readFileSync(corpusPath(...path), "utf8")) as T;
}
