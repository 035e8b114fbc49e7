import { YamlRaise } from "./raise";
import type { Scanner } from "./scanner";
import type { Token } from "./token";

/** What stands before content: `%` directives, tags and anchors. */

export interface Properties {
  readonly outerStart: number;
  readonly end: number;
  readonly anchor: string | undefined;
  /** As written. */
  readonly tag: string | undefined;
  /** After `%TAG` handles; undefined without a tag. */
  readonly fullTag: string | undefined;
}

/** Refuses the document at a place, as a loader does. */
export function failAt(
  what: string,
  at: { readonly start: number; readonly end: number },
  code = "yaml-syntax",
): never {
  // Our own limits are no reason to ask the next parser.
  const kind = code === "yaml-limit" ? "python" : "yaml";
  throw new YamlRaise(code, what, { start: at.start, end: Math.max(at.end, at.start) }, kind);
}

/** Reads the directives before a document and returns its tag handles. */
export function readDirectives(s: Scanner, pure: boolean): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  let version: Token | undefined;
  let explicit = false;
  while (s.peek().kind.endsWith("-directive")) {
    const one = s.next();
    explicit = true;
    if (one.kind === "version-directive") {
      if (version !== undefined) failAt("There are two %YAML directives. Remove one.", one);
      version = one;
      const minor = Number(one.extra);
      if (Number(one.text) !== 1 || (!pure && minor !== 1 && minor !== 2))
        failAt("This YAML version is not supported. Write %YAML 1.1 or remove the line.", one);
    } else if (one.kind === "tag-directive") {
      if (handles.has(one.extra)) failAt("This %TAG handle is declared twice. Remove one of the lines.", one);
      handles.set(one.extra, one.text);
    }
  }
  if (explicit || s.peek().kind === "document-start")
    s.cursor.version.onExplicitDocument(
      version === undefined ? undefined : Number(version.text),
      version === undefined ? undefined : Number(version.extra),
    );
  if (!handles.has("!")) handles.set("!", "!");
  if (!handles.has("!!")) handles.set("!!", "tag:yaml.org,2002:");
  return handles;
}

/** Reads a tag and an anchor in either order; undefined when there is neither. */
export function readProperties(s: Scanner, handles: ReadonlyMap<string, string>): Properties | undefined {
  const first = s.peek();
  if (first.kind !== "anchor" && first.kind !== "tag") return undefined;
  s.next();
  const second = s.peek();
  const two = (second.kind === "anchor" || second.kind === "tag") && second.kind !== first.kind;
  if (two) s.next();
  const anchor = first.kind === "anchor" ? first : two ? second : undefined;
  const tag = first.kind === "tag" ? first : two ? second : undefined;
  return {
    outerStart: first.start,
    end: two ? second.end : first.end,
    anchor: anchor?.text,
    tag: tag === undefined ? undefined : s.cursor.text.slice(tag.start, tag.end),
    fullTag: tag === undefined ? undefined : expandTag(tag, handles),
  };
}

function expandTag(tag: Token, handles: ReadonlyMap<string, string>): string {
  if (tag.extra === "") return tag.text;
  const prefix = handles.get(tag.extra);
  if (prefix === undefined) failAt("This tag handle is not declared. Remove the tag, or declare it by %TAG.", tag);
  return prefix + tag.text;
}
