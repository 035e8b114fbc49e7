import { PREVIEW_UNITS, WHOLE_UNITS } from "../results/store/boundText";
import { PAGE_UNITS } from "../results/store/page";
import { STORE_LIMITS } from "../results/store/resultStore";

/** A limit that an agent has built in: no file is known that sets it. */
export interface BuiltInLimit {
  readonly agent: "OpenMausBot" | "tinyagents" | "openhuman";
  readonly name: string;
  readonly value: number;
  readonly unit: "UTF-16 units" | "tokens" | "bytes" | "characters" | "results" | "minutes" | "days";
  readonly does: string;
}

function limit(
  agent: BuiltInLimit["agent"],
  name: string,
  value: number,
  unit: BuiltInLimit["unit"],
  does: string,
): BuiltInLimit {
  return { agent, name, value, unit, does };
}

/**
 * Limits of other agents that decide how much of a tool result stays in context, as read in their sources. Of these agents no
 * config file is known that sets them, so they are listed and not judged.
 */
export const BUILT_IN_LIMITS: readonly BuiltInLimit[] = [
  limit("OpenMausBot", "whole results", WHOLE_UNITS, "UTF-16 units", "Longer results become a preview with a handle."),
  limit("OpenMausBot", "preview", PREVIEW_UNITS, "UTF-16 units", "What stays of a longer result."),
  limit(
    "OpenMausBot",
    "kept behind a handle",
    STORE_LIMITS.textUnits,
    "UTF-16 units",
    "The rest of a longer result is left out.",
  ),
  limit("OpenMausBot", "page", PAGE_UNITS, "UTF-16 units", "What one `tool_result_read` gives back."),
  limit(
    "OpenMausBot",
    "life of a handle",
    STORE_LIMITS.keepMs / 60_000,
    "minutes",
    "Handles in memory end then, and on restart.",
  ),
  limit("OpenMausBot", "handles of a thread", STORE_LIMITS.ownerEntries, "results", "The oldest go first; 128 in all."),
  limit("OpenMausBot", "life of a summarized result", 30, "days", "Copies on disk are removed then."),
  limit("OpenMausBot", "trim", 8_000, "characters", "Budget of the trim that keeps some items of a result."),
  limit("openhuman", "newest results", 5, "results", "Older ones are blanked before each request (micro-compaction)."),
  limit(
    "openhuman",
    "offload",
    50_000,
    "tokens",
    "Longer results are stashed in memory; 8 of them, the oldest go first.",
  ),
  limit("openhuman", "preview of a stashed result", 1_500, "characters", "What stays of it."),
  limit(
    "openhuman",
    "artifact",
    8_192,
    "bytes",
    "From here on an output becomes a file with an abstract of 600 characters.",
  ),
  limit(
    "tinyagents",
    "token budget",
    0,
    "tokens",
    "0: results are blanked by count alone, however small the request is.",
  ),
];
