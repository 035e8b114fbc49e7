import type { MomentAsked } from "../core/model/handlesPage";
import type { LoaderId } from "../core/model/loader";
import { err, ok, type Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { inOneLine } from "../core/util/inOneLine";
import { plain } from "../core/util/plain";
import { shortText } from "../core/util/shortTexts";
import { type AbCommand, abCommand } from "./abArgs";
import {
  COMMANDS,
  type CommandName,
  contextLengthOf,
  formatOf,
  member,
  ONLY,
  type Parsed,
  parse,
  type Values,
} from "./options";
import { type SimulateCommand, simulateCommand } from "./simulateArgs";

export interface CheckCommand {
  readonly name: "check";
  readonly paths: readonly string[];
  readonly loader: LoaderId;
  readonly contextLength: number | undefined;
  /** False: nothing but the files themselves is looked at. */
  readonly around: boolean;
  readonly json: boolean;
}

export interface InspectCommand {
  readonly name: "inspect";
  /** At least one: transcripts and folders. */
  readonly paths: readonly string[];
  readonly format: FileFormatId | undefined;
  readonly summary: boolean;
  /** Handles instead of results, and at which moment they are to be readable. */
  readonly handles?: MomentAsked;
  readonly json: boolean;
}

export interface McpCommand {
  readonly name: "mcp";
  /** Folders whose transcripts may be read, besides the homes of agents, as they were written. */
  readonly roots: readonly string[];
}

export type Command =
  | CheckCommand
  | InspectCommand
  | SimulateCommand
  | AbCommand
  | McpCommand
  | { readonly name: "help"; readonly about: "all" | CommandName }
  | { readonly name: "version" };

const LOADERS = ["pyyaml", "ruamel"] as const satisfies readonly LoaderId[];

/** Longest error about the command line, which may quote arguments of any length. UTF-16 units. */
const ERROR_UNITS = 1_000;

/**
 * Reads the command line (without `node` and the script). The error is one sentence that says what to change; nothing in it acts on
 * a terminal.
 */
export function readArgs(argv: readonly string[]): Result<Command, string> {
  const command = commandOf(argv);
  return command.ok ? command : err(plain(shortText(command.error, ERROR_UNITS)));
}

function commandOf(argv: readonly string[]): Result<Command, string> {
  let parsed: Parsed;
  try {
    parsed = parse(argv);
  } catch (error) {
    // parseArgs reports a bad command line by throwing; anything else is a bug and goes on.
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
      return err(inOneLine(error.message));
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
    case "mcp":
      return mcpCommand(rest, values);
  }
}

/** Whether a command line that `readArgs` takes asks to see secrets. */
export const showsSecrets = (argv: readonly string[]): boolean => parse(argv).values["show-secrets"] === true;

function listed(word: string): string {
  return `${COMMANDS.slice(0, -1).join(", ")} ${word} ${COMMANDS.at(-1)}`;
}

function checkCommand(paths: readonly string[], values: Values): Result<CheckCommand, string> {
  if (paths.length === 0) return err("check needs at least one FILE");
  const loader = member(LOADERS, values.loader ?? "ruamel");
  if (loader === undefined) return err(`--loader is pyyaml or ruamel, not '${values.loader}'`);
  const contextLength = contextLengthOf(values);
  if (!contextLength.ok) return contextLength;
  const around = values["no-environment"] !== true;
  return ok({ name: "check", paths, loader, contextLength: contextLength.value, around, json: values.json === true });
}

function momentOf(written: string): MomentAsked | undefined {
  if (written === "now" || written === "end") return { kind: written };
  return /^[1-9]\d{0,8}$/.test(written) ? { kind: "call", thread: null, call: Number(written) } : undefined;
}

function mcpCommand([stray]: readonly string[], values: Values): Result<McpCommand, string> {
  if (stray !== undefined) return err(`mcp takes no '${stray}'; a folder to read is given with --root`);
  const roots = values.root ?? [];
  if (roots.includes("")) return err("--root needs a folder");
  return ok({ name: "mcp", roots });
}

function inspectCommand(paths: readonly string[], values: Values): Result<InspectCommand, string> {
  if (paths.length === 0) return err("inspect needs a PATH: a transcript or a folder");
  const format = formatOf(values);
  if (!format.ok) return format;
  const summary = values.summary === true;
  const whole = { name: "inspect", paths, format: format.value, summary, json: values.json === true } as const;
  if (values.handles !== true) return values.at === undefined ? ok(whole) : err("--at belongs to --handles");
  if (paths.length > 1) return err("--handles takes one transcript");
  if (summary) return err("--handles and --summary exclude each other");
  const handles = momentOf(values.at ?? "now");
  return handles === undefined
    ? err(`--at is now, end or the number of a call, not '${values.at}'`)
    : ok({ ...whole, handles });
}
