import { pyEquals } from "../../model/pyRepr";
import type { PyValue } from "../../model/pyValue";
import { parseSetting } from "./parse";
import { settingNamed } from "./table";

/** What stands where the middle was; all of it is ASCII. Source: PR #85479, `PRUNE_MARKER`. */
export const PRUNE_MARKER = "\n\n[... tool result middle pruned ...]\n\n";

/** What `compression.tool_result_prune` comes to. Sizes in code points. */
export interface ToolResultPrune {
  readonly enabled: boolean;
  readonly threshold: bigint;
  readonly head: bigint;
  readonly tail: bigint;
  /** Head, marker and tail do not fit under the threshold, so the feature is off and the numbers are the defaults. */
  readonly unsatisfiable: boolean;
}

const SECTION = "compression.tool_result_prune";
const OFF: ToolResultPrune = { enabled: false, threshold: 8192n, head: 4096n, tail: 1024n, unsatisfiable: false };

/** The section as the compressor reads it: each number by itself, then the rule that all three must fit. Source: PR #85479. */
export function toolResultPrune(section: PyValue): ToolResultPrune {
  if (section.t !== "dict") return OFF;
  const int = (name: string, fallback: bigint): bigint => {
    const parsed = parsedIn(section, name);
    return parsed?.t === "int" ? parsed.v : fallback;
  };
  const enabled = parsedIn(section, "enabled");
  const found = {
    enabled: enabled?.t === "bool" && enabled.v,
    threshold: int("threshold_chars", OFF.threshold),
    head: int("head_chars", OFF.head),
    tail: int("tail_chars", OFF.tail),
  };
  const fits = found.head + BigInt(PRUNE_MARKER.length) + found.tail <= found.threshold;
  return fits ? { ...found, unsatisfiable: false } : { ...OFF, unsatisfiable: true };
}

function parsedIn(section: PyValue & { readonly t: "dict" }, name: string): PyValue | undefined {
  const setting = settingNamed(`${SECTION}.${name}`);
  const entry = section.v.find(([key]) => pyEquals(key, { t: "str", v: name }));
  return setting === undefined || entry === undefined ? undefined : parseSetting(setting, entry[1], "ruamel").value;
}
