import { clip, WHY } from "../core/config/messages";
import type { RejectReason } from "../core/config/types";
import type { CheckedDocument } from "./context";
import type { Format } from "./format";

/** Inline code that survives any content: the fence is longer than every run of backticks inside. */
export function code(text: string): string {
  const inner = clip(text).replaceAll("|", "¦");
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = inner === "" || inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  return `${fence}${pad}${inner}${pad}${fence}`;
}

/** The verdict first, then how the written text became a Python value. */
export function verdictLines(checked: CheckedDocument, format: Format): readonly string[] {
  const { check } = checked;
  const { value } = check;
  if (value === null) return [];
  const read = value.text === "" ? "nothing is written" : code(value.text);
  const python = value.type === "NoneType" ? "`None`" : `${value.type} ${code(value.repr)}`;
  const origin = `${read} → ${python}`;
  const warning = check.problems.find((problem) => problem.code === "threshold-reads-differently");
  const environment = check.problems.find((problem) => problem.code === "threshold-from-environment");
  if (environment !== undefined) return [`**? Depends on the environment.** ${origin}`, "", environment.message];
  switch (check.verdict) {
    case "accepted": {
      const threshold = check.threshold ?? 0n;
      const first = `**✓ ${format.chars(threshold)} chars per result** (${format.tokens(threshold)}) · ${origin}`;
      return warning === undefined ? [first] : [first, "", `⚠ ${warning.message}`];
    }
    case "unset": {
      const how = check.reason === "none" ? "No threshold of its own" : "Zero and negative numbers count as unset";
      return [
        `**${check.reason === "none" ? "–" : "⚠"} Unset.** ${origin}`,
        "",
        `${how}: the threshold scales with the context window.`,
      ];
    }
    case "rejected":
      return [
        `**✗ Rejected.** ${origin}`,
        "",
        `Hermes ignores it, because ${WHY[check.reason as RejectReason]}. The threshold scales with the context window.`,
      ];
    case "absent":
      return [];
  }
}
