import { parseArgs } from "node:util";
import { CANDIDATE_THRESHOLDS } from "../core/compaction/curve";
import type { LoaderId } from "../core/model/loader";
import { err, ok, type Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { FORMATS as READERS } from "../core/transcript/readers/index";
import { readMoment } from "./moment";
import { type ChosenPolicy, isPolicyOption, readPolicy, wholeNumber } from "./policyArgs";

export interface CheckCommand {
  readonly name: "check";
  readonly paths: readonly string[];
  readonly loader: LoaderId;
  readonly contextLength: number | undefined;
  readonly json: boolean;
}

export interface InspectCommand {
  readonly name: "inspect";
  readonly path: string;
  readonly format: FileFormatId | undefined;
  readonly summary: boolean;
  readonly json: boolean;
}

export interface SimulateCommand {
  readonly name: "simulate";
  readonly path: string;
  readonly format: FileFormatId | undefined;
  readonly thread: string | undefined;
  /** In the order of the command line; each sees what the ones before it left. */
  readonly policies: readonly ChosenPolicy[];
  /** Window in tokens. */
  readonly contextLength: number | undefined;
  readonly curve: boolean;
  readonly json: boolean;
}

export interface AbCommand {
  readonly name: "ab";
  readonly source:
    | {
        readonly kind: "transcript";
        readonly path: string;
        readonly format: FileFormatId | undefined;
        readonly thread: string | undefined;
      }
    | { readonly kind: "log"; readonly logs: readonly string[]; readonly database: string | undefined };
  /** Both belong to the study; milliseconds since the epoch, null = open. */
  readonly since: number | null;
  readonly until: number | null;
  /** Minutes east of UTC of the times in the log; undefined = not said. */
  readonly utcOffset: number | undefined;
  /** Code points. */
  readonly thresholds: readonly number[];
  /** Threshold that is compared with, in code points; undefined = that of the context window. */
  readonly baseline: number | undefined;
  readonly contextLength: number | undefined;
  readonly json: boolean;
}

const COMMANDS = ["check", "inspect", "simulate", "ab"] as const;
type CommandName = (typeof COMMANDS)[number];

export type Command =
  | CheckCommand
  | InspectCommand
  | SimulateCommand
  | AbCommand
  | { readonly name: "help"; readonly about: "all" | CommandName }
  | { readonly name: "version" };

/** Names accepted by `--format`: every format that has a reader. */
export const FORMATS = Object.keys(READERS) as readonly FileFormatId[];

const LOADERS = ["pyyaml", "ruamel"] as const satisfies readonly LoaderId[];

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  json: { type: "boolean" },
  loader: { type: "string" },
  "context-length": { type: "string" },
  format: { type: "string" },
  summary: { type: "boolean" },
  thread: { type: "string" },
  persist: { type: "string" },
  prune: { type: "string" },
  micro: { type: "string" },
  preset: { type: "string" },
  curve: { type: "boolean" },
  log: { type: "string", multiple: true },
  db: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  "utc-offset": { type: "string" },
  thresholds: { type: "string" },
  baseline: { type: "string" },
} as const;

/** Options that not every command takes. */
const ONLY: Readonly<Record<string, readonly CommandName[]>> = {
  loader: ["check"],
  "context-length": ["check", "simulate", "ab"],
  format: ["inspect", "simulate", "ab"],
  summary: ["inspect"],
  thread: ["simulate", "ab"],
  persist: ["simulate"],
  prune: ["simulate"],
  micro: ["simulate"],
  preset: ["simulate"],
  curve: ["simulate"],
  log: ["ab"],
  db: ["ab"],
  since: ["ab"],
  until: ["ab"],
  "utc-offset": ["ab"],
  thresholds: ["ab"],
  baseline: ["ab"],
};

function member<T extends string>(list: readonly T[], text: string | undefined): T | undefined {
  return list.find((item) => item === text);
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true, tokens: true });
}

type Parsed = ReturnType<typeof parse>;
type Values = Parsed["values"];

/** Reads the command line (without `node` and the script). The error is one sentence that says what to change. */
export function readArgs(argv: readonly string[]): Result<Command, string> {
  let parsed: Parsed;
  try {
    parsed = parse(argv);
  } catch (error) {
    // parseArgs reports a bad command line by throwing; anything else is a bug and goes on.
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
      return err(error.message.replace(/\s*\n\s*/g, " "));
    }
    throw error;
  }
  const { values, positionals } = parsed;
  const [name, ...rest] = positionals;
  if (values.version === true) return ok({ name: "version" });
  if (values.help === true || name === "help") {
    return ok({ name: "help", about: member(COMMANDS, name === "help" ? rest[0] : name) ?? "all" });
  }
  if (name === undefined) return err(`name a command: ${listed("or")}`);
  const command = member(COMMANDS, name);
  if (command === undefined) return err(`'${name}' is no command; there are ${listed("and")}`);
  const stray = Object.keys(values).find((option) => ONLY[option]?.includes(command) === false);
  if (stray !== undefined) return err(`--${stray} belongs to ${ONLY[stray]?.join(" and ")}, not to ${command}`);
  switch (command) {
    case "check":
      return checkCommand(rest, values);
    case "inspect":
      return inspectCommand(rest, values);
    case "simulate":
      return simulateCommand(rest, parsed);
    case "ab":
      return abCommand(rest, values);
  }
}

function listed(word: string): string {
  return `${COMMANDS.slice(0, -1).join(", ")} ${word} ${COMMANDS.at(-1)}`;
}

function contextLengthOf(values: Values): Result<number | undefined, string> {
  const written = values["context-length"];
  if (written === undefined) return ok(undefined);
  if (/^[1-9]\d{0,11}$/.test(written)) return ok(Number(written));
  return err(`--context-length is a whole number of tokens such as 200000, not '${written}'`);
}

function formatOf(values: Values): Result<FileFormatId | undefined, string> {
  if (values.format === undefined) return ok(undefined);
  const format = member(FORMATS, values.format);
  if (format !== undefined) return ok(format);
  return err(`--format '${values.format}' is unknown; there are ${FORMATS.join(", ")}`);
}

function onePath(command: CommandName, what: string, paths: readonly string[]): Result<string, string> {
  const [path, ...more] = paths;
  if (path === undefined) return err(`${command} needs a ${what}`);
  if (more.length > 0) return err(`${command} takes one PATH; '${more[0]}' is one too many`);
  return ok(path);
}

function checkCommand(paths: readonly string[], values: Values): Result<CheckCommand, string> {
  if (paths.length === 0) return err("check needs at least one FILE");
  const loader = member(LOADERS, values.loader ?? "ruamel");
  if (loader === undefined) return err(`--loader is pyyaml or ruamel, not '${values.loader}'`);
  const contextLength = contextLengthOf(values);
  if (!contextLength.ok) return contextLength;
  return ok({ name: "check", paths, loader, contextLength: contextLength.value, json: values.json === true });
}

function inspectCommand(paths: readonly string[], values: Values): Result<InspectCommand, string> {
  const path = onePath("inspect", "PATH: a transcript or a folder", paths);
  if (!path.ok) return path;
  const format = formatOf(values);
  if (!format.ok) return format;
  const summary = values.summary === true;
  return ok({ name: "inspect", path: path.value, format: format.value, summary, json: values.json === true });
}

function simulateCommand(paths: readonly string[], { values, tokens }: Parsed): Result<SimulateCommand, string> {
  const path = onePath("simulate", "PATH: a transcript", paths);
  if (!path.ok) return path;
  const format = formatOf(values);
  if (!format.ok) return format;
  const contextLength = contextLengthOf(values);
  if (!contextLength.ok) return contextLength;
  const policies: ChosenPolicy[] = [];
  for (const token of tokens) {
    if (token.kind !== "option" || token.value === undefined || !isPolicyOption(token.name)) continue;
    const policy = readPolicy(token.name, token.value, contextLength.value);
    if (!policy.ok) return policy;
    policies.push(policy.value);
  }
  const curve = values.curve === true;
  if (policies.length === 0 && !curve)
    return err("simulate needs a policy: --persist, --prune, --micro or --preset; or --curve for every threshold");
  return ok({
    name: "simulate",
    path: path.value,
    format: format.value,
    thread: values.thread,
    policies,
    contextLength: contextLength.value,
    curve,
    json: values.json === true,
  });
}

function abCommand(paths: readonly string[], values: Values): Result<AbCommand, string> {
  const source = abSource(paths, values);
  if (!source.ok) return source;
  const contextLength = contextLengthOf(values);
  if (!contextLength.ok) return contextLength;
  const written = values["utc-offset"];
  if (written !== undefined && !/^[+-]?\d{1,3}$/.test(written))
    return err(`--utc-offset is minutes east of UTC such as 120 or =-300, not '${written}'`);
  const utcOffset = written === undefined ? undefined : Number(written);
  const since = boundOf("since", values.since, utcOffset);
  if (!since.ok) return since;
  const until = boundOf("until", values.until, utcOffset);
  if (!until.ok) return until;
  if (since.value !== null && until.value !== null && since.value > until.value)
    return err("--since is later than --until; swap them");
  const thresholds = (values.thresholds ?? CANDIDATE_THRESHOLDS.join(",")).split(",").map(wholeNumber);
  const baseline = values.baseline === undefined ? undefined : wholeNumber(values.baseline);
  if (!thresholds.every((threshold) => threshold !== undefined && threshold > 0))
    return err(`--thresholds are characters, separated by commas, such as 8000,20000, not '${values.thresholds}'`);
  if (values.baseline !== undefined && !(baseline !== undefined && baseline > 0))
    return err(`--baseline is a threshold in characters such as 100000, not '${values.baseline}'`);
  return ok({
    name: "ab",
    source: source.value,
    since: since.value,
    until: until.value,
    utcOffset,
    thresholds: thresholds.filter((threshold) => threshold !== undefined),
    baseline,
    contextLength: contextLength.value,
    json: values.json === true,
  });
}

function abSource(paths: readonly string[], values: Values): Result<AbCommand["source"], string> {
  if (values.log === undefined) {
    const logOnly = (["db", "since", "until", "utc-offset"] as const).find((option) => values[option] !== undefined);
    if (logOnly !== undefined) return err(`--${logOnly} goes with --log; a transcript is compared whole`);
    const path = onePath("ab", "TRANSCRIPT, or --log FILE", paths);
    if (!path.ok) return path;
    const format = formatOf(values);
    if (!format.ok) return format;
    return ok({ kind: "transcript", path: path.value, format: format.value, thread: values.thread });
  }
  if (values.thread !== undefined || values.format !== undefined)
    return err("--thread and --format go with a TRANSCRIPT, not with --log");
  // `--log agent.log*`: the shell turns all but the first name into arguments of their own.
  return ok({ kind: "log", logs: [...values.log, ...paths], database: values.db });
}

function boundOf(
  name: "since" | "until",
  text: string | undefined,
  utcOffset: number | undefined,
): Result<number | null, string> {
  if (text === undefined) return ok(null);
  const moment = readMoment(text, name === "until", utcOffset ?? 0);
  if (moment !== undefined) return ok(moment);
  return err(`--${name} is a date or a time such as 2026-09-07 or 2026-09-07T14:30:00Z, not '${text}'`);
}
