import { createHash } from "node:crypto";
import { parsePolicy } from "../../core/compaction/parsePolicy";
import { CANDIDATE_THRESHOLDS, PRESETS, type Preset } from "../../core/compaction/policy";
import { simulationCsv } from "../../core/compaction/report/simulationCsv";
import { simulationMarkdown } from "../../core/compaction/report/simulationMarkdown";
import { type SimulateReport, simulationReport } from "../../core/compaction/report/simulationReport";
import type { Policy } from "../../core/model/policy";
import { err, ok, type Result } from "../../core/model/problem";
import { reportProblem } from "../../core/model/reportProblem";
import type { Cancel, FileSource } from "../../core/ports";
import type { ExportedRun, SimulationQuestions } from "../../protocol/simulation";
import type { WhatIfExportFormat } from "../../protocol/whatIf";
import type { LoadedTranscript } from "./loadTranscript";
import type { SimulatedThread } from "./simulatedThread";

/** Bytes that are hashed at a time. */
const HASH_CHUNK_BYTES = 4 * 1024 * 1024;
/** Longest document that an editor is given, UTF-16 units. */
const MAX_EXPORT = 40_000_000;

/** The run as `context-budget simulate` reports it. Undefined = cancelled. */
export async function exportRun(
  loaded: LoadedTranscript,
  path: string,
  thread: SimulatedThread,
  { input, format }: SimulationQuestions["export"]["in"],
  cancel: Cancel,
): Promise<Result<ExportedRun> | undefined> {
  const outcome = thread.run(input, cancel);
  if (outcome === undefined) return undefined;
  const { header, index, file } = loaded;
  const sha256 = file === undefined ? null : await digestOf(file, cancel);
  if (cancel.isCancellationRequested) return undefined;
  const report: SimulateReport = {
    file: path,
    format: header.format,
    sha256,
    simulation: simulationReport(
      { thread: thread.thread, agent: header.agent, sim: thread.sim, facts: thread.facts, results: index.results },
      {
        policies: input.policies.map((policy) => ({ policy, preset: presetOf(policy) })),
        thresholds: thresholdsOf(input.policies),
      },
      thread.options(input.assumptions),
      outcome,
    ),
    problems: index.problems.map(reportProblem),
  };
  const text = written(report, format);
  if (text.length > MAX_EXPORT) {
    const message = `The export would have ${Math.round(text.length / 1e6)} million characters, too many for an editor. Use the command line: context-budget simulate … --json.`;
    return err({ code: "export-too-large", severity: "error", message });
  }
  return ok({ text });
}

function written(report: SimulateReport, format: WhatIfExportFormat): string {
  switch (format) {
    case "markdown":
      return simulationMarkdown(report);
    case "csv":
      return simulationCsv(report);
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`;
  }
}

/** The preset that is exactly this policy. */
function presetOf(policy: Policy): Preset | undefined {
  // In the order of the table, whatever order the members came in.
  const ordered = (one: Policy): string => JSON.stringify(parsePolicy(one));
  return PRESETS.find((preset) => ordered(preset.policy) === ordered(policy));
}

function thresholdsOf(policies: readonly Policy[]): readonly number[] {
  const own = policies.flatMap((policy) =>
    policy.kind === "persist" && policy.threshold !== null ? [policy.threshold] : [],
  );
  return [...new Set([...CANDIDATE_THRESHOLDS, ...own])].sort((a, b) => a - b);
}

/** SHA-256 of the file as it was when it was read, hexadecimal; null when it can no longer be read. */
async function digestOf(file: FileSource, cancel: Cancel): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    for (let start = 0; start < file.bytes && !cancel.isCancellationRequested; start += HASH_CHUNK_BYTES)
      hash.update(await file.read(start, Math.min(file.bytes, start + HASH_CHUNK_BYTES)));
  } catch (error) {
    // What is no failure of the file is a bug.
    if (!(error instanceof Error && "code" in error)) throw error;
    return null;
  }
  return hash.digest("hex");
}
