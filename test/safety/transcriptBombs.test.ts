import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../extension/src/core/ports";
import { collect } from "../../extension/src/core/transcript/collect";
import type { TranscriptIndex } from "../../extension/src/core/transcript/events";
import { readTranscript } from "../../extension/src/core/transcript/read";
import { parsePartialJson } from "../../extension/src/core/util/partialJson";
import { nodeUnpacker } from "../../extension/src/node/unpack";
import { nodeUtf8 } from "../../extension/src/node/utf8";
import { callOf, makeDatabase, message, readIndex, scratchFolder } from "../unit/database/support";
import { answer, claude, codes, jsonLines, memorySource, prompt, toolResult, use } from "../unit/transcript/support";

/** Bytes of heap that may be in use afterwards; the largest text has some 60 MB. */
const MOST_HEAP = 1_500_000_000;

const deep = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
const withContent = (content: string): string => JSON.stringify(toolResult("t1", "@@")).replace('"@@"', content);
const others = (bomb: string): string =>
  `${jsonLines(prompt("Hi"), answer("m1", use("t1")))}${bomb}\n${jsonLines(answer("m2", use("t2")), toolResult("t2", "result"))}`;

/** One line that is a bomb, and the problem that tells of it, if there is one. */
const LINES: Readonly<Record<string, readonly [line: () => string, code: string | undefined]>> = {
  "lists nested a million times": [() => withContent(deep("[", "]", 1_000_000)), "record-too-deep"],
  "objects nested a million times": [() => withContent(deep('{"a":', "}", 1_000_000)), "record-too-deep"],
  "lists that never end": [() => "[".repeat(2_000_000), "record-too-deep"],
  "half a million parts": [() => withContent(`[${'{"type":"text","text":"x"},'.repeat(500_000)}"x"]`), undefined],
  "half a million parts of unknown kinds": [
    () => withContent(`[${Array.from({ length: 500_000 }, (_, i) => `{"type":"k${i}"}`).join(",")}]`),
    "unknown-block",
  ],
  "a million keys": [
    () => withContent(`{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":1`).join(",")}}`),
    undefined,
  ],
  "one key a million times": [() => withContent(`{${'"k":1,'.repeat(1_000_000)}"k":2}`), undefined],
  prototypes: [
    () => `{"__proto__":{"type":"user"},"constructor":{"prototype":{"polluted":1}},${withContent('"x"').slice(1)}`,
    undefined,
  ],
  "a number of a million digits": [
    () => `{"uuid":"u","n":${"9".repeat(1_000_000)},${withContent('"x"').slice(1)}`,
    undefined,
  ],
  "numbers beyond all bounds": [
    () => JSON.stringify(claude("user", { n: 1 })).replace('"n":1', '"n":1e999999999'),
    undefined,
  ],
  "a text of 20 million letters": [() => withContent(`"${"x".repeat(20_000_000)}"`), undefined],
  "a million escapes": [() => withContent(`"${"\\ud800".repeat(1_000_000)}"`), undefined],
  "a call's arguments nested without end": [
    () => JSON.stringify(answer("m9", use("t9", "Bash", "@@"))).replace('"@@"', deep('{"a":', "}", 3_000)),
    undefined,
  ],
};

async function readBytes(content: string | Uint8Array): Promise<TranscriptIndex> {
  const ports = { utf8: nodeUtf8, unpacker: nodeUnpacker };
  return collect(readTranscript(memorySource(content), ports, {}, NEVER_CANCELLED));
}

describe("a line that is a bomb", () => {
  it.each(Object.entries(LINES))("%s: a problem by name, and the other lines are there", async (_, [line, code]) => {
    const index = await readBytes(others(line()));
    expect(index.results.map(({ callId, size }) => [callId, size.codePoints])).toContainEqual(["t2", 6]);
    if (code !== undefined) expect(codes(index)).toContain(code);
    for (const { message: text } of index.problems) expect(text.length).toBeLessThan(2_000);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(process.memoryUsage().heapUsed).toBeLessThan(MOST_HEAP);
  });
});

describe("what is cut off", () => {
  it.each(["[", '{"a":', "[1,", '{"a":[', '[{"b":"x"},'])("%s, a hundred thousand times, ends", (piece) => {
    expect(() => parsePartialJson(piece.repeat(100_000))).not.toThrow();
  });
});

describe("a packed bomb", () => {
  it("of zeros is no transcript; one of letters is read to the limit; 50,000 members are as many as one", async () => {
    const lines = Buffer.from(jsonLines(prompt("Hi"), answer("m1", use("t1")), toolResult("t1", "result")));
    const zeros = await readBytes(gzipSync(Buffer.alloc(300_000_000)));
    expect(zeros.header).toBeUndefined();
    expect(zeros.problems.length).toBeGreaterThan(0);
    const bomb = gzipSync(Buffer.concat([lines, Buffer.alloc(300_000_000, "x")]), { level: 1 });
    expect(codes(await readBytes(bomb))).toContain("unpacked-too-large");
    const empty = gzipSync(Buffer.alloc(0));
    const members = Buffer.concat([...Array.from({ length: 50_000 }, () => empty), gzipSync(lines)]);
    expect((await readBytes(members)).results).toHaveLength(1);
  });
});

describe("a database that is a bomb", () => {
  const folder = scratchFolder();
  const rows = [
    message({ id: 1, session_id: "s", role: "assistant", tool_calls: callOf("c1"), timestamp: 1 }),
    message({ id: 2, session_id: "s", role: "tool", content: "result", tool_call_id: "c1", timestamp: 2 }),
  ];
  const sessions = [{ id: "s", started_at: 1, title: "S" }];

  it.each([
    [
      "views without end",
      ["CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n"],
    ],
    [
      "500 tables of 200 columns",
      Array.from(
        { length: 500 },
        (_, i) => `CREATE TABLE t${i} (${Array.from({ length: 200 }, (__, c) => `c${c}`).join(",")})`,
      ),
    ],
    ["a column of 60 million letters", ["UPDATE messages SET content = printf('%.*c', 60000000, 'x') WHERE id = 1"]],
    [
      "a trigger and a generated column",
      [
        "CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM messages; END",
        "ALTER TABLE messages ADD COLUMN g AS (zeroblob(1000000000))",
      ],
    ],
    ["names of prototypes", ['CREATE TABLE "__proto__" ("constructor")', 'INSERT INTO "__proto__" VALUES (1)']],
  ])("%s: the rows are there", async (name, statements) => {
    const path = makeDatabase(join(folder, `${name.replace(/\W/g, "")}.db`), { sessions, messages: rows }, statements);
    const index = await readIndex(path);
    if ("code" in index) throw new Error(`${index.code}: ${index.message}`);
    expect(index.results).toMatchObject([{ callId: "c1", size: { codePoints: 6 } }]);
    expect(process.memoryUsage().heapUsed).toBeLessThan(MOST_HEAP);
  });

  it("a view in the place of a table is no table", async () => {
    const endless =
      "CREATE VIEW messages AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, 's' session_id, 'user' role, '' content, '' tool_calls, '' tool_call_id, 1 timestamp FROM n";
    const path = makeDatabase(join(folder, "view.db"), { sessions }, [endless]);
    expect(await readIndex(path)).toHaveProperty("problems.0.severity", "error");
  });
});
