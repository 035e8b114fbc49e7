import type { PyValue } from "../model/pyValue";
import { PY_NONE } from "../model/pyValue";
import { failAt, type Properties, readDirectives, readProperties } from "./composeHead";
import type { Dialect, ScalarRules } from "./dialect";
import type { BuiltMap, BuiltNode, BuiltScalar, BuiltSeq } from "./nodes";
import { YamlRaise } from "./raise";
import { resolvePlain, TAG } from "./resolve";
import { Scanner } from "./scanner";
import type { ScalarStyle, Token, TokenKind } from "./token";
import type { YamlAlias, YamlNode, YamlPair } from "./types";

/**
 * Levels of nesting that are read. Python's own recursion limit is 1,000 frames, so that the agent's deep merge and
 * deep copy fail on deeper files even where its loader does not.
 */
export const MAX_DEPTH = 1000;

const NOT_APART: readonly number[] = [];
const NO_VALUE: readonly TokenKind[] = ["key", "value", "block-end"];
const NO_ITEM: readonly TokenKind[] = ["block-entry", "block-end"];
const NO_INDENTLESS_ITEM: readonly TokenKind[] = ["block-entry", "key", "value", "block-end"];
const NO_FLOW_PAIR_PART: readonly TokenKind[] = ["value", "flow-entry", "flow-sequence-end"];
const NO_FLOW_MAP_PART: readonly TokenKind[] = ["value", "flow-entry", "flow-mapping-end"];
const OUTSIDE: readonly TokenKind[] = ["version-directive", "tag-directive", "other-directive", "document-start"];

/** Text to a tree: the grammar of libyaml's and ruamel's parsers and their composers. Throws YamlRaise. */
export class Composer {
  private readonly scanner: Scanner;
  private readonly pure: boolean;
  private readonly anchors = new Map<string, BuiltNode>();
  private handles: ReadonlyMap<string, string> = new Map();
  private depth = 0;

  constructor(text: string, origin: number, dialect: Dialect) {
    this.scanner = new Scanner(text, origin, dialect);
    this.pure = dialect === "ruamel-pure";
  }

  /** The only document of the text, undefined when there is none. */
  document(): BuiltNode | undefined {
    const first = this.scanner.peek();
    if (first.kind === "stream-end") return undefined;
    let root: YamlNode;
    if (OUTSIDE.includes(first.kind)) {
      this.explicitStart();
      const kind = this.scanner.peek().kind;
      const empty = OUTSIDE.includes(kind) || kind === "document-end" || kind === "stream-end";
      root = empty ? this.empty(this.scanner.peek().start) : this.node(true, false);
    } else {
      this.handles = readDirectives(this.scanner, this.pure);
      root = this.node(true, false);
    }
    this.documentEnd();
    return root as BuiltNode;
  }

  /** Scalar rules in force at the end of the text. */
  rules(): ScalarRules {
    return this.scanner.cursor.version.rules();
  }

  private fail(what: string, at: { readonly start: number; readonly end: number }, code?: string): never {
    return failAt(what, at, code);
  }

  private documentEnd(): void {
    const s = this.scanner;
    let ends = 0;
    while (s.peek().kind === "document-end") {
      // After YAML 1.2 the pure parser takes a second `...` for a new document.
      if (++ends > 1 && this.pure && s.cursor.version.isAfter11()) break;
      s.next();
    }
    const next = s.peek();
    if (next.kind === "stream-end") return;
    if (next.kind === "document-start" || next.kind === "version-directive" || next.kind === "tag-directive")
      this.fail(
        "A second document begins here, and the file may hold only one. Remove the '---' line or what follows it.",
        next,
        "yaml-documents",
      );
    this.fail(
      "This does not belong to the text above. Check the indentation: the first key of the file sets the column for the others.",
      next,
    );
  }

  private explicitStart(): void {
    const s = this.scanner;
    this.handles = readDirectives(s, this.pure);
    const marker = s.peek();
    if (marker.kind !== "document-start") this.fail("A '---' line must follow the % directives.", marker);
    s.next();
  }

  private node(block: boolean, indentless: boolean): YamlNode {
    const s = this.scanner;
    const first = s.peek();
    if (first.kind === "alias") return this.alias(s.next());
    if (++this.depth > MAX_DEPTH)
      this.fail(`Nested deeper than ${MAX_DEPTH.toLocaleString("en")} levels. Flatten this part.`, first, "yaml-limit");
    const properties = readProperties(s, this.handles);
    const anchor = properties?.anchor;
    if (anchor !== undefined && !this.pure && this.anchors.has(anchor))
      this.fail(
        `The anchor &${anchor} is defined twice. Rename one of the two.`,
        { start: properties?.outerStart ?? 0, end: properties?.end ?? 0 },
        "yaml-anchor",
      );
    const next = s.peek();
    let result: YamlNode;
    if (indentless && next.kind === "block-entry") result = this.indentlessSequence(properties);
    else if (next.kind === "scalar") result = this.scalar(s.next(), properties);
    else if (next.kind === "flow-sequence") result = this.flowSequence(properties);
    else if (next.kind === "flow-mapping") result = this.flowMapping(properties);
    else if (block && next.kind === "block-sequence") result = this.blockSequence(properties);
    else if (block && next.kind === "block-mapping") result = this.blockMapping(properties);
    else if (properties !== undefined) result = this.empty(properties.end, properties);
    else this.failNoContent(next);
    this.depth--;
    return result;
  }

  private failNoContent(next: Token): never {
    if (next.kind === "stream-end") return this.fail("The text ends inside an open bracket. Close it.", next);
    if (next.kind === "block-entry")
      return this.fail("A '- ' item cannot stand inside brackets. Write the items between commas.", next);
    const found = this.scanner.cursor.text.slice(next.start, Math.max(next.end, next.start + 1));
    return this.fail(`A value is expected here, not '${found}'. Remove it, or put the text in quotes.`, next);
  }

  private alias(one: Token): YamlAlias {
    const found = this.anchors.get(one.text);
    if (found === undefined)
      this.fail(
        `The alias *${one.text} has no anchor before it. Define &${one.text} first, or quote the text.`,
        one,
        "yaml-anchor",
      );
    return {
      kind: "alias",
      start: one.start,
      end: one.end,
      outerStart: one.start,
      anchor: undefined,
      tag: undefined,
      name: one.text,
      target: found,
    };
  }

  private register(node: BuiltNode): void {
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
  }

  private makeScalar(
    start: number,
    end: number,
    style: ScalarStyle,
    text: string,
    resolved: string,
    properties: Properties | undefined,
    apart: readonly number[] = NOT_APART,
  ): BuiltScalar {
    const value: PyValue = PY_NONE;
    const node: BuiltScalar = {
      kind: "scalar",
      start,
      end,
      outerStart: properties?.outerStart ?? start,
      anchor: properties?.anchor,
      tag: properties?.tag,
      style,
      text,
      value,
      resolved,
      apart,
    };
    this.register(node);
    return node;
  }

  private scalar(one: Token, properties: Properties | undefined): BuiltScalar {
    const full = properties?.fullTag;
    let resolved = full ?? TAG.str;
    if (full === "!" || (full === undefined && one.style === "plain")) resolved = this.implicit(one.text, one);
    return this.makeScalar(
      one.start,
      one.end,
      one.style,
      one.text,
      resolved,
      properties,
      one.extra === "" ? NOT_APART : one.extra.split(",").map(Number),
    );
  }

  /** The scalar that stands where nothing was written. */
  private empty(pos: number, properties?: Properties): BuiltScalar {
    const full = properties?.fullTag;
    let resolved = full ?? TAG.null;
    // Only the pure parser takes a bare `!` before nothing for "decide yourself".
    if (full === "!") resolved = this.pure ? TAG.null : TAG.str;
    if (resolved === TAG.null && full !== TAG.null) resolved = this.implicit("", { start: pos, end: pos });
    return this.makeScalar(pos, pos, "plain", "", resolved, properties);
  }

  private implicit(text: string, at: { readonly start: number; readonly end: number }): string {
    const tag = resolvePlain(text, this.scanner.cursor.version.rules());
    if (tag === undefined)
      throw new YamlRaise(
        "yaml-syntax",
        "This YAML version is not supported. Write %YAML 1.1 or remove the line.",
        at,
        "python",
      );
    return tag;
  }

  private openSeq(start: number, flow: boolean, properties: Properties | undefined): BuiltSeq {
    const resolved = collectionTag(properties, TAG.seq);
    const node: BuiltSeq = { kind: "seq", ...opened(start, properties), flow, items: [], resolved };
    this.register(node);
    return node;
  }

  private openMap(start: number, flow: boolean, properties: Properties | undefined): BuiltMap {
    const resolved = collectionTag(properties, TAG.map);
    const node: BuiltMap = { kind: "map", ...opened(start, properties), flow, pairs: [], resolved };
    this.register(node);
    return node;
  }

  /** Reads a node unless a token says that nothing was written; then the empty scalar stands at `pos`. */
  private nodeOrEmpty(none: readonly TokenKind[], pos: number, block: boolean, indentless: boolean): YamlNode {
    return none.includes(this.scanner.peek().kind) ? this.empty(pos) : this.node(block, indentless);
  }

  private blockSequence(properties: Properties | undefined): BuiltSeq {
    const s = this.scanner;
    const node = this.openSeq(s.next().start, false, properties);
    while (s.peek().kind === "block-entry") {
      const dash = s.next();
      const item = this.nodeOrEmpty(NO_ITEM, dash.end, true, false);
      node.items.push(item);
      node.end = item.end;
    }
    if (s.peek().kind !== "block-end")
      this.fail("A '- ' item is expected here. Check the indentation of this line.", s.peek());
    s.next();
    return node;
  }

  private indentlessSequence(properties: Properties | undefined): BuiltSeq {
    const s = this.scanner;
    const node = this.openSeq(s.peek().start, false, properties);
    while (s.peek().kind === "block-entry") {
      const dash = s.next();
      const item = this.nodeOrEmpty(NO_INDENTLESS_ITEM, dash.end, true, false);
      node.items.push(item);
      node.end = item.end;
    }
    return node;
  }

  private blockMapping(properties: Properties | undefined): BuiltMap {
    const s = this.scanner;
    const node = this.openMap(s.next().start, false, properties);
    for (;;) {
      const next = s.peek();
      let key: YamlNode;
      if (next.kind === "key") {
        s.next();
        key = this.nodeOrEmpty(NO_VALUE, next.end, true, true);
      } else if (next.kind === "value" && s.cursor.version.isAfter11()) key = this.empty(next.start);
      else break;
      let value: YamlNode;
      if (s.peek().kind === "value") {
        const colon = s.next();
        value = this.nodeOrEmpty(NO_VALUE, colon.end, true, true);
      } else value = this.empty(key.end);
      node.pairs.push({ key, value });
      node.end = value.end;
    }
    if (s.peek().kind !== "block-end")
      this.fail(
        "A key is expected here. Check the indentation of this line, and quote a value that is followed by more text.",
        s.peek(),
      );
    s.next();
    return node;
  }

  private flowSequence(properties: Properties | undefined): BuiltSeq {
    const s = this.scanner;
    const opener = s.next();
    const node = this.openSeq(opener.start, true, properties);
    while (s.peek().kind !== "flow-sequence-end") {
      if (node.items.length > 0) {
        if (s.peek().kind !== "flow-entry") this.failUnclosed("A ',' or ']' is expected here.", opener);
        s.next();
      }
      if (s.peek().kind === "key") node.items.push(this.flowPair());
      else if (s.peek().kind !== "flow-sequence-end") node.items.push(this.node(false, false));
      else break;
    }
    node.end = s.next().end;
    return node;
  }

  private failUnclosed(what: string, opener: Token): never {
    const next = this.scanner.peek();
    if (next.kind === "stream-end") return this.fail("The bracket opened here is never closed.", opener);
    return this.fail(`${what} Close the bracket, or quote the text.`, next);
  }

  /** A single `key: value` inside `[…]`. */
  private flowPair(): BuiltMap {
    const s = this.scanner;
    const opener = s.next();
    if (++this.depth > MAX_DEPTH) this.fail("Nested too deep.", opener, "yaml-limit");
    const node = this.openMap(opener.start, true, undefined);
    let key: YamlNode;
    if (!NO_FLOW_PAIR_PART.includes(s.peek().kind)) key = this.node(false, false);
    else {
      // libyaml swallows the token behind an empty key, whatever it is.
      key = this.empty(opener.end);
      if (!this.pure) s.next();
    }
    let value: YamlNode;
    if (s.peek().kind === "value") {
      const colon = s.next();
      const kind = s.peek().kind;
      value = kind === "flow-entry" || kind === "flow-sequence-end" ? this.empty(colon.end) : this.node(false, false);
    } else value = this.empty(key.end);
    node.pairs.push({ key, value });
    node.end = value.end;
    this.depth--;
    return node;
  }

  private flowMapping(properties: Properties | undefined): BuiltMap {
    const s = this.scanner;
    const opener = s.next();
    const node = this.openMap(opener.start, true, properties);
    while (s.peek().kind !== "flow-mapping-end") {
      if (node.pairs.length > 0) {
        if (s.peek().kind !== "flow-entry") this.failUnclosed("A ',' or '}' is expected here.", opener);
        s.next();
      }
      const next = s.peek();
      if (next.kind === "flow-mapping-end") break;
      node.pairs.push(this.flowMappingPair(next));
    }
    node.end = s.next().end;
    return node;
  }

  private flowMappingPair(next: Token): YamlPair {
    const s = this.scanner;
    let key: YamlNode;
    if (next.kind === "key") {
      s.next();
      key = this.nodeOrEmpty(NO_FLOW_MAP_PART, next.end, false, false);
    } else if (next.kind === "value" && s.cursor.version.isAfter11()) key = this.empty(next.start);
    else {
      key = this.node(false, false);
      return { key, value: this.empty(key.end) };
    }
    if (s.peek().kind !== "value") return { key, value: this.empty(key.end) };
    const colon = s.next();
    const kind = s.peek().kind;
    const none = kind === "flow-entry" || kind === "flow-mapping-end";
    return { key, value: none ? this.empty(colon.end) : this.node(false, false) };
  }
}

function collectionTag(properties: Properties | undefined, fallback: string): string {
  const full = properties?.fullTag;
  return full === undefined || full === "!" ? fallback : full;
}

/** What every collection has before its first item was read. */
function opened(start: number, properties: Properties | undefined) {
  const { outerStart = start, anchor, tag } = properties ?? {};
  return { start, end: start, outerStart, anchor, tag };
}
