import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../../extension/src/cli/main";
import { corpusPath, hasCorpus } from "../../corpus";
import { type FakeFile, fakeIo } from "./fakeIo";
import { validated } from "./schema";

async function handles(files: Readonly<Record<string, FakeFile>>, ...argv: readonly string[]) {
  const io = fakeIo(files);
  const code = await run(["inspect", ...argv, "--handles"], io);
  return { code, out: io.stdout.text, err: io.stderr.text };
}

const SPILL = "/home/someone/.hermes/cache/spillover";
const call = (id: string, name: string, args: unknown): unknown => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
const answer = (id: string, content: string): unknown => ({ role: "tool", tool_call_id: id, content });
const block = (id: string): string =>
  `<persisted-output>\nThis tool result was too large (41,203 characters, 40.2 KB).\nFull output saved to: ${SPILL}/${id}.txt\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 6 chars):\nfirst\n\n...\n</persisted-output>`;
const chat = (...messages: readonly unknown[]): string => JSON.stringify({ model: "m-1", messages }, null, 1);
const small = chat(
  { role: "user", content: "hello" },
  call("call_one", "terminal", { command: "make" }),
  answer("call_one", block("call_one")),
  call("call_two", "web_extract", { urls: ["https://example.org"] }),
  answer("call_two", block("call_two")),
  call("call_three", "terminal", { command: "make all" }),
  answer("call_three", block("call_three")),
  call("call_4", "read_file", { path: `${SPILL}/call_one.txt`, offset: 5, limit: 10 }),
  answer("call_4", "lines 5 to 14"),
  call("call_5", "web_extract", { urls: ["https://example.org"] }),
  answer("call_5", "short"),
);
const there = { [`${SPILL}/call_one.txt`]: `first\n${"x".repeat(41_197)}` };

describe("inspect --handles", () => {
  it("says in a line how the handles were used, and of each whether it can be read", async () => {
    const { code, out } = await handles({ "/work/t.json": small, ...there }, "t.json");
    expect(code).toBe(0);
    expect(out).toContain("t.json\n3 handles: 1 never read again, 1 read, 1 repeated\nreadable now\n");
    expect(out).toMatch(/ terminal +readable \(file-there\) +read 1 time \(line \d+\) +\S+call_one\.txt\n/);
    expect(out).toMatch(/ web_extract +gone \(file-gone\) +repeated 1 time /);
    expect(out).toMatch(/ terminal +gone \(file-gone\) +never read again /);
  });

  it("keeps to its schema, with each read and its part", async () => {
    const { code, out } = await handles({ "/work/t.json": small, ...there }, "t.json", "--json", "--at", "2");
    expect(code).toBe(0);
    const report = validated(out, "handlesReport");
    expect(report.counts).toEqual({ never: 1, read: 1, repeated: 1, unknown: 0 });
    expect(report.moment).toMatchObject({ kind: "call", at: null, call: 2 });
    expect(report.handles[0]).toMatchObject({
      name: `${SPILL}/call_one.txt`,
      kind: "file",
      call: 1,
      statedChars: 41_203,
      use: "read",
      reads: [{ tool: "read_file", way: "file", part: { unit: "lines", from: 5, to: 15 }, outcome: "read", chars: 13 }],
    });
    expect(report.handles.map(({ readable }) => readable)).toEqual(["unknown", "not-yet", "not-yet"]);
  });

  it("says that there are none", async () => {
    const plain = chat({ role: "user", content: "hello" }, call("c", "clock", {}), answer("c", "12:00"));
    expect((await handles({ "/work/t.json": plain }, "t.json")).out).toBe("t.json\nno handles in this transcript\n");
    const { out } = await handles({ "/work/t.json": plain }, "t.json", "--json");
    expect(validated(out, "handlesReport").handles).toEqual([]);
  });

  it.each([
    [["a.json", "b.json"], "--handles takes one transcript"],
    [["a.json", "--summary"], "--handles and --summary exclude each other"],
    [["a.json", "--at", "0"], "--at is now, end or the number of a call, not '0'"],
  ])("refuses %j", async (argv, why) => {
    const { code, err } = await handles({}, ...argv);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });

  it("refuses --at without it, and a file that is no transcript", async () => {
    const io = fakeIo({ "/work/t.json": small });
    expect(await run(["inspect", "t.json", "--at", "end"], io)).toBe(2);
    expect(io.stderr.text).toContain("--at belongs to --handles");
    const { code, err } = await handles({ "/work/x.txt": "hello" }, "x.txt");
    expect(code).toBe(2);
    expect(err).toMatch(/^x\.txt: error: /m);
  });

  it.skipIf(!hasCorpus)("finds the handles of a recorded session", async () => {
    const file = "session_20260908_090003_1c40de.json";
    const text = readFileSync(corpusPath("hermes", "home", "sessions", file), "utf8");
    const { out } = await handles({ [`/work/${file}`]: text }, file);
    expect(out).toContain("8 handles: 8 never read again\n");
  });
});
