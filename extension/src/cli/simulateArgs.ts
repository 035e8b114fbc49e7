import { CACHE_MODELS, type CacheModel, type PriceRatios } from "../core/compaction/cacheModel";
import { CANDIDATE_THRESHOLDS } from "../core/compaction/policy";
import type { ChosenPolicy } from "../core/compaction/report/policySpec";
import { err, ok, type Result } from "../core/model/problem";
import type { FileFormatId } from "../core/model/transcript";
import { contextLengthOf, formatOf, type OutputForm, onePath, outputForm, type Parsed, thresholdsOf } from "./options";
import { isPolicyOption, readPolicy, wholeNumber } from "./policyArgs";

export interface SimulateCommand {
  readonly name: "simulate";
  readonly path: string;
  readonly format: FileFormatId | undefined;
  readonly thread: string | undefined;
  /** In the order of the command line; each sees what the ones before it left. */
  readonly policies: readonly ChosenPolicy[];
  /** Window in tokens. */
  readonly contextLength: number | undefined;
  /** Thresholds of the curve to tell of, in code points; null = no curve. */
  readonly thresholds: readonly number[] | null;
  /** Undefined = every common prefix counts as cached. */
  readonly cache: CacheModel | undefined;
  /** Null = prices are left out. */
  readonly prices: PriceRatios | null;
  /** Tokens in every request that the transcript does not show; undefined = from its first measured request. */
  readonly baseTokens: number | undefined;
  readonly output: OutputForm;
}

/** Reads the arguments of `simulate`. The error is one sentence that says what to change. */
export function simulateCommand(paths: readonly string[], { values, tokens }: Parsed): Result<SimulateCommand, string> {
  const path = onePath("simulate", "PATH: a transcript", paths);
  if (!path.ok) return path;
  const format = formatOf(values);
  if (!format.ok) return format;
  const contextLength = contextLengthOf(values);
  if (!contextLength.ok) return contextLength;
  const policies: ChosenPolicy[] = [];
  for (const token of tokens) {
    if (token.kind !== "option" || token.value === undefined || !isPolicyOption(token.name)) continue;
    const policy = readPolicy(token.name, token.value, contextLength.value);
    if (!policy.ok) return policy;
    policies.push(policy.value);
  }
  const asked = thresholdsOf(values);
  if (!asked.ok) return asked;
  const thresholds = asked.value ?? (values.curve === true ? CANDIDATE_THRESHOLDS : null);
  if (policies.length === 0 && thresholds === null)
    return err(
      "simulate needs a policy: --policy, --persist, --prune, --micro or --preset; or --curve for every threshold",
    );
  const cache = cacheOf(values.cache);
  if (!cache.ok) return cache;
  const prices = pricesOf(values.prices);
  if (!prices.ok) return prices;
  const written = values["base-tokens"];
  const baseTokens = written === undefined ? undefined : wholeNumber(written);
  if (written !== undefined && baseTokens === undefined)
    return err(`--base-tokens is a whole number of tokens such as 12000, not '${written}'`);
  const output = outputForm(values);
  if (!output.ok) return output;
  return ok({
    name: "simulate",
    path: path.value,
    format: format.value,
    thread: values.thread,
    policies,
    contextLength: contextLength.value,
    thresholds,
    cache: cache.value,
    prices: prices.value,
    baseTokens,
    output: output.value,
  });
}

/** Numbers of a cache model that can be set: `openai:blockTokens=64`. */
const CACHE_KEYS = ["blockTokens", "minPrefixTokens", "ttlMs"] as const;

function cacheOf(written: string | undefined): Result<CacheModel | undefined, string> {
  if (written === undefined) return ok(undefined);
  const [name = "", ...rest] = written.split(":");
  const known = CACHE_MODELS.find(({ id }) => id === name);
  if (known === undefined)
    return err(`--cache '${name}' is unknown; there are ${CACHE_MODELS.map(({ id }) => id).join(", ")}`);
  let model = known;
  for (const part of rest.length === 0 ? [] : rest.join(":").split(",")) {
    const [key, value = ""] = part.split("=");
    const field = CACHE_KEYS.find((one) => one === key);
    if (field === undefined) return err(`--cache ${name} has no '${key}'; it has ${CACHE_KEYS.join(", ")}`);
    const number = field === "ttlMs" && value === "none" ? null : /^\d{1,12}$/.test(value) ? Number(value) : undefined;
    if (number === undefined || (field === "blockTokens" && number === 0))
      return err(`--cache: ${field} is a whole number, not '${value}'`);
    model = { ...model, [field]: number };
  }
  return ok(model === known ? known : { ...model, source: `${known.source}; changed by hand` });
}

function pricesOf(written: string | undefined): Result<PriceRatios | null, string> {
  if (written === undefined) return ok(null);
  const wrong = err(
    `--prices are the prices of a token written to the cache and of one read from it, in uncached tokens, such as write=1.25,read=0.1, not '${written}'`,
  );
  const found: { write?: number; read?: number } = {};
  for (const part of written.split(",")) {
    const [key, value = ""] = part.split("=");
    if ((key !== "write" && key !== "read") || found[key] !== undefined) return wrong;
    if (!/^\d{1,6}(\.\d{1,6})?$/.test(value)) return wrong;
    found[key] = Number(value);
  }
  return found.write === undefined || found.read === undefined ? wrong : ok({ write: found.write, read: found.read });
}
