import type { LoaderId } from "../model/loader";
import { pyRepr, pyTypeName } from "../model/pyRepr";
import type { PyValue } from "../model/pyValue";
import { plain } from "../util/plain";
import type { RejectReason } from "./types";

/** What Hermes does instead, and what to do. */
export const IGNORED =
  "It ignores the value and keeps its context-scaled budget. Write a whole number of characters, or remove the key.";
/** Order of `load_config` (`hermes_cli/config.py` @00067189). */
export const FALLBACK =
  "Until this is fixed, Hermes uses the last good config of its running process, else the newest copy in backups/config, else its defaults.";

export const LOADER_NAMES: Readonly<Record<LoaderId, string>> = {
  pyyaml: "Older Hermes (PyYAML)",
  ruamel: "Newer Hermes (ruamel)",
};

const MAX_SHOWN = 60;
/** So many times as long as what is shown; white space may make less of it. */
const CLIP_FROM = 16;

/** One line of at most `max` UTF-16 units, in which nothing is invisible. */
export function clip(text: string, max = MAX_SHOWN): string {
  // What cannot be shown is not looked at: a value may be as long as its file.
  const line = plain(text.slice(0, CLIP_FROM * max).replaceAll(/\s+/g, " "));
  return line.length <= max && text.length <= CLIP_FROM * max ? line : `${line.slice(0, max - 1)}…`;
}

/** `str '1e4'`, `int 20000`: Python's type and repr. */
export function pythonValue(value: PyValue): string {
  return value.t === "NoneType" ? "None" : `${pyTypeName(value)} ${clip(pyRepr(value))}`;
}

/** Why each kind of value is refused, as a clause. */
export const WHY: Readonly<Record<RejectReason, string>> = {
  boolean: "a boolean is never a threshold",
  float: "a float never counts, not even a whole one",
  "other-number": "only whole numbers count",
  bytes: "bytes are not converted",
  list: "a list is not a number",
  mapping: "a mapping is not a number",
  date: "a date is not a number",
  "other-type": "only whole numbers count",
  "non-whole-string": "text counts only if it is a whole number in plain digits",
  "empty-string": "empty text is not a number",
  "string-too-long": "Python converts at most 4,300 digits",
};

/** Why Hermes refuses the value, and what it does instead. */
export function rejectedMessage(reason: RejectReason, written: string, value: PyValue): string {
  const subject = written === "" ? "this" : clip(written);
  const dialect = reason === "boolean" && !/^(?:true|false)$/i.test(written) ? " (YAML 1.1)" : "";
  return `Hermes reads ${subject} as ${pythonValue(value)}${dialect}, and ${WHY[reason]}. ${IGNORED}`;
}
