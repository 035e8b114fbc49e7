import { basename, join } from "node:path";
import * as vscode from "vscode";
import { CANDIDATE_THRESHOLDS } from "../../core/compaction/policy";
import { ok } from "../../core/model/problem";
import type { FileAccess } from "../../core/ports";
import { cliInWorker } from "../../node/cliInWorker";
import type { HermesConfigs } from "../hermesConfigs";
import { CancelSource } from "../lifetime";
import type { Prompts } from "../prompts";
import {
  type AbChoice,
  type AbSource,
  abArguments,
  abCommandLine,
  baselineProblem,
  candidatesProblem,
  momentProblem,
  offsetProblem,
} from "../views/abChoice";
import type { FullOutputs } from "../views/fullOutputs";
import { INSPECTOR_VIEW_TYPE } from "../views/inspectorProvider";

export interface CompareThresholdsParts {
  readonly configs: Pick<HermesConfigs, "homes">;
  readonly files: FileAccess;
  readonly outputs: FullOutputs;
  readonly prompts: Prompts;
  /** dist/cli.mjs */
  readonly cliFile: string;
}

/** Of what went wrong, in a notification. UTF-16 units. */
const MAX_SAID = 600;

interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** Compares thresholds on recorded calls, as `context-budget ab` does, and shows what it says. */
export function compareThresholds(parts: CompareThresholdsParts): () => Promise<void> {
  return async () => {
    const choice = await choose(parts);
    if (choice === undefined) return;
    const { cliFile, outputs, prompts } = parts;
    const run = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "Comparing thresholds", cancellable: true },
      async (_progress, token) => {
        const source = new CancelSource();
        const listening = token.onCancellationRequested(() => source.cancel());
        try {
          return await cliInWorker(cliFile, abArguments(choice), source);
        } finally {
          listening.dispose();
        }
      },
    );
    if (run === undefined) return;
    const said = (run.err.trim() || run.out.trim()).slice(0, MAX_SAID);
    if (run.code === 2) {
      await prompts.error(`The thresholds could not be compared. ${said}`);
      return;
    }
    const text = `$ ${abCommandLine(choice)}\n\n${run.out}${run.err === "" ? "" : `\n${run.err}`}`;
    const name = `A-B of thresholds, ${nameOf(choice.source)}.txt`;
    await outputs.open({ kind: "text", name, read: async () => ok(text) });
  };
}

function nameOf(source: AbSource): string {
  return basename(source.kind === "transcript" ? source.path : (source.logs[0] ?? "log"));
}

async function choose(parts: CompareThresholdsParts): Promise<AbChoice | undefined> {
  const { prompts } = parts;
  const source = await chooseSource(parts);
  if (source === undefined) return undefined;
  const baseline = await prompts.input({
    title: "Threshold in force (baseline)",
    prompt: "Characters; nothing = 100,000, as Hermes has it for windows from 166,667 tokens on.",
    value: "",
    problem: baselineProblem,
  });
  if (baseline === undefined) return undefined;
  const candidates = await prompts.input({
    title: "Thresholds to compare with it",
    prompt: "Characters, with commas between them.",
    value: CANDIDATE_THRESHOLDS.join(", "),
    problem: candidatesProblem,
  });
  if (candidates === undefined) return undefined;
  const since = await prompts.input({
    title: "Only from",
    prompt: "A date or a time, inclusive; nothing = from the beginning.",
    value: "",
    problem: (text) => momentProblem(text, false),
  });
  if (since === undefined) return undefined;
  const until = await prompts.input({
    title: "Only to",
    prompt: "A date or a time, inclusive; nothing = to the end.",
    value: "",
    problem: (text) => momentProblem(text, true, since),
  });
  if (until === undefined) return undefined;
  if (source.kind === "transcript") return { source, baseline, candidates, since, until, utcOffset: "" };
  const utcOffset = await prompts.input({
    title: "Time zone of the log",
    prompt: "The log names none. Minutes east of UTC of the machine that wrote it; this machine's are filled in.",
    value: String(-new Date().getTimezoneOffset()),
    problem: offsetProblem,
  });
  return utcOffset === undefined ? undefined : { source, baseline, candidates, since, until, utcOffset };
}

async function chooseSource(parts: CompareThresholdsParts): Promise<AbSource | undefined> {
  const { prompts } = parts;
  const choice = await prompts.pick(sources(parts), "Recorded calls on which thresholds are compared");
  if (choice === undefined) return undefined;
  if (choice.value !== "file") return choice.value.kind === "log" ? withDatabase(choice.value, parts) : choice.value;
  const path = await prompts.pickFile("Transcript on which thresholds are compared", [
    "jsonl",
    "ndjson",
    "json",
    "db",
    "sqlite",
  ]);
  return path === undefined ? undefined : { kind: "transcript", path };
}

async function sources({ configs, files }: CompareThresholdsParts): Promise<readonly Choice<AbSource | "file">[]> {
  const found: Choice<AbSource | "file">[] = [];
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom && input.viewType === INSPECTOR_VIEW_TYPE) {
    const path = input.uri.fsPath;
    found.push({
      label: basename(path),
      description: "the open transcript",
      detail: path,
      value: { kind: "transcript", path },
    });
  }
  for (const home of await configs.homes()) {
    const folder = join(home, "logs");
    const logs = (await files.list(folder)).filter((name) => /^agent\.log(\.\d+)?$/.test(name)).sort();
    if (logs.length === 0) continue;
    const database = join(home, "state.db");
    const paths = logs.map((name) => join(folder, name));
    found.push({
      label: `Logs of ${basename(home) === ".hermes" ? "Hermes" : basename(home)}`,
      description: logs.length === 1 ? "1 file" : `${logs.length} files`,
      detail: folder,
      value: { kind: "log", logs: paths, database },
    });
  }
  return [...found, { label: "Choose a Transcript…", iconPath: new vscode.ThemeIcon("folder-opened"), value: "file" }];
}

/** Which database holds the results that the log only names. */
async function withDatabase(
  { logs, database }: Extract<AbSource, { readonly kind: "log" }>,
  { files, prompts }: CompareThresholdsParts,
): Promise<AbSource | undefined> {
  const own = database !== undefined && (await files.stat(database)).kind === "file" ? database : undefined;
  const choices: readonly Choice<string | "file" | "none">[] = [
    ...(own === undefined ? [] : [{ label: basename(own), description: "of the same home", detail: own, value: own }]),
    { label: "Choose a Database…", description: "such as that of hermes-web-ui", value: "file" },
    { label: "None", description: "lengths of results as the log states them", value: "none" },
  ];
  const choice = await prompts.pick(choices, "Database with the tool results");
  if (choice === undefined) return undefined;
  if (choice.value === "none") return { kind: "log", logs, database: undefined };
  if (choice.value !== "file") return { kind: "log", logs, database: choice.value };
  const path = await prompts.pickFile("Database with the tool results", ["db", "sqlite"], "Databases");
  return path === undefined ? undefined : { kind: "log", logs, database: path };
}
