import { parsePyInt } from "../../config/pyInt";
import { pyTruth } from "../../model/pyTruth";
import type { PyValue } from "../../model/pyValue";
import type { PythonJson } from "../../util/pythonJson";
import { countCodePoints, headCodePoints, tailCodePoints } from "../../util/textSize";
import { isDict, pythonText, textMember, withMember } from "./pythonText";

/** What stands where the middle was. Source: PR #85479, `PRUNE_MARKER`. */
export const PRUNE_MARKER = "\n\n[... tool result middle pruned ...]\n\n";
/** Code points of the marker. */
export const PRUNE_MARKER_CHARS = 39;

/** `compression.tool_result_prune` as PR #85479 reads it. Sizes are code points; they may exceed 2^53. */
export interface PruneConfig {
  readonly enabled: boolean;
  readonly threshold: bigint;
  readonly head: bigint;
  readonly tail: bigint;
}

export const PRUNE_DEFAULTS: PruneConfig = { enabled: false, threshold: 8192n, head: 4096n, tail: 1024n };

/** True when head, marker and tail fit into what is left alone; otherwise Hermes turns pruning off. */
export function isSatisfiable(config: Pick<PruneConfig, "threshold" | "head" | "tail">): boolean {
  return config.head + BigInt(PRUNE_MARKER_CHARS) + config.tail <= config.threshold;
}

/**
 * `resolve_tool_result_prune_config`. `enabled` follows Python's truth, so the text "false" enables. Numbers that cannot be
 * satisfied turn pruning off and fall back to the defaults, all three of them.
 */
export function resolvePruneConfig(section: PyValue): PruneConfig {
  if (section.t !== "dict") return PRUNE_DEFAULTS;
  const member = (key: string): PyValue | undefined =>
    section.v.find(([name]) => name.t === "str" && name.v === key)?.[1];
  const enabled = member("enabled");
  const config: PruneConfig = {
    enabled: enabled !== undefined && pyTruth(enabled),
    threshold: wholeAtLeast(member("threshold_chars"), 1n, PRUNE_DEFAULTS.threshold),
    head: wholeAtLeast(member("head_chars"), 0n, PRUNE_DEFAULTS.head),
    tail: wholeAtLeast(member("tail_chars"), 0n, PRUNE_DEFAULTS.tail),
  };
  return isSatisfiable(config) ? config : PRUNE_DEFAULTS;
}

/** Integers, whole floats and numeric texts; anything else, or less than `least`, is the default. */
function wholeAtLeast(value: PyValue | undefined, least: bigint, fallback: bigint): bigint {
  const whole = wholeOf(value);
  return whole !== undefined && whole >= least ? whole : fallback;
}

function wholeOf(value: PyValue | undefined): bigint | undefined {
  switch (value?.t) {
    case "int":
      return value.v;
    case "float":
      return Number.isInteger(value.v) ? BigInt(value.v) : undefined;
    case "str": {
      const parsed = parsePyInt(value.v);
      return parsed.kind === "whole" ? parsed.value : undefined;
    }
    default:
      return undefined;
  }
}

/** Sizes of one prune in code points. */
export interface PruneSizes {
  readonly threshold: number;
  readonly head: number;
  readonly tail: number;
}

/** Code points of a result after the prune; the same when it is not longer than the threshold. */
export function prunedChars(chars: number, sizes: PruneSizes): number {
  if (chars <= sizes.threshold) return chars;
  return Math.min(sizes.head, chars) + PRUNE_MARKER_CHARS + Math.min(sizes.tail, chars);
}

/** Head, marker and tail of a longer text; the same text when it is not longer than the threshold. */
export function pruneText(text: string, sizes: PruneSizes): string {
  if (countCodePoints(text) <= sizes.threshold) return text;
  return headCodePoints(text, sizes.head) + PRUNE_MARKER + tailCodePoints(text, sizes.tail);
}

/**
 * `prune_tool_result_content`: texts, and part lists whose texts count as one span. The marker stands in the first part that
 * lost something, parts that end up empty go away, images and other parts stay. Anything else is returned as it is.
 */
export function pruneContent(content: PythonJson, sizes: PruneSizes): PythonJson {
  if (content.kind === "string") {
    const pruned = pruneText(content.text, sizes);
    return pruned === content.text ? content : pythonText(pruned);
  }
  if (content.kind !== "array") return content;
  const texts = content.items.map((part) =>
    textMember(part, "type") === "text" ? textMember(part, "text") : undefined,
  );
  const lengths = texts.map((text) => (text === undefined ? 0 : countCodePoints(text)));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= sizes.threshold) return content;
  const cutEnd = total - sizes.tail;
  let start = 0;
  let marked = false;
  const items: PythonJson[] = [];
  for (const [index, part] of content.items.entries()) {
    const text = texts[index];
    if (text === undefined || !isDict(part)) {
      items.push(part);
      continue;
    }
    const length = lengths[index] ?? 0;
    const end = start + length;
    const kept = headCodePoints(text, Math.max(0, sizes.head - start));
    const loses = Math.max(start, sizes.head) < Math.min(end, cutEnd);
    const rest = tailCodePoints(text, Math.max(0, Math.min(length, end - cutEnd)));
    const next = loses ? kept + (marked ? "" : PRUNE_MARKER) + rest : text;
    marked ||= loses;
    start = end;
    if (next !== "") items.push(withMember(part, "text", pythonText(next)));
  }
  return { kind: "array", items };
}
