import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../../../extension/src/core/model/transcript";
import { Collector } from "../../../../extension/src/core/transcript/collect";
import { NumberColumn } from "../../../../extension/src/core/transcript/table/columns";
import { NameList, TextList } from "../../../../extension/src/core/transcript/table/strings";
import { TranscriptTable } from "../../../../extension/src/core/transcript/table/transcriptTable";
import { corpusPath } from "../../../corpus";
import { filesBelow } from "../corpusFiles";
import { SAMPLES } from "../samples";
import { answer, claudeBlock, events, jsonLines, memorySource, prompt, toolResult, use } from "../support";

const CLAUDE = jsonLines(
  prompt("go"),
  answer("m1", use("t1"), { input_tokens: 3, output_tokens: 1 }),
  answer("m1", use("t2", "Grep"), { input_tokens: 3, output_tokens: 9 }),
  toolResult("t1", "done"),
  toolResult("t2", claudeBlock("x".repeat(50_000), "/h/tool-results/t2.txt")),
  { type: "content-replacement", replacements: [{ toolUseId: "t1", replacement: "shorter 🌊" }], uuid: "r-1" },
  toolResult("nobody", "lost"),
  answer("m2", use("t3")),
);

describe("TranscriptTable", () => {
  it.each([["a Claude Code session", "claude-code", CLAUDE] as const, ...SAMPLES])(
    "%s: holds what the collector holds",
    async (_, format, content) => {
      const told = await events(memorySource(content), { format });
      const collector = new Collector();
      const table = new TranscriptTable();
      for (const event of told) {
        collector.add([event]);
        table.add([event]);
      }
      expect(table.toIndex()).toEqual(collector.index());
      expect(table.threads.size).toBeGreaterThan(0);
    },
  );

  it.each(
    ["claude-code", "codex", "gemini-cli", "hermes", "derived"].flatMap((folder) => filesBelow(folder, ".jsonl")),
  )("%s: holds what the collector holds", async (file) => {
    const told = await events(memorySource(readFileSync(corpusPath(file)), file));
    const collector = new Collector();
    const table = new TranscriptTable();
    collector.add(told);
    table.add(told);
    expect(table.toIndex()).toEqual(collector.index());
  });

  it("leaves a hole where an index was skipped", () => {
    const table = new TranscriptTable();
    const place = { line: 3, start: 5, end: 9 };
    const result: ToolResult = {
      index: 2,
      threadId: "t",
      turn: 0.5,
      call: undefined,
      callId: "",
      tool: undefined,
      state: "inline",
      size: { codePoints: 1, utf16: 2, bytes: 4 },
      images: 0,
      isError: true,
      persisted: undefined,
      body: { place: { line: 1, start: 0, end: 2, row: { table: "m", id: 7 } }, path: ["a", 0, "b"] },
      place,
      fullText: undefined,
      orphan: false,
      trustedVerbatim: false,
    };
    table.result(result);
    expect(table.results.get(0)).toBeUndefined();
    expect(table.results.get(1)).toBeUndefined();
    expect(table.results.get(3)).toBeUndefined();
    expect(table.results.get(2)).toEqual(result);
    expect(Object.keys(table.toIndex().results)).toEqual(["2"]);
  });
});

describe("NumberColumn", () => {
  it.each([
    ["undefined first", undefined, [undefined, undefined, 3, undefined, -4]],
    ["zero first", 0, [0, 0, 3, undefined, -0]],
    ["too large for 32 bits", undefined, [1, undefined, 2 ** 31, 2 ** 53, -(2 ** 31), undefined]],
    ["fractions", 0, [0, 1.5, undefined, Number.POSITIVE_INFINITY]],
    ["the number that stands for nothing", undefined, [-0x80000000, undefined, 5]],
    [
      "what needs one byte, two, four and eight",
      undefined,
      [1, undefined, 254, 255, undefined, 65_534, 65_535, -1, 2 ** 31],
    ],
    ["a first value that needs four", -1, [-1, 0, undefined, 255, -0x7fffffff, -0x80000000]],
    ["several that are no whole ones", 0, [0.5, 1.5, Number.NaN, -0, 7].map((n) => (Number.isNaN(n) ? undefined : n))],
  ])("%s", (_, initial, values) => {
    const column = new NumberColumn(initial);
    for (const value of values) column.push(value);
    expect(values.map((__, row) => column.get(row))).toEqual(values);
    expect(column.get(values.length)).toBeUndefined();
    const expecting = new NumberColumn(initial);
    expecting.expect(1000);
    for (const value of values) expecting.push(value);
    expect(values.map((__, row) => expecting.get(row))).toEqual(values);
    expect(expecting.stored()).toEqual(column.stored());
    const { kind, bytes } = column.stored();
    const again = new NumberColumn(initial);
    expect(again.load(kind, column.rows, bytes.slice())).toBe(true);
    expect(values.map((__, row) => again.get(row))).toEqual(values);
    expect(kind === "constant" || new NumberColumn().load(kind, column.rows + 1, bytes.slice())).toBe(
      kind === "constant",
    );
    column.truncate(1);
    column.set(3, 9);
    expect([0, 1, 2, 3].map((row) => column.get(row))).toEqual([values[0], initial, initial, 9]);
  });

  it("holds what a list holds, whatever was expected and whichever row is set", () => {
    const number = fc.oneof(fc.constantFrom(undefined, 0, 1, 255, 65_535, -1, 2 ** 31, 0.5), fc.nat(300));
    const step = fc.oneof(
      fc.record({ row: fc.nat(900), value: number }),
      fc.record({ until: fc.nat(900) }),
      fc.record({ cut: fc.nat(900) }),
    );
    const initials = fc.constantFrom(undefined, 0, -1);
    fc.assert(
      fc.property(initials, fc.nat(500), fc.array(step, { maxLength: 12 }), (initial, expected, steps) => {
        const column = new NumberColumn(initial);
        column.expect(expected);
        const list: (number | undefined)[] = [];
        for (const one of steps) {
          if ("cut" in one) {
            column.truncate(one.cut);
            list.length = Math.min(list.length, one.cut);
          } else if ("until" in one) {
            while (list.length < one.until) {
              column.push(initial);
              list.push(initial);
            }
          } else {
            while (list.length < one.row) list.push(initial);
            column.set(one.row, one.value);
            list[one.row] = one.value;
          }
          expect(column.rows).toBe(list.length);
          expect(list.map((_, row) => column.get(row))).toEqual(list);
          const { kind, bytes } = column.stored();
          const again = new NumberColumn(initial);
          expect(again.load(kind, column.rows, bytes.slice())).toBe(true);
          expect(list.map((_, row) => again.get(row))).toEqual(list);
        }
      }),
      { seed: 20261130, numRuns: 300 },
    );
  });

  it("takes the bytes that its numbers need, once it has what it grows by", () => {
    const column = new NumberColumn();
    const kinds = [3, 254, 255, 65_535, 2 ** 31, 0.5].map((value) => {
      column.push(value);
      return column.stored().kind;
    });
    expect(kinds).toEqual(["uint8", "uint8", "uint16", "int32", "float64", "float64"]);
    // A column is not made anew with every number that is no whole one.
    const before = column.stored().bytes.buffer;
    column.push(1.25);
    expect(column.stored().bytes.buffer).toBe(before);
  });
});

describe("TextList", () => {
  it("is the same with room from the beginning", () => {
    const [list, roomy] = [new TextList(), new TextList()];
    roomy.expect(1000, 100_000);
    for (const text of ["a", "潮位", "x".repeat(9000)]) expect(roomy.add(text)).toBe(list.add(text));
    expect(roomy.stored()).toEqual(list.stored());
  });

  it("gives back every text as it was", () => {
    const texts = ["", "a", "naïve", "潮位", "\ud800", "🌊 swell", "x".repeat(20_000), "潮".repeat(20_000)];
    const list = new TextList();
    const numbers = texts.map((text) => list.add(text));
    expect(numbers.map((number) => list.get(number))).toEqual(texts);
    const { starts, bytes } = list.stored();
    const again = new TextList();
    expect(again.load(list.count, starts.slice(), bytes.slice())).toBe(true);
    expect(numbers.map((number) => again.get(number))).toEqual(texts);
    again.add("more");
    expect(again.get(texts.length + 1)).toBe("more");
    expect(list.get(0)).toBeUndefined();
    expect(list.get(texts.length + 1)).toBeUndefined();
  });

  it("keeps a name once, also after it was loaded", () => {
    const names = new NameList();
    expect([names.number("a"), names.number("b"), names.number("a"), names.number(undefined)]).toEqual([1, 2, 1, 0]);
    const again = new NameList(names.list);
    expect([again.number("c"), again.number("b"), again.get(3)]).toEqual([3, 2, "c"]);
  });
});
