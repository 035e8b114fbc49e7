import {
  CONTEXT_PLACES,
  FILE_STATUSES,
  RESULT_STATES,
  ROW_LIMITS,
  type RowFilter,
  type RowRef,
  type RowSort,
  SORT_KEYS,
} from "../../core/model/rowQuery";
import type { RowsAsked } from "../../protocol/webview";

type Fields = Readonly<Record<string, unknown>>;

/** The body of the call `rows` in its declared shape and within its bounds, without anything more; undefined = it is not. */
export function parseRowsAsked(body: Fields): RowsAsked | undefined {
  const { from, count, search, summary } = body;
  const filter = filterOf(body.filter);
  const sort = sortOf(body.sort);
  const around = aroundOf(body.around);
  const find = listOf(body.find, ROW_LIMITS.find, refOf);
  if (filter === undefined || sort === undefined || around === undefined || find === undefined) return undefined;
  if (!isCount(from) || !isCount(count) || typeof summary !== "boolean") return undefined;
  if (search !== null && !isCount(search)) return undefined;
  return { filter, sort, search, from, count, around, find, summary };
}

function filterOf(value: unknown): RowFilter | undefined {
  if (!isFields(value)) return undefined;
  const threads = orNull(value.threads, (list) => listOf(list, ROW_LIMITS.values, textOf));
  const tools = orNull(value.tools, (list) => listOf(list, ROW_LIMITS.values, textOf));
  const states = orNull(value.states, (list) => listOf(list, ROW_LIMITS.values, oneOf(RESULT_STATES)));
  const files = orNull(value.files, (list) => listOf(list, ROW_LIMITS.values, oneOf(FILE_STATUSES)));
  const context = orNull(value.context, oneOf(CONTEXT_PLACES));
  const turns = orNull(value.turns, turnsOf);
  const text = textOf(value.text);
  if (threads === undefined || tools === undefined || states === undefined || files === undefined) return undefined;
  if (context === undefined || turns === undefined || text === undefined) return undefined;
  return { text, threads, tools, states, files, turns, context };
}

function sortOf(value: unknown): RowSort | undefined {
  return orNull(value, (sort) => {
    const key = isFields(sort) ? oneOf(SORT_KEYS)(sort.key) : undefined;
    if (key === undefined || !isFields(sort) || typeof sort.descending !== "boolean") return undefined;
    return { key, descending: sort.descending };
  });
}

function aroundOf(value: unknown): RowsAsked["around"] | undefined {
  return orNull(value, (around) => {
    const ref = isFields(around) ? refOf(around.ref) : undefined;
    return ref !== undefined && isFields(around) && isCount(around.before) ? { ref, before: around.before } : undefined;
  });
}

function refOf(value: unknown): RowRef | undefined {
  if (!isFields(value) || !isCount(value.index)) return undefined;
  const thread = orNull(value.thread, textOf);
  const callId = orNull(value.callId, textOf);
  return thread === undefined || callId === undefined ? undefined : { index: value.index, thread, callId };
}

function turnsOf(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [first, last] = value;
  return isCount(first) && isCount(last) ? [first, last] : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= ROW_LIMITS.text ? value : undefined;
}

function oneOf<T extends string>(values: readonly T[]): (value: unknown) => T | undefined {
  return (value) => values.find((one) => one === value);
}

function orNull<T>(value: unknown, parse: (value: unknown) => T | undefined): T | null | undefined {
  return value === null ? null : parse(value);
}

function listOf<T>(value: unknown, most: number, parse: (value: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const parsed = value.map(parse);
  return parsed.every((one) => one !== undefined) ? parsed : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
