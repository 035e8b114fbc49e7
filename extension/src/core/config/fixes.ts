import type { LoaderId } from "../model/loader";
import type { PyValue } from "../model/pyValue";
import type { YamlMap, YamlPair } from "../yaml/types";
import { scalarText } from "../yaml/write";
import { checkConfig } from "./check";
import { applyEdits, type ConfigEdit, insertEntry, pairEnd, removePair } from "./edits";
import { plainlyMeant } from "./plainNumber";
import { mergeSections } from "./sections";
import { replacements } from "./settings/replacements";
import type { FoundSetting } from "./settings/types";
import { surpriseOf } from "./surprise";
import { keyText, ownerOf } from "./tree";
import type { CheckOptions, CheckVerdict, ConfigCheck, ConfigProblem, FixSubject } from "./types";

/** A change that a user may apply; what it promises has been verified by loading the changed text. */
export interface ConfigFix {
  readonly title: string;
  readonly edits: readonly ConfigEdit[];
  /** The one to apply without choosing. */
  readonly isPreferred: boolean;
}

/** A fix with what the document must be worth afterwards; undefined parts are not promised. */
export interface Candidate extends ConfigFix {
  readonly verdict?: CheckVerdict;
  readonly threshold?: bigint;
}

/** Fixes for one problem of `check`, best first. Each keeps comments, quotes elsewhere and line ends, and holds under both loaders. */
export function configFixes(
  text: string,
  check: ConfigCheck,
  problem: ConfigProblem,
  options: CheckOptions,
): readonly ConfigFix[] {
  const { subject } = problem;
  if (subject === undefined) return [];
  return candidates(text, check, subject, problem, options).filter((candidate) =>
    keepsPromise(text, check, candidate, problem, options),
  );
}

/** Rewrites an accepted quoted number as a plain one (no problem, only an offer). */
export function unquoteFix(text: string, check: ConfigCheck, options: CheckOptions): ConfigFix | undefined {
  const { pair, threshold } = check;
  if (pair === undefined || threshold === null || pair.value.kind !== "scalar") return undefined;
  if (pair.value.style !== "single" && pair.value.style !== "double") return undefined;
  const candidate: Candidate = {
    title: "Remove the quotes",
    edits: [replaceValue(text, pair, String(threshold))],
    isPreferred: false,
    verdict: "accepted",
    threshold,
  };
  return keepsPromise(text, check, candidate, undefined, options) ? candidate : undefined;
}

function candidates(
  text: string,
  check: ConfigCheck,
  subject: FixSubject,
  problem: ConfigProblem,
  options: CheckOptions,
): readonly Candidate[] {
  switch (subject.kind) {
    case "value":
      return valueCandidates(text, check, subject, problem);
    case "rename":
      return [renameCandidate(text, subject.pair, subject.to)];
    case "move":
      return moveCandidate(text, check, subject);
    case "remove":
      return removal(text, check, subject.pair, "Remove the earlier copy");
    case "merge": {
      const edits = mergeSections(text, subject.earlier, subject.later);
      return edits === undefined ? [] : [{ title: "Merge the two sections", edits, isPreferred: true }];
    }
    case "setting":
      return settingCandidates(text, check, subject.found, options);
    case "colon": {
      const at = subject.node.start + subject.node.text.indexOf(":") + 1;
      return [{ title: "Insert a space after the colon", edits: [insertion(at, " ")], isPreferred: true }];
    }
  }
}

/** Values that count as written, in the document's own notation, and the way back to the default. */
function settingCandidates(
  text: string,
  check: ConfigCheck,
  { setting, pair, ...rest }: FoundSetting,
  { language = "yaml" }: CheckOptions,
): readonly Candidate[] {
  const written = (value: PyValue): string | undefined =>
    language === "yaml" || value.t !== "str" ? scalarText(value) : JSON.stringify(value.v);
  const values = replacements({ setting, pair, ...rest }).flatMap(({ title, value, isPreferred }) => {
    const newText = written(value);
    return newText === undefined ? [] : [{ title, edits: [replaceValue(text, pair, newText)], isPreferred }];
  });
  return [...values, ...removal(text, check, pair, `Remove ${setting.name}`)];
}

function insertion(at: number, newText: string): ConfigEdit {
  return { range: { start: at, end: at }, newText };
}

/** Replaces the value with its tag but keeps an anchor, which other places may use. Where nothing is written, the value goes behind the colon. */
export function replaceValue(text: string, pair: YamlPair, newText: string): ConfigEdit {
  const { anchor, outerStart, end } = pair.value;
  if (end <= outerStart) return insertion(pairEnd(text, pair), ` ${newText}`);
  return { range: { start: outerStart, end }, newText: anchor === undefined ? newText : `&${anchor} ${newText}` };
}

function valueCandidates(
  text: string,
  check: ConfigCheck,
  subject: Extract<FixSubject, { kind: "value" }>,
  problem: ConfigProblem,
): readonly Candidate[] {
  const { pair, value } = subject;
  const numbers: bigint[] = [];
  if (problem.code === "threshold-reads-differently" && value.t === "int") {
    const seen = surpriseOf(pair.value, value.v)?.seen;
    numbers.push(value.v, ...(seen !== undefined && seen !== value.v && seen > 0n ? [seen] : []));
  } else {
    const meant = plainlyMeant(value);
    if (meant !== undefined) numbers.push(meant);
  }
  const ambiguous = numbers.length > 1;
  return [
    ...numbers.map(
      (number, index): Candidate => ({
        title: ambiguous
          ? `Write ${number} (${index === 0 ? "what Hermes reads now" : "as it looks"})`
          : `Write ${number}`,
        edits: replaceWithNumber(text, pair, value.t === "str" ? value.v : "", number),
        isPreferred: !ambiguous,
        verdict: "accepted",
        threshold: number,
      }),
    ),
    ...unquoteNull(text, pair),
    ...removal(text, check, pair, "Remove the key"),
  ];
}

/** A comment that was glued to the number becomes a comment. */
function replaceWithNumber(text: string, pair: YamlPair, loaded: string, number: bigint): readonly ConfigEdit[] {
  const glued = pair.value.kind === "scalar" && pair.value.style === "plain" ? loaded.indexOf("#") : -1;
  return [replaceValue(text, pair, glued < 0 ? String(number) : `${number} ${loaded.slice(glued)}`)];
}

function unquoteNull(text: string, pair: YamlPair): readonly Candidate[] {
  const { value } = pair;
  if (value.kind !== "scalar" || (value.style !== "single" && value.style !== "double")) return [];
  if (value.text !== "null" && value.text !== "~") return [];
  return [
    { title: "Remove the quotes", edits: [replaceValue(text, pair, value.text)], isPreferred: false, verdict: "unset" },
  ];
}

function removal(text: string, check: ConfigCheck, pair: YamlPair, title: string): readonly Candidate[] {
  const owner = ownerOf(check.load.root, pair);
  const edit = owner === undefined ? undefined : removePair(text, owner.map, pair);
  return edit === undefined ? [] : [{ title, edits: [edit], isPreferred: false }];
}

function renameCandidate(text: string, pair: YamlPair, to: string): Candidate {
  const { key } = pair;
  const written = text.slice(key.start, key.end);
  const quote = /^["']/.exec(written)?.[0] ?? "";
  const edits = [{ range: { start: key.start, end: key.end }, newText: `${quote}${to}${quote}` }];
  return { title: `Rename to ${to}`, edits, isPreferred: true };
}

function moveCandidate(
  text: string,
  check: ConfigCheck,
  subject: Extract<FixSubject, { kind: "move" }>,
): readonly Candidate[] {
  const { root } = check.load;
  const owner = ownerOf(root, subject.pair);
  if (root?.kind !== "map" || owner === undefined) return [];
  const section = root.pairs.find((pair) => keyText(pair) === subject.section);
  if (section !== undefined && holds(section, subject.name)) return [];
  const { pair } = subject;
  const json = text.startsWith('"', pair.key.start) && root.flow;
  const name = json ? `"${subject.name}"` : subject.name;
  const value = text.slice(pair.key.end, pairEnd(text, pair));
  // A value over several lines would need another indentation.
  if (/[\r\n]/.test(value)) return [];
  const cut = removePair(text, owner.map, pair);
  const add = insertEntry(text, root, section, subject.section, `${name}${value}`);
  if (cut === undefined || add === undefined) return [];
  const edits = [cut, add];
  return [{ title: `Move to ${subject.section}.${subject.name}`, edits, isPreferred: true }];
}

function holds(section: YamlPair, name: string): boolean {
  const map: YamlMap | undefined = section.value.kind === "map" ? section.value : undefined;
  return map?.pairs.some((pair) => keyText(pair) === name) ?? false;
}

/** Loads the changed text under both loaders: it must not break, the problem must be gone, and the promised outcome must hold. */
export function keepsPromise(
  text: string,
  was: ConfigCheck,
  candidate: Candidate,
  problem: ConfigProblem | undefined,
  options: CheckOptions,
): boolean {
  const changed = applyEdits(text, candidate.edits);
  const loaders: readonly LoaderId[] =
    (options.language ?? "yaml") === "yaml" ? ["pyyaml", "ruamel"] : [options.loader];
  return loaders.every((loader) => {
    const now = checkConfig(changed, { ...options, loader });
    if (now.load.failure !== undefined && was.load.failure === undefined) return false;
    if (candidate.verdict !== undefined && now.load.failure === undefined && now.verdict !== candidate.verdict)
      return false;
    if (candidate.threshold !== undefined && now.load.failure === undefined && now.threshold !== candidate.threshold)
      return false;
    return problem === undefined || count(now, problem.code) < count(was, problem.code);
  });
}

function count(check: ConfigCheck, code: string): number {
  return check.problems.filter((problem) => problem.code === code).length;
}
