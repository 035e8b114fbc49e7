import type { TextRange } from "../model/problem";
import type { YamlPair } from "../yaml/types";

/** Where to underline a pair's value: its first line, or the key where nothing is written. */
export function valueRange(text: string, pair: YamlPair): TextRange {
  const { outerStart: start, end } = pair.value;
  if (start >= end) return { start: pair.key.outerStart, end: pair.key.end };
  const line = /[\r\n]/.exec(text.slice(start, end));
  return { start, end: line === null ? end : start + line.index };
}
