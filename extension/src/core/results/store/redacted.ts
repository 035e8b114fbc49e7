import type { SecretFinder } from "../../ports";
import { maskedPart, SECRET_SLACK_UNITS, withoutSecrets } from "../../secrets/mask";
import { wholeEnd } from "./page";

declare const checked: unique symbol;

/** A text in which all secrets are masked: only such texts are kept or given to agents. Any part of one is one. */
export type RedactedText = string & { readonly [checked]: true };

/** Masks the secrets of a text. Rejects where the finder does: then nothing of it may be shown. */
export async function redacted(text: string, finder: SecretFinder): Promise<RedactedText> {
  return (await withoutSecrets(text, finder)) as RedactedText;
}

/**
 * Masks the secrets of the beginning of a longer text: of `head` so much is left out at its end that no secret in what is kept
 * can have its other half in the part that nobody looked at.
 */
export async function redactedHead(head: string, finder: SecretFinder): Promise<RedactedText> {
  const spans = await finder.find(head);
  const end = wholeEnd(head, Math.max(0, head.length - SECRET_SLACK_UNITS));
  return maskedPart(head, spans, 0, end).text as RedactedText;
}

/** A part of a text without secrets. */
export function partOf(text: RedactedText, start: number, end: number): RedactedText {
  return text.slice(start, end) as RedactedText;
}
