import type { Compaction, Message, ModelCall, RecordPlace, ToolResult } from "../model/transcript";
import type { TranscriptIndex } from "../transcript/events";
import { lastNotAfter } from "../util/lastNotAfter";
import { type Draft, freezeThread } from "./freezeThread";
import { ITEM, ROLES, type SimThread } from "./simThread";

/** JSON around one tool call beside its id, name and arguments: `{"id":"","name":"","arguments":}` and a comma. */
const CALL_FRAME = 33;

/**
 * The thread of a transcript index in numbers; undefined when the index has no thread of that id.
 * Which messages a request held follows from the order of the records: everything before the answer that the call gave.
 */
export function buildThread(index: TranscriptIndex, threadId: string): SimThread | undefined {
  if (!index.threads.some((thread) => thread.id === threadId)) return undefined;
  const own = <T extends { readonly threadId: string }>(all: readonly T[]): T[] =>
    all.filter((one) => one.threadId === threadId);
  const messages = own(index.messages);
  const results = own(index.results).filter((result) => result.state !== "missing");
  const calls = own(index.calls).sort((a, b) => a.number - b.number);
  const { items, firstItem } = draftItems(messages, results, calls);
  const seen = placeCalls(calls, messages, items, firstItem);
  const compacted = new Uint8Array(calls.length);
  const unstated = applyCompactions(own(index.compactions), { messages, calls, items, firstItem, seen, compacted });
  addFrames(items, messages, index.results, calls, firstItem, threadId);
  return freezeThread(threadId, items, calls, { seen, compacted, unstatedCompactions: unstated });
}

/** Order of records: byte position in a file, row id in a database. */
function orderOf(place: RecordPlace): number {
  return place.row === undefined ? place.start : place.row.id;
}

function keyOf(place: RecordPlace): string {
  return place.row === undefined ? String(place.start) : `${place.row.table} ${place.row.id}`;
}

/** Items in the order in which they were sent; `firstItem[m]` is where message m begins. */
function draftItems(
  messages: readonly Message[],
  results: readonly ToolResult[],
  calls: readonly ModelCall[],
): { readonly items: Draft[]; readonly firstItem: Int32Array } {
  const lastAt = new Map<string, number>();
  for (const [position, message] of messages.entries()) lastAt.set(keyOf(message.place), position);
  const orders = messages.map((message) => orderOf(message.place));
  const following: ToolResult[][] = messages.map(() => []);
  const leading: ToolResult[] = [];
  // Row ids of different tables say nothing about each other: opencode keeps results in a table of their own, beside the
  // messages that asked for them.
  const tables = new Set(messages.map(({ place }) => place.row?.table));
  const asked = new Map(calls.map(({ number, place }) => [number, place]));
  for (const result of results) {
    const elsewhere = !tables.has(result.place.row?.table);
    const place = (elsewhere && result.call !== undefined ? asked.get(result.call) : undefined) ?? result.place;
    const at = lastAt.get(keyOf(place)) ?? lastNotAfter(orders, orderOf(place));
    (following[at] ?? leading).push(result);
  }
  const items: Draft[] = [];
  const firstItem = new Int32Array(messages.length + 1);
  const add = (result: ToolResult, message: number, messageIndex: number): void => {
    const { images, size } = result;
    const chars = size.codePoints;
    items.push({ kind: ITEM.result, role: 3, chars, images, message, messageIndex, result, frame: 0, end: -1 });
  };
  for (const result of leading) add(result, 0, -1);
  for (const [position, message] of messages.entries()) {
    firstItem[position] = items.length;
    const own = following[position] ?? [];
    const role = Math.max(0, ROLES.indexOf(message.role));
    const base = { role, message: position, messageIndex: message.index, result: undefined, frame: 0, end: -1 };
    // A message that holds nothing but results is those results; otherwise its text does not include them.
    if (message.role !== "tool" || own.length === 0)
      items.push({ ...base, kind: ITEM.text, chars: message.size.codePoints, images: message.images });
    if (message.args.codePoints > 0 || message.role === "assistant")
      items.push({ ...base, kind: ITEM.args, chars: message.args.codePoints, images: 0 });
    for (const result of own) add(result, position, message.index);
  }
  firstItem[messages.length] = items.length;
  return { items, firstItem };
}

/** How many items each request held or had held. */
function placeCalls(
  calls: readonly ModelCall[],
  messages: readonly Message[],
  items: readonly Draft[],
  firstItem: Int32Array,
): Int32Array {
  const firstAt = new Map<string, number>();
  for (const [position, message] of messages.entries()) {
    const key = keyOf(message.place);
    if (!firstAt.has(key)) firstAt.set(key, position);
  }
  const orders = messages.map((message) => orderOf(message.place));
  const seen = new Int32Array(calls.length);
  let before = 0;
  let placeBefore: string | undefined;
  for (const [position, call] of calls.entries()) {
    const key = keyOf(call.place);
    const at = firstAt.get(key);
    let cut: number;
    if (key === placeBefore && at !== undefined) {
      // Several calls share one message: a later one saw the text and the results of the earlier ones.
      cut = firstItem[at + 1] ?? items.length;
      while (cut > before && (items[cut - 1]?.result?.call ?? 0) >= call.number) cut--;
    } else if (at !== undefined && messages[at]?.role === "assistant") cut = firstItem[at] ?? 0;
    else {
      // The record tells of the call after its answer: step back over what it said and what came of that.
      const last = at ?? lastNotAfter(orders, orderOf(call.place)) + 1;
      cut = firstItem[Math.min(last, messages.length)] ?? items.length;
      while (cut > before && isOutcome(items[cut - 1], call.number)) cut--;
    }
    before = Math.max(before, cut);
    placeBefore = key;
    seen[position] = before;
  }
  return seen;
}

function isOutcome(item: Draft | undefined, call: number): boolean {
  if (item === undefined) return false;
  if (item.kind === ITEM.result) return (item.result?.call ?? 0) >= call;
  return ROLES[item.role] === "assistant";
}

interface Scene {
  readonly messages: readonly Message[];
  readonly calls: readonly ModelCall[];
  readonly items: Draft[];
  readonly firstItem: Int32Array;
  readonly seen: Int32Array;
  readonly compacted: Uint8Array;
}

/** Takes out of later requests what the transcript says left the context. Returns how many do not say what left. */
function applyCompactions(compactions: readonly Compaction[], scene: Scene): number {
  const { messages, calls, items, firstItem, compacted } = scene;
  const itemOfResult = new Map<number, number>();
  for (const [position, item] of items.entries())
    if (item.result !== undefined) itemOfResult.set(item.result.index, position);
  const positionOf = new Map<number, number>();
  const carriedAt = new Map<string, number>();
  let indexed = 0;
  const positionAfter: number[] = [0];
  for (const [position, message] of messages.entries()) {
    if (message.index < 0) {
      carriedAt.set(keyOf(message.place), position);
      continue;
    }
    positionOf.set(message.index, position);
    positionAfter[++indexed] = position + 1;
  }
  let unstated = 0;
  for (const compaction of compactions) {
    if (compaction.scope === "unstated") {
      unstated++;
      continue;
    }
    const order = orderOf(compaction.place);
    // What an earlier compaction carried over is no message of its own and is found by its place.
    let after = positionAfter[Math.min(compaction.atMessage, indexed)] ?? 0;
    while (after < messages.length && isCarriedBefore(messages[after], order)) after++;
    const told = firstItem[after] ?? items.length;
    // The first request that was made after it; a request told in a later record can hold fewer items than were told.
    let from = calls.findIndex((call, c) => orderOf(call.place) >= order && (scene.seen[c] ?? 0) >= told);
    if (from < 0) from = calls.length;
    if (from < calls.length) compacted[from] = 1;
    const remove = (position: number | undefined): void => {
      const item = position === undefined ? undefined : items[position];
      if (item !== undefined && (item.end < 0 || item.end > from)) item.end = from;
    };
    // System prompts outlive a summary unless the transcript lists them.
    if (compaction.scope === "all")
      for (let i = 0; i < told; i++) if (ROLES[items[i]?.role ?? 0] !== "system") remove(i);
    for (const message of compaction.gone.messages) {
      const at = message.index < 0 ? carriedAt.get(keyOf(message.place)) : positionOf.get(message.index);
      if (at === undefined) continue;
      for (let i = firstItem[at] ?? 0; i < (firstItem[at + 1] ?? 0); i++) if (items[i]?.result === undefined) remove(i);
    }
    for (const result of compaction.gone.results) remove(itemOfResult.get(result));
  }
  return unstated;
}

function isCarriedBefore(message: Message | undefined, order: number): boolean {
  return message !== undefined && message.index < 0 && orderOf(message.place) < order;
}

/** What ids, names and JSON of the tool calls take beside their arguments. */
function addFrames(
  items: readonly Draft[],
  messages: readonly Message[],
  results: readonly ToolResult[],
  calls: readonly ModelCall[],
  firstItem: Int32Array,
  threadId: string,
): void {
  const framed = new Map<number, number>();
  for (const result of results) {
    if (result.threadId !== threadId || result.call === undefined) continue;
    const own = CALL_FRAME + (result.callId?.length ?? 0) + (result.tool?.length ?? 0);
    framed.set(result.call, (framed.get(result.call) ?? 1) + own);
  }
  const positions = new Map<string, number>();
  for (const [position, message] of messages.entries()) positions.set(keyOf(message.place), position);
  for (const call of calls) {
    const at = positions.get(keyOf(call.place));
    if (at === undefined) continue;
    for (let i = firstItem[at] ?? 0; i < (firstItem[at + 1] ?? 0); i++) {
      const item = items[i];
      if (item?.kind === ITEM.args) item.frame += framed.get(call.number) ?? 0;
    }
  }
}
