import type { YamlMap, YamlPair } from "../yaml/types";
import { type ConfigEdit, lineEnd, lineStart, nextLine } from "./edits";
import { keyText } from "./tree";

/**
 * Edits that move everything under `earlier` into `later`, a second copy of the same section that comes after it; comments move
 * along. Undefined unless both are plain block mappings of the same indentation without a key in common.
 */
export function mergeSections(text: string, earlier: YamlPair, later: YamlPair): readonly ConfigEdit[] | undefined {
  const from = blockOf(earlier);
  const into = blockOf(later);
  const first = from?.pairs[0];
  const target = into?.pairs[0];
  if (from === undefined || into === undefined || first === undefined || target === undefined) return undefined;
  const indent = indentOf(text, first);
  const names = new Set(into.pairs.map(keyText));
  if (indent === undefined || indent !== indentOf(text, target)) return undefined;
  if (from.pairs.some((pair) => names.has(keyText(pair)))) return undefined;
  const start = lineStart(text, earlier.key.outerStart);
  const body = nextLine(text, earlier.key.end);
  const end = nextLine(text, from.end);
  const header = text.slice(earlier.key.end, lineEnd(text, earlier.key.end));
  const comment = header.indexOf("#");
  const kept =
    comment < 0 ? "" : `${indent}${header.slice(comment)}${text.slice(lineEnd(text, earlier.key.end), body)}`;
  const at = lineStart(text, target.key.outerStart);
  return [
    { range: { start, end }, newText: "" },
    { range: { start: at, end: at }, newText: kept + text.slice(body, end) },
  ];
}

function blockOf(section: YamlPair): YamlMap | undefined {
  const { value } = section;
  return value.kind === "map" && !value.flow && value.tag === undefined && value.anchor === undefined
    ? value
    : undefined;
}

function indentOf(text: string, pair: YamlPair): string | undefined {
  const before = text.slice(lineStart(text, pair.key.outerStart), pair.key.outerStart);
  return before.trim() === "" ? before : undefined;
}
