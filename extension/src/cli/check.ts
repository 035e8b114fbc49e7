import { resolve } from "node:path";
import { budgetForContextWindow } from "../core/config/budgets";
import { checkConfig } from "../core/config/check";
import { type Environment, placeholders, shownValue } from "../core/config/expand";
import { type Surroundings, SurroundingsFinder } from "../core/config/surroundings";
import type { ConfigCheck } from "../core/config/types";
import type { Severity } from "../core/model/problem";
import { maskPieces, secretsIn } from "../core/secrets/knownSecrets";
import type { CheckCommand } from "./args";
import type { CliIo, Outcome } from "./io";
import { LineIndex } from "./lines";
import { configLanguageOf, readConfigText } from "./readConfigText";
import { type CheckReport, type CheckVariable, checkProblem, jsonThreshold } from "./report";
import { counted, grouped, middle, paint, plain } from "./text";

interface Checked {
  readonly report: CheckReport;
  /** False when the file could not be read; a file that cannot be parsed was read. */
  readonly readable: boolean;
  readonly check: ConfigCheck | undefined;
}

/** `context-budget check`: one report per file, in the order given. */
export async function runCheck(command: CheckCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const totals = { error: 0, warning: 0 };
  const finder = command.around ? new SurroundingsFinder(io.surroundings) : undefined;
  let first = true;
  if (command.json) await io.stdout.write("[");
  for (const path of command.paths) {
    const checked = await checkFile(path, command, io, finder);
    const errors = checked.report.problems.filter((problem) => problem.severity === "error").length;
    totals.error += errors;
    totals.warning += checked.report.problems.filter((problem) => problem.severity === "warning").length;
    if (!checked.readable) outcome.unusable();
    else if (errors > 0) outcome.problems();
    if (command.json) {
      await io.stdout.write(`${first ? "\n" : ",\n"}${indented(checked.report)}`);
    } else {
      await io.stdout.write(human(checked, io));
    }
    first = false;
  }
  if (command.json) await io.stdout.write("\n]\n");
  else if (command.paths.length > 1) {
    const sum = `${counted(command.paths.length, "file")}, ${counted(totals.error, "error")}, ${counted(totals.warning, "warning")}`;
    await io.stdout.write(`${sum}\n`);
  }
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, "  ");
}

async function checkFile(
  path: string,
  command: CheckCommand,
  io: CliIo,
  finder: SurroundingsFinder | undefined,
): Promise<Checked> {
  // As the agent writes paths.
  const around = finder?.of(resolve(io.cwd, path).replaceAll("\\", "/"), command.loader);
  const input = await readConfigText(path, io);
  if ("problem" in input) {
    const nothing = { value: null, verdict: "absent", threshold: null, reason: null } as const;
    const problems = [checkProblem(input.problem, new LineIndex(""))];
    const report = { file: path, loader: command.loader, ...nothing, variables: [], around: filesOf(around), problems };
    return { report, readable: input.readable, check: undefined };
  }
  const check = checkConfig(input.text, {
    loader: command.loader,
    language: configLanguageOf(path),
    ...(command.contextLength === undefined ? {} : { contextLength: command.contextLength }),
    ...(around === undefined ? {} : { environment: around.environment }),
    ...(around?.managed === undefined ? {} : { managed: around.managed }),
  });
  const lines = new LineIndex(input.text);
  const report = {
    file: path,
    loader: command.loader,
    value: check.value,
    verdict: check.verdict,
    threshold: jsonThreshold(check.threshold),
    reason: check.reason,
    variables: variablesOf(check, around?.environment),
    around: filesOf(around),
    problems: check.problems.map((problem) => checkProblem(problem, lines)),
  };
  // A message shows the beginning of a long value, which no rule takes for a secret.
  const secrets = secretsIn(input.text, await io.secrets.find(input.text));
  return { report: maskPieces(report, secrets), readable: true, check };
}

function filesOf(around: Surroundings | undefined): CheckReport["around"] {
  if (around === undefined) return null;
  const { envFile, managedFile } = around;
  return {
    envFile: envFile === undefined ? null : { path: envFile.path, read: envFile.exists },
    managedFile: { path: managedFile.path, read: managedFile.exists },
  };
}

function variablesOf({ settings }: ConfigCheck, environment: Environment | undefined): readonly CheckVariable[] {
  return settings.flatMap(({ setting, loaded }) =>
    (loaded.t === "str" ? placeholders(loaded.v, environment) : []).map(({ written, kind, name, found }) => ({
      key: setting.name,
      written,
      kind,
      value: found === undefined ? null : shownValue(name, found.value),
      source: found?.source ?? null,
    })),
  );
}

const WORST: readonly Severity[] = ["error", "warning", "info", "hint"];

function human({ report, check }: Checked, io: CliIo): string {
  const colour = io.colour && io.stdout.isTTY;
  const file = plain(report.file);
  const sorted = [...report.problems].sort(
    (a, b) =>
      (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1) ||
      WORST.indexOf(a.severity) - WORST.indexOf(b.severity),
  );
  const problems = sorted.map((problem) => {
    const place = problem.range === null ? "" : `:${problem.range.start.line}:${problem.range.start.column}`;
    const severity = paint(problem.severity, problem.severity, colour);
    return `${file}${place}: ${severity}: ${plain(problem.message)} [${problem.code}]\n`;
  });
  if (check === undefined) return problems.join("");
  return `${problems.join("")}${file}: ${verdict(report, colour)}\n${effect(check)}${variablesText(report)}`;
}

function verdict(report: CheckReport, colour: boolean): string {
  const { value } = report;
  const read = value === null ? "" : ` (${report.loader} reads ${plain(value.type)} ${plain(middle(value.repr, 60))})`;
  switch (report.verdict) {
    case "accepted":
      return `${paint("accepted", "bold", colour)}${read}`;
    case "unset":
      return `${paint("counts as unset", "bold", colour)}: ${report.reason}${read}`;
    case "rejected":
      return `${paint("rejected", "bold", colour)}: ${report.reason}${read}`;
    case "absent":
      return report.problems.some((problem) => problem.severity === "error")
        ? "no value could be read"
        : "the key is absent";
  }
}

/** What `${…}` stands for, one line each. */
function variablesText({ variables }: CheckReport): string {
  return variables
    .filter(({ value }) => value !== null)
    .map(({ key, written, value, source }) => {
      const text = `${written} in ${key} is ${middle(plain(value ?? ""), 60)}, from ${source ?? ""}`;
      return `  ${plain(text)}\n`;
    })
    .join("");
}

/** What the agent persists above, in code points; for a file that does not load nothing can be said. */
function effect(check: ConfigCheck): string {
  if (check.load.failure !== undefined) return "";
  const budget = budgetForContextWindow(check.contextLength?.tokens);
  const perResult = check.threshold === null ? grouped(budget.perResult) : grouped(check.threshold);
  const tokens = check.contextLength === null ? "unknown" : `${grouped(check.contextLength.tokens)} tokens`;
  return `  persists above ${perResult} chars per result, ${grouped(budget.perTurn)} per turn; context window ${tokens}\n`;
}
