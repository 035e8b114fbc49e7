import { parseArgs } from "node:util";
import type { LoaderId } from "../core/model/loader";
import { err, ok, type Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { FORMATS as READERS } from "../core/transcript/readers/index";

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

export type Command =
  | CheckCommand
  | InspectCommand
  | { readonly name: "help"; readonly about: "all" | "check" | "inspect" }
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
} as const;

/** Options of one command only; `--json` belongs to both. */
const ONLY: Readonly<Record<string, "check" | "inspect">> = {
  loader: "check",
  "context-length": "check",
  format: "inspect",
  summary: "inspect",
};

function member<T extends string>(list: readonly T[], text: string): T | undefined {
  return list.find((item) => item === text);
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true, tokens: true });
}

/** Reads the command line (without `node` and the script). The error is one sentence that says what to change. */
export function readArgs(argv: readonly string[]): Result<Command, string> {
  let parsed: ReturnType<typeof parse>;
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
    const about = name === "help" ? rest[0] : name;
    return ok({ name: "help", about: about === "check" || about === "inspect" ? about : "all" });
  }
  if (name === undefined) return err("name a command: check or inspect");
  if (name !== "check" && name !== "inspect") return err(`'${name}' is no command; there are check and inspect`);
  const stray = Object.keys(values).find((option) => (ONLY[option] ?? name) !== name);
  if (stray !== undefined) return err(`--${stray} belongs to ${ONLY[stray]}, not to ${name}`);
  return name === "check" ? checkCommand(rest, values) : inspectCommand(rest, values);
}

type Values = ReturnType<typeof parse>["values"];

function checkCommand(paths: readonly string[], values: Values): Result<CheckCommand, string> {
  if (paths.length === 0) return err("check needs at least one FILE");
  const loader = member(LOADERS, values.loader ?? "ruamel");
  if (loader === undefined) return err(`--loader is pyyaml or ruamel, not '${values.loader}'`);
  const written = values["context-length"];
  if (written !== undefined && !/^[1-9]\d{0,11}$/.test(written)) {
    return err(`--context-length is a whole number of tokens such as 200000, not '${written}'`);
  }
  const contextLength = written === undefined ? undefined : Number(written);
  return ok({ name: "check", paths, loader, contextLength, json: values.json === true });
}

function inspectCommand(paths: readonly string[], values: Values): Result<InspectCommand, string> {
  const [path, ...more] = paths;
  if (path === undefined) return err("inspect needs a PATH: a transcript or a folder");
  if (more.length > 0) return err(`inspect takes one PATH; '${more[0]}' is one too many`);
  const format = values.format === undefined ? undefined : member(FORMATS, values.format);
  if (values.format !== undefined && format === undefined) {
    return err(`--format '${values.format}' is unknown; there are ${FORMATS.join(", ")}`);
  }
  return ok({ name: "inspect", path, format, summary: values.summary === true, json: values.json === true });
}
