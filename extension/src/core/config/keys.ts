/** The one key that this product validates, and the names that people mistake for it. */
export const SECTION = "tools";
export const KEY = "tool_result_persist_threshold_chars";
export const KEY_PATH = [SECTION, KEY] as const;
/** How messages name the key. */
export const FULL_KEY = `${SECTION}.${KEY}`;

/** Sections of a Hermes config that decide about context; a value that is no mapping is silently replaced by defaults. */
export const BUDGET_SECTIONS: readonly string[] = [
  SECTION,
  "tool_budget",
  "tool_output",
  "compression",
  "compression.tool_result_prune",
  "hooks.output_spill",
  "sessions",
  "context",
  "agent",
];

/** A key that Hermes reads somewhere else than under `tools`; `""` = the root. Sources: hermes.md 1.7 names key and release or PR. */
export interface RivalKey {
  readonly name: string;
  readonly section: string;
  readonly note: string;
}

export const RIVAL_KEYS: readonly RivalKey[] = [
  { name: "mcp_result_size_chars", section: "tool_budget", note: "the threshold of MCP tools" },
  { name: "unlimited_tools", section: "tool_budget", note: "not in every release" },
  { name: "tool_overrides", section: "tool_output", note: "thresholds by tool, not in every release" },
  { name: "max_bytes", section: "tool_output", note: "the cut of terminal output" },
  { name: "max_lines", section: "tool_output", note: "the page size of read_file" },
  { name: "max_line_length", section: "tool_output", note: "the cut of long lines" },
  { name: "output_spill", section: "hooks", note: "the spill of hook output" },
  { name: "tool_result_prune", section: "compression", note: "pruning of old results" },
  { name: "proactive_prune_tokens", section: "compression", note: "pruning before compaction" },
  { name: "proactive_prune_min_result_chars", section: "compression", note: "pruning before compaction" },
  { name: "proactive_prune_min_reclaim_tokens", section: "compression", note: "pruning before compaction" },
  { name: "micro_compact", section: "compression", note: "micro-compaction" },
  { name: "threshold_tokens", section: "compression", note: "when compaction starts" },
  { name: "file_read_max_chars", section: "", note: "the limit of read_file" },
  { name: "context_file_max_chars", section: "", note: "the limit of context files" },
];

/**
 * Short and internal names that plainly mean the persist threshold where they stand under `tools` or at the root. Elsewhere they may
 * be real: PR #80508 (open) gives `tool_budget` names of this kind.
 */
const SHORT_NAMES: ReadonlySet<string> = new Set([
  "default_result_size",
  "default_result_size_chars",
  "max_result_size_chars",
  "persist_threshold",
  "persist_threshold_chars",
  "tool_result_threshold",
  "tool_result_threshold_chars",
  "tool_result_max_chars",
]);

/** Letters and digits only, so that camelCase, dashes and capitals do not count as differences. */
function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const SQUEEZED_KEY = squeeze(KEY);
/** Edits that still count as the same name; a fifth of its length. */
const MAX_EDITS = 6;

/** Whether a key is one of these names. */
export function isShortName(name: string): boolean {
  return SHORT_NAMES.has(name);
}

/** True for names that somebody may have written for the key, the key itself included. */
export function resemblesKey(name: string): boolean {
  if (name.length > 2 * KEY.length) return false;
  const squeezed = squeeze(name);
  if (squeezed.includes("persist") && squeezed.includes("threshold")) return true;
  return (
    Math.abs(squeezed.length - SQUEEZED_KEY.length) <= MAX_EDITS && editDistance(squeezed, SQUEEZED_KEY) <= MAX_EDITS
  );
}

/** True for a misspelt `tools` (`tool`, `Tools`, `toosl`); never for `tools` itself. */
export function resemblesSection(name: string): boolean {
  return name !== SECTION && name.length <= 8 && editDistance(squeeze(name), SECTION) <= 2;
}

/** Edit distance with swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let previous: number[] = [];
  let current = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column < width; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (current[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (current[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (previous[column - 2] ?? 0) + 1);
      }
      next.push(best);
    }
    previous = current;
    current = next;
  }
  return current[width - 1] ?? 0;
}
