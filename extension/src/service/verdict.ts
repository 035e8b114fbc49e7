import { masked } from "../core/config/expand";
import { WHY } from "../core/config/messages";
import type { RejectReason } from "../core/config/types";
import { pyRepr, pyTypeName } from "../core/model/pyRepr";
import { markdownText } from "../core/util/markdown";
import { target } from "../core/yaml/nodes";
import type { CheckedDocument } from "./context";
import type { Format } from "./format";
import { inlineCode } from "./inlineCode";
import { variableLines } from "./variables";

/** The verdict first, then how the written text became a Python value. */
export function verdictLines(checked: CheckedDocument, format: Format): readonly string[] {
  const { check } = checked;
  const { value } = check;
  if (value === null) return [];
  const read = value.text === "" ? "nothing is written" : inlineCode(value.text);
  const python = value.type === "NoneType" ? "`None`" : `${value.type} ${inlineCode(value.repr)}`;
  const environment = checked.options.environment;
  const loaded = check.pair === undefined ? undefined : check.load.values.get(target(check.pair.value));
  const expanded =
    check.expanded === undefined || loaded === undefined ? undefined : masked(loaded, check.expanded, environment);
  const after = expanded === undefined ? "" : ` → ${pyTypeName(expanded)} ${inlineCode(pyRepr(expanded))}`;
  const origin = `${read} → ${python}${after}`;
  const variables = loaded === undefined || environment === undefined ? [] : variableLines(loaded, environment);
  const warning = check.problems.find((problem) => problem.code === "threshold-reads-differently");
  const open = check.problems.find((problem) => problem.code === "threshold-from-environment");
  if (open !== undefined) return [`**? Depends on the environment.** ${origin}`, "", markdownText(open.message)];
  return [
    ...outcomeLines(checked, origin, warning?.message, format),
    ...(variables.length === 0 ? [] : ["", ...variables]),
  ];
}

function outcomeLines(
  { check }: CheckedDocument,
  origin: string,
  warning: string | undefined,
  format: Format,
): readonly string[] {
  switch (check.verdict) {
    case "accepted": {
      const threshold = check.threshold ?? 0n;
      const first = `**✓ ${format.chars(threshold)} chars per result** (${format.tokens(threshold)}) · ${origin}`;
      return warning === undefined ? [first] : [first, "", `⚠ ${markdownText(warning)}`];
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
