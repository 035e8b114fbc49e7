import type { ReadPart, ReadWay } from "../../model/resultHandle";
import { isObject, own } from "../../transcript/json";
import { parseJson } from "../../util/parseJson";
import { pushAll } from "../../util/pushAll";
import { HANDLE_LIMITS } from "./handle";
import type { HandleNames, NamedAt } from "./handleNames";
import { commandUse } from "./shellCommand";
import { toolKind } from "./toolKinds";

/** A tool call as its arguments tell it. */
export interface ParsedCall {
  /** The arguments as JSON; undefined where they are a plain text. */
  readonly value: unknown;
  /** Every text in the arguments, bounded. */
  readonly texts: readonly string[];
  /** The same for the same arguments, whatever the order of their members and the blanks between them. */
  readonly canonical: string;
  /** A text in it was shortened afterwards, so that names may be missing. */
  readonly cut: boolean;
}

/** Hermes shortens texts of old calls: the first 200 characters and this (hermes.md 4.1, pass 3). */
const SHORTENED = "...[truncated]";
const MAX_VALUES = 5_000;
const MAX_DEPTH = 20;

/** Undefined where the arguments are too long to be looked at. */
export function parseCall(args: string): ParsedCall | undefined {
  if (args.length > HANDLE_LIMITS.args) return undefined;
  const value = parseJson(args);
  if (!isObject(value) && !Array.isArray(value)) {
    const text = typeof value === "string" ? value : args;
    return { value: undefined, texts: [text], canonical: text, cut: text.endsWith(SHORTENED) };
  }
  const texts: string[] = [];
  const whole = textsIn(value, texts, 0);
  const canonical = JSON.stringify(sorted(value, 0)) ?? "";
  return { value, texts, canonical, cut: !whole || texts.some((text) => text.endsWith(SHORTENED)) };
}

/** False where not all was looked at. */
function textsIn(value: unknown, texts: string[], depth: number): boolean {
  if (texts.length >= MAX_VALUES || depth > MAX_DEPTH) return false;
  if (typeof value === "string") texts.push(value);
  // A command in pieces: `["bash", "-lc", "sed -n 1,20p FILE"]` is found in its pieces, `["cat", "FILE"]` only in the whole.
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    pushAll(texts, value);
    texts.push(value.join(" "));
    return true;
  }
  if (Array.isArray(value)) return value.every((one) => textsIn(one, texts, depth + 1));
  return isObject(value) ? Object.values(value).every((one) => textsIn(one, texts, depth + 1)) : true;
}

function sorted(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1));
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  // Pairs, since an object would put members with number names first.
  return { "": keys.map((key) => [key, sorted(value[key], depth + 1)]) };
}

/** What one call does with one handle. */
export interface CallUse {
  readonly handle: number;
  readonly reads: "yes" | "maybe";
  readonly way: ReadWay;
  readonly part: ReadPart | undefined;
}

/** What a call reads of what was left so far, as far as its tool and arguments tell. */
export function usesOf(tool: string | undefined, call: ParsedCall, names: HandleNames): readonly CallUse[] {
  const kind = toolKind(tool);
  if (kind === "other") return [];
  if (kind === "byId") return byId(call, names);
  const uses = new Map<number, CallUse>();
  for (const text of call.texts) {
    for (const named of names.in(text)) {
      const use = useOf(kind, text, named, call);
      if (use === undefined || uses.get(use.handle)?.reads === "yes") continue;
      uses.set(use.handle, use);
    }
  }
  return [...uses.values()];
}

function byId({ value, texts }: ParsedCall, names: HandleNames): readonly CallUse[] {
  const written = own(value, "id") ?? own(value, "result_id");
  const handle = names.get(typeof written === "string" ? written : (texts[0] ?? ""));
  if (handle === undefined) return [];
  const offset = own(value, "offset");
  const from = offset === undefined ? 0 : whole(offset);
  const part =
    own(value, "id") === undefined || from === undefined ? undefined : ({ unit: "utf16", from, to: null } as const);
  return [{ handle, reads: "yes", way: "id", part }];
}

function useOf(
  kind: ReturnType<typeof toolKind>,
  text: string,
  { handle, start, end, how }: NamedAt,
  call: ParsedCall,
): CallUse | undefined {
  const sure = how !== "tail";
  switch (kind) {
    case "reader": {
      const reads = how === "whole" ? "yes" : "maybe";
      return { handle, reads, way: "file", part: how === "whole" ? linesAsked(call.value) : undefined };
    }
    case "command": {
      const { reads, part } = commandUse(text, start, end);
      return reads === "no"
        ? undefined
        : { handle, reads: sure ? reads : "maybe", way: "command", part: sure ? part : undefined };
    }
    case "code": {
      const opens = /\b(?:open|read\w*|Path|load\w*)\b/.test(text);
      return { handle, reads: sure && opens ? "yes" : "maybe", way: "code", part: undefined };
    }
    default:
      return { handle, reads: "maybe", way: "file", part: undefined };
  }
}

/** `offset` (from 1) and `limit` count lines in the file tools of Hermes, Claude Code, opencode and Gemini CLI. */
function linesAsked(args: unknown): ReadPart | undefined {
  const from = whole(own(args, "offset"));
  const limit = whole(own(args, "limit"));
  if (from === undefined && limit === undefined) return undefined;
  const first = Math.max(1, from ?? 1);
  return { unit: "lines", from: first, to: limit === undefined ? null : first + limit };
}

function whole(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
