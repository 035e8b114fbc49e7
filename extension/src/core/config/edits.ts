import type { TextRange } from "../model/problem";
import type { YamlMap, YamlNode, YamlPair } from "../yaml/types";

/** Replacement of a half-open range of UTF-16 offsets. Edits of one fix do not overlap. */
export interface ConfigEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** The text with its edits made; they do not overlap and may come in any order. Offsets are UTF-16 units. */
export function applyEdits(text: string, edits: readonly ConfigEdit[]): string {
  const ordered = [...edits].sort((a, b) => b.range.start - a.range.start || b.range.end - a.range.end);
  return ordered.reduce((out, { range, newText }) => out.slice(0, range.start) + newText + out.slice(range.end), text);
}

/** UTF-16 offset at which the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

/** Offset of the line's end, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const found = /[\r\n]/.exec(text.slice(offset));
  return found === null ? text.length : offset + found.index;
}

/** Offset behind the line break that ends the line. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return text.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, text.length);
}

/** The document's own line end. */
export function lineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Where a pair ends: behind its value, or behind the colon where nothing is written. */
export function pairEnd(text: string, pair: YamlPair): number {
  if (pair.value.end > pair.value.outerStart && pair.value.end > pair.key.end) return pair.value.end;
  const colon = text.indexOf(":", pair.key.end);
  return colon < 0 ? pair.key.end : Math.max(colon + 1, pair.value.end);
}

/** True when the pair is the first thing on its line, as every pair of a usual block mapping is. */
function startsLine(text: string, pair: YamlPair): boolean {
  return text.slice(lineStart(text, pair.key.outerStart), pair.key.outerStart).trim() === "";
}

/** The edit that takes a pair out, with its line if nothing else stands there; a comment behind it stays. Undefined where that cannot be done safely. */
export function removePair(text: string, map: YamlMap, pair: YamlPair): ConfigEdit | undefined {
  const end = pairEnd(text, pair);
  if (map.flow) return removeFlowPair(text, map, pair, end);
  if (!startsLine(text, pair)) return undefined;
  const rest = text.slice(end, lineEnd(text, end));
  const comment = rest.indexOf("#");
  if (comment >= 0) return { range: { start: pair.key.outerStart, end: end + comment }, newText: "" };
  if (rest.trim() !== "") return undefined;
  return { range: { start: lineStart(text, pair.key.outerStart), end: nextLine(text, end) }, newText: "" };
}

function removeFlowPair(text: string, map: YamlMap, pair: YamlPair, end: number): ConfigEdit | undefined {
  const index = map.pairs.indexOf(pair);
  const next = map.pairs[index + 1];
  const previous = map.pairs[index - 1];
  const range = next
    ? { start: pair.key.outerStart, end: next.key.outerStart }
    : { start: previous ? pairEnd(text, previous) : pair.key.outerStart, end };
  const cut = text.slice(range.start, range.end);
  return cut.includes("#") || cut.includes("//") || cut.includes("/*") ? undefined : { range, newText: "" };
}

/** The edit that adds `entry` (`key: value`) to the section `name` of the root mapping; undefined where that cannot be done safely. */
export function insertEntry(
  text: string,
  root: YamlMap,
  section: YamlPair | undefined,
  name: string,
  entry: string,
): ConfigEdit | undefined {
  const br = lineBreak(text);
  if (section === undefined) return newSection(text, root, name, entry, br);
  const { value } = section;
  if (value.kind === "map") return insertIntoMap(text, value, entry);
  return isEmpty(value) ? insertBelow(text, section, entry, br) : undefined;
}

function isEmpty(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value.t === "NoneType" && node.outerStart >= node.end;
}

function insertIntoMap(text: string, map: YamlMap, entry: string): ConfigEdit | undefined {
  const [first] = map.pairs;
  if (map.flow) {
    const at = first === undefined ? map.start + 1 : first.key.outerStart;
    return { range: { start: at, end: at }, newText: first === undefined ? entry : `${entry}, ` };
  }
  if (first === undefined || !startsLine(text, first)) return undefined;
  const at = lineStart(text, first.key.outerStart);
  const indent = text.slice(at, first.key.outerStart);
  return { range: { start: at, end: at }, newText: `${indent}${entry}${lineBreak(text)}` };
}

function insertBelow(text: string, section: YamlPair, entry: string, br: string): ConfigEdit | undefined {
  if (!startsLine(text, section)) return undefined;
  const indent = text.slice(lineStart(text, section.key.outerStart), section.key.outerStart);
  const at = lineEnd(text, section.key.end);
  return { range: { start: at, end: at }, newText: `${br}${indent}  ${entry}` };
}

function newSection(text: string, root: YamlMap, name: string, entry: string, br: string): ConfigEdit | undefined {
  if (root.flow) {
    const at = root.start + 1;
    const quote = text.slice(at).trimStart().startsWith('"') ? '"' : "";
    const comma = root.pairs.length > 0 ? ", " : "";
    return { range: { start: at, end: at }, newText: `${quote}${name}${quote}: {${entry}}${comma}` };
  }
  const gap = text === "" || /[\r\n]$/.test(text) ? "" : br;
  const at = text.length;
  return { range: { start: at, end: at }, newText: `${gap}${name}:${br}  ${entry}${br}` };
}
