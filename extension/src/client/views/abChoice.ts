import { normalizePersistThreshold } from "../../core/config/normalize";
import { readMoment } from "../../core/util/moment";

/** What two thresholds are compared on. */
export type AbSource =
  | { readonly kind: "transcript"; readonly path: string }
  | {
      readonly kind: "log";
      /** All rotations; the order does not matter. */
      readonly logs: readonly string[];
      /** Where the results' texts are; undefined = lengths from the log alone. */
      readonly database: string | undefined;
    };

/** As the user wrote it; each part was checked when it was written. Empty = not said. */
export interface AbChoice {
  readonly source: AbSource;
  readonly baseline: string;
  readonly candidates: string;
  readonly since: string;
  readonly until: string;
  /** Minutes east of UTC of the times in a log. */
  readonly utcOffset: string;
}

/** Thresholds in one comparison. */
const MAX_CANDIDATES = 40;

/** The arguments of `context-budget` that make this comparison. */
export function abArguments({ source, baseline, candidates, since, until, utcOffset }: AbChoice): readonly string[] {
  const given = (option: string, value: string): readonly string[] =>
    value.trim() === "" ? [] : [`--${option}=${value.trim()}`];
  const from =
    source.kind === "transcript"
      ? [source.path]
      : [
          ...source.logs.map((log) => `--log=${log}`),
          ...(source.database === undefined ? [] : [`--db=${source.database}`]),
          ...given("utc-offset", utcOffset),
        ];
  const thresholds = numbersIn(candidates).join(",");
  return [
    "ab",
    ...from,
    ...given("baseline", baseline),
    ...given("thresholds", thresholds),
    ...given("since", since),
    ...given("until", until),
  ];
}

/** The same as a line for a POSIX shell. */
export function abCommandLine(choice: AbChoice): string {
  const word = (one: string): string => (/^[\w@%+=:,./-]+$/.test(one) ? one : `'${one.replace(/'/g, "'\\''")}'`);
  return ["context-budget", ...abArguments(choice)].map(word).join(" ");
}

/** What is wrong with a baseline; undefined = nothing. */
export function baselineProblem(text: string): string | undefined {
  return text.trim() === "" || isThreshold(text)
    ? undefined
    : "A whole number of characters such as 100000, or nothing for what Hermes takes from the context window.";
}

export function candidatesProblem(text: string): string | undefined {
  const all = numbersIn(text);
  if (all.length === 0) return "At least one threshold in characters, such as 20000.";
  if (all.length > MAX_CANDIDATES) return `At most ${MAX_CANDIDATES} thresholds at a time.`;
  const wrong = all.find((one) => !isThreshold(one));
  return wrong === undefined ? undefined : `${wrong} is no whole number of characters such as 20000.`;
}

/** @param since the beginning, when the end is looked at: an end before it is refused */
export function momentProblem(text: string, isEnd: boolean, since = ""): string | undefined {
  if (text.trim() === "") return undefined;
  const moment = readMoment(text.trim(), isEnd, 0);
  if (moment === undefined) return "A date or a time such as 2026-09-07 or 2026-09-07T14:30:00Z, or nothing.";
  const from = since.trim() === "" ? undefined : readMoment(since.trim(), false, 0);
  return from !== undefined && from > moment ? "The end is before the beginning." : undefined;
}

export function offsetProblem(text: string): string | undefined {
  return /^[+-]?\d{1,3}$/.test(text.trim()) && Math.abs(Number(text)) <= 14 * 60
    ? undefined
    : "Minutes east of UTC such as 120, -300 or 0.";
}

function numbersIn(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== "");
}

function isThreshold(text: string): boolean {
  return normalizePersistThreshold({ t: "str", v: text.trim() }).verdict === "accepted";
}
