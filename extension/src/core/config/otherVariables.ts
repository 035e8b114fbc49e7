import { target } from "../yaml/nodes";
import type { YamlLoad, YamlNode, YamlScalar } from "../yaml/types";
import { type Environment, type Placeholder, placeholders } from "./expand";
import { clip } from "./messages";
import type { ConfigProblem } from "./types";

/** Nodes looked at; a config has some thousands. */
const MAX_NODES = 200_000;
/** Placeholders reported; a config has a handful. */
const MAX_PROBLEMS = 100;

/**
 * `${…}` that stands for nothing, in values of keys that are not judged by themselves. A hint, not a warning: the agent's
 * environment may be another one, and a text may be meant for a shell.
 * @param judged values that have problems of their own.
 */
export function otherVariables(
  text: string,
  load: YamlLoad,
  judged: ReadonlySet<YamlNode>,
  environment: Environment | undefined,
): readonly ConfigProblem[] {
  if (environment === undefined || load.failure !== undefined || load.recursive || !text.includes("${")) return [];
  const problems: ConfigProblem[] = [];
  for (const node of scalars(load.root)) {
    const loaded = load.values.get(node);
    if (loaded?.t !== "str" || judged.has(node)) continue;
    for (const place of placeholders(loaded.v, environment)) {
      if (place.kind === "secret" || place.found !== undefined) continue;
      if (problems.length === MAX_PROBLEMS) {
        const message = `More than ${MAX_PROBLEMS} variables of this file are not set; the others are not listed.`;
        return [...problems, { code: "variable-unset", severity: "hint", message, range: rangeOf(text, node, place) }];
      }
      problems.push(problemOf(text, node, place));
    }
  }
  return problems;
}

function problemOf(text: string, node: YamlScalar, place: Placeholder): ConfigProblem {
  const range = rangeOf(text, node, place);
  if (place.kind === "default") {
    const message = `Hermes does not know defaults as in ${clip(place.written)}: it takes the whole text for the name of a variable, and leaves it as it is.`;
    return { code: "variable-syntax", severity: "hint", message, range };
  }
  const message = `${clip(place.name)} is not set in the environment known here, so Hermes leaves ${clip(place.written)} as it is. The agent's own environment may differ.`;
  return { code: "variable-unset", severity: "hint", message, range };
}

/** The placeholder itself where the file writes it as loaded, else the value's first line. */
function rangeOf(text: string, node: YamlScalar, { written }: Placeholder): ConfigProblem["range"] {
  const at = text.indexOf(written, node.start);
  if (at >= 0 && at + written.length <= node.end) return { start: at, end: at + written.length };
  const line = /[\r\n]/.exec(text.slice(node.start, node.end));
  return { start: node.start, end: line === null ? node.end : node.start + line.index };
}

/** Scalars that are values or items, in document order; keys are not expanded. What aliases stand for comes once. */
function* scalars(root: YamlNode | undefined): Generator<YamlScalar> {
  const stack: YamlNode[] = root === undefined ? [] : [root];
  const seen = new Set<YamlNode>();
  for (let next = stack.pop(); next !== undefined && seen.size < MAX_NODES; next = stack.pop()) {
    const node = target(next);
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.kind === "scalar") yield node;
    else if (node.kind === "seq") for (const item of node.items.toReversed()) stack.push(item);
    else if (node.kind === "map") for (const { value } of node.pairs.toReversed()) stack.push(value);
  }
}
