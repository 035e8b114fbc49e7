import { NO_FILTER, type RowQuery, type RowsRequest } from "../../extension/src/core/model/rowQuery";
import { RowQueries } from "../../extension/src/core/transcript/rowQuery";
import { TableColumns } from "../../extension/src/core/transcript/table/tableColumns";
import { TranscriptTable } from "../../extension/src/core/transcript/table/transcriptTable";
import { printTable, spread, type Verdict } from "./statistics";

const TOOLS = ["Bash", "Read", "Grep", "WebFetch", "Task", "mcp__tide__search"];
/** Rows of one part, as the table asks for them. */
const PART = 160;
/** Parts asked for in a row, of which the median counts. */
const STEPS = 200;

/** What is asked, against the plainest way to have the same order: row numbers compared by the same column. */
export function benchRows(options: { readonly rows: number; readonly rounds: number }): readonly Verdict[] {
  const table = tableOf(options.rows);
  const columns = new TableColumns(table);
  const bySize: RowQuery = { filter: NO_FILTER, sort: { key: "chars", descending: true }, within: null };
  const byText: RowQuery = { filter: { ...NO_FILTER, text: "9ab" }, sort: null, within: null };
  const plain: number[] = [];
  const order: number[] = [];
  const summary: number[] = [];
  const text: number[] = [];
  const change: number[] = [];
  const step: number[] = [];
  let checked = true;
  for (let round = 0; round < options.rounds; round++) {
    plain.push(
      took(() => {
        const rows = Uint32Array.from({ length: columns.count }, (_, row) => row);
        rows.sort((a, b) => columns.chars(b) - columns.chars(a) || a - b);
        checked &&= rows[0] !== undefined;
      }),
    );
    const queries = new RowQueries(columns);
    order.push(took(() => queries.answer(request(bySize, 0, false))));
    summary.push(took(() => queries.answer(request(bySize, 0, true))));
    for (let at = 0; at < STEPS; at++) {
      const from = Math.floor((at / STEPS) * columns.count);
      step.push(took(() => queries.answer(request(bySize, from, false))));
    }
    queries.touch(round);
    change.push(took(() => queries.answer(request(bySize, 0, true))));
    text.push(took(() => queries.answer(request(byText, 0, true))));
  }
  const count = options.rows.toLocaleString("en-US");
  const line = (name: string, values: readonly number[]): readonly string[] => {
    const { min, median, p95 } = spread(values);
    return [name, min.toFixed(2), median.toFixed(2), p95.toFixed(2)];
  };
  console.log(`\ntable of ${count} results, processor ms, ${options.rounds} rounds`);
  printTable([
    ["", "min", "median", "p95"],
    line("by size, comparing", plain),
    line("by size", order),
    line("totals and facets", summary),
    line("filter by text, with totals and facets", text),
    line("one row changed, with totals and facets", change),
    line(`${PART} rows on`, step),
  ]);
  const ratio = spread(plain).min / spread(order).min;
  const next = spread(step).median;
  return [
    {
      goal: `order of ${count} results, at least 3 times faster than comparing`,
      measured: `${ratio.toFixed(1)} times`,
      met: checked && ratio >= 3,
    },
    {
      goal: `the next ${PART} of ${count} results, at most 1/50 of ordering them`,
      measured: `1/${(spread(order).min / next).toFixed(0)}, ${next.toFixed(2)} ms`,
      met: spread(order).min / next >= 50,
    },
  ];
}

/** Processor time in milliseconds: nothing here waits, so that only other work on the machine makes a difference to the clock. */
function took(run: () => unknown): number {
  const begun = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

function request(query: RowQuery, from: number, summary: boolean): RowsRequest {
  return { query, from, count: PART, around: null, find: [], summary };
}

function tableOf(rows: number): TranscriptTable {
  const table = new TranscriptTable();
  table.describe({ format: "claude-code", agent: "claude-code", unit: "utf16", sessionId: "s", model: undefined });
  let seed = 11;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let index = 0; index < rows; index++) {
    const chars = Math.floor(random() ** 3 * 100_000);
    const place = { line: 2 * index + 2, start: index * 900, end: index * 900 + 800 };
    table.result({
      index,
      threadId: index % 50 === 0 ? "agent" : "main",
      turn: Math.floor(index / 20),
      call: index,
      callId: `toolu_${(index * 7919).toString(36)}`,
      tool: TOOLS[Math.floor(random() * TOOLS.length)],
      state: random() < 0.9 ? "inline" : "cleared",
      size: { codePoints: chars, utf16: chars, bytes: chars },
      images: 0,
      isError: false,
      persisted: undefined,
      body: undefined,
      place,
      fullText: undefined,
      orphan: false,
    });
  }
  return table;
}
