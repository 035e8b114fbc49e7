import { placeholderRuns, withoutPlaceholders } from "./placeholderRuns";

/** How Hermes treats `${…}` in a text value (`hermes_cli/config.py` @00067189). The result always stays text. */
export type Expansion =
  /** No placeholder, or the rest of the text can never become a whole number. */
  | { readonly kind: "none" }
  /** `${VAR}` or `${env:VAR}`: whether it counts depends on the environment. */
  | { readonly kind: "variable"; readonly name: string }
  /** `${vault:…}`: the config loader leaves it as it is. */
  | { readonly kind: "secret"; readonly name: string };

const SCHEME = /^[a-z][a-z0-9_-]*:/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAY_BE_NUMBER = /^[\s+\-\p{Nd}]*$/u;

/** Whether a written text depends on a placeholder, and on which; nothing is looked up. */
export function expansionOf(text: string): Expansion {
  const runs = placeholderRuns(text);
  const bodies = runs.map(({ body }) => body.trim());
  const [first] = bodies;
  if (first === undefined || !MAY_BE_NUMBER.test(withoutPlaceholders(text, runs))) return { kind: "none" };
  const secret = bodies.find((body) => SCHEME.test(body) && !body.startsWith("env:"));
  if (secret !== undefined) return { kind: "secret", name: secret };
  const names = bodies.map((body) => body.replace(/^env:/, ""));
  return names.every((name) => NAME.test(name)) ? { kind: "variable", name: names[0] ?? first } : { kind: "none" };
}
