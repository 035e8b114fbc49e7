import type { TextRange } from "../model/problem";
import type { PyValue } from "../model/pyValue";
import { lookup } from "../yaml/lookup";
import type { Lookup, YamlLoad, YamlNode, YamlPair } from "../yaml/types";
import { BUDGET_SECTIONS, FULL_KEY, KEY, SECTION } from "./keys";
import { FALLBACK, pythonValue } from "./messages";
import { shallowValue } from "./tree";
import type { ConfigLanguage, ConfigProblem } from "./types";

/** Failures that only say "not a Hermes config" about a document that merely contains the key. */
const FOREIGN_FAILURES: ReadonlySet<string> = new Set(["yaml-multiple-documents", "yaml-construct"]);

/** Why the whole file does not load, or has no mapping at its root, and what Hermes runs with instead. */
export function failureProblem(
  load: YamlLoad,
  found: Lookup,
  language: ConfigLanguage,
  isAgentConfig: boolean,
): readonly ConfigProblem[] {
  const { failure } = load;
  if (failure !== undefined) {
    if (!isAgentConfig && FOREIGN_FAILURES.has(failure.code)) return [];
    const message = language === "yaml" ? `${failure.message} ${FALLBACK}` : failure.message;
    return [{ ...failure, message, range: failure.range ?? { start: 0, end: 0 } }];
  }
  if (found.at !== "not-mapping" || found.depth !== 0 || !isAgentConfig) return [];
  return [rootProblem(found.node)];
}

function rootProblem(node: YamlNode): ConfigProblem {
  const value = shallowValue(node);
  const range = { start: node.outerStart, end: node.end };
  const code = "root-not-mapping";
  if (isFalsy(node, value)) {
    const message = `The file holds ${pythonValue(value)}, which Hermes treats like an empty file. Write a mapping (key: value).`;
    return { code, severity: "warning", message, range };
  }
  const message = `The file holds no mapping at its root but a ${value.t}, which Hermes handles like a broken file. ${FALLBACK}`;
  return { code, severity: "error", message, range };
}

/** Python's truth: an empty list, empty text, zero and False make Hermes take an empty file. */
function isFalsy(node: YamlNode, value: PyValue): boolean {
  if (node.kind === "seq") return node.items.length === 0;
  return (
    value.t === "NoneType" ||
    (value.t === "bool" && !value.v) ||
    (value.t === "int" && value.v === 0n) ||
    (value.t === "float" && value.v === 0) ||
    (value.t === "str" && value.v === "")
  );
}

function keyRange(pair: YamlPair): TextRange {
  return { start: pair.key.outerStart, end: pair.key.end };
}

/** Earlier copies of the key or of its section, which the last one replaces. Where duplicates are an error the load fails instead. */
export function duplicates(load: YamlLoad, found: Lookup, text: string): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const pair of found.at === "value" ? found.shadowed : []) {
    const message = `${KEY} is written twice; Hermes takes the last one and ignores this one. Newer Hermes refuses the file.`;
    problems.push({
      code: "duplicate-key",
      severity: "warning",
      message,
      range: keyRange(pair),
      subject: { kind: "remove", pair },
    });
  }
  const section = lookup(load, [SECTION]);
  for (const pair of section.at === "value" ? section.shadowed : []) {
    const lost = text.slice(pair.value.outerStart, pair.value.end).includes(KEY) ? ` ${FULL_KEY} in it is lost.` : "";
    const message = `A later ${SECTION} section replaces this one as a whole.${lost} Put everything into one section; newer Hermes refuses the file.`;
    problems.push({ code: "duplicate-section", severity: "warning", message, range: keyRange(pair) });
  }
  return problems;
}

/** Sections that should be mappings. `None` is fine: Hermes keeps its defaults then. */
export function sectionProblems(load: YamlLoad, text: string, isAgentConfig: boolean): readonly ConfigProblem[] {
  if (load.failure !== undefined) return [];
  return BUDGET_SECTIONS.flatMap((name) => {
    const found = lookup(load, [name]);
    if (found.at !== "value" || found.value.t === "NoneType" || found.value.t === "dict") return [];
    const { pair } = found;
    const written = text.slice(pair.value.outerStart, pair.value.end);
    // In other documents `tools` may well be a list of something else.
    if (!isAgentConfig && !written.includes(KEY)) return [];
    return [sectionProblem(name, pair, found.value, written)];
  });
}

function sectionProblem(name: string, pair: YamlPair, value: PyValue, written: string): ConfigProblem {
  const node = pair.value;
  const glued = node.kind === "scalar" && node.style === "plain" && /^[A-Za-z_]+:\S/.test(node.text);
  const remedy = glued ? "A space is missing after the colon." : `Write ${name}: and its keys indented below.`;
  const message = `Hermes expects a mapping under ${name} and finds ${pythonValue(value)}, so it silently ignores the section. ${remedy}`;
  const range =
    written === "" ? keyRange(pair) : { start: node.outerStart, end: firstLineEnd(node.outerStart, written) };
  const problem = { code: "section-not-mapping", severity: "warning", message, range } as const;
  return glued ? { ...problem, subject: { kind: "colon", node } } : problem;
}

function firstLineEnd(start: number, written: string): number {
  const line = /[\r\n]/.exec(written);
  return start + (line === null ? written.length : line.index);
}
