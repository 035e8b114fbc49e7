import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { LoaderId } from "../model/loader";
import type { Problem, TextRange } from "../model/problem";
import { PY_NONE, type PyValue } from "../model/pyValue";
import type { BuiltMap, BuiltNode, BuiltScalar, BuiltSeq } from "../yaml/nodes";
import { TAG } from "../yaml/resolve";
import type { YamlLoad, YamlNode, YamlPair } from "../yaml/types";

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
  const builder = new Builder(source);
  const root = tree === undefined ? undefined : builder.node(tree);
  const [error] = errors;
  if (error !== undefined) return failed(loader, root, syntaxProblem(error, source));
  const value = root === undefined ? PY_NONE : builder.values.get(root);
  return { loader, root, value, failure: undefined, values: builder.values, effective: new Map(), recursive: false };
}

function failed(loader: LoaderId, root: YamlNode | undefined, failure: Problem): YamlLoad {
  return { loader, root, value: undefined, failure, values: new Map(), effective: new Map(), recursive: false };
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

function placeOf(node: Node) {
  const end = node.offset + node.length;
  return { start: node.offset, end, outerStart: node.offset, anchor: undefined, tag: undefined };
}

const TAGS = { string: TAG.str, boolean: TAG.bool, null: TAG.null, number: TAG.int } as const;

/** Turns the JSON tree into the tree of a YAML flow document and notes the Python value of each node. */
class Builder {
  readonly values = new Map<YamlNode, PyValue>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  node(node: Node): BuiltNode {
    if (node.type === "array") return this.#array(node);
    return node.type === "object" ? this.#object(node) : this.#scalar(node);
  }

  #note<T extends BuiltNode>(node: T, value: PyValue): T {
    this.values.set(node, value);
    return node;
  }

  #scalar(node: Node): BuiltScalar {
    const place = placeOf(node);
    const written = this.#text.slice(place.start, place.end);
    const value = scalarValue(node, written);
    const text = value.t === "str" ? value.v : written;
    const style = node.type === "string" ? "double" : "plain";
    const resolved = value.t === "float" ? TAG.float : TAGS[node.type as keyof typeof TAGS];
    return this.#note({ kind: "scalar", ...place, style, text, value, resolved, apart: [] }, value);
  }

  #array(node: Node): BuiltSeq {
    const items = (node.children ?? []).map((child) => this.node(child));
    const value: PyValue = { t: "list", v: items.map((item) => this.#valueOf(item)) };
    return this.#note({ kind: "seq", ...placeOf(node), flow: true, items, resolved: TAG.seq }, value);
  }

  #object(node: Node): BuiltMap {
    const pairs: YamlPair[] = [];
    // Python's json keeps the place of the first duplicate and the value of the last, which is what a Map does.
    const entries = new Map<string, PyValue>();
    for (const property of node.children ?? []) {
      const [name, content] = property.children ?? [];
      // A property whose value is still missing while somebody types has no pair.
      if (name === undefined || content === undefined) continue;
      const key = this.#scalar(name);
      const value = this.node(content);
      pairs.push({ key, value });
      entries.set(key.text, this.#valueOf(value));
    }
    const value: PyValue = { t: "dict", v: [...entries].map(([key, item]) => [{ t: "str", v: key }, item] as const) };
    return this.#note({ kind: "map", ...placeOf(node), flow: true, pairs, resolved: TAG.map }, value);
  }

  #valueOf(node: YamlNode): PyValue {
    return this.values.get(node) ?? PY_NONE;
  }
}

function scalarValue(node: Node, written: string): PyValue {
  if (node.type === "string") return { t: "str", v: String(node.value) };
  if (node.type === "boolean") return { t: "bool", v: node.value === true };
  if (node.type === "null") return PY_NONE;
  return /^-?\d+$/.test(written) ? { t: "int", v: BigInt(written) } : { t: "float", v: Number(written) };
}
