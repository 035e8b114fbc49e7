import type { TextRange } from "../model/problem";
import { pyTruth } from "../model/pyTruth";
import type { PyValue } from "../model/pyValue";
import { lookup } from "../yaml/lookup";
import type { Lookup, YamlLoad, YamlNode, YamlPair } from "../yaml/types";
import { BUDGET_SECTIONS, FULL_KEY, KEY, KEY_PATH, SECTION } from "./keys";
import { FALLBACK, pythonValue } from "./messages";
import { SETTINGS } from "./settings/table";
import type { ConfigLanguage, ConfigProblem, FixSubject } from "./types";

/** Failures that only say "not a Hermes config" about a document that merely contains the key. */
const FOREIGN_FAILURES: ReadonlySet<string> = new Set(["yaml-documents", "yaml-tag", "yaml-construct"]);

/** Why the whole file does not load, or has no mapping at its root, and what Hermes runs with instead. */
export function failureProblem(
  load: YamlLoad,
  language: ConfigLanguage,
  isAgentConfig: boolean,
): readonly ConfigProblem[] {
  const { failure } = load;
  if (failure !== undefined) {
    if (!isAgentConfig && FOREIGN_FAILURES.has(failure.code)) return [];
    const message = language === "yaml" ? `${failure.message} ${FALLBACK}` : failure.message;
    const problem = { ...failure, message, range: failure.range ?? { start: 0, end: 0 } };
    const subject = failure.code === "yaml-duplicate-key" ? duplicateSubject(load) : undefined;
    return [subject === undefined ? problem : { ...problem, subject }];
  }
  if (load.recursive) return [recursionProblem(load)];
  if (load.root === undefined || !isAgentConfig) return [];
  const value = load.value ?? { t: "NoneType" };
  return value.t === "dict" || value.t === "NoneType" ? [] : [rootProblem(load.root, value)];
}

/** The loader takes it, but the deep merge over the defaults never ends (RecursionError), without any fallback. */
function recursionProblem(load: YamlLoad): ConfigProblem {
  const message =
    "The file contains itself by way of an alias, so Hermes cannot start with it. Replace the alias by what it stands for.";
  const start = load.root?.outerStart ?? 0;
  return { code: "yaml-recursive", severity: "error", message, range: { start, end: start + 1 } };
}

function rootProblem(node: YamlNode, value: PyValue): ConfigProblem {
  const range = { start: node.outerStart, end: node.end };
  const code = "root-not-mapping";
  const what = pythonValue(value);
  // An empty list, empty text, zero and False make Hermes see an empty file.
  if (!pyTruth(value)) {
    const message = `The file holds ${what}, which Hermes treats like an empty file. Write a mapping (key: value).`;
    return { code, severity: "warning", message, range };
  }
  const message = `The file holds ${what} instead of a mapping, which Hermes handles like a broken file. ${FALLBACK}`;
  return { code, severity: "error", message, range };
}

/** Root sections that hold settings. */
const SECTIONS: readonly string[] = [
  ...new Set(SETTINGS.flatMap(({ path }) => (path.length > 1 ? (path[0] ?? []) : []))),
];

function keyRange(pair: YamlPair): TextRange {
  return { start: pair.key.outerStart, end: pair.key.end };
}

/** Earlier copies of the key or of its section, which the last one replaces. Where duplicates are an error the file does not load. */
export function duplicates(
  load: YamlLoad,
  found: Lookup,
  text: string,
  isAgentConfig: boolean,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (load.failure !== undefined) return problems;
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
  for (const name of isAgentConfig ? SECTIONS : [SECTION]) {
    const section = lookup(load, [name]);
    if (section.at !== "value") continue;
    for (const pair of section.shadowed) {
      const lost =
        name === SECTION && text.slice(pair.value.outerStart, pair.value.end).includes(KEY)
          ? ` ${FULL_KEY} in it is lost.`
          : "";
      const message = `A later ${name} section replaces this one as a whole.${lost} Put everything into one section; newer Hermes refuses the file.`;
      const subject = { kind: "merge", earlier: pair, later: section.pair } as const;
      problems.push({ code: "duplicate-section", severity: "warning", message, range: keyRange(pair), subject });
    }
  }
  return problems;
}

/** What can be done about a duplicate that keeps the file from loading, as far as it concerns the key or its section. */
function duplicateSubject(load: YamlLoad): FixSubject | undefined {
  const key = lookup(load, KEY_PATH);
  const [copy] = key.at === "value" ? key.shadowed : [];
  if (copy !== undefined) return { kind: "remove", pair: copy };
  for (const name of SECTIONS) {
    const section = lookup(load, [name]);
    const [earlier] = section.at === "value" ? section.shadowed : [];
    if (section.at === "value" && earlier !== undefined) return { kind: "merge", earlier, later: section.pair };
  }
  return undefined;
}

/** Sections that should be mappings. `None` is fine: Hermes keeps its defaults then. */
export function sectionProblems(load: YamlLoad, text: string, isAgentConfig: boolean): readonly ConfigProblem[] {
  if (load.failure !== undefined) return [];
  return BUDGET_SECTIONS.flatMap((name) => {
    const found = lookup(load, name.split("."));
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
