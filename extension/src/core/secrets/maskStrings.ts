import type { SecretFinder, SecretSpan } from "../ports";
import { isRecord, mapStrings } from "./mapStrings";
import { maskSpans } from "./mask";

/** Texts shorter than this many UTF-16 units hold nothing that a rule finds: `xoxb-a-b` is the shortest. */
const LEAST_UNITS = 8;

/**
 * Keeps the texts of a message apart while they are looked at together: no rule's expression goes across a line feed beside a NUL
 * (`.` and `\S` end at the one, `\s` and Base64 at the other).
 */
const BETWEEN = "\n\u0000\n";

/**
 * A message (plain data, no cycles) with the secrets in all its texts masked; the very same one where it holds none. Names of members are
 * left as they are. Rejects where the finder does.
 */
export async function maskStrings<T>(message: T, finder: SecretFinder): Promise<T> {
  const texts: string[] = [];
  collect(message, texts);
  if (texts.length === 0) return message;
  const found = await finder.find(texts.join(BETWEEN));
  if (found.length === 0) return message;
  const masked = new Map<string, string>();
  let [from, next] = [0, 0];
  for (const text of texts) {
    const spans: SecretSpan[] = [];
    for (let span = found[next]; span !== undefined && span.start < from + text.length; span = found[++next])
      spans.push({ start: span.start - from, end: span.end - from, rule: span.rule });
    if (spans.length > 0) masked.set(text, maskSpans(text, spans));
    from += text.length + BETWEEN.length;
  }
  return mapStrings(message, (text) => masked.get(text) ?? text);
}

function collect(value: unknown, into: string[]): void {
  if (typeof value === "string") {
    if (value.length >= LEAST_UNITS) into.push(value);
  } else if (Array.isArray(value)) for (const one of value) collect(one, into);
  else if (isRecord(value)) for (const one of Object.values(value)) collect(one, into);
}
