import { err, ok, type Result } from "../model/problem";
import {
  type HitRange,
  SEARCH_LIMITS,
  type SearchEnd,
  type SearchHit,
  type SearchQuery,
  type SearchStep,
  type SearchTarget,
} from "../model/search";
import type { BodyRef } from "../model/transcript";
import type { Cancel } from "../ports";

/** Hits in one text; undefined when that took too long. */
export type Matcher = (text: string) => Pick<SearchHit, "count" | "ranges"> | undefined;

export interface SearchPorts {
  readText(ref: BodyRef): Promise<Result<{ readonly text: string }>>;
  /**
   * Runs something that may never end by itself, for at most so many milliseconds; false when it was stopped. Without it a
   * regular expression runs unguarded.
   */
  readonly guarded?: (ms: number, run: () => void) => boolean;
}

/** Texts per step. */
const STEP = 64;

/** The query as an expression that finds all hits; the error is a sentence for people. */
export function compileQuery({ text, regex, matchCase }: SearchQuery): Result<RegExp, string> {
  if (text.length > SEARCH_LIMITS.query) return err(`The query has more than ${SEARCH_LIMITS.query} characters.`);
  const source = regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  try {
    return ok(new RegExp(source, `gm${matchCase ? "" : "i"}${regex ? "" : "u"}`));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return err(`This is no regular expression: ${error.message}`);
  }
}

/** All hits of an expression in a text, bounded. Hits of no length are none. */
export function findHits(text: string, expression: RegExp): Pick<SearchHit, "count" | "ranges"> {
  const ranges: HitRange[] = [];
  let count = 0;
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const { length } = match[0];
    if (length === 0) {
      expression.lastIndex++;
      continue;
    }
    count++;
    if (ranges.length < SEARCH_LIMITS.places) ranges.push([match.index, match.index + length]);
    if (count >= SEARCH_LIMITS.count) break;
  }
  return { count, ranges };
}

/** Looks for the query in the texts of results, in their order, one after another; texts are let go of at once. */
export async function* searchTexts(
  targets: readonly SearchTarget[],
  query: SearchQuery,
  ports: SearchPorts,
  cancel: Cancel,
): AsyncGenerator<SearchStep> {
  const compiled = compileQuery(query);
  let hits: SearchHit[] = [];
  let [searched, slow, unreadable, rows] = [0, 0, 0, 0];
  const step = (end: SearchEnd | undefined): SearchStep => {
    const told = hits;
    hits = [];
    return { hits: told, progress: { searched, total: targets.length, slow, unreadable }, end };
  };
  if (!compiled.ok) {
    yield step("done");
    return;
  }
  const find = matcher(compiled.value, query, ports);
  for (const { index, ref } of targets) {
    if (cancel.isCancellationRequested) return;
    const body = await ports.readText(ref);
    searched++;
    if (!body.ok) unreadable++;
    else {
      const found = find(body.value.text);
      if (found === undefined) slow++;
      else if (found.count > 0) {
        hits.push({ index, ...found });
        rows++;
      }
    }
    if (rows >= SEARCH_LIMITS.rows) {
      yield step("capped");
      return;
    }
    if (slow >= SEARCH_LIMITS.slowTexts) {
      yield step("gave-up");
      return;
    }
    if (searched % STEP === 0) yield step(undefined);
  }
  yield step("done");
}

/** Plain text needs no guard: without repetition an expression takes time in proportion to the text. */
function matcher(expression: RegExp, query: SearchQuery, ports: SearchPorts): Matcher {
  const { guarded } = ports;
  if (!query.regex || guarded === undefined) return (text) => findHits(text, expression);
  return (text) => {
    let found: Pick<SearchHit, "count" | "ranges"> | undefined;
    const ended = guarded(SEARCH_LIMITS.msPerText, () => {
      found = findHits(text, expression);
    });
    return ended ? found : undefined;
  };
}
