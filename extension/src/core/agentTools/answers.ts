import { err, ok } from "../model/problem";
import type { SecretFinder } from "../ports";
import { WHOLE_UNITS } from "../results/store/boundText";
import { redactedHead } from "../results/store/redacted";
import { mapStrings } from "../secrets/mapStrings";
import { SECRET_SLACK_UNITS } from "../secrets/mask";
import { maskStrings } from "../secrets/maskStrings";
import type { Answered } from "./ports";

/** What a member of an answer can be. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** UTF-16 units of a text in a row or a note. */
const TEXT_UNITS = 400;
/** The same by the name of a member: some are needed whole. Each unit may become six in JSON. */
const UNITS_OF: Readonly<Record<string, number>> = { transcript: 8_192, tool: 100 };
/** Notes in one answer. */
const NOTES = 10;

/** A text that is not the answer's point, at a length that leaves room for others. */
export function short(text: string, units = TEXT_UNITS): string {
  return text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * A part of an answer as an agent gets it: the secrets in its texts are masked, and only then is what is too long cut, since the half
 * of a secret is none that anybody finds. Rejects where the finder does.
 */
export async function shownTexts<T extends Json>(value: T, finder: SecretFinder): Promise<T> {
  const heads = new Map<string, string>();
  each(value, (text, units) => {
    if (text.length > units + SECRET_SLACK_UNITS) heads.set(text, "");
    return text;
  });
  for (const text of heads.keys()) {
    const head = text.slice(0, TEXT_UNITS + SECRET_SLACK_UNITS);
    heads.set(text, `${await redactedHead(head, finder)}…`);
  }
  const masked = await maskStrings(
    mapStrings(value, (text) => heads.get(text) ?? text),
    finder,
  );
  return each(masked, (text, units) => short(text, units)) as T;
}

/** The same value with other texts. `units`: how long each may be. */
function each(value: Json, change: (text: string, units: number) => string, units = TEXT_UNITS): Json {
  if (typeof value === "string") return change(value, units);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((one) => each(one, change, units));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      each(member, change, Object.hasOwn(UNITS_OF, key) ? UNITS_OF[key] : units),
    ]),
  );
}

const isList = (value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] =>
  Array.isArray(value);

/** The first notes, and how many more there are. */
export function notesOf(notes: readonly string[]): readonly string[] {
  const shown = notes.slice(0, NOTES);
  const more = notes.length - shown.length;
  return more <= 0 ? shown : [...shown, `${more} more notes are left out.`];
}

/**
 * The answer as JSON, with the longest beginning of the rows that keeps it within `units` UTF-16 units. Undefined when even the first
 * row is too long.
 */
export function fitted<T extends Json>(
  rows: readonly T[],
  build: (rows: readonly T[]) => Json,
  units: number,
): string | undefined {
  let best: string | undefined;
  let low = Math.min(1, rows.length);
  let high = rows.length;
  while (low <= high) {
    const count = Math.ceil((low + high) / 2);
    const text = JSON.stringify(build(rows.slice(0, count)));
    if (text.length <= units) {
      best = text;
      low = count + 1;
    } else high = count - 1;
  }
  return best;
}

/**
 * A page of a list as JSON, with as many of its rows as fit. `build` adds where it stands to what else the answer says. The error where
 * not even one row fits.
 * @param what the rows, as one word: "session"
 */
export function pageAnswer<T extends Json>(
  what: string,
  { rows, offset, total }: { readonly rows: readonly T[]; readonly offset: number; readonly total: number },
  build: (place: PagePlace, shown: readonly T[]) => Json,
): Answered<string> {
  const answer = fitted(
    rows,
    (shown) => {
      const goesOn = shown.length > 0 && offset + shown.length < total;
      return build({ total, offset, nextOffset: goesOn ? offset + shown.length : null }, shown);
    },
    WHOLE_UNITS,
  );
  if (answer !== undefined) return ok(answer);
  const message = `The names of the ${what} at offset ${offset} are too long for an answer. Go on with offset ${offset + 1}.`;
  return err({ message });
}

/** Where a page stands in its list. `nextOffset`: where the list goes on; null at its end. */
type PagePlace = { readonly total: number; readonly offset: number; readonly nextOffset: number | null };
