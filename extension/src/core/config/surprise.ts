import type { YamlNode } from "../yaml/types";

/** A notation that YAML 1.1 turns into a whole number other than, or not visibly, the one that stands there. */
export interface Surprise {
  readonly how: string;
  /** What a person takes the text for; undefined where the text is no decimal number at all. */
  readonly seen: bigint | undefined;
}

/** Finds out whether a plain scalar that loads as `value` hides that number from the reader. */
export function surpriseOf(node: YamlNode, value: bigint): Surprise | undefined {
  if (node.kind !== "scalar" || node.style !== "plain") return undefined;
  const digits = node.text.replace(/^[+-]/, "");
  if (/^0x/i.test(digits)) return { how: "hexadecimal", seen: undefined };
  if (/^0b/i.test(digits)) return { how: "binary", seen: undefined };
  if (digits.includes(":")) return { how: "base 60, like hours and minutes", seen: undefined };
  const plain = digits.replaceAll("_", "");
  if (!/^[0-9]+$/.test(plain)) return undefined;
  const seen = node.text.startsWith("-") ? -BigInt(plain) : BigInt(plain);
  if (seen !== value) return { how: "a leading zero means octal", seen };
  return digits.includes("_") ? { how: "YAML 1.1 drops underscores, other readers take it for text", seen } : undefined;
}
