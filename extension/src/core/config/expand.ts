import type { PyValue } from "../model/pyValue";
import { placeholderRuns } from "./placeholderRuns";

/** A variable's value and where it stands, in words (`the profile's .env`, `the editor's environment`). */
export interface EnvironmentValue {
  readonly value: string;
  readonly source: string;
}

/** The agent's environment as far as it is known here. */
export interface Environment {
  get(name: string): EnvironmentValue | undefined;
}

export interface Placeholder {
  /** UTF-16 offsets in the loaded text. */
  readonly start: number;
  readonly end: number;
  /** As written, braces included. */
  readonly written: string;
  /** variable: `${VAR}`, `${env:VAR}` · secret: a reference to a secret store · default: `${VAR:-x}` and its like, which do not exist. */
  readonly kind: "variable" | "secret" | "default";
  readonly name: string;
  readonly found: EnvironmentValue | undefined;
}

const SCHEME = /^[a-z][a-z0-9_-]*:/;
const SHELL_DEFAULT = /^[A-Za-z_][A-Za-z0-9_]*:?[-=?+]/;
/** `$VAR`, which Hermes leaves as it is. */
const BARE = /\$([A-Za-z_][A-Za-z0-9_]*)/;

/** Every `${…}` of a text value. Hermes takes the whole body for a name, strips it, and never nests. */
export function placeholders(text: string, environment: Environment | undefined): readonly Placeholder[] {
  if (!text.includes("${")) return [];
  return placeholderRuns(text).map(({ start, end, body: inner }) => {
    const body = inner.trim();
    const place = { start, end, written: text.slice(start, end) };
    const isEnv = body.startsWith("env:");
    const name = isEnv ? body.slice("env:".length).trim() : body;
    if (!isEnv && SCHEME.test(body) && !SHELL_DEFAULT.test(body))
      return { ...place, kind: "secret", name: body, found: undefined };
    const found = environment?.get(name);
    return { ...place, kind: found === undefined && SHELL_DEFAULT.test(name) ? "default" : "variable", name, found };
  });
}

/** The name of a `$VAR` outside of braces; undefined where there is none. */
export function bareVariable(text: string): string | undefined {
  return BARE.exec(text)?.[1];
}

/**
 * The text as the agent works with it: each known variable replaced, everything else left as written, the result always text.
 * Source: `hermes_cli/config.py` @00067189.
 */
export function expandText(text: string, environment: Environment | undefined): string {
  let out = "";
  let done = 0;
  for (const { start, end, found } of placeholders(text, environment)) {
    if (found === undefined) continue;
    out += text.slice(done, start) + found.value;
    done = end;
  }
  return done === 0 ? text : out + text.slice(done);
}

/** Expands the text values in mappings and lists, keys excepted. A value without any is returned as it is. */
export function expandValue(value: PyValue, environment: Environment | undefined): PyValue {
  if (environment === undefined) return value;
  switch (value.t) {
    case "str": {
      const text = expandText(value.v, environment);
      return text === value.v ? value : { t: "str", v: text };
    }
    case "list": {
      const items = value.v.map((item) => expandValue(item, environment));
      return items.every((item, index) => item === value.v[index]) ? value : { t: "list", v: items };
    }
    case "dict": {
      const pairs = value.v.map(([key, item]) => [key, expandValue(item, environment)] as const);
      return pairs.every(([, item], index) => item === value.v[index]?.[1]) ? value : { t: "dict", v: pairs };
    }
    default:
      return value;
  }
}

const SECRET_NAME = /key|token|secret|passw|passphrase|auth|credential|cookie|private|salt|dsn|webhook/i;
const SECRET_VALUE = /^(?:sk-|gh[pousr]_|github_pat_|xox[a-z]-|AKIA|AIza|eyJ|-----BEGIN)|:\/\/[^/\s:@]+:[^/\s@]+@/;

/** Numbers and switches are shown even where the name speaks of tokens (`MAX_TOKENS`). */
const HARMLESS_VALUE = /^(?:[+-]?\d{1,9}(?:\.\d{1,9})?|true|false|yes|no|on|off)?$/i;
const SURELY_SECRET_NAME = /secret|passw|passphrase|private/i;

/** True for what must not be shown: told by the variable's name or by the look of its value. */
export function looksSecret(name: string, value: string): boolean {
  if (HARMLESS_VALUE.test(value.trim())) return value.trim() !== "" && SURELY_SECRET_NAME.test(name);
  if (SECRET_NAME.test(name) || SECRET_VALUE.test(value)) return true;
  return value.length >= 20 && /^[\w+/=.-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** A variable's value for people: masked where it looks like a secret. */
export function shownValue(name: string, value: string): string {
  return looksSecret(name, value) ? "••••••" : value;
}

/** An expanded value for people: a text that holds something secret is not shown. */
export function masked(loaded: PyValue, expanded: PyValue, environment: Environment | undefined): PyValue {
  if (loaded.t !== "str" || expanded.t !== "str") return expanded;
  const secret = placeholders(loaded.v, environment).some(
    ({ name, found }) => found !== undefined && shownValue(name, found.value) !== found.value,
  );
  return secret ? { t: "str", v: "••••••" } : expanded;
}
