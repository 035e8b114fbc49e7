import type { TextSize, ToolResult } from "../../model/transcript";
import { PREVIEW_UNITS } from "../store/boundText";
import { STORE_LIMITS } from "../store/resultStore";
import type { KeptSize } from "./handle";

/** Most UTF-8 bytes of one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/**
 * Between which sizes the text lies that OpenMausBot kept. A saved notice states no size: only its preview is known, which is all of
 * the text where it is shorter than a preview; one that was bounded has the greatest size; a summary states the size.
 * @param preview what of the text stands in the notice; undefined where it cannot be read
 */
export function keptSize({ persisted }: ToolResult, preview: TextSize | undefined): KeptSize {
  const most = STORE_LIMITS.textUnits;
  const isSummary = persisted?.variant === "openmausbot-summary";
  const shown = isSummary ? undefined : preview;
  const known = { units: shown?.utf16 ?? 0, bytes: shown?.bytes ?? 0 };
  if (isSummary && persisted.statedChars !== undefined) {
    const units = Math.min(persisted.statedChars, most);
    return sized(units, units, known);
  }
  // Cut one unit short where a pair of surrogates would be split.
  if (persisted?.variant === "openmausbot-bounded") return sized(most - 1, most, known);
  if (shown !== undefined && shown.utf16 < PREVIEW_UNITS - 1) return sized(shown.utf16, shown.utf16, known);
  return sized(Math.min(known.units, most), most, known);
}

function sized(
  minUnits: number,
  maxUnits: number,
  known: { readonly units: number; readonly bytes: number },
): KeptSize {
  return {
    minUnits,
    maxUnits,
    minBytes: known.bytes + Math.max(0, minUnits - known.units),
    maxBytes: known.bytes + BYTES_PER_UNIT * Math.max(0, maxUnits - known.units),
  };
}

/** After a page was read that ends at `end`; `last`: with it the text ended. UTF-16 units. */
export function learned(kept: KeptSize, end: number, last: boolean): KeptSize {
  const minUnits = Math.min(kept.maxUnits, Math.max(kept.minUnits, end));
  const maxUnits = last ? Math.max(minUnits, Math.min(kept.maxUnits, end)) : kept.maxUnits;
  return {
    minUnits,
    maxUnits,
    minBytes: kept.minBytes + (minUnits - kept.minUnits),
    maxBytes: kept.maxBytes - BYTES_PER_UNIT * (kept.maxUnits - maxUnits),
  };
}
