import { own, type Texts } from "./json";
import { toolResponses } from "./toolResponses";

/** No key of a real record begins with NUL, so these steps of a path cannot be mistaken for one. */
const VIRTUAL = "\u0000";
/** The text that follows, whatever the record holds: what a model got in place of a text that is stored whole. */
const LITERAL = `${VIRTUAL}literal:`;
/** The JSON values between `<tool_response>` tags of a text, as a list. */
export const TOOL_RESPONSES = `${VIRTUAL}tool-responses`;

export function literalStep(text: string): string {
  return `${LITERAL}${text}`;
}

/** True for a step that is no key of the record but one of the above. */
export function isVirtualStep(step: string | number | undefined): boolean {
  return typeof step === "string" && step.startsWith(VIRTUAL);
}

export interface Stepped {
  readonly value: unknown;
  readonly texts: Texts;
}

/** Walks a path into a parsed record. Steps are keys and indexes, or one of the virtual steps above. */
export function walkPath(value: unknown, path: readonly (string | number)[], texts: Texts): Stepped {
  let at: Stepped = { value, texts };
  for (const step of path) at = walkStep(at, step);
  return at;
}

function walkStep({ value, texts }: Stepped, step: string | number): Stepped {
  if (typeof step === "string" && step.startsWith(VIRTUAL)) {
    if (step.startsWith(LITERAL)) return { value: step.slice(LITERAL.length), texts: texts.decoded() };
    if (step === TOOL_RESPONSES && typeof value === "string") {
      return { value: toolResponses(texts.decode(value)), texts: texts.decoded() };
    }
  }
  return { value: own(value, step), texts };
}
