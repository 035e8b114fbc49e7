import type { ThreadUsage, Usage } from "../model/transcript";
import { isCount, statedCount } from "./impossibleCounts";
import { isObject, own } from "./json";

/** A count as stated; undefined for everything that cannot be one. */
export function count(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

/** Anthropic: `input_tokens` leaves out what was read from or written to the cache. */
export function anthropicUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  return stated({
    input: statedCount(own(value, "input_tokens")),
    cacheRead: statedCount(own(value, "cache_read_input_tokens")),
    cacheWrite: statedCount(own(value, "cache_creation_input_tokens")),
    output: statedCount(own(value, "output_tokens")),
  });
}

/** OpenAI: `prompt_tokens` includes the cached ones, which are taken out here; proxies state cache figures at the top. */
export function openaiUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const prompt = statedCount(own(value, "prompt_tokens"));
  const cacheRead =
    statedCount(own(own(value, "prompt_tokens_details"), "cached_tokens")) ??
    statedCount(own(value, "cache_read_input_tokens"));
  const cacheWrite = statedCount(own(value, "cache_creation_input_tokens"));
  return stated({
    input: prompt === undefined ? undefined : Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: statedCount(own(value, "completion_tokens")),
  });
}

/** A total that includes what was read from the cache and written to it, split up. */
function split(
  total: number | undefined,
  cacheRead: number | undefined,
  cacheWrite: number | undefined,
  output: number | undefined,
): Usage | undefined {
  const input = total === undefined ? undefined : Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0));
  return stated({ input, cacheRead, cacheWrite, output });
}

/** OpenAI Responses: `input_tokens` includes the cached ones. */
export function responsesUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cached = statedCount(own(own(value, "input_tokens_details"), "cached_tokens"));
  return split(statedCount(own(value, "input_tokens")), cached, undefined, statedCount(own(value, "output_tokens")));
}

/** Codex: one half of a token_count; the input holds what was cached and (since 2026) written, the output the reasoning. */
export function codexUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cached = statedCount(own(value, "cached_input_tokens"));
  const written = statedCount(own(value, "cache_write_input_tokens"));
  return split(statedCount(own(value, "input_tokens")), cached, written, statedCount(own(value, "output_tokens")));
}

/** Gemini CLI: thoughts are not part of `output`; all zeros stand on calls that were cancelled, so they say nothing. */
export function geminiUsage(value: unknown): Usage | undefined {
  if (!isObject(value) || !anyTokens(value, ["input", "output", "thoughts"])) return undefined;
  const output = plus(statedCount(own(value, "output")), statedCount(own(value, "thoughts")));
  return split(statedCount(own(value, "input")), statedCount(own(value, "cached")), undefined, output);
}

/** opencode: `input` leaves out the cache, `output` the reasoning; all zeros stand on steps that never ended. */
export function opencodeUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cache = own(value, "cache");
  const cacheRead = statedCount(own(cache, "read"));
  const cacheWrite = statedCount(own(cache, "write"));
  if (!anyTokens(value, ["input", "output", "reasoning"]) && (cacheRead ?? 0) === 0 && (cacheWrite ?? 0) === 0)
    return undefined;
  const output = plus(statedCount(own(value, "output")), statedCount(own(value, "reasoning")));
  return stated({ input: statedCount(own(value, "input")), cacheRead, cacheWrite, output });
}

/** LangChain `usage_metadata`: `input_tokens` is the sum of all input. */
export function langchainUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const details = own(value, "input_token_details");
  const read = statedCount(own(details, "cache_read"));
  const write = statedCount(own(details, "cache_creation"));
  return split(statedCount(own(value, "input_tokens")), read, write, statedCount(own(value, "output_tokens")));
}

/** tinyagents: a total that is the sum of all four parts tells that the input leaves out the cache. */
export function tinyagentsUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = statedCount(own(value, "input_tokens"));
  const output = statedCount(own(value, "output_tokens"));
  const read = statedCount(own(value, "cache_read_tokens"));
  const write = statedCount(own(value, "cache_creation_tokens"));
  const cached = (read ?? 0) + (write ?? 0);
  const apart = cached > 0 && statedCount(own(value, "total_tokens")) === (input ?? 0) + (output ?? 0) + cached;
  return apart ? stated({ input, cacheRead: read, cacheWrite: write, output }) : split(input, read, write, output);
}

/** openhuman transcripts: `input` includes `cached_input`. */
export function openhumanUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  return split(
    statedCount(own(value, "input")),
    statedCount(own(value, "cached_input")),
    undefined,
    statedCount(own(value, "output")),
  );
}

/** OpenHands V1 metrics: `prompt_tokens` includes the cache. */
export function openhandsUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const read = statedCount(own(value, "cache_read_tokens"));
  const write = statedCount(own(value, "cache_write_tokens"));
  return split(statedCount(own(value, "prompt_tokens")), read, write, statedCount(own(value, "completion_tokens")));
}

/** What an agent says that a whole session used; nothing where every figure is 0 or not stated. */
export function statedUsage(
  usage: Usage | undefined,
  facts: Partial<Pick<ThreadUsage, "model" | "task" | "calls">> = {},
): readonly ThreadUsage[] {
  if (usage === undefined) return [];
  const { input, cacheRead, cacheWrite, output } = usage;
  if ([input, cacheRead, cacheWrite, output].every((part) => part === undefined || part === 0)) return [];
  return [{ model: facts.model, task: facts.task, calls: facts.calls, input, cacheRead, cacheWrite, output }];
}

/** SWE-agent `model_stats` of a run; nothing is said of a cache. */
export function sweAgentUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  return split(
    statedCount(own(value, "tokens_sent")),
    undefined,
    undefined,
    statedCount(own(value, "tokens_received")),
  );
}

/** Copilot, sums of a session by model: `inputTokens` includes the cache. */
export function copilotUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const read = statedCount(own(value, "cacheReadTokens"));
  const write = statedCount(own(value, "cacheWriteTokens"));
  return split(statedCount(own(value, "inputTokens")), read, write, statedCount(own(value, "outputTokens")));
}

/** openhuman's meta line: `input_tokens` includes the cached ones. */
export function openhumanTotals(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cached = statedCount(own(value, "cached_input_tokens"));
  return split(statedCount(own(value, "input_tokens")), cached, undefined, statedCount(own(value, "output_tokens")));
}

/** hermes-web-ui, sums of a run: `input_tokens` is all that was sent. */
export function webUiUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const read = statedCount(own(value, "cache_read_tokens"));
  const write = statedCount(own(value, "cache_write_tokens"));
  return split(statedCount(own(value, "input_tokens")), read, write, statedCount(own(value, "output_tokens")));
}

/** Both together; a part that only one of them states is that one's. */
export function addedUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    input: plus(a.input, b.input),
    cacheRead: plus(a.cacheRead, b.cacheRead),
    cacheWrite: plus(a.cacheWrite, b.cacheWrite),
    output: plus(a.output, b.output),
  };
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

function anyTokens(value: unknown, keys: readonly string[]): boolean {
  return keys.some((key) => (statedCount(own(value, key)) ?? 0) !== 0);
}

function stated(usage: Usage): Usage | undefined {
  const { input, cacheRead, cacheWrite, output } = usage;
  return input === undefined && cacheRead === undefined && cacheWrite === undefined && output === undefined
    ? undefined
    : usage;
}

/** A time as ISO text: epoch seconds or milliseconds as a number, or a text as it stands. */
export function timeText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return undefined;
  // Seconds until the year 5138 stay below 1e11; milliseconds passed that in 1973.
  const ms = Math.round(value < 1e11 ? value * 1000 : value);
  // The range of JavaScript dates (ECMA-262, time values).
  return ms <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}
