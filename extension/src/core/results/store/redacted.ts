import type { SecretFinder } from "../../ports";
import { maskSpans, withoutSecrets } from "../../secrets/mask";
import { wholeEnd } from "./page";

declare const checked: unique symbol;

/** A text in which all secrets are masked: only such texts are kept or given to agents. Any part of one is one. */
export type RedactedText = string & { readonly [checked]: true };

/** Masks the secrets of a text. Rejects where the finder does: then nothing of it may be shown. */
export async function redacted(text: string, finder: SecretFinder): Promise<RedactedText> {
  return (await withoutSecrets(text, finder)) as RedactedText;
}

/** UTF-16 units that a secret may be long and still be found at the end of a text that goes on. Private keys are a few thousand. */
const SECRET_UNITS = 64 * 1024;

/**
 * Masks the secrets of the beginning of a longer text: of `head` so much is left out at its end that no secret in what is kept
 * can have its other half in the part that nobody looked at.
 */
export async function redactedHead(head: string, finder: SecretFinder): Promise<RedactedText> {
  const spans = await finder.find(head);
  const end = wholeEnd(head, Math.max(0, head.length - SECRET_UNITS));
  // A secret across the end is masked as a whole.
  const across = spans.find((span) => span.start < end && span.end > end);
  return maskSpans(head.slice(0, across?.end ?? end), spans) as RedactedText;
}

/** A part of a text without secrets. */
export function partOf(text: RedactedText, start: number, end: number): RedactedText {
  return text.slice(start, end) as RedactedText;
}

/** Words of our own, which hold nothing of a transcript or file. */
export function ownWords(text: string): RedactedText {
  return text as RedactedText;
}
