import { type ConfigEdit, insertEntry, lineBreak } from "./edits";
import { type ConfigFix, keepsPromise, replaceValue } from "./fixes";
import { FULL_KEY, KEY, SECTION } from "./keys";
import { keyText } from "./tree";
import type { CheckOptions, ConfigCheck } from "./types";

/**
 * The change that makes the persist threshold of a config so many code points: the value that counts is replaced, or the
 * key is added to its section. Undefined where no such change can be made safely (the file does not load, or holds the key in
 * a way that only its author can sort out). What it promises has been verified under both loaders.
 */
export function setThreshold(
  text: string,
  check: ConfigCheck,
  threshold: number,
  options: CheckOptions,
): ConfigFix | undefined {
  const edit = editOf(text, check, String(threshold));
  if (edit === undefined) return undefined;
  const fix = { title: `Set ${FULL_KEY} to ${threshold}`, edits: [edit], isPreferred: true };
  const promise = { ...fix, verdict: "accepted", threshold: BigInt(threshold) } as const;
  return keepsPromise(text, check, promise, undefined, options) ? fix : undefined;
}

function editOf(text: string, check: ConfigCheck, value: string): ConfigEdit | undefined {
  const { root, failure } = check.load;
  if (failure !== undefined) return undefined;
  if (check.pair !== undefined) return replaceValue(text, check.pair, value);
  if (root === undefined || (root.kind === "scalar" && root.value.t === "NoneType" && root.outerStart >= root.end)) {
    const br = lineBreak(text);
    const gap = text === "" || /[\r\n]$/.test(text) ? "" : br;
    const at = { start: text.length, end: text.length };
    return { range: at, newText: `${gap}${SECTION}:${br}  ${KEY}: ${value}${br}` };
  }
  if (root.kind !== "map") return undefined;
  const [first] = root.pairs;
  if (root.flow && first === undefined) {
    const at = { start: root.start + 1, end: root.start + 1 };
    return { range: at, newText: `"${SECTION}": {"${KEY}": ${value}}` };
  }
  const section = root.pairs.find((pair) => keyText(pair) === SECTION);
  // JSON, also where it stands in a file that is called YAML.
  const isQuoted = root.flow && first !== undefined && text.startsWith('"', first.key.start);
  const key = isQuoted ? `"${KEY}"` : KEY;
  return insertEntry(text, root, section, SECTION, `${key}: ${value}`);
}
