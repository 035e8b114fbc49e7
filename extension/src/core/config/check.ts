import type { LoaderId } from "../model/loader";
import { pyRepr, pyTypeName } from "../model/pyRepr";
import { PY_NONE, type PyValue } from "../model/pyValue";
import { pushAll } from "../util/pushAll";
import { loadYaml } from "../yaml/load";
import { lookup } from "../yaml/lookup";
import type { Lookup, YamlLoad, YamlNode, YamlPair } from "../yaml/types";
import { lenientInt, mcpResultSize } from "./budgets";
import { conflictProblems } from "./conflictProblems";
import { DEFAULTS } from "./defaults";
import { effectiveConfig } from "./effective";
import { type Environment, expandValue } from "./expand";
import { loadJson } from "./json";
import { KEY, KEY_PATH } from "./keys";
import { loadersDisagree } from "./loaders";
import { managedOverrides } from "./managedOverrides";
import { normalizePersistThreshold } from "./normalize";
import { otherVariables } from "./otherVariables";
import { type ProviderWindow, providerWindow } from "./providerWindow";
import { findSettings } from "./settings/find";
import { settingProblems } from "./settings/problems";
import type { FoundSetting } from "./settings/types";
import { strayKeys } from "./strayKeys";
import { duplicates, failureProblem, sectionProblems } from "./structure";
import { findEmbedded } from "./tree";
import type { CheckOptions, ConfigCheck, ConfigLanguage, ConfigProblem, WrittenValue } from "./types";
import { valueProblems } from "./valueProblems";

/** The key as the check found it. `counts` is false where the file as a whole does not load. */
interface Target {
  readonly pair: YamlPair;
  readonly value: PyValue;
  /** `value` with `${…}` expanded: what the agent judges. */
  readonly expanded: PyValue;
  readonly counts: boolean;
}

/** Looks at one document as the agent would: what the key is worth there, and everything that may surprise its author. Never throws. */
export function checkConfig(text: string, options: CheckOptions): ConfigCheck {
  const { loader, language = "yaml", isAgentConfig = true, environment } = options;
  const load = loadDocument(text, language, loader);
  const found = lookup(load, KEY_PATH);
  const targets = targetsOf(text, load, found, options);
  const settings = isAgentConfig ? findSettings(load, environment) : [];
  const overridden = options.managed === undefined ? [] : managedOverrides(text, settings, options.managed);
  const inForce = settings.filter((found) => !overridden.some((one) => one.found === found));
  const problems: ConfigProblem[] = [
    ...failureProblem(load, language, isAgentConfig),
    ...targets.flatMap(({ pair, value }) => valueProblems(text, pair, value, environment)),
    ...settingProblems(text, inForce, environment),
    ...overridden.map(({ problem }) => problem),
    ...duplicates(load, found, text, isAgentConfig),
    ...sectionProblems(load, text, isAgentConfig),
    ...strayKeys(load.root, isAgentConfig),
    ...(isAgentConfig ? otherVariables(text, load, judgedValues(targets, settings), environment) : []),
  ];
  // The second loader costs as much as the first; without the key in the text it could not change what the key is worth.
  if (language === "yaml" && isAgentConfig && text.includes(KEY)) {
    const reported = problems.some(({ code }) => code === "duplicate-key" || code === "duplicate-section");
    pushAll(problems, loadersDisagree(text, load, found, reported));
  }
  const contextLength = contextLengthOf(load, options);
  pushAll(problems, conflictProblems(text, load, inForce, contextLength?.tokens, options));
  const main = targets.find((target) => target.counts);
  return {
    loader,
    ...outcomeOf(main, text),
    problems: problems.sort((a, b) => a.range.start - b.range.start),
    pair: main?.pair,
    contextLength,
    mcpResult: mcpResultSize(valueAt(load, ["tool_budget", "mcp_result_size_chars"], environment)),
    terminalOutput: terminalOutputOf(load, environment),
    expanded: main === undefined || main.expanded === main.value ? undefined : main.expanded,
    settings,
    load,
  };
}

/** Values whose `${…}` their own checks speak about. */
function judgedValues(targets: readonly Target[], settings: readonly FoundSetting[]): ReadonlySet<YamlNode> {
  return new Set([...targets, ...settings].map(({ pair }) => resolved(pair.value)));
}

function loadDocument(text: string, language: ConfigLanguage, loader: LoaderId): YamlLoad {
  return language === "yaml" ? loadYaml(text, loader) : loadJson(text, language, loader);
}

/** The written text of a pair's value, tag and quotes included. */
function writtenText(text: string, pair: YamlPair): string {
  return text.slice(pair.value.outerStart, pair.value.end);
}

function targetsOf(text: string, load: YamlLoad, found: Lookup, options: CheckOptions): readonly Target[] {
  const { isAgentConfig = true, environment } = options;
  const pairs = isAgentConfig || found.at === "value" ? [] : findEmbedded(load.root).map(({ pair }) => pair);
  if (found.at === "value") pairs.push(found.pair);
  return pairs.flatMap((pair): readonly Target[] => {
    const value =
      load.failure === undefined
        ? (load.values.get(resolved(pair.value)) ?? PY_NONE)
        : loneValue(writtenText(text, pair), load.loader);
    if (value === undefined) return [];
    return [{ pair, value, expanded: expandValue(value, environment), counts: load.failure === undefined }];
  });
}

function resolved(node: YamlNode): YamlNode {
  return node.kind === "alias" ? node.target : node;
}

/** What a scalar on one line would be worth in a file that loads, so that one mistake does not hide the other. */
function loneValue(written: string, loader: LoaderId): PyValue | undefined {
  return /^[^*\r\n][^\r\n]*$/.test(written) ? loadYaml(written, loader).value : undefined;
}

function outcomeOf(
  target: Target | undefined,
  text: string,
): Pick<ConfigCheck, "value" | "verdict" | "threshold" | "reason"> {
  if (target === undefined) return { value: null, verdict: "absent", threshold: null, reason: null };
  const outcome = normalizePersistThreshold(target.expanded);
  const value: WrittenValue = {
    text: writtenText(text, target.pair),
    type: pyTypeName(target.value),
    repr: pyRepr(target.value),
  };
  if (outcome.verdict === "accepted") return { value, verdict: "accepted", threshold: outcome.threshold, reason: null };
  return { value, verdict: outcome.verdict, threshold: null, reason: outcome.reason };
}

function valueAt(load: YamlLoad, path: readonly string[], environment: Environment | undefined): PyValue {
  const found = lookup(load, path);
  return found.at === "value" ? expandValue(found.value, environment) : PY_NONE;
}

/** Positive window in tokens; text such as "256K" makes Hermes look the model up, which cannot be done here. */
function contextLengthOf(load: YamlLoad, options: CheckOptions): ConfigCheck["contextLength"] {
  // A root-level `context_length` moves under `model` if that slot is empty.
  for (const path of [["model", "context_length"], ["context_length"]]) {
    const value = valueAt(load, path, options.environment);
    const tokens = value.t === "bool" ? undefined : lenientInt(value);
    if (tokens !== undefined && tokens > 0n) return { tokens: Number(tokens), source: "file" };
    if (value.t !== "NoneType") break;
  }
  const ofProvider = windowOfProvider(load, options);
  if (ofProvider !== undefined) return { tokens: ofProvider.tokens, source: "file" };
  return options.contextLength === undefined ? null : { tokens: options.contextLength, source: "setting" };
}

/** What the entry of the model's provider states; spares the merge for the many files that have no such entries. */
function windowOfProvider(load: YamlLoad, { environment, managed }: CheckOptions): ProviderWindow | undefined {
  const some = ["custom_providers", "providers"].some((name) => lookup(load, [name]).at === "value");
  return some ? providerWindow(effectiveConfig({ user: load, environment, managed }).value) : undefined;
}

function terminalOutputOf(load: YamlLoad, environment: Environment | undefined): number {
  const value = lenientInt(valueAt(load, ["tool_output", "max_bytes"], environment));
  return value !== undefined && value >= 1n ? Number(value) : DEFAULTS.terminalOutput;
}
