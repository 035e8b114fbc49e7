import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileStatus } from "../../../../extension/src/core/model/fileStatus";
import {
  FILE_STATUSES,
  NO_FILTER,
  RESULT_STATES,
  type ResultRow,
  ROW_LIMITS,
  type RowQuery,
  SORT_KEYS,
} from "../../../../extension/src/core/model/rowQuery";
import type { LeftBy } from "../../../../extension/src/core/model/totals";
import type { CharUnit, ToolResult } from "../../../../extension/src/core/model/transcript";
import { ShownTable } from "../../../../extension/src/core/transcript/table/shownTable";
import { TranscriptTable } from "../../../../extension/src/core/transcript/table/transcriptTable";
import { RowList } from "../../../../webview/dev/rowList";

const names = fc.option(fc.constantFrom("Bash", "bash", "read_file", "größe", ""), { nil: undefined });
const count = fc.option(fc.nat(40), { nil: undefined });
const results: fc.Arbitrary<Omit<ToolResult, "index">> = fc
  .record({
    threadId: fc.constantFrom("main", "agent-1"),
    turn: count,
    call: count,
    callId: fc.option(fc.constantFrom("a", "b", "toolu_1"), { nil: undefined }),
    tool: names,
    state: fc.constantFrom(...RESULT_STATES),
    codePoints: fc.nat(5_000),
    more: fc.nat(50),
    images: fc.nat(2),
    isError: fc.boolean(),
    orphan: fc.boolean(),
    stated: fc.option(fc.nat(90_000), { nil: undefined }),
    rounded: fc.boolean(),
    path: fc.option(fc.constantFrom("/a/Spill.txt", "/b/spill.txt"), { nil: undefined }),
    handle: fc.option(fc.constantFrom("r-1", "res_2"), { nil: undefined }),
    line: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ codePoints, more, stated, rounded, path, handle, line, ...result }) => ({
    ...result,
    size: { codePoints, utf16: codePoints + more, bytes: codePoints },
    persisted:
      stated === undefined && path === undefined && handle === undefined
        ? undefined
        : {
            variant: "hermes-block",
            statedChars: stated,
            statedRounded: rounded,
            statedUnit: "codePoints",
            path,
            handle,
            nextOffset: undefined,
            preview: undefined,
            hasMore: false,
          },
    body: undefined,
    place: { line, start: 0, end: 9 },
    fullText: undefined,
  }));

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ what: fc.constant("result" as const), at: fc.nat(14), result: results }) },
    fc.record({ what: fc.constant("file" as const), at: fc.nat(14), file: fc.constantFrom(...FILE_STATUSES) }),
    fc.record({ what: fc.constant("left" as const), at: fc.nat(14), line: fc.integer({ min: 1, max: 99 }) }),
    fc.record({ what: fc.constant("unit" as const), unit: fc.constantFrom<CharUnit>("codePoints", "utf16") }),
  ),
  { maxLength: 30 },
);

const queries: fc.Arbitrary<RowQuery> = fc.record({
  filter: fc.record({
    text: fc.constantFrom("", "", "SPILL", "bash", "r- a"),
    threads: fc.option(fc.constant(["main"])),
    tools: fc.option(fc.constant(["Bash", "größe"])),
    states: fc.option(fc.subarray([...RESULT_STATES])),
    files: fc.option(fc.subarray([...FILE_STATUSES])),
    turns: fc.option(fc.constant([3, 20] as const)),
    context: fc.constantFrom(null, "in", "left"),
  }),
  sort: fc.option(fc.record({ key: fc.constantFrom(...SORT_KEYS), descending: fc.boolean() })),
  within: fc.constant(null),
});

/** What a row says of a result, written down once more. */
function rowOf(result: ToolResult, unit: CharUnit, file: FileStatus | undefined, leftLine: number | null): ResultRow {
  const chars = unit === "utf16" ? result.size.utf16 : result.size.codePoints;
  const path = result.persisted?.path ?? null;
  return {
    index: result.index,
    thread: result.threadId,
    turn: result.turn ?? null,
    call: result.call ?? null,
    tool: result.tool ?? null,
    callId: result.callId ?? null,
    state: result.state,
    chars,
    statedChars: result.persisted?.statedChars ?? null,
    statedRounded: result.persisted?.statedRounded ?? false,
    tokens: Math.ceil(chars / 4),
    images: result.images,
    isError: result.isError,
    orphan: result.orphan,
    path,
    handle: result.persisted?.handle ?? null,
    file: path === null ? "none" : (file ?? "not-checked"),
    line: result.place.line,
    leftLine,
  };
}

describe("the columns of a table", () => {
  it("answer every query as rows kept as objects do, whatever came in between", () => {
    fc.assert(
      fc.property(steps, queries, (course, query) => {
        const table = new TranscriptTable();
        const header = { format: "claude-code", agent: "claude-code", sessionId: "s", model: undefined } as const;
        let unit: CharUnit = "codePoints";
        table.describe({ ...header, unit });
        const shown = new ShownTable(table, {
          totals: () => expect.unreachable("nobody asks for totals"),
          timeline: () => expect.unreachable("nobody asks for the timeline"),
        });
        const known = new Map<number, { result: ToolResult; file: FileStatus | undefined; left: number | null }>();
        const request = { query, from: 0, count: ROW_LIMITS.window, around: null, find: [], summary: true };
        for (const step of course) {
          if (step.what === "unit") {
            unit = step.unit;
            table.describe({ ...header, unit });
          } else {
            const before = known.get(step.at);
            if (step.what === "result") {
              const result = { ...step.result, index: step.at };
              const isSame = before?.result.persisted?.path === result.persisted?.path;
              known.set(step.at, { result, file: isSame ? before?.file : undefined, left: before?.left ?? null });
              table.result(result);
            } else if (before !== undefined && step.what === "file" && before.result.persisted?.path !== undefined) {
              known.set(step.at, { ...before, file: step.file });
              shown.setFiles([[step.at, step.file]]);
            } else if (before !== undefined && step.what === "left") {
              const place = { line: step.line, start: 0, end: 1 };
              const by: LeftBy = { threadId: "main", number: 1, what: "summary", trigger: undefined, place };
              known.set(step.at, { ...before, left: step.line });
              table.left(step.at, by);
            }
          }
          const rows = [...known.values()].map(({ result, file, left }) => rowOf(result, unit, file, left));
          expect(shown.rows(request)).toEqual(new RowList(rows).answer(request));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("a filter of nothing lists a table from its first row on", () => {
    const table = new TranscriptTable();
    const shown = new ShownTable(table, {
      totals: () => expect.unreachable("nobody asks for totals"),
      timeline: () => expect.unreachable("nobody asks for the timeline"),
    });
    const query = { filter: NO_FILTER, sort: null, within: null };
    const request = { query, from: 5, count: 10, around: null, find: [], summary: true };
    expect(shown.rows(request)).toMatchObject({ all: 0, total: 0, from: 0, rows: [], summary: { chars: 0 } });
  });
});
