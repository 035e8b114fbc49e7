import type { Usage } from "../model/transcript";
import { isObject, own } from "./json";

/** A count as stated; anything but a finite number that is not negative is not a count. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Anthropic: `input_tokens` leaves out what was read from or written to the cache. */
export function anthropicUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  return stated({
    input: count(own(value, "input_tokens")),
    cacheRead: count(own(value, "cache_read_input_tokens")),
    cacheWrite: count(own(value, "cache_creation_input_tokens")),
    output: count(own(value, "output_tokens")),
  });
}

/** OpenAI: `prompt_tokens` includes the cached ones, which are taken out here; proxies state cache figures at the top. */
export function openaiUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const prompt = count(own(value, "prompt_tokens"));
  const cacheRead =
    count(own(own(value, "prompt_tokens_details"), "cached_tokens")) ?? count(own(value, "cache_read_input_tokens"));
  const cacheWrite = count(own(value, "cache_creation_input_tokens"));
  return stated({
    input: prompt === undefined ? undefined : Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: count(own(value, "completion_tokens")),
  });
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
