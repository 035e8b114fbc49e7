import {
  ARGS_KEPT,
  DUPLICATE_NOTICE,
  oneLineSummary,
  PRUNE_MIN_CHARS,
  truncateArguments,
} from "../../../extension/src/core/compaction/hermes/oneLine";
import {
  isDict,
  isTruthy,
  type PythonDict,
  pythonStr,
  pythonText,
} from "../../../extension/src/core/compaction/hermes/pythonText";
import { type PythonJson, parsePythonJson } from "../../../extension/src/core/util/pythonJson";
import { countCodePoints, headCodePoints } from "../../../extension/src/core/util/textSize";
import { textMember } from "../textMember";
import { isImagePart, isMultimodal } from "./parts";
import { tailTokens } from "./tailTokens";

/** Literals of `agent/context_compressor.py`. */
const CLEARED_NOTICE = "[Old tool output cleared to save context space]";
const IMAGE_NOTICE = "[screenshot removed to save context]";
/** In token mode no more than this many messages are protected by count. */
const COUNT_FLOOR = 8;
/** Messages at the end that the first round of the pressure pass leaves alone. */
const PRESSURE_KEPT = 3;
/** Messages at the end in which a `skill_view` call counts as just loaded. */
const RECENT_SKILLS = 10;
/** A stub that an earlier pass left is shorter than this. Code points. */
const STUB_BELOW = 400;

export interface PruneOldOptions {
  readonly protectTailCount: number;
  /** Token budget of the protected tail; undefined or not positive = by count. */
  readonly protectTailTokens?: number | undefined;
  /** Results of at most this many code points stay. */
  readonly minPruneChars?: number;
}

export interface PruneOldOutcome {
  readonly messages: readonly PythonDict[];
  /** Results replaced; shortened arguments do not count. */
  readonly pruned: number;
}

interface ToolCallFacts {
  readonly name: string;
  readonly args: string;
}

/**
 * `_prune_old_tool_results` of v2026.8.16.2: duplicates, then one-line summaries and shorter arguments before the protected
 * tail, then (token mode) the tail itself under pressure. No message goes away and none is changed in place.
 */
export function pruneOldResults(messages: readonly PythonDict[], options: PruneOldOptions): PruneOldOutcome {
  const pass = new Pass(messages, options.minPruneChars ?? PRUNE_MIN_CHARS);
  const tokens = options.protectTailTokens;
  const byTokens = tokens !== undefined && tokens > 0;
  const boundary = byTokens
    ? tailStart(messages, options.protectTailCount, tokens)
    : messages.length - options.protectTailCount;
  pass.dedupe();
  const spared = pass.protectedSkills(boundary);
  for (let i = 0; i < boundary; i++) pass.demote(i, spared);
  for (let i = 0; i < boundary; i++) pass.shortenArguments(i);
  if (byTokens && messages.length > 0) pass.relieveTail(boundary, tokens);
  return { messages: pass.result, pruned: pass.pruned };
}

/** First message of the tail that a token budget protects; at least min(count, 8) messages are in it. */
function tailStart(messages: readonly PythonDict[], count: number, tokens: number): number {
  const total = messages.length;
  const least = Math.min(count, total, COUNT_FLOOR);
  const newest = messages.findLastIndex((message) => textMember(message, "role") === "assistant");
  let kept = 0;
  let boundary = total;
  for (let i = total - 1; i >= 0; i--) {
    const message = messages[i];
    if (message === undefined) break;
    const weight = tailTokens(message, i === newest);
    boundary = i;
    if (kept + weight > tokens && total - i >= least) break;
    kept += weight;
  }
  return total - Math.max(total - boundary, least);
}

class Pass {
  readonly result: PythonDict[];
  pruned = 0;
  private readonly calls = new Map<string, ToolCallFacts>();

  constructor(
    messages: readonly PythonDict[],
    private readonly minPruneChars: number,
  ) {
    this.result = [...messages];
    for (const message of messages) {
      if (textMember(message, "role") !== "assistant") continue;
      for (const call of toolCalls(message)) {
        const inner = call.members.get("function");
        const args = isDict(inner) ? inner.members.get("arguments") : undefined;
        this.calls.set(textMember(call, "id") ?? "", {
          name: textMember(inner, "name") ?? "unknown",
          args: isTruthy(args) ? pythonStr(args) : "",
        });
      }
    }
  }

  dedupe(): void {
    const seen = new Set<string>();
    for (let i = this.result.length - 1; i >= 0; i--) {
      const message = this.toolMessage(i);
      const content = textMember(message, "content");
      if (message === undefined || content === undefined || countCodePoints(content) < PRUNE_MIN_CHARS) continue;
      // Hermes compares digests of the UTF-8 text, in which every lone surrogate is the same question mark.
      const key = content.replace(/\p{Cs}/gu, "?");
      if (seen.has(key)) this.replace(i, message, pythonText(DUPLICATE_NOTICE));
      else seen.add(key);
    }
  }

  /** Lower-cased names of the skills that are in use: just loaded, loaded in the tail, or named there by the user. */
  protectedSkills(boundary: number): ReadonlySet<string> {
    const total = this.result.length;
    const from = Math.min(Math.max(0, total - RECENT_SKILLS), Math.max(0, boundary));
    const said: string[] = [];
    for (const message of this.result.slice(Math.max(0, boundary))) {
      if (textMember(message, "role") === "user") said.push((textMember(message, "content") ?? "").toLowerCase());
    }
    const names = new Set<string>();
    for (const [index, message] of this.result.entries()) {
      if (textMember(message, "role") !== "assistant") continue;
      for (const call of toolCalls(message)) {
        const inner = call.members.get("function");
        if (textMember(inner, "name") !== "skill_view") continue;
        const name = skillName(textMember(inner, "arguments") ?? "")?.toLowerCase();
        if (name !== undefined && (index >= from || said.some((text) => text.includes(name)))) names.add(name);
      }
    }
    return names;
  }

  /** Replaces one result by its line. `spared`: skills whose text stays; none under pressure. */
  demote(index: number, spared?: ReadonlySet<string>): boolean {
    const message = this.toolMessage(index);
    if (message === undefined) return false;
    const content = message.members.get("content");
    if (content?.kind === "array" || isMultimodal(content)) return this.stripImages(index, message);
    if (content?.kind !== "string" || content.text === "" || content.text === CLEARED_NOTICE) return false;
    const text = content.text;
    if (text.startsWith("[Duplicate tool output") || text.startsWith("[screenshot removed")) return false;
    const chars = countCodePoints(text);
    if (text.startsWith("[") && text.includes(" chars)") && chars < STUB_BELOW) return false;
    if (chars <= this.minPruneChars) return false;
    const { name, args } = this.calls.get(textMember(message, "tool_call_id") ?? "") ?? { name: "unknown", args: "" };
    if (name === "skill_view" && spared?.has((skillName(args) ?? "").toLowerCase()) === true) return false;
    this.replace(index, message, pythonText(oneLineSummary(name, args, text)));
    return true;
  }

  shortenArguments(index: number): void {
    const message = this.result[index];
    if (message === undefined || textMember(message, "role") !== "assistant") return;
    const calls = message.members.get("tool_calls");
    if (calls?.kind !== "array") return;
    let changed = false;
    const items = calls.items.map((call) => {
      const inner = isDict(call) ? call.members.get("function") : undefined;
      const args = textMember(inner, "arguments");
      if (!isDict(call) || !isDict(inner) || args === undefined || countCodePoints(args) <= ARGS_KEPT) return call;
      const shorter = truncateArguments(args);
      if (shorter === args) return call;
      changed = true;
      return withMember(call, "function", withMember(inner, "arguments", pythonText(shorter)));
    });
    if (changed) this.result[index] = withMember(message, "tool_calls", { kind: "array", items });
  }

  /** Shortens inside the protected tail while it weighs more than one and a half times its budget. */
  relieveTail(boundary: number, tokens: number): void {
    const ceiling = Math.trunc(tokens * 1.5);
    const start = Math.max(0, boundary);
    const total = this.result.length;
    const end = total - Math.min(PRESSURE_KEPT, total);
    const weights = this.result.map((message, index) => (index < start ? 0 : tailTokens(message)));
    let weight = weights.reduce((sum, one) => sum + one, 0);
    const reweigh = (index: number): void => {
      const message = this.result[index];
      const now = message === undefined ? 0 : tailTokens(message);
      weight += now - (weights[index] ?? 0);
      weights[index] = now;
    };
    const shrink = (index: number): void => {
      this.demote(index);
      this.shortenArguments(index);
      if (index >= start) reweigh(index);
    };
    if (end <= boundary || weight <= ceiling) return;
    for (let i = start; i < end && weight > ceiling; i++) shrink(i);
    if (weight <= ceiling) return;
    const last = this.result.findLastIndex((message) => textMember(message, "role") === "tool");
    for (let i = start; i < total; i++) if (i !== last) shrink(i);
    if (last >= start && weight > ceiling) this.demote(last);
  }

  private toolMessage(index: number): PythonDict | undefined {
    const message = this.result[index];
    return textMember(message, "role") === "tool" ? message : undefined;
  }

  private replace(index: number, message: PythonDict, content: PythonJson): void {
    this.result[index] = withMember(message, "content", content);
    this.pruned++;
  }

  /** Puts a placeholder for every image. What would have been sent instead of the content goes away with them. */
  private stripImages(index: number, message: PythonDict): boolean {
    const content = message.members.get("content");
    let stripped: PythonJson;
    if (isMultimodal(content)) {
      const summary = content.members.get("text_summary");
      const said = isTruthy(summary) ? pythonStr(summary) : IMAGE_NOTICE;
      stripped = pythonText(`[screenshot removed] ${headCodePoints(said, 200)}`);
    } else if (content?.kind === "array" && content.items.some(isImagePart)) {
      const notice: PythonJson = {
        kind: "object",
        members: new Map([
          ["type", pythonText("text")],
          ["text", pythonText(IMAGE_NOTICE)],
        ]),
      };
      stripped = { kind: "array", items: content.items.map((part) => (isImagePart(part) ? notice : part)) };
    } else return false;
    const members = new Map(message.members);
    members.delete("api_content");
    this.replace(index, { kind: "object", members }, stripped);
    return true;
  }
}

function toolCalls(message: PythonDict): readonly PythonDict[] {
  const calls = message.members.get("tool_calls");
  return calls?.kind === "array" ? calls.items.filter(isDict) : [];
}

/** The name in the arguments of a `skill_view` call; undefined when there is none. */
function skillName(args: string): string | undefined {
  const name = textMember(args === "" ? undefined : parsePythonJson(args), "name");
  return name === "" ? undefined : name;
}

/** `{**value, key: member}`. */
function withMember(value: PythonDict, key: string, member: PythonJson): PythonDict {
  return { kind: "object", members: new Map(value.members).set(key, member) };
}
