import type { PyValue } from "../model/pyValue";
import { pyStrip } from "../util/pyStrip";

/** Digits after which a written number is no longer plainly meant as a threshold. */
const MAX_DIGITS = 15;

/**
 * The whole number that the author plainly meant by a value Hermes refuses, or undefined where it would be a guess
 * (`20k`, `20,000`, `20000.5`, `-20000`).
 */
export function plainlyMeant(value: PyValue): bigint | undefined {
  const meant = value.t === "float" ? wholeFloat(value.v) : value.t === "str" ? wholeText(value.v) : undefined;
  return meant !== undefined && meant > 0n && meant < 10n ** BigInt(MAX_DIGITS) ? meant : undefined;
}

function wholeFloat(value: number): bigint | undefined {
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function wholeText(raw: string): bigint | undefined {
  // A comment glued to the number makes YAML take both for text.
  const text = pyStrip(pyStrip(raw).replace(/#.*$/s, ""));
  if (text.length > 40) return undefined;
  if (/^\+?\d+(?:_\d+)*$/.test(text)) return BigInt(text.replace("+", "").replaceAll("_", ""));
  if (/^0x[0-9a-f]+$/i.test(text) || /^0o[0-7]+$/.test(text) || /^0b[01]+$/.test(text))
    return BigInt(text.toLowerCase());
  if (/^\+?\d+(?:_\d+)*(?:\.\d*)?(?:e\+?\d{1,2})?$/i.test(text)) return wholeFloat(Number(text.replaceAll("_", "")));
  return undefined;
}
