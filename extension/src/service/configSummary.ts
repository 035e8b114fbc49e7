import { budgetForContextWindow } from "../core/config/budgets";
import { effectiveConfig } from "../core/config/effective";
import { InForce, statedWindow } from "../core/config/explain";
import { FULL_KEY } from "../core/config/keys";
import { SETTINGS } from "../core/config/settings/table";
import type { CheckedDocument } from "./context";
import type { Format } from "./format";

/** The one number of a config, for a status bar. */
export interface ConfigSummary {
  readonly text: string;
  /** Where it comes from, in a sentence. */
  readonly detail: string;
  /** The agent does not start with this config, or not with this file. */
  readonly isBroken: boolean;
}

/** The per-result cap in force. */
export function configSummary(checked: CheckedDocument, format: Format): ConfigSummary {
  const { environment, managed } = checked.options;
  const config = effectiveConfig({ user: checked.check.load, environment, managed });
  const inForce = new InForce(config);
  const fatal = SETTINGS.find(({ name }) => inForce.of(name)?.parsed.outcome === "fatal");
  if (config.outcome === "raises" || fatal !== undefined) {
    const cause = fatal === undefined ? "The file contains itself." : `The cause is ${fatal.name}.`;
    return {
      text: "agent does not start",
      detail: `The agent does not start with this config. ${cause}`,
      isBroken: true,
    };
  }
  const isBroken = config.outcome === "fallback";
  const suffix = isBroken ? " The file does not load, so this follows from the defaults." : "";
  const persist = inForce.value(FULL_KEY);
  if (persist.t === "int") {
    const layer = inForce.of(FULL_KEY)?.layer === "managed" ? "the managed layer" : "this file";
    return {
      text: `${format.chars(persist.v)} chars per result`,
      detail: `Set by ${FULL_KEY} in ${layer}.${suffix}`,
      isBroken,
    };
  }
  const stated = statedWindow(inForce);
  const window = stated?.tokens ?? checked.options.contextLength;
  if (window === undefined) {
    const low = format.chars(budgetForContextWindow(1).perResult);
    const high = format.chars(budgetForContextWindow(undefined).perResult);
    return {
      text: `${low}–${high} chars per result`,
      detail: `Scales with the model's context window, which is not stated.${suffix}`,
      isBroken,
    };
  }
  const cap = format.chars(budgetForContextWindow(window).perResult);
  const source = stated?.place ?? "your settings";
  return {
    text: `${cap} chars per result`,
    detail: `15% of the window of ${format.chars(window)} tokens (${source}), between 8,000 and 100,000.${suffix}`,
    isBroken,
  };
}
