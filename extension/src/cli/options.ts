import { parseArgs } from "node:util";
import { typedThreshold } from "../core/config/normalize";
import { err, ok, type Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { FORMATS as READERS } from "../core/transcript/readers/index";

export const COMMANDS = ["check", "inspect", "simulate", "ab", "mcp"] as const;
export type CommandName = (typeof COMMANDS)[number];

/** Names accepted by `--format`: every format that has a reader. */
export const FORMATS = Object.keys(READERS) as readonly FileFormatId[];

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  "show-secrets": { type: "boolean" },
  version: { type: "boolean", short: "V" },
  json: { type: "boolean" },
  csv: { type: "boolean" },
  markdown: { type: "boolean" },
  loader: { type: "string" },
  "no-environment": { type: "boolean" },
  "context-length": { type: "string" },
  format: { type: "string" },
  summary: { type: "boolean" },
  handles: { type: "boolean" },
  at: { type: "string" },
  thread: { type: "string" },
  persist: { type: "string" },
  prune: { type: "string" },
  micro: { type: "string" },
  preset: { type: "string" },
  policy: { type: "string" },
  cache: { type: "string" },
  prices: { type: "string" },
  window: { type: "string" },
  "base-tokens": { type: "string" },
  curve: { type: "boolean" },
  log: { type: "string", multiple: true },
  db: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  "utc-offset": { type: "string" },
  thresholds: { type: "string" },
  baseline: { type: "string" },
  root: { type: "string", multiple: true },
} as const;

/** Options that not every command takes. */
export const ONLY: Readonly<Record<string, readonly CommandName[]>> = {
  json: ["check", "inspect", "simulate", "ab"],
  "show-secrets": ["check", "inspect", "simulate", "ab"],
  loader: ["check"],
  "no-environment": ["check"],
  "context-length": ["check", "simulate", "ab"],
  format: ["inspect", "simulate", "ab"],
  summary: ["inspect"],
  handles: ["inspect"],
  at: ["inspect"],
  thread: ["simulate", "ab"],
  persist: ["simulate"],
  prune: ["simulate"],
  micro: ["simulate"],
  preset: ["simulate"],
  policy: ["simulate"],
  cache: ["simulate"],
  prices: ["simulate"],
  window: ["simulate", "ab"],
  "base-tokens": ["simulate"],
  csv: ["simulate", "ab"],
  markdown: ["simulate", "ab"],
  curve: ["simulate"],
  log: ["ab"],
  db: ["ab"],
  since: ["ab"],
  until: ["ab"],
  "utc-offset": ["ab"],
  thresholds: ["simulate", "ab"],
  baseline: ["ab"],
  root: ["mcp"],
};

/** The item of the list that the text names. */
export function member<T extends string>(list: readonly T[], text: string | undefined): T | undefined {
  return list.find((item) => item === text);
}

/** Throws a TypeError with a code for a bad command line. */
export function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true, tokens: true });
}

export type Parsed = ReturnType<typeof parse>;
export type Values = Parsed["values"];

/** Window in tokens, by either of its options. */
export function contextLengthOf(values: Values): Result<number | undefined, string> {
  const name = values.window === undefined ? "context-length" : "window";
  const written = values[name];
  if (written === undefined) return ok(undefined);
  if (name === "window" && values["context-length"] !== undefined)
    return err("--window and --context-length are the same; give one");
  if (/^[1-9]\d{0,11}$/.test(written)) return ok(Number(written));
  return err(`--${name} is a whole number of tokens such as 200000, not '${written}'`);
}

/** How a report is written. */
export type OutputForm = "text" | "json" | "csv" | "markdown";

/** The one form that was asked for; text where none was. */
export function outputForm(values: Values): Result<OutputForm, string> {
  const [form, second] = (["json", "csv", "markdown"] as const).filter((name) => values[name] === true);
  if (second !== undefined) return err(`--${form} and --${second} exclude each other`);
  return ok(form ?? "text");
}

/**
 * Thresholds in code points, separated by commas; undefined = not given. A shell hands over text, which counts where the
 * agent's own rule takes it for a whole number.
 */
export function thresholdsOf(values: Values): Result<readonly number[] | undefined, string> {
  if (values.thresholds === undefined) return ok(undefined);
  const thresholds = values.thresholds.split(",").map(typedThreshold);
  const read = thresholds.filter((threshold) => threshold !== undefined);
  if (read.length < thresholds.length)
    return err(`--thresholds are characters, separated by commas, such as 8000,20000, not '${values.thresholds}'`);
  return ok([...new Set(read)]);
}

/** The format that was named; undefined where none was. */
export function formatOf(values: Values): Result<FileFormatId | undefined, string> {
  if (values.format === undefined) return ok(undefined);
  const format = member(FORMATS, values.format);
  if (format !== undefined) return ok(format);
  return err(`--format '${values.format}' is unknown; there are ${FORMATS.join(", ")}`);
}

/** The only path of a command. `what`: how the error names it where it is missing. */
export function onePath(command: CommandName, what: string, paths: readonly string[]): Result<string, string> {
  const [path, ...more] = paths;
  if (path === undefined) return err(`${command} needs a ${what}`);
  if (more.length > 0) return err(`${command} takes one PATH; '${more[0]}' is one too many`);
  return ok(path);
}
