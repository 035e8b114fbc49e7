import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { LoaderId } from "../model/loader";
import type { Problem, TextRange } from "../model/problem";
import { PY_NONE, type PyValue } from "../model/pyValue";
import type { YamlLoad, YamlNode, YamlPair, YamlScalar } from "../yaml/types";

/** Containers inside each other before we refuse to parse; CPython's own JSON reader gives up near 1,000. */
const MAX_DEPTH = 500;

/**
 * Reads JSON (or JSONC: comments and trailing commas allowed) into the same tree as a YAML file, with the types that Python's
 * `json` gives: a number with a fraction or an exponent is a float. `load.loader` is only passed through.
 */
export function loadJson(text: string, language: "json" | "jsonc", loader: LoaderId): YamlLoad {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const source = start === 1 ? ` ${text.slice(1)}` : text;
  const deep = tooDeepAt(source);
  if (deep !== undefined) {
    const message = `Containers are nested more than ${MAX_DEPTH} deep. Remove some levels.`;
    return failed(loader, undefined, { code: "json-syntax", severity: "error", message, range: deep });
  }
  const errors: ParseError[] = [];
  const comments = language === "jsonc";
  const tree = parseTree(source, errors, {
    disallowComments: !comments,
    allowTrailingComma: comments,
    allowEmptyContent: false,
  });
  const root = tree === undefined ? undefined : toNode(tree, source);
  const [error] = errors;
  if (error !== undefined) return failed(loader, root, syntaxProblem(error, source));
  return { loader, root, value: root === undefined ? PY_NONE : valueOfNode(root), failure: undefined };
}

function failed(loader: LoaderId, root: YamlNode | undefined, failure: Problem): YamlLoad {
  return { loader, root, value: undefined, failure };
}

const TOKENS = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\]]/g;

/** Place of the bracket that opens one level too many; a scan, because the parser itself is recursive. */
function tooDeepAt(text: string): TextRange | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth > MAX_DEPTH) return { start: index, end: index + 1 };
  }
  return undefined;
}

/** "PropertyNameExpected" → "property name expected". */
function words(name: string): string {
  return name.replaceAll(/(?!^)([A-Z])/g, " $1").toLowerCase();
}

function syntaxProblem(error: ParseError, text: string): Problem {
  const end = Math.min(error.offset + Math.max(error.length, 1), text.length);
  const range = { start: Math.min(error.offset, end), end };
  const line = text.slice(0, error.offset).split("\n").length;
  const message = `This is not valid JSON: ${words(printParseErrorCode(error.error))} (line ${line}).`;
  return { code: "json-syntax", severity: "error", message, range };
}

function scalar(node: Node, text: string): YamlScalar {
  const place = placeOf(node);
  const written = text.slice(place.start, place.end);
  const value = scalarValue(node, written);
  const style = node.type === "string" ? "double" : "plain";
  return { kind: "scalar", ...place, style, text: value.t === "str" ? value.v : written, value };
}

function scalarValue(node: Node, written: string): PyValue {
  if (node.type === "string") return { t: "str", v: String(node.value) };
  if (node.type === "boolean") return { t: "bool", v: node.value === true };
  if (node.type === "null") return PY_NONE;
  return /^-?\d+$/.test(written) ? { t: "int", v: BigInt(written) } : { t: "float", v: Number(written) };
}

function placeOf(node: Node) {
  const end = node.offset + node.length;
  return { start: node.offset, end, outerStart: node.offset, anchor: undefined, tag: undefined };
}

function toNode(node: Node, text: string): YamlNode {
  const place = placeOf(node);
  const children = node.children ?? [];
  if (node.type === "array") {
    return { kind: "seq", ...place, flow: true, items: children.map((child) => toNode(child, text)) };
  }
  if (node.type !== "object") return scalar(node, text);
  return { kind: "map", ...place, flow: true, pairs: children.flatMap((property) => toPair(property, text)) };
}

/** A property whose value is still missing while somebody types has no pair. */
function toPair(property: Node, text: string): readonly YamlPair[] {
  const [key, value] = property.children ?? [];
  return key === undefined || value === undefined ? [] : [{ key: scalar(key, text), value: toNode(value, text) }];
}

function valueOfNode(node: YamlNode): PyValue {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "alias":
      return valueOfNode(node.target);
    case "seq":
      return { t: "list", v: node.items.map(valueOfNode) };
    case "map": {
      // Python's json keeps the place of the first duplicate and the value of the last, which is what a Map does.
      const entries = new Map<string, PyValue>();
      for (const { key, value } of node.pairs) {
        if (key.kind === "scalar") entries.set(key.text, valueOfNode(value));
      }
      return { t: "dict", v: [...entries].map(([key, value]) => [{ t: "str", v: key }, value] as const) };
    }
  }
}
