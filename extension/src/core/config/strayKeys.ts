import type { YamlNode } from "../yaml/types";
import { FULL_KEY, isShortName, KEY, RIVAL_KEYS, resemblesKey, resemblesSection, SECTION } from "./keys";
import { type FoundPair, keyText, walkPairs } from "./tree";
import type { ConfigProblem } from "./types";

/** Mappings below the root in which a misplaced key is still looked for (`agent.tools.<key>`). */
const MAX_DEPTH = 4;

/** Hints about keys that Hermes ignores although their author plainly meant the threshold, or meant another section. */
export function strayKeys(root: YamlNode | undefined, isAgentConfig: boolean): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const found of walkPairs(root, MAX_DEPTH)) {
    const name = keyText(found.pair);
    if (name === undefined) continue;
    const problem = isAgentConfig ? strayKey(name, found, root) : foreignStray(name, found);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** In a document that only mentions the key, nothing but the key itself at the root or written as one dotted name is worth a hint. */
function foreignStray(name: string, found: FoundPair): ConfigProblem | undefined {
  const misplaced = found.path.length === 0 && name === KEY;
  return misplaced || name === FULL_KEY ? misplacedKey(name, found) : undefined;
}

function strayKey(name: string, found: FoundPair, root: YamlNode | undefined): ConfigProblem | undefined {
  const { path } = found;
  if (name === FULL_KEY) return misplacedKey(name, found);
  if (path.length === 0 && resemblesSection(name)) return misspeltSection(name, found, root);
  if (path.length === 1 && path[0] === SECTION) {
    if (name === KEY) return undefined;
    if (resemblesKey(name) || isShortName(name)) return misspeltKey(name, found);
    return rivalKey(name, found);
  }
  if (!resemblesKey(name) && !(path.length === 0 && isShortName(name))) return undefined;
  // A misspelt section already gets a hint of its own.
  if (path.length === 1 && resemblesSection(path[0] ?? "")) return undefined;
  return misplacedKey(name, found);
}

function hint(code: string, message: string, found: FoundPair, subject: ConfigProblem["subject"]): ConfigProblem {
  const { outerStart, end } = found.pair.key;
  const problem = { code, severity: "hint", message, range: { start: outerStart, end } } as const;
  return subject === undefined ? problem : { ...problem, subject };
}

function misspeltKey(name: string, found: FoundPair): ConfigProblem {
  const message = `Hermes does not know ${SECTION}.${name} and ignores it. Did you mean ${KEY}?`;
  return hint("misspelt-key", message, found, { kind: "rename", pair: found.pair, to: KEY });
}

function misplacedKey(name: string, found: FoundPair): ConfigProblem {
  const where = [...found.path, name].join(".");
  const message = `Hermes does not read ${where}; it reads ${FULL_KEY}. Did you mean to put it there?`;
  return hint("misplaced-key", message, found, { kind: "move", pair: found.pair, section: SECTION, name: KEY });
}

/** A section such as `tool:` only matters when it holds the key, or when nothing else can explain it. */
function misspeltSection(name: string, found: FoundPair, root: YamlNode | undefined): ConfigProblem | undefined {
  const { value } = found.pair;
  const inner = value.kind === "map" ? value.pairs.find((pair) => resemblesKey(keyText(pair) ?? "")) : undefined;
  if (inner === undefined) return undefined;
  const exists = root?.kind === "map" && root.pairs.some((pair) => keyText(pair) === SECTION);
  const message = `Hermes does not know a section ${name} and ignores it. Did you mean ${SECTION}?`;
  const subject = exists
    ? ({ kind: "move", pair: inner, section: SECTION, name: KEY } as const)
    : ({ kind: "rename", pair: found.pair, to: SECTION } as const);
  return hint("misspelt-section", message, found, subject);
}

function rivalKey(name: string, found: FoundPair): ConfigProblem | undefined {
  const rival = RIVAL_KEYS.find((candidate) => candidate.name === name);
  if (rival === undefined) return undefined;
  const home = rival.section === "" ? `${rival.name} at the root` : `${rival.section}.${rival.name}`;
  const message = `Hermes does not read ${SECTION}.${name}; it reads ${home} (${rival.note}). The persist threshold is ${FULL_KEY}.`;
  const subject =
    rival.section === "" ? undefined : ({ kind: "move", pair: found.pair, section: rival.section, name } as const);
  return hint("rival-key", message, found, subject);
}
