import { CONTEXT_PLACES, FILE_STATUSES, RESULT_STATES, type RowQuery } from "../model/rowQuery";
import type { RowColumns, TextColumn } from "./rowColumns";

/** One bit per part of a query; set = the row does not pass it. A row with none set is shown. */
export const FAILS = {
  thread: 1,
  tool: 2,
  state: 4,
  file: 8,
  context: 16,
  turn: 32,
  text: 64,
  within: 128,
  /** No such row. */
  absent: 256,
} as const;

/** Bits of a row. Good until the columns change. */
export type RowTest = (row: number) => number;

export function rowTest(columns: RowColumns, { filter, within }: RowQuery): RowTest {
  const { threads, tools, states, files, turns, context } = filter;
  const inThread = oneOf(threads, columns.thread);
  const inTool = oneOf(tools, columns.tool);
  const inStates = states === null ? null : states.map((state) => RESULT_STATES.indexOf(state));
  const inFiles = files === null ? null : files.map((file) => FILE_STATUSES.indexOf(file));
  const wantsLeft = context === null ? null : context === CONTEXT_PLACES[1];
  const hits = within === null ? null : new Set(within);
  const says = textTest(columns, filter.text);
  return (row) => {
    if (!columns.has(row)) return FAILS.absent;
    let bits = 0;
    if (inThread !== null && !inThread(row)) bits |= FAILS.thread;
    if (inTool !== null && !inTool(row)) bits |= FAILS.tool;
    if (inStates !== null && !inStates.includes(columns.state(row))) bits |= FAILS.state;
    if (inFiles !== null && !inFiles.includes(columns.file(row))) bits |= FAILS.file;
    if (wantsLeft !== null && columns.left(row) !== wantsLeft) bits |= FAILS.context;
    if (turns !== null && !(columns.turn(row) >= turns[0] && columns.turn(row) <= turns[1])) bits |= FAILS.turn;
    if (hits !== null && !hits.has(row)) bits |= FAILS.within;
    // A row that fails twice counts nowhere, so that reading its texts would tell nothing.
    const failsTwice = (bits & (bits - 1)) !== 0;
    if (says !== null && !failsTwice && !says(row)) bits |= FAILS.text;
    return bits;
  };
}

function oneOf(values: readonly string[] | null, column: TextColumn): ((row: number) => boolean) | null {
  if (values === null) return null;
  const wanted = new Set(values);
  const ids = column.texts.map((text) => wanted.has(text));
  return (row) => ids[column.id(row)] === true;
}

function textTest(columns: RowColumns, text: string): ((row: number) => boolean) | null {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const tools = columns.tool.texts.map((tool) => tool.toLowerCase());
  const tests = words.map((word) => ({ word, tools: tools.map((tool) => tool.includes(word)) }));
  return (row) => {
    const tool = columns.tool.id(row);
    let path: string | undefined;
    let handle: string | undefined;
    let callId: string | undefined;
    for (const test of tests) {
      if (test.tools[tool] === true) continue;
      path ??= columns.path(row)?.toLowerCase() ?? "";
      if (path.includes(test.word)) continue;
      handle ??= columns.handle(row)?.toLowerCase() ?? "";
      if (handle.includes(test.word)) continue;
      callId ??= columns.callId(row)?.toLowerCase() ?? "";
      if (!callId.includes(test.word)) return false;
    }
    return true;
  };
}
