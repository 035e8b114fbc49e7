import type { SecretFinder, SecretSpan } from "../ports";

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
 * What stands for a secret. It has the same length whatever the secret's is. The bracket keeps it apart from a word beside it;
 * the blank after the colon keeps it from being read as the user and password of a URL, so that no rule finds it again.
 */
export const maskSign = (rule: string): string => `${MASK_OPENS}${secretKind(rule)}]`;

/** True where a mask is the first thing in a text. */
export const beginsWithMask = (text: string): boolean => text.startsWith(MASK_OPENS);

/** The text with each span replaced by its mask. Spans are sorted and do not overlap; a part of one beyond the text's end is ignored. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end, rule } of spans) {
    if (start >= text.length) break;
    masked += text.slice(from, start) + maskSign(rule);
    from = end;
  }
  return masked + text.slice(from);
}

/**
 * The text with all secrets masked; doing it again changes nothing. It is to be cut only afterwards, so that no part of a secret
 * is left before the cut. Rejects where the finder does: then nothing of the text may be shown as checked.
 */
export async function withoutSecrets(text: string, finder: SecretFinder): Promise<string> {
  return maskSpans(text, await finder.find(text));
}
