import { compareThresholds } from "../core/compaction/ab";
import {
  type AbStudy,
  type LooseResult,
  studyFromLog,
  studyFromThread,
  withLoggedSizes,
} from "../core/compaction/abStudy";
import { abCsv } from "../core/compaction/report/abCsv";
import { abMarkdown } from "../core/compaction/report/abMarkdown";
import { type AbOutput, abComparison } from "../core/compaction/report/abReport";
import { budgetForContextWindow, withThreshold } from "../core/config/budgets";
import { ok, type Problem, type Result } from "../core/model/problem";
import { reportProblem } from "../core/model/reportProblem";
import type { AbCommand } from "./abArgs";
import { abText } from "./abText";
import { problemsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { loadThread } from "./loadThread";
import { databaseResults } from "./looseResults";
import { readLogs } from "./readLogs";

interface Loaded {
  readonly study: AbStudy;
  readonly sizedByLog: number;
  readonly thread: string | null;
  readonly problems: readonly Problem[];
}

/** `context-budget ab`: what candidate thresholds would have saved over recorded calls. */
export async function runAb(command: AbCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const loaded = command.source.kind === "log" ? await fromLog(command, io) : await fromTranscript(command, io);
  const problems = loaded.ok ? loaded.value.problems : [loaded.error];
  if (!loaded.ok) outcome.unusable();
  else if (problems.some((problem) => problem.severity === "error")) outcome.problems();
  const scaled = budgetForContextWindow(command.contextLength);
  const baseline = withThreshold(scaled, command.baseline ?? null);
  const output: AbOutput = {
    extractedAt: new Date(io.clock.now()).toISOString(),
    source: sourceOf(command, loaded.ok ? loaded.value.thread : null),
    since: isoOrNull(command.since),
    until: isoOrNull(command.until),
    comparison: loaded.ok
      ? abComparison(
          compareThresholds(loaded.value.study, baseline, command.thresholds),
          baseline,
          loaded.value.sizedByLog,
        )
      : null,
    problems: problems.map(reportProblem),
  };
  await write(output, command, io);
}

function sourceOf({ source, utcOffset }: AbCommand, thread: string | null): AbOutput["source"] {
  if (source.kind === "transcript") return { kind: "transcript", file: source.path, thread };
  return { kind: "log", logs: source.logs, database: source.database ?? null, utcOffset: utcOffset ?? 0 };
}

function isoOrNull(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

async function fromTranscript({ source, since, until }: AbCommand, io: CliIo): Promise<Result<Loaded>> {
  if (source.kind !== "transcript") throw new Error("a log is no transcript");
  const loaded = await loadThread(source, io);
  if (!loaded.ok) return loaded;
  const { sim, facts, thread, index } = loaded.value;
  const study = studyFromThread(sim, facts, { since, until });
  return ok({ study, sizedByLog: 0, thread: thread.id, problems: index.problems });
}

async function fromLog(command: AbCommand, io: CliIo): Promise<Result<Loaded>> {
  const { source, since, until } = command;
  if (source.kind !== "log") throw new Error("a transcript is no log");
  const log = await readLogs(source.logs, command.utcOffset ?? 0, io);
  if (!log.ok) return log;
  const stored = source.database === undefined ? undefined : await databaseResults(source.database, io);
  if (stored?.ok === false) return stored;
  const within = (at: number): boolean => (since === null || at >= since) && (until === null || at <= until);
  const database = (stored?.value.results ?? []).filter(({ at }) => within(at));
  // What lies beyond the bounds decides nothing, so that sources that have grown give the same study.
  const tools = log.value.tools.filter(({ at }) => within(at));
  const sized = withLoggedSizes(database, tools);
  const loose: readonly LooseResult[] =
    stored === undefined ? tools.map((tool) => ({ ...tool, runId: undefined })) : sized;
  const unread = log.value.unread.filter(({ at }) => within(at)).map(({ problem }) => problem);
  const leftOut = (stored?.value.untold ?? []).filter((at) => within(at)).length;
  const problems: Problem[] = [...unread, ...(stored?.value.problems ?? [])];
  if (leftOut > 0) {
    const message = `${leftOut} tool results of gc_messages have no text and are left out.`;
    problems.push({ code: "results-left-out", severity: "warning", message });
  }
  if (command.utcOffset === undefined && stored !== undefined) {
    const message =
      "The log states no time zone; its times were taken as UTC. If the agent ran elsewhere, say so with --utc-offset, or calls and results do not meet.";
    problems.push({ code: "log-zone-assumed", severity: "info", message });
  }
  if (log.value.calls.length === 0) {
    const message = "The logs have no line about a request to the model. Are they Hermes' agent.log at level INFO?";
    problems.push({ code: "no-calls", severity: "error", message });
  }
  const sizedByLog = stored === undefined ? loose.length : changed(database, sized);
  return ok({ study: studyFromLog(log.value.calls, loose, { since, until }), sizedByLog, thread: null, problems });
}

/** Results whose stored length is not the one before persistence. */
function changed(stored: readonly LooseResult[], sized: readonly LooseResult[]): number {
  return sized.filter(({ chars }, position) => chars !== stored[position]?.chars).length;
}

async function write(output: AbOutput, command: AbCommand, io: CliIo): Promise<void> {
  const form = command.output;
  if (form === "json") {
    await io.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
    return;
  }
  const { source } = output;
  const file = source.kind === "transcript" ? source.file : "ab";
  if (form === "text") {
    const look = { isTTY: io.stdout.isTTY, colour: io.colour && io.stdout.isTTY };
    const text = output.comparison === null ? "" : abText(output, output.comparison);
    const problems = problemsText(file, output.problems, look);
    await io.stdout.write(text + (text === "" || problems === "" ? "" : "\n") + problems);
    return;
  }
  await io.stdout.write(form === "csv" ? abCsv(output) : abMarkdown(output));
  // What is read by another program holds nothing else.
  await io.stderr.write(problemsText(file, output.problems, { isTTY: io.stderr.isTTY, colour: false }));
}
