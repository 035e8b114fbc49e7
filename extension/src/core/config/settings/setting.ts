import { PY_NONE, type PyValue } from "../../model/pyValue";
import type { Parser, Setting, Unit } from "./types";

/** Defaults as they are written here: bigint = int, number = float. */
type Written = bigint | number | boolean | string | null;

interface Rest {
  readonly trap?: string;
  readonly source?: string;
  /** Default of the September sources where it differs. */
  readonly newer?: Written | "map";
  readonly missing?: boolean;
}

export const INIT = "agent/agent_init.py v2026.8.16.2";
export const CONFIG = "hermes_cli/config_defaults.py v2026.8.16.2";
export const BOOLEAN_IS_ONE = "true counts as 1, and floats lose their fraction.";

export const INT_1: Parser = { kind: "int", min: 1n, bool: "counts" };
export const STRICT_1: Parser = { kind: "int", min: 1n, bool: "refused" };
export const UNKNOWN: Parser = { kind: "unknown" };

function toPy(value: Written | "map"): PyValue {
  if (value === null) return PY_NONE;
  if (value === "map") return { t: "dict", v: [] };
  if (typeof value === "bigint") return { t: "int", v: value };
  if (typeof value === "number") return { t: "float", v: value };
  return typeof value === "boolean" ? { t: "bool", v: value } : { t: "str", v: value };
}

/**
 * One row of the tables of settings.
 * @param fallback default of v2026.8.16.2; `rest.newer` of the September sources where it differs
 */
export function setting(
  name: string,
  parser: Parser,
  unit: Unit,
  fallback: Written | "map",
  does: string,
  rest: Rest = {},
): Setting {
  const older = toPy(fallback);
  return {
    name,
    path: name.split("."),
    parser,
    unit,
    fallback: { pyyaml: older, ruamel: rest.newer === undefined ? older : toPy(rest.newer) },
    inDefaults: rest.missing !== true,
    does,
    trap: rest.trap,
    source: rest.source ?? INIT,
  };
}
