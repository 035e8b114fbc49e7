import type { YamlLoad } from "../yaml/types";
import { effectiveConfig } from "./effective";
import { conflictsOf, InForce } from "./explain";
import type { FoundSetting } from "./settings/types";
import type { CheckOptions, ConfigProblem } from "./types";
import { valueRange } from "./valueRange";

/** Settings without which no two settings can collide; spares the merge for most files. */
const CAN_CONFLICT =
  /^(?:compression\.(?:tool_result_prune\..*|proactive_prune_tokens|threshold|threshold_tokens)|context\.engine)$/;

/** Conflicts between settings, each at the first of them that stands in this file. */
export function conflictProblems(
  text: string,
  load: YamlLoad,
  settings: readonly FoundSetting[],
  contextTokens: number | undefined,
  { environment, managed }: CheckOptions,
): readonly ConfigProblem[] {
  if (settings.some(({ open }) => open) || !settings.some(({ setting }) => CAN_CONFLICT.test(setting.name))) return [];
  const inForce = new InForce(effectiveConfig({ user: load, environment, managed }));
  return conflictsOf(inForce, contextTokens).flatMap(({ settings: names, severity, message }) => {
    const place = names.flatMap((name) => settings.find(({ setting }) => setting.name === name) ?? [])[0];
    if (place === undefined) return [];
    return [{ code: "settings-conflict", severity, message, range: valueRange(text, place.pair) }];
  });
}
