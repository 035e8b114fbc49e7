import type {
  Answered,
  FullText,
  ListedResult,
  ResultsAsked,
  ResultsPage,
  ThreadsPage,
} from "../../core/agentTools/ports";
import { err, ok } from "../../core/model/problem";
import { fullOf, NO_FILTER, type ResultRow, type RowsAnswer } from "../../core/model/rowQuery";
import type { ToolResult } from "../../core/model/transcript";
import type { Cancel, Clock, FileAccess, Utf8 } from "../../core/ports";
import {
  checkFile,
  type FileCheckPorts,
  type FileReport,
  type KnownPlaces,
  type LocateContext,
  unseenFile,
} from "../../core/results/fileCheck";
import { wholeEnd } from "../../core/results/store/page";
import { type OpenPlan, planOpening } from "../openRules";
import type { ReadTranscript } from "./transcripts";

export interface ResultPorts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  readonly clock: Clock;
  /** Spill folders of this machine; undefined in a workspace that is not trusted: then no file besides the transcript is looked at. */
  places(): Promise<KnownPlaces | undefined>;
}

/** Threads and problems that an answer names. */
const NAMED = 10;

/** One page of the results that pass the filter. */
export async function listResults(
  transcript: ReadTranscript,
  asked: ResultsAsked,
  ports: ResultPorts,
  cancel: Cancel,
): Promise<Answered<ResultsPage>> {
  const { table, view, header } = transcript;
  const { thread } = asked;
  if (thread !== undefined && !view.threads.some(({ id }) => id === thread))
    return err({ message: `${transcript.path} has no thread ${thread}. There are ${threadsOf(transcript)}.` });
  const filter = { ...NO_FILTER, threads: thread === undefined ? null : [thread], states: asked.states ?? null };
  const answer = await table.ask("rows", {
    query: { filter, sort: null, within: null },
    from: asked.offset,
    count: asked.limit,
    around: null,
    find: [],
    summary: true,
  });
  const where = await whereOf(transcript, ports);
  const results: ListedResult[] = [];
  for (const row of pageOf(answer, asked.offset)) {
    if (cancel.isCancellationRequested) break;
    const result = row.state === "inline" ? undefined : (await table.ask("result", { index: row.index }))?.result;
    results.push({
      ...listed(row),
      readable: result === undefined ? inlineOr(row) : await readable(result, where, ports, cancel),
    });
  }
  return ok({
    results,
    total: answer.total,
    all: view.count,
    threads: view.threads.length,
    states: (answer.summary?.facets.states ?? []).map(({ value, count }) => [value, count] as const),
    unit: header.unit,
    agent: header.agent,
    notes: problemsOf(transcript),
  });
}

/** One page of the threads. */
export function listThreads(
  transcript: ReadTranscript,
  { offset, limit }: Pick<ResultsAsked, "offset" | "limit">,
): ThreadsPage {
  const { view, header } = transcript;
  const last = view.threads.length - offset;
  const threads = view.threads.slice(Math.max(0, last - limit), Math.max(0, last)).reverse();
  return {
    threads: threads.map(({ id, title, kind, calls, messages }) => ({ thread: id, title, kind, calls, messages })),
    total: view.threads.length,
    agent: header.agent,
    notes: problemsOf(transcript),
  };
}

/** Past the end the last rows are given; here there is nothing then. */
function pageOf({ rows, from }: RowsAnswer, offset: number): readonly ResultRow[] {
  return rows.slice(Math.max(0, offset - from));
}

function listed(row: ResultRow): Omit<ListedResult, "readable"> {
  const isMissing = row.state === "missing";
  return {
    result: row.index,
    thread: row.thread,
    turn: row.turn,
    tool: row.tool,
    state: row.state,
    chars: isMissing ? null : row.chars,
    tokens: isMissing ? null : row.tokens,
    fullChars: fullOf(row),
    isRounded: row.statedRounded,
    isError: row.isError,
    line: row.line,
    left: row.leftLine !== null,
    path: row.path,
    handle: row.handle,
  };
}

const inlineOr = (row: ResultRow): ListedResult["readable"] => (row.state === "inline" ? "all" : "nothing");

interface Where extends LocateContext {
  readonly isTrusted: boolean;
}

async function whereOf({ header, path }: ReadTranscript, ports: ResultPorts): Promise<Where> {
  const places = await ports.places();
  return {
    ...(places ?? NOWHERE),
    agent: header.agent,
    transcriptPath: path,
    sessionId: header.sessionId,
    rebaseRoot: undefined,
    isTrusted: places !== undefined,
  };
}

const NOWHERE: KnownPlaces = { homeFolder: "", tempFolders: [], hermesHomes: [], claudeProjects: [] };

async function reportOf(
  result: ToolResult,
  preview: string | undefined,
  where: Where,
  ports: FileCheckPorts,
  cancel: Cancel,
): Promise<FileReport> {
  return where.isTrusted ? checkFile(result, preview, where, ports, cancel) : unseenFile(result, where);
}

/** Opens nothing, so that a list reads no file: only where a file lies is looked at. */
const CLOSED: FileAccess["open"] = async (path) => ({ path, bytes: 0, read: async () => new Uint8Array(0) });

async function readable(
  result: ToolResult,
  where: Where,
  ports: ResultPorts,
  cancel: Cancel,
): Promise<ListedResult["readable"]> {
  if (result.fullText !== undefined) return "all";
  const files = { ...ports.files, open: CLOSED };
  const report = await reportOf(result, undefined, where, { ...ports, files }, cancel);
  if (planOpening(result, report).from === "known-file" && report.realBytes !== undefined) return "all";
  return result.body !== undefined && HOLDS_PART.has(result.state) ? "part" : "nothing";
}

/** States in which a part of the text stands in the transcript; the others leave a placeholder. */
const HOLDS_PART: ReadonlySet<string> = new Set(["persisted", "handle", "truncated", "pruned"]);

/** The full text of a result by the path rule, else the part of it that the transcript holds, with the reason. */
export async function readResult(
  transcript: ReadTranscript,
  index: number,
  maxUnits: number,
  ports: ResultPorts,
  cancel: Cancel,
): Promise<Answered<FullText>> {
  const { table, view, path } = transcript;
  const result = (await table.ask("result", { index }))?.result;
  if (result === undefined) {
    const there = view.count === 0 ? "it has none" : `they are numbered from 0 to ${view.rows - 1}`;
    return err({ message: `${path} has no result ${index}; ${there}. contextBudget_listResults gives their numbers.` });
  }
  const about = { tool: result.tool ?? null, state: result.state, isError: result.isError };
  const body = result.body === undefined ? undefined : await transcript.text(result.body);
  const { preview } = result.persisted ?? {};
  const shown =
    preview !== undefined && body?.ok === true ? body.value.text.slice(preview.start, preview.end) : undefined;
  const report = await reportOf(result, shown, await whereOf(transcript, ports), ports, cancel);
  const plan = planOpening(result, report);
  if (plan.from === "known-file") {
    const file = await fileText(plan, maxUnits, ports);
    if (file.ok)
      return ok({
        ...about,
        ...file.value,
        from: "file",
        path: plan.path,
        isFull: report.status === "ok" ? true : null,
        notes: report.notes,
      });
    if (result.fullText === undefined) return file;
  }
  const full = result.fullText ?? (result.state === "inline" ? result.body : undefined);
  if (full !== undefined) {
    const text = await transcript.text(full);
    return text.ok
      ? ok({ ...about, ...cut(text.value.text, maxUnits), from: "transcript", path: null, isFull: true, notes: [] })
      : text;
  }
  const why = plan.from === "ask" ? refusal(plan.path, report) : whyNot(result, plan);
  if (body === undefined || !HOLDS_PART.has(result.state))
    return err({ message: `Result ${index} (${result.state}) cannot be read: ${why}` });
  if (!body.ok) return body;
  const notes = [`Only the part that stands in the transcript is here. ${why}`];
  return ok({ ...about, ...cut(body.value.text, maxUnits), from: "transcript", path: null, isFull: false, notes });
}

/** States in which what the agent took out of context is kept nowhere. */
const LOST: ReadonlySet<string> = new Set(["cleared", "pruned", "truncated"]);

function whyNot({ state, persisted }: ToolResult, plan: OpenPlan): string {
  if (state === "duplicate") return "It stands for a newer result of the same text, which can be read instead.";
  if (persisted?.path === undefined && LOST.has(state))
    return "The rest is kept neither in the transcript nor in a file.";
  return plan.from === "nowhere" ? plan.why : "";
}

/** People are asked; agents are not. */
function refusal(path: string, report: FileReport): string {
  const reason = report.notes[0] ?? "It lies outside the folders in which the agent saves tool output.";
  return `${path} is not read for agents. ${reason} The user can open it in the inspector, which asks first.`;
}

function cut(text: string, maxUnits: number): Pick<FullText, "text" | "isCut"> {
  return { text: text.slice(0, wholeEnd(text, maxUnits)), isCut: text.length > maxUnits };
}

/** Bytes that a UTF-16 unit takes at most: three in the plane of its own, two of the four of a pair. */
const UNIT_BYTES = 3;

async function fileText(
  { path, identity }: { readonly path: string; readonly identity: string | undefined },
  maxUnits: number,
  { files, utf8 }: ResultPorts,
): Promise<Answered<Pick<FullText, "text" | "isCut">>> {
  try {
    const source = await files.open(path, { identity });
    // One more, so that a character which the end of what is read tears is beyond the cut.
    const bytes = await source.read(0, Math.min(source.bytes, (maxUnits + 1) * UNIT_BYTES));
    const { text, isCut } = cut(utf8.decode(bytes).text, maxUnits);
    return ok({ text, isCut: isCut || bytes.length < source.bytes });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return err({ message: `${path} cannot be read: ${error.message}. The transcript still holds its preview.` });
  }
}

function threadsOf({ view }: ReadTranscript): string {
  const ids = view.threads.slice(0, NAMED).map(({ id }) => id);
  const more = view.threads.length - ids.length;
  return ids.length === 0 ? "none" : ids.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function problemsOf({ view }: ReadTranscript): readonly string[] {
  const notes = view.problems
    .slice(0, NAMED)
    // Some messages begin with their line themselves.
    .map(({ message, at }) =>
      at === undefined || message.startsWith(`Line ${at.line}`) ? message : `Line ${at.line}: ${message}`,
    );
  const more = view.problems.length - notes.length + view.problemsOmitted;
  return more > 0 ? [...notes, `${more} more problems of the transcript are left out.`] : notes;
}
