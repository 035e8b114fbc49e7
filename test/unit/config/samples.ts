import { checkConfig } from "../../../extension/src/core/config/check";
import type { CheckOptions, ConfigCheck } from "../../../extension/src/core/config/types";

export const KEY = "tool_result_persist_threshold_chars";

/** A config whose key holds `written`. */
export function withValue(written: string): string {
  return `tools:\n  ${KEY}: ${written}\n`;
}

export function check(text: string, options: Partial<CheckOptions> = {}): ConfigCheck {
  return checkConfig(text, { loader: "ruamel", ...options });
}

export function codes(text: string, options: Partial<CheckOptions> = {}): readonly string[] {
  return check(text, options).problems.map((problem) => problem.code);
}

/** The text that a problem underlines. */
export function underlined(text: string, code: string, options: Partial<CheckOptions> = {}): string | undefined {
  const problem = check(text, options).problems.find((candidate) => candidate.code === code);
  return problem === undefined ? undefined : text.slice(problem.range.start, problem.range.end);
}

/** A placeholder as Hermes expands it: dollar, braces, body. */
export function variable(body: string): string {
  return `$\{${body}}`;
}
