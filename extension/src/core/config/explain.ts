import type { Severity } from "../model/problem";
import { PY_NONE, type PyValue } from "../model/pyValue";
import { type CompactionSettings, compactionTrigger } from "./compactionTrigger";
import { type EffectiveConfig, type EffectiveSetting, effectiveSetting } from "./effective";
import { FULL_KEY } from "./keys";
import { clip } from "./messages";
import { modelShare } from "./modelShare";
import { providerWindow } from "./providerWindow";
import { getAt } from "./pyDict";
import { toolResultPrune } from "./settings/prune";
import { settingNamed } from "./settings/table";
import type { Setting } from "./settings/types";

/** Values in force, by name. Read once per look at a config. */
export class InForce {
  readonly config: EffectiveConfig;
  readonly #known = new Map<string, EffectiveSetting | undefined>();

  constructor(config: EffectiveConfig) {
    this.config = config;
  }

  of(name: string): EffectiveSetting | undefined {
    if (!this.#known.has(name)) {
      const setting: Setting | undefined = settingNamed(name);
      this.#known.set(name, setting && effectiveSetting(this.config, setting));
    }
    return this.#known.get(name);
  }

  value(name: string): PyValue {
    return this.of(name)?.parsed.value ?? PY_NONE;
  }

  /** Undefined where unset. */
  number(name: string): number | undefined {
    const value = this.value(name);
    return value.t === "int" || value.t === "float" ? Number(value.v) : undefined;
  }

  isOn(name: string): boolean {
    const value = this.value(name);
    return value.t === "bool" && value.v;
  }

  text(name: string): string {
    const value = this.value(name);
    return value.t === "str" ? value.v : "";
  }

  isWritten(name: string): boolean {
    return this.of(name)?.layer !== "default";
  }
}

/** The model's name, as `compression.model_thresholds` sees it. */
function modelName(config: EffectiveConfig): string | undefined {
  const model = getAt(config.value, ["model"]);
  const name = model?.t === "dict" ? getAt(model, ["default"]) : model;
  return name?.t === "str" && name.v !== "" ? name.v : undefined;
}

/** What decides when compaction starts, out of the settings in force. Sizes in tokens. */
export function compactionSettings(inForce: InForce): CompactionSettings {
  return {
    enabled: inForce.isOn("compression.enabled"),
    share: shareOfModel(inForce)?.share ?? inForce.number("compression.threshold") ?? 0.5,
    thresholdTokens: inForce.number("compression.threshold_tokens"),
    maxTokens: inForce.number("model.max_tokens"),
    summaryWindow: inForce.number("auxiliary.compression.context_length"),
  };
}

/** The entry of `compression.model_thresholds` that counts for the model in use; undefined when none does. */
export function shareOfModel(inForce: InForce): ReturnType<typeof modelShare> {
  const { config } = inForce;
  const shares = inForce.value("compression.model_thresholds");
  const model = modelName(config);
  if (shares.t !== "dict" || model === undefined) return undefined;
  const provider = getAt(config.value, ["model", "provider"]);
  return modelShare(shares, model, provider?.t === "str" ? provider.v : undefined, config.loader);
}

/** The context window that the config itself states. */
export interface StatedWindow {
  readonly tokens: number;
  /** The key that states it, as the file writes it. */
  readonly place: string;
}

/** `model.context_length`, else what the entry of the model's provider states. */
export function statedWindow(inForce: InForce): StatedWindow | undefined {
  const tokens = inForce.number("model.context_length");
  return tokens === undefined ? providerWindow(inForce.config.value) : { tokens, place: "model.context_length" };
}

/** Settings that do not fit together. `settings`: the one to change first. */
export interface Conflict {
  readonly settings: readonly string[];
  readonly severity: Severity;
  readonly message: string;
}

const PRUNE = "compression.tool_result_prune";
const PROACTIVE = "compression.proactive_prune_tokens";

/** @param contextTokens the model's window; undefined = unknown, so that nothing is said about what depends on it. */
export function conflictsOf(inForce: InForce, contextTokens: number | undefined): readonly Conflict[] {
  if (inForce.config.outcome === "raises") return [];
  return [
    ...pruneConflicts(inForce),
    ...engineConflicts(inForce),
    ...(contextTokens === undefined ? [] : windowConflicts(inForce, contextTokens)),
  ];
}

function conflict(settings: readonly string[], message: string, severity: Severity = "warning"): Conflict {
  return { settings, severity, message };
}

function pruneConflicts(inForce: InForce): readonly Conflict[] {
  const found: Conflict[] = [];
  const prune = toolResultPrune(getAt(inForce.config.value, PRUNE.split(".")) ?? PY_NONE);
  const parts = ["threshold_chars", "head_chars", "tail_chars", "enabled"].map((name) => `${PRUNE}.${name}`);
  if (prune.unsatisfiable) {
    const numbers = [1, 2, 0].map((index) => inForce.number(parts[index] ?? "") ?? 0);
    const message = `Head, marker and tail (${numbers[0]} + 39 + ${numbers[1]}) are longer than the threshold (${numbers[2]}), so Hermes turns ${PRUNE} off and goes back to 8192, 4096 and 1024.`;
    found.push(conflict(parts, message));
  }
  if (!prune.enabled) return found;
  if (!inForce.isOn("compression.enabled"))
    found.push(
      conflict(
        [`${PRUNE}.enabled`],
        "Results are pruned when context is compacted, and compression.enabled is off: this has no effect.",
      ),
    );
  const persist = inForce.value(FULL_KEY);
  if (persist.t === "int" && prune.threshold >= persist.v) {
    const message = `Results over ${clip(String(persist.v), 24)} characters are persisted, so only read_file can still be longer than ${prune.threshold}: pruning hardly ever fires.`;
    found.push(conflict([`${PRUNE}.threshold_chars`, `${PRUNE}.enabled`], message));
  }
  return found;
}

function engineConflicts(inForce: InForce): readonly Conflict[] {
  const engine = inForce.text("context.engine");
  if (engine === "" || engine === "compressor") return [];
  const dead = [PROACTIVE, `${PRUNE}.enabled`].filter((name) => inForce.isOn(name) || (inForce.number(name) ?? 0) > 0);
  return dead.map((name) =>
    conflict([name], `context.engine is ${engine}, and only compressor prunes: this has no effect.`),
  );
}

function windowConflicts(inForce: InForce, contextTokens: number): readonly Conflict[] {
  const found: Conflict[] = [];
  const settings = compactionSettings(inForce);
  if (!settings.enabled) return found;
  const trigger = compactionTrigger(contextTokens, settings, inForce.config.loader);
  if (trigger.steps.includes("share-raised") && inForce.isWritten("compression.threshold")) {
    const message = `Windows under 512,000 tokens raise the share silently: ${settings.share} becomes ${trigger.share}, so compaction starts at ${trigger.tokens} tokens.`;
    found.push(conflict(["compression.threshold"], message, "info"));
  }
  const cap = settings.thresholdTokens;
  if (cap !== undefined && !trigger.steps.includes("threshold-tokens")) {
    const message = `Compaction already starts at ${trigger.tokens} tokens, so ${cap} can never decide.`;
    found.push(conflict(["compression.threshold_tokens"], message));
  }
  const proactive = inForce.number(PROACTIVE) ?? 0;
  if (proactive > 0 && proactive >= trigger.tokens) {
    const message = `Compaction starts at ${trigger.tokens} tokens, before pruning at ${proactive} would: it hardly ever fires.`;
    found.push(conflict([PROACTIVE], message));
  }
  return found;
}
