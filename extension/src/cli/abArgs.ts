import { CANDIDATE_THRESHOLDS } from "../core/compaction/policy";
import { typedThreshold } from "../core/config/normalize";
import { err, ok, type Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { readMoment } from "../core/util/moment";
import { contextLengthOf, formatOf, type OutputForm, onePath, outputForm, thresholdsOf, type Values } from "./options";

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
  readonly output: OutputForm;
}

/** Reads the arguments of `ab`. The error is one sentence that says what to change. */
export function abCommand(paths: readonly string[], values: Values): Result<AbCommand, string> {
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
  const thresholds = thresholdsOf(values);
  if (!thresholds.ok) return thresholds;
  const baseline = values.baseline === undefined ? undefined : typedThreshold(values.baseline);
  if (values.baseline !== undefined && baseline === undefined)
    return err(`--baseline is a threshold in characters such as 100000, not '${values.baseline}'`);
  const output = outputForm(values);
  if (!output.ok) return output;
  return ok({
    name: "ab",
    source: source.value,
    since: since.value,
    until: until.value,
    utcOffset,
    thresholds: thresholds.value ?? CANDIDATE_THRESHOLDS,
    baseline,
    contextLength: contextLength.value,
    output: output.value,
  });
}

function abSource(paths: readonly string[], values: Values): Result<AbCommand["source"], string> {
  if (values.log === undefined) {
    const logOnly = (["db", "utc-offset"] as const).find((option) => values[option] !== undefined);
    if (logOnly !== undefined) return err(`--${logOnly} goes with --log`);
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
