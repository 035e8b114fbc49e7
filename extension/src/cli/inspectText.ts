import type { ReportProblem } from "../core/model/reportProblem";
import type { ResultState } from "../core/model/transcript";
import type { UsageOverFiles } from "../core/transcript/usageOverFiles";
import type { InspectReport, ResultReport, ThreadReport, Totals } from "./report";
import { type Column, counted, grouped, middle, paint, plain, shortNumber, table } from "./text";

/** Rows of the results table for people; `--json` lists all. */
export const MAX_ROWS = 5_000;
/** Pairs of files of which one holds copies of the other's calls. */
const MAX_COPIES = 20;
/** Characters of a path on a terminal; elsewhere (pipes, files) paths are whole. */
const PATH_WIDTH = 56;
/** Threads of a transcript that the head lists. */
const MAX_THREADS = 50;

const STATES: readonly ResultState[] = [
  "inline",
  "persisted",
  "truncated",
  "handle",
  "cleared",
  "pruned",
  "duplicate",
  "missing",
];

/** What the text output depends on besides the report. */
export interface Look {
  readonly colour: boolean;
  readonly isTTY: boolean;
}

/** Head of one transcript: what it is and its totals. */
export function headText(report: InspectReport, look: Look): string {
  const { totals, threads } = report;
  const what = [
    report.format ?? "no transcript",
    ...(report.model === null ? [] : [plain(report.model)]),
    ...(threads.length > 1 ? [counted(threads.length, "thread")] : []),
    counted(totals.calls, "call"),
    counted(totals.messages, "message"),
  ].join(" · ");
  const each = threads.length > 1 ? `\n${threadsText(threads)}` : "";
  return `${paint(plain(report.file), "bold", look.colour)}\n${what}\n${totalsText(totals)}\n${each}`;
}

const THREAD_COLUMNS: readonly Column[] = [
  { title: "calls", right: true },
  { title: "messages", right: true },
  { title: "chars", right: true },
  { title: "tok measured", right: true },
  { title: "tok in", right: true },
  { title: "tok out", right: true },
  { title: "kind" },
  { title: "thread" },
];

/**
 * What each thread adds to the totals above it: chars and measured tokens in its context, tokens of all its calls. Where no
 * call states usage, the tokens are the agent's own sums of the session.
 */
function threadsText(threads: readonly ThreadReport[]): string {
  const figure = (value: number | null): string => (value === null ? "–" : grouped(value));
  const rows = threads
    .slice(0, MAX_THREADS)
    .map(({ calls, messages, chars, measuredTokens, usage, statedUsage, kind, title }) => {
      const parts = usage === null ? (statedUsage ?? []) : [usage];
      return [
        grouped(calls),
        grouped(messages),
        grouped(chars),
        figure(measuredTokens),
        // With what was read from and written to a cache.
        figure(sumOf(parts.flatMap(({ input, cacheRead, cacheWrite }) => [input, cacheRead, cacheWrite]))),
        figure(sumOf(parts.map(({ output }) => output))),
        kind,
        middle(plain(title), PATH_WIDTH),
      ];
    });
  const more = threads.length - rows.length;
  return table(THREAD_COLUMNS, rows) + (more > 0 ? `… and ${grouped(more)} more; --json lists all\n` : "");
}

/** Null when none is stated. */
function sumOf(figures: readonly (number | null)[]): number | null {
  return figures.reduce((sum, figure) => (figure === null ? sum : (sum ?? 0) + figure), null);
}

function totalsText(totals: Totals): string {
  const states = STATES.filter((state) => totals.states[state] > 0)
    .map((state) => `${grouped(totals.states[state])} ${state}`)
    .join(", ");
  const context = [
    `${grouped(totals.chars)} chars in context (≈ ${shortNumber(Math.ceil(totals.chars / 4))} tok)`,
    ...(totals.resultsLeft > 0
      ? [`${counted(totals.resultsLeft, "result")} of ${grouped(totals.charsLeft)} chars gone by compaction`]
      : []),
    ...(totals.charsKeptOut > 0 ? [`${grouped(totals.charsKeptOut)} chars kept out`] : []),
    ...(totals.measuredTokens === null ? [] : [`${grouped(totals.measuredTokens)} tok measured`]),
  ].join(" · ");
  const results = counted(totals.results, "result");
  return `${states === "" ? results : `${results}: ${states}`}\n${context}`;
}

const COLUMNS: readonly Column[] = [
  { title: "line", right: true },
  { title: "turn", right: true },
  { title: "tool" },
  { title: "state" },
  { title: "chars", right: true },
  { title: "stated", right: true },
  { title: "file" },
  { title: "path or handle" },
];

/** The results table; empty for no results. */
export function resultsText(results: readonly ResultReport[], look: Look): string {
  if (results.length === 0) return "";
  const rows = results.slice(0, MAX_ROWS).map((result) => {
    const where = plain(result.path ?? result.handle ?? "–");
    const stated =
      result.statedChars === null ? "–" : `${result.statedRounded ? "≈ " : ""}${grouped(result.statedChars)}`;
    return [
      grouped(result.line),
      result.turn === null ? "–" : grouped(result.turn),
      plain(result.tool ?? "–"),
      stateText(result),
      grouped(result.chars),
      stated,
      result.file.status === "none" ? "–" : result.file.status,
      look.isTTY ? middle(where, PATH_WIDTH) : where,
    ];
  });
  const more = results.length - rows.length;
  return table(COLUMNS, rows) + (more > 0 ? `… and ${grouped(more)} more; --json lists all\n` : "");
}

/** The state with what no other column says; images have no characters. */
function stateText({ state, isError, orphan, images, leftBy }: ResultReport): string {
  const more = [
    ...(images > 0 ? [counted(images, "image")] : []),
    ...(isError ? ["error"] : []),
    ...(orphan ? ["no call"] : []),
    ...(leftBy === null ? [] : [`left: ${leftBy.what}`]),
  ];
  return more.length === 0 ? state : `${state} (${more.join(", ")})`;
}

/** One line per problem, `file:line: severity: message [code]`. */
export function problemsText(file: string, problems: readonly ReportProblem[], look: Look): string {
  return problems
    .map((problem) => {
      const place = problem.line === null ? "" : `:${problem.line}`;
      const severity = paint(problem.severity, problem.severity, look.colour);
      return `${plain(file)}${place}: ${severity}: ${plain(problem.message)} [${problem.code}]\n`;
    })
    .join("");
}

const FOLDER_COLUMNS: readonly Column[] = [
  { title: "format" },
  { title: "calls", right: true },
  { title: "results", right: true },
  { title: "persisted", right: true },
  { title: "chars", right: true },
  { title: "problems", right: true },
  { title: "file" },
];

/** One line per transcript of a folder. */
export function folderText(reports: readonly InspectReport[]): string {
  return table(
    FOLDER_COLUMNS,
    reports.map(({ format, totals, problems, file }) => [
      format ?? "–",
      grouped(totals.calls),
      grouped(totals.results),
      grouped(totals.states.persisted + totals.states.handle),
      grouped(totals.chars),
      problems.length === 0 ? "–" : grouped(problems.length),
      plain(file),
    ]),
  );
}

/** Usage over several transcripts; empty when none states any. */
export function overallText({ copies, usage, files }: UsageOverFiles): string {
  if (usage === undefined) return "";
  const parts = [
    ["input", usage.input],
    ["cache read", usage.cacheRead],
    ["cache write", usage.cacheWrite],
    ["output", usage.output],
  ] as const;
  const sums = parts.map(([name, value]) => (value === undefined ? `– ${name}` : `${grouped(value)} ${name}`));
  const total = `${counted(usage.calls, "call")} with usage: ${sums.join(" · ")} tok\n`;
  if (copies === 0) return total;
  const from = files.flatMap(({ file, copies: held }) =>
    held.map(({ of, count }) => `  ${plain(file)}: ${grouped(count)} of ${plain(of)}\n`),
  );
  const more = from.length - MAX_COPIES;
  return `${total}${counted(copies, "call is a copy", "calls are copies")} of another file's and not counted again:\n${from
    .slice(0, MAX_COPIES)
    .join("")}${more > 0 ? `  … and ${grouped(more)} more; --json lists all\n` : ""}`;
}
