import type { SecretSpan } from "../ports";
import { mapStrings } from "./mapStrings";
import { maskSpans } from "./mask";
import { unescaped } from "./unescaped";

/** A secret that was found somewhere, to be recognised where only a piece of it stands. */
export interface KnownSecret {
  readonly text: string;
  readonly rule: string;
}

/** Beginnings or ends of a secret are recognised from so many UTF-16 units on. */
const LEAST_UNITS = 8;
/** Of kinds that begin or end with what is no secret: a scheme and a host, the frame of a key. */
const LEAST_UNITS_FRAMED = 24;
const FRAMED = new Set(["basicauth", "database-connection-string", "privatekey"]);

/** Secrets that are looked for; more stand in no text that a person wrote. */
const MAX_KNOWN = 200;

/** The secrets of a text, each once. */
export function secretsIn(text: string, spans: readonly SecretSpan[]): readonly KnownSecret[] {
  const known = new Map(spans.map(({ start, end, rule }) => [text.slice(start, end), rule]));
  return [...known].slice(0, MAX_KNOWN).map(([secret, rule]) => ({ text: secret, rule }));
}

/**
 * Where a text that was made from another one holds a secret of that one, or the beginning or the end of it, as a cut leaves it.
 * Sorted, not overlapping, and together with `found`, what was found in the text by itself.
 */
export function spansOfKnown(
  text: string,
  known: readonly KnownSecret[],
  found: readonly SecretSpan[] = [],
): readonly SecretSpan[] {
  const spans = [...found, ...piecesIn(text, known)];
  // Where it is quoted or written as Markdown, the pieces are as well.
  const meant = known.length === 0 ? undefined : unescaped(text);
  if (meant !== undefined)
    for (const { start, end, rule } of piecesIn(meant.text, known))
      spans.push({ start: meant.at(start), end: meant.at(end), rule });
  return joined(spans);
}

function piecesIn(text: string, known: readonly KnownSecret[]): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { text: secret, rule } of known) {
    const least = Math.min(secret.length, FRAMED.has(rule) ? LEAST_UNITS_FRAMED : LEAST_UNITS);
    const head = secret.slice(0, least);
    for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
      let units = least;
      while (units < secret.length && text[at + units] === secret[units]) units++;
      spans.push({ start: at, end: at + units, rule });
    }
    const tail = secret.slice(-least);
    for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) {
      let units = least;
      while (units < secret.length && at + least - units > 0 && text[at + least - units - 1] === secret.at(-units - 1))
        units++;
      spans.push({ start: at + least - units, end: at + least, rule });
    }
  }
  return spans;
}

/** Plain data that was made from texts with these secrets, with what is left of them masked. */
export function maskPieces<T>(message: T, known: readonly KnownSecret[]): T {
  if (known.length === 0) return message;
  return mapStrings(message, (text) => maskSpans(text, spansOfKnown(text, known)));
}

/** In order; those that overlap become one, named after the one that begins first. */
export function joined(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
