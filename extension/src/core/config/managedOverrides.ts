import { effectiveManaged, type ManagedLayer } from "./effective";
import { getAt } from "./pyDict";
import { shownSetting } from "./settings/shown";
import type { FoundSetting } from "./settings/types";
import type { ConfigProblem } from "./types";
import { valueRange } from "./valueRange";

/** Settings of a file that the managed layer sets too. */
export function managedOverrides(
  text: string,
  settings: readonly FoundSetting[],
  managed: ManagedLayer,
): readonly { readonly found: FoundSetting; readonly problem: ConfigProblem }[] {
  const layer = effectiveManaged(managed);
  return settings.flatMap((found) => {
    const value = getAt(layer, found.setting.path);
    if (value === undefined) return [];
    const message = `${managed.path} sets ${found.setting.name} to ${shownSetting(value)}, which wins over this file. What stands here has no effect.`;
    const range = valueRange(text, found.pair);
    return [{ found, problem: { code: "managed-override", severity: "hint", message, range } }];
  });
}
