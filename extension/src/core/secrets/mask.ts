import type { SecretFinder, SecretSpan } from "../ports";

/**
 * UTF-16 units to read beyond a cut on both sides, so that a secret across it is found: a private key is the longest that the rules
 * know, at most 10,100 units.
 */
export const SECRET_SLACK_UNITS = 16 * 1024;

const MASK_OPENS = "[secret: ";

/** Words for the rules whose name says little. The others are named by their rule: `github`, `slack`. */
const KIND_NAMES: Readonly<Record<string, string>> = {
  basicauth: "password in a URL",
  "database-connection-string": "database URL",
  privatekey: "private key",
};

/** What a rule finds, in words, such as `private key`. */
export const secretKind = (rule: string): string => KIND_NAMES[rule] ?? rule;

/**
 * What stands for a secret. It tells nothing of the secret's length. The bracket keeps it apart from a word beside it; the blank after
 * the colon keeps it from being read as the user and password of a URL, so that no rule finds it again.
 */
export const maskSign = (rule: string): string => `${MASK_OPENS}${secretKind(rule)}]`;

/** True where a mask is the first thing in a text. */
export const beginsWithMask = (text: string): boolean => text.startsWith(MASK_OPENS);

/** A mask in a masked text, and what it stands for. All offsets are UTF-16 units. */
export interface Mask {
  /** Half-open range of the mask in the masked text. */
  readonly start: number;
  readonly end: number;
  /** Where the secret begins, counted as if nothing had been masked; its length. Both as far as it lies in the part shown. */
  readonly at: number;
  readonly units: number;
  readonly rule: string;
}

export interface MaskedText {
  readonly text: string;
  readonly masks: readonly Mask[];
}

/**
 * The half-open part of a text with each span in it replaced by a mask; so is what lies in the part of a span that goes beyond it.
 * Spans are sorted and do not overlap. The masks' `at` counts from the part's beginning.
 */
export function maskedPart(text: string, spans: readonly SecretSpan[], start: number, end: number): MaskedText {
  const masks: Mask[] = [];
  let masked = "";
  let from = start;
  for (const { rule, ...span } of spans) {
    const first = Math.max(span.start, start);
    const last = Math.min(span.end, end);
    if (first >= last) continue;
    masked += text.slice(from, first);
    const sign = maskSign(rule);
    masks.push({
      start: masked.length,
      end: masked.length + sign.length,
      at: first - start,
      units: last - first,
      rule,
    });
    masked += sign;
    from = last;
  }
  return { text: masked + text.slice(from, end), masks };
}

/** The text with each span replaced by its mask. Spans are sorted and do not overlap. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  return spans.length === 0 ? text : maskedPart(text, spans, 0, text.length).text;
}

/**
 * The text with all secrets masked; doing it again changes nothing. It is to be cut only afterwards, so that no part of a secret
 * is left before the cut. Rejects where the finder does: then nothing of the text may be shown as checked.
 */
export async function withoutSecrets(text: string, finder: SecretFinder): Promise<string> {
  return maskSpans(text, await finder.find(text));
}
