import type { ScalarRules } from "./dialect";

const PREFIX = "tag:yaml.org,2002:";
export const TAG = {
  str: `${PREFIX}str`,
  int: `${PREFIX}int`,
  float: `${PREFIX}float`,
  bool: `${PREFIX}bool`,
  null: `${PREFIX}null`,
  timestamp: `${PREFIX}timestamp`,
  binary: `${PREFIX}binary`,
  merge: `${PREFIX}merge`,
  value: `${PREFIX}value`,
  yaml: `${PREFIX}yaml`,
  map: `${PREFIX}map`,
  seq: `${PREFIX}seq`,
  set: `${PREFIX}set`,
  omap: `${PREFIX}omap`,
  pairs: `${PREFIX}pairs`,
} as const;

interface Rule {
  readonly tag: string;
  /** First characters at which the loader tries the rule at all; "" stands for the empty text. */
  readonly first: readonly string[];
  readonly pattern: RegExp;
}

/** Python's `$` also matches before a line end at the end of the text. */
function rule(tag: string, first: string, pattern: string): Rule {
  return { tag, first: first.split(""), pattern: new RegExp(`^(?:${pattern})(?:\\n)?$`) };
}

const DIGITS = "0123456789";
const TIMESTAMP = rule(
  TAG.timestamp,
  DIGITS,
  "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]*)?(?:[ \\t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?",
);
const COMMON = [
  rule(TAG.merge, "<", "<<"),
  { ...rule(TAG.null, "~nN", "~|null|Null|NULL|"), first: ["~", "n", "N", ""] },
  TIMESTAMP,
  rule(TAG.value, "=", "="),
  rule(TAG.yaml, "!&*", "!|&|\\*"),
];
const BOOL = "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF";
const INF_NAN = "[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)";
const SIXTY_FLOAT = "[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*";

/** yaml/resolver.py of PyYAML 6.0. */
const PYYAML = [
  rule(TAG.bool, "yYnNtTfFoO", BOOL),
  rule(
    TAG.float,
    `-+.${DIGITS}`,
    `[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?|\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|${SIXTY_FLOAT}|${INF_NAN}`,
  ),
  rule(
    TAG.int,
    `-+${DIGITS}`,
    "[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+",
  ),
  ...COMMON,
];

/** ruamel/yaml/resolver.py 0.17.21, version 1.1. */
const RUAMEL_11 = [
  rule(TAG.bool, "yYnNtTfFoO", `y|Y|n|N|${BOOL}`),
  rule(
    TAG.float,
    `-+.${DIGITS}`,
    `[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|\\.[0-9_]+(?:[eE][-+][0-9]+)?|${SIXTY_FLOAT}|${INF_NAN}`,
  ),
  rule(
    TAG.int,
    `-+${DIGITS}`,
    "[-+]?0b[01_]+|[-+]?0?[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+",
  ),
  ...COMMON,
];

/** The same file, version 1.2. */
const RUAMEL_12 = [
  rule(TAG.bool, "tTfF", "true|True|TRUE|false|False|FALSE"),
  rule(
    TAG.float,
    `-+.${DIGITS}`,
    `[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\\.[0-9_]+(?:[eE][-+][0-9]+)?|${INF_NAN}`,
  ),
  rule(TAG.int, `-+${DIGITS}`, "[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9_]+|[-+]?0x[0-9a-fA-F_]+"),
  ...COMMON,
];

function byFirst(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const table = new Map<string, Rule[]>();
  for (const one of rules) {
    for (const letter of one.first) table.set(letter, [...(table.get(letter) ?? []), one]);
  }
  return table;
}

const TABLES = { pyyaml: byFirst(PYYAML), "ruamel-1.1": byFirst(RUAMEL_11), "ruamel-1.2": byFirst(RUAMEL_12) };

/** Tag of a plain scalar without a written tag; undefined when the loader has no rules for the file's version. */
export function resolvePlain(text: string, rules: ScalarRules): string | undefined {
  if (rules === "none") return undefined;
  const candidates = TABLES[rules].get(text.charAt(0));
  if (candidates === undefined) return TAG.str;
  for (const one of candidates) if (one.pattern.test(text)) return one.tag;
  return TAG.str;
}
