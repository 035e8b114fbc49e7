import { readPyInt, type WholeText } from "../model/pyNumber";
import type { PyValue } from "../model/pyValue";
import type { PersistThreshold, RejectReason } from "./types";

/**
 * What Hermes makes of a value of `tools.tool_result_persist_threshold_chars`: a whitelist of types, nothing is rounded,
 * clamped or coerced. Source: hermes-agent PR #86171, `normalize_persist_threshold` in `tools/budget_config.py`.
 */
export function normalizePersistThreshold(value: PyValue): PersistThreshold {
  switch (value.t) {
    case "NoneType":
      return { verdict: "unset", reason: "none" };
    case "int":
      return fromInt(value.v);
    case "str":
      return fromText(value.v);
    case "bool":
      return rejected("boolean");
    case "float":
      return rejected("float");
    case "bytes":
      return rejected("bytes");
    case "list":
    case "tuple":
      return rejected("list");
    case "dict":
      return rejected("mapping");
    case "date":
    case "datetime":
      return rejected("date");
    case "set":
      return rejected("other-type");
    case "other":
      return rejected(otherReason(value.type));
  }
}

/**
 * A threshold in code points that somebody typed, as the agent would read the text in its config. Undefined where the agent would
 * not take it, or beyond what a double holds exactly.
 */
export function typedThreshold(text: string): number | undefined {
  const read = fromText(text);
  const fits = read.verdict === "accepted" && read.threshold <= BigInt(Number.MAX_SAFE_INTEGER);
  return fits ? Number(read.threshold) : undefined;
}

function fromInt(value: bigint): PersistThreshold {
  if (value > 0n) return { verdict: "accepted", threshold: value };
  return { verdict: "unset", reason: value === 0n ? "zero" : "negative" };
}

function fromText(text: string): PersistThreshold {
  // The pattern of PR #86171 has no underscores, which `int()` would take.
  const whole: WholeText = text.includes("_") ? { kind: "not-whole" } : readPyInt(text);
  if (whole.kind === "whole") return fromInt(whole.value);
  if (whole.kind === "too-long") return rejected("string-too-long");
  return rejected(text === "" ? "empty-string" : "non-whole-string");
}

/** Numbers that YAML never builds but a program may pass. */
function otherReason(type: string): RejectReason {
  if (type === "Decimal" || type === "Fraction" || type === "complex") return "other-number";
  return type === "bytearray" ? "bytes" : "other-type";
}

function rejected(reason: RejectReason): PersistThreshold {
  return { verdict: "rejected", reason };
}
