import { grouped } from "../../util/numbers";
import { CACHE_MODELS, type CacheModel } from "../cacheModel";
import type { PolicyOutcome, SimulateReport, SimulationReport } from "./simulationReport";

/** A name and what it is, as every form of the report states it, so that a result can be repeated. */
export type Fact = readonly [name: string, text: string];

/** File, hash, thread, policies and all that was assumed. */
export function simulationFacts(report: SimulateReport, simulation: SimulationReport): readonly Fact[] {
  const { thread, policies, assumed } = simulation;
  const { tokens, baseTokens, windowTokens, prices } = assumed;
  const base = baseWords(baseTokens);
  return [
    ["file", report.file],
    ["sha256", report.sha256 ?? "not stated for a database"],
    ["thread", thread.id],
    ...policies.map(({ spec }, position): Fact => [`policy ${position + 1}`, spec]),
    [
      "tokens",
      `estimated: characters ÷ ${tokens.charsPerToken} + ${tokens.itemTokens} per message + ${tokens.imageTokens} per image; ${base}`,
    ],
    ["cache", cacheWords(assumed)],
    ["window", windowTokens === null ? "not stated" : `${windowTokens} tokens`],
    [
      "prices",
      prices === null ? "left out" : `a token written ${prices.write}, read ${prices.read} (one uncached token = 1)`,
    ],
  ];
}

/** What is added to every call for what the transcript does not show, and where the number comes from. */
export function baseWords(tokens: number): string {
  return `≈ ${grouped(tokens)} added to every call for what the transcript does not show (where not given: its first measured call minus the estimate of that call)`;
}

/** The cache model in one line. */
function cacheWords({ cache }: SimulationReport["assumed"]): string {
  const life = cache.ttlMs === null ? "no end of life" : `gone after ${cache.ttlMs} ms`;
  return `${cache.id}: blocks of ${cache.blockTokens}, from ${cache.minPrefixTokens} tokens, ${life} (${cache.source})`;
}

/** The command line that makes the same report again. Quoted for a POSIX shell. */
export function repeatCommand(report: SimulateReport, simulation: SimulationReport): string {
  const { thread, policies, assumed, curve } = simulation;
  const { cache, windowTokens, prices, baseTokens } = assumed;
  const words = [
    "context-budget",
    "simulate",
    report.file,
    "--thread",
    thread.id,
    ...policies.flatMap((policy) => ["--policy", specUnderWindow(policy, windowTokens)]),
    "--base-tokens",
    String(baseTokens),
    ...(windowTokens === null ? [] : ["--window", String(windowTokens)]),
    ...cacheOption(cache),
    ...(prices === null ? [] : ["--prices", `write=${prices.write},read=${prices.read}`]),
    ...(curve === null ? [] : ["--thresholds", curve.candidates.map(({ threshold }) => threshold).join(",")]),
  ];
  return words.map(shellWord).join(" ");
}

/** Nothing for what is taken anyway, and a name alone where its numbers are as published. */
function cacheOption(cache: CacheModel): readonly string[] {
  const numbers = ({ blockTokens, minPrefixTokens, ttlMs }: CacheModel): string =>
    `blockTokens=${blockTokens},minPrefixTokens=${minPrefixTokens},ttlMs=${ttlMs ?? "none"}`;
  const published = CACHE_MODELS.find(({ id }) => id === cache.id);
  const isPublished = published !== undefined && numbers(published) === numbers(cache);
  if (isPublished && published === CACHE_MODELS[0]) return [];
  return ["--cache", isPublished ? cache.id : `${cache.id}:${numbers(cache)}`];
}

/** The option --window also scales a persist policy that names no window; one that was not scaled says so. */
function specUnderWindow({ spec, parameters }: PolicyOutcome, windowTokens: number | null): string {
  if (windowTokens === null || parameters.kind !== "persist" || parameters.contextTokens !== null) return spec;
  return `${spec}${spec.includes(":") ? "," : ":"}contextTokens=none`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
