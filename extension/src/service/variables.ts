import { type Environment, placeholders, shownValue } from "../core/config/expand";
import type { PyValue } from "../core/model/pyValue";
import { markdownText } from "../core/util/markdown";
import { inlineCode } from "./inlineCode";

/** One line per `${…}` of a text: what it stands for and where that was found. Ends with an empty line where there is any. */
export function variableLines(loaded: PyValue, environment: Environment | undefined): readonly string[] {
  if (loaded.t !== "str") return [];
  const lines = placeholders(loaded.v, environment).map((place) => {
    const name = inlineCode(place.written);
    if (place.kind === "secret")
      return `${name}: a reference to a secret store, which the config loader leaves as it is.`;
    if (place.found !== undefined)
      return `${name} = ${inlineCode(shownValue(place.name, place.found.value))} from ${markdownText(place.found.source)}. The result stays text.`;
    if (place.kind === "default") return `${name}: Hermes knows no defaults here; the whole text is taken for a name.`;
    return environment === undefined
      ? `${name}: expanded when the agent loads the file.`
      : `${name} is not set here, so Hermes leaves it as it is.`;
  });
  return lines.length === 0 ? [] : [...lines.map((line) => `${line}  `), ""];
}

/** `${…}` under the caret in any value of an agent's config; undefined elsewhere and in comments. */
export function placeholderAt(
  text: string,
  offset: number,
): { readonly start: number; readonly end: number; readonly written: string } | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  if (!line.includes("${") || /^\s*(?:#|\/\/)/.test(line)) return undefined;
  const place = placeholders(line, undefined).find(
    ({ start, end }) => offset >= lineStart + start && offset <= lineStart + end,
  );
  return place && { start: lineStart + place.start, end: lineStart + place.end, written: place.written };
}
