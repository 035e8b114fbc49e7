/**
 * The policies once more, as plainly as possible: every request is put together as texts, every policy walks over all of it,
 * lengths are counted and prefixes compared text by text. Slow on purpose; the simulator has to agree with it.
 */
import { createHash } from "node:crypto";
import { oneLineSummary, truncateArguments } from "../../../extension/src/core/compaction/hermes/oneLine";
import { pruneText } from "../../../extension/src/core/compaction/hermes/pruneText";
import type {
  ClearPolicy,
  MicroPolicy,
  PersistPolicy,
  Policy,
  ProactivePolicy,
  PrunePolicy,
  WindowPolicy,
} from "../../../extension/src/core/compaction/policy";
import { budgetForContextWindow, resolveThreshold } from "../../../extension/src/core/config/budgets";
import { notSavedText, persistText } from "../../../extension/src/core/results/block";
import { spillFileName } from "../../../extension/src/core/results/fileName";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { enforceTurnBudget } from "../../oracle/hermes/turnBudget";
import type { MadeResult, MadeStep } from "./generate";

const digest = { sha256Hex: (text: string) => createHash("sha256").update(text.toWellFormed()).digest("hex") };
const len = countCodePoints;

export interface NaiveItem {
  readonly key: string;
  readonly kind: "text" | "args" | "result";
  readonly role: string;
  readonly message: number;
  readonly text: string;
  readonly images: number;
  readonly result?: MadeResult;
  readonly batch: number;
  /** Characters of ids, names and JSON around arguments. */
  readonly frame?: number;
}

/** Requests of a conversation without any policy. */
export function naiveRequests(steps: readonly MadeStep[]): readonly (readonly NaiveItem[])[] {
  const requests: NaiveItem[][] = [];
  let history: NaiveItem[] = [];
  let message = 0;
  let calls = 0;
  for (const [position, step] of steps.entries()) {
    const base = { batch: calls, images: 0, message: message++ };
    switch (step.kind) {
      case "user":
      case "system":
        history.push({ ...base, key: `${position}`, kind: "text", role: step.kind, text: step.text });
        break;
      case "compaction":
        history = history.filter((item) => item.role === "system");
        history.push({ ...base, key: `${position}`, kind: "text", role: "user", text: step.summary });
        break;
      case "call": {
        requests.push([...history]);
        calls++;
        history.push({ ...base, key: `${position}`, kind: "text", role: "assistant", text: step.text });
        const args = step.results.map((result) => result.args).join("");
        const frames = step.results.map(({ callId, tool }) => 33 + callId.length + tool.length);
        const frame = frames.reduce((sum, own) => sum + own, frames.length > 0 ? 1 : 0);
        history.push({ ...base, key: `${position}a`, kind: "args", role: "assistant", text: args, frame });
        for (const [n, result] of step.results.entries()) {
          const { text, images } = result;
          const own = { key: `${position}r${n}`, message: message++, batch: calls, text, images, result };
          history.push({ ...own, kind: "result", role: "tool" });
        }
      }
    }
  }
  return requests;
}

/** What each policy remembers from one request to the next: texts by item. */
type Kept = Map<string, { readonly text: string; readonly dropsImages: boolean }>;

interface Memory {
  kept: Kept;
  seen: Set<string>;
  rearm: number;
  replaced: Set<string>;
}

/** Requests after the policies, one list of items per call. */
export function naiveSimulate(
  steps: readonly MadeStep[],
  policies: readonly Policy[],
  baseTokens: number,
): readonly (readonly NaiveItem[])[] {
  const memories = policies.map((): Memory => ({ kept: new Map(), seen: new Set(), rearm: 0, replaced: new Set() }));
  let before: ReadonlySet<string> = new Set();
  return naiveRequests(steps).map((request) => {
    let items: readonly NaiveItem[] = request;
    for (const [position, policy] of policies.entries()) {
      const memory = memories[position] as Memory;
      const fresh = request.filter((item) => !before.has(item.key));
      run(policy, items, fresh, memory, baseTokens);
      items = items.map((item) => {
        const own = memory.kept.get(item.key);
        return own === undefined ? item : { ...item, text: own.text, images: own.dropsImages ? 0 : item.images };
      });
    }
    before = new Set(request.map((item) => item.key));
    return items;
  });
}

function run(
  policy: Policy,
  items: readonly NaiveItem[],
  fresh: readonly NaiveItem[],
  memory: Memory,
  baseTokens: number,
): void {
  switch (policy.kind) {
    case "persist":
      persist(policy, items, fresh, memory.kept);
      break;
    case "prune":
      prune(policy, items, memory.kept, baseTokens);
      break;
    case "micro":
      micro(policy, items, memory);
      break;
    case "clear":
      clear(policy, items, memory, baseTokens);
      break;
    case "window":
      window(policy, items, fresh, memory);
      break;
    case "proactive":
      proactive(policy, items, memory, baseTokens);
      break;
  }
}

const put = (kept: Kept, item: NaiveItem, text: string, dropsImages = false) =>
  kept.set(item.key, { text, dropsImages: dropsImages || (kept.get(item.key)?.dropsImages ?? false) });

function persist(policy: PersistPolicy, items: readonly NaiveItem[], fresh: readonly NaiveItem[], kept: Kept): void {
  const scaled = budgetForContextWindow(policy.contextTokens ?? undefined, {
    mcpResult: policy.mcpResult,
    overrides: new Map(Object.entries(policy.overrides)),
  });
  const budget = policy.threshold === null ? scaled : { ...scaled, perResult: policy.threshold };
  const results = items.filter((item) => item.result !== undefined && fresh.some((one) => one.key === item.key));
  for (const batch of new Set(results.map((item) => item.batch))) {
    const own = results.filter((item) => item.batch === batch);
    const texts = own.map((item) => {
      const result = item.result as MadeResult;
      const framed = /^(<untrusted_tool_result source="[^"]*">\n.*\n\n)([\s\S]*)(\n<\/untrusted_tool_result>)$/.exec(
        item.text,
      );
      const raw = framed?.[2] ?? item.text;
      if (!(len(raw) > resolveThreshold(result.tool, budget))) return item.text;
      const name = spillFileName(result.callId, digest);
      const path = `${policy.folder}/${name.ok ? name.value : "?"}`;
      const notice = policy.saveFails ? notSavedText(raw) : persistText(raw, path, policy.era).block;
      return (framed?.[1] ?? "") + notice + (framed?.[3] ?? "");
    });
    if (policy.turnBudget) {
      const input = own.map((item, i) => ({ id: (item.result as MadeResult).callId, content: texts[i] as string }));
      const options = { perTurn: budget.perTurn, folder: policy.folder, saveFails: policy.saveFails, era: policy.era };
      for (const change of enforceTurnBudget(input, options, digest)) texts[change.index] = change.text;
    }
    for (const [i, item] of own.entries()) if (texts[i] !== item.text) put(kept, item, texts[i] as string);
  }
}

const linear = (items: readonly NaiveItem[], base: number, image: number): number =>
  base + items.reduce((sum, item) => sum + len(item.text) + 4 * image * item.images, 0) / 4;

const tailOf = (items: readonly NaiveItem[], keep: number): number => {
  const messages = [...new Set(items.map((item) => item.message))];
  return keep === 0 ? Number.POSITIVE_INFINITY : (messages[Math.max(0, messages.length - keep)] ?? 0);
};

function prune(policy: PrunePolicy, items: readonly NaiveItem[], kept: Kept, base: number): void {
  const { head, tail, threshold } = policy;
  if (head + 39 + tail > threshold) return;
  const sent = items.map((item) => ({ ...item, text: kept.get(item.key)?.text ?? item.text }));
  if (policy.triggerTokens > 0 && linear(sent, base, 1500) < policy.triggerTokens) return;
  const boundary = tailOf(items, policy.protectLast);
  for (const item of items) {
    if (item.result === undefined || item.message >= boundary || kept.has(item.key)) continue;
    const text = pruneText(item.text, policy);
    if (text !== item.text) put(kept, item, text);
  }
}

/** `count_tokens_approximately` over messages that are put together from the items. */
function approximate(items: readonly NaiveItem[], imageChars: number): number {
  const messages = new Map<string, number>();
  for (const item of items) {
    const key = item.result === undefined ? `m${item.message}` : item.key;
    let chars = len(item.text) + item.images * imageChars;
    if (item.kind === "result") chars += (item.result as MadeResult).callId.length + "tool".length;
    else if (item.kind === "text") chars += item.role.length;
    else chars += item.frame ?? 0;
    messages.set(key, (messages.get(key) ?? 0) + chars);
  }
  return [...messages.values()].reduce((sum, chars) => sum + Math.ceil(chars / 4) + 3, 0);
}

function micro(policy: MicroPolicy, items: readonly NaiveItem[], memory: Memory): void {
  memory.kept = new Map();
  const results = items.filter((item) => item.result !== undefined);
  if (results.length <= policy.keepRecent) return;
  const budget = policy.tokenBudget ?? 0;
  if (budget > 0 && approximate(items, 4096) <= budget) return;
  for (const item of results.slice(0, results.length - policy.keepRecent))
    if (item.result?.trusted !== true && (item.text !== policy.placeholder || item.images > 0))
      put(memory.kept, item, policy.placeholder, true);
}

function clear(policy: ClearPolicy, items: readonly NaiveItem[], memory: Memory, base: number): void {
  memory.kept = new Map();
  const results = items.filter((item) => item.result !== undefined);
  if (results.length <= policy.keep) return;
  const tokens = policy.atLeastMode === "stop" ? approximate(items, 340) : linear(items, base, 0);
  if (policy.triggerTokens > 0 && tokens <= policy.triggerTokens) return;
  const freedBy = (item: NaiveItem): number => {
    const args = items.find((one) => one.kind === "args" && one.key === `${item.key.split("r")[0]}a`);
    const inputs = policy.clearToolInputs && args !== undefined ? Math.max(0, len(args.text) - 2) : 0;
    return len(item.text) - len(policy.placeholder) + inputs;
  };
  const old = results
    .slice(0, results.length - policy.keep)
    .filter((item) => !policy.excludeTools.includes(item.result?.tool ?? ""));
  const total = old.reduce((sum, item) => sum + freedBy(item), 0);
  if (policy.clearAtLeast > 0 && policy.atLeastMode === "skip" && total / 4 < policy.clearAtLeast) return;
  let freed = 0;
  for (const item of old) {
    if (policy.clearAtLeast > 0 && policy.atLeastMode === "stop" && freed / 4 >= policy.clearAtLeast) return;
    freed += freedBy(item);
    put(memory.kept, item, policy.placeholder, true);
    if (!policy.clearToolInputs) continue;
    const args = items.find((one) => one.kind === "args" && one.key === `${item.key.split("r")[0]}a`);
    if (args !== undefined && len(args.text) > 2) put(memory.kept, args, "{}");
  }
}

function window(policy: WindowPolicy, items: readonly NaiveItem[], fresh: readonly NaiveItem[], memory: Memory): void {
  let looked = items;
  if (policy.when === "turnEnd") {
    const user = items.findLastIndex((item) => item.kind === "text" && item.role === "user");
    if (!fresh.some((item) => item.key === items[user]?.key) || memory.seen.size === 0) {
      for (const item of items) if (item.role === "user") memory.seen.add(item.key);
      return;
    }
    for (const item of items) if (item.role === "user") memory.seen.add(item.key);
    looked = items.slice(0, user);
  }
  let turns = 0;
  let total = 0;
  let pruned = 0;
  const marks: NaiveItem[] = [];
  for (const item of [...looked].reverse()) {
    if (item.kind === "text" && item.role === "user") turns++;
    if (turns < policy.protectTurns || item.result === undefined) continue;
    if (policy.exemptTools.includes(item.result.tool)) continue;
    if (memory.replaced.has(item.key)) break;
    const tokens = Math.round(len(item.text) / 4);
    total += tokens;
    if (total <= policy.protectTokens) continue;
    pruned += tokens;
    marks.push(item);
  }
  const enough = policy.aboveMinimum ? pruned > policy.minimumTokens : pruned >= policy.minimumTokens;
  if (!enough || pruned === 0) return;
  for (const item of marks) {
    memory.replaced.add(item.key);
    const { head, tail, notice } = policy;
    const after = notice + Math.min(len(item.text), head + tail);
    if (head + tail > 0 && after >= len(item.text)) continue;
    put(memory.kept, item, "#".repeat(after), head + tail === 0);
  }
}

function proactive(policy: ProactivePolicy, items: readonly NaiveItem[], memory: Memory, base: number): void {
  const overlay = (item: NaiveItem): string => memory.kept.get(item.key)?.text ?? item.text;
  if (items.at(-1)?.result === undefined || policy.triggerTokens <= 0) return;
  const tokens = (text: string): number => Math.ceil(len(text) / 4);
  const gone = items
    .filter((item) => memory.kept.has(item.key))
    .reduce((sum, item) => sum + tokens(item.text) - tokens(overlay(item)), 0);
  const now = linear(items, base, 1500) - gone;
  if (now < policy.triggerTokens) return;
  const messages = new Set(items.map((item) => item.message)).size;
  const head = items[0]?.role === "system" ? 1 : 0;
  if (messages <= policy.protectLast + head + policy.protectFirst + 1) return;
  const before = now - base + 10 * messages;
  if (before < memory.rearm) return;
  const boundary = tailOf(items, policy.protectLast);
  const planned = new Map<NaiveItem, string>();
  const newest = new Set<string>();
  for (const item of [...items].reverse()) {
    if (item.result === undefined || len(item.text) < 200) continue;
    const known = newest.has(item.text);
    newest.add(item.text);
    if (known && policy.dedupe && !memory.kept.has(item.key))
      planned.set(item, "[Duplicate tool output — same content as a more recent call]");
  }
  const least = Math.max(200, policy.minResultChars === 0 ? 8000 : policy.minResultChars);
  const shortened = new Map<NaiveItem, number>();
  for (const item of items) {
    if (item.message >= boundary) continue;
    if (item.kind === "args" && policy.shortenArguments && !memory.kept.has(item.key)) {
      const own = items.filter((one) => one.result !== undefined && one.key.startsWith(`${item.key.slice(0, -1)}r`));
      for (const { result } of own) {
        const args = result?.args ?? "";
        if (len(args) > 500) shortened.set(item, (shortened.get(item) ?? 0) + len(args) - len(truncateArguments(args)));
      }
    }
    if (item.result === undefined) continue;
    if (policy.demote && len(item.text) > least && !planned.has(item) && !memory.kept.has(item.key))
      planned.set(item, oneLineSummary(item.result.tool, item.result.args, item.text));
  }
  if (planned.size === 0) return;
  for (const [args, saved] of shortened)
    if (saved > 0) planned.set(args, "#".repeat(Math.max(0, len(args.text) - saved)));
  let freed = 0;
  for (const [item, text] of planned) freed += tokens(item.text) - tokens(text);
  freed = Math.max(0, freed);
  if (freed < policy.minReclaimTokens) return;
  for (const [item, text] of planned) put(memory.kept, item, text);
  memory.rearm = before - freed + Math.max(freed, policy.triggerTokens, policy.minReclaimTokens);
}
