import { describe, expect, it } from "vitest";
import { type FileSource, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { sniff } from "../../../extension/src/core/transcript/sniff";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { answer, bodyText, codes, events, jsonLines, memorySource, prompt, read, toolResult, use } from "./support";

const session = () => jsonLines(prompt("Hi"), answer("m1", use("t1")), toolResult("t1", "result"));
const lines = (text: string) => text.split("\n").filter((line) => line !== "");

/** The three records are all there, whatever stood around them. */
async function expectWhole(content: string | Uint8Array) {
  const index = await read(content);
  expect(index.messages).toHaveLength(3);
  expect(index.results).toMatchObject([{ state: "inline", tool: "Bash", size: { codePoints: 6 } }]);
  for (const result of index.results) expect(await bodyText(content, result.body)).toBe("result");
  return index;
}

describe("files that are no transcript", () => {
  const cases: [string, Uint8Array | string, string, RegExp][] = [
    ["empty", "", "empty-file", /is empty/],
    ["SQLite", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(100)]), "not-a-transcript", /SQLite/],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2]), "not-a-transcript", /gzip/],
    ["Zstandard", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1]), "not-a-transcript", /Zstandard/],
    ["ZIP", Buffer.from("PK\u0003\u0004xxxx"), "not-a-transcript", /ZIP/],
    ["UTF-16 LE", Buffer.from("\ufeff{}", "utf16le"), "not-a-transcript", /UTF-16/],
    ["UTF-16 BE", Buffer.from("\ufeff{}", "utf16le").swap16(), "not-a-transcript", /UTF-16/],
    ["binary", Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 37) % 256)), "not-a-transcript", /binary/],
    ["prose", "Hello\nworld\n", "unknown-format", /not a transcript/],
    ["white space", " \n\n\t\n", "unknown-format", /not a transcript/],
    ["some JSON", '{"a":[1,2,{"b":null}]}', "unknown-format", /not a transcript/],
    ["a number", "42", "unknown-format", /not a transcript/],
    ["an unfinished string", '"abc', "unknown-format", /not a transcript/],
    [
      "a session that Hermes exported as Markdown",
      '---\nsession_id: "s"\ntitle: "exporter: x"\ncwd: null\nexporter: "hermes sessions export (md/qmd) v1"\n---\n\n# s\n',
      "not-a-transcript",
      /Markdown.*state\.db/,
    ],
    ["a web page", '\n<!DOCTYPE html>\n<html lang="en">', "not-a-transcript", /web page.*state\.db/],
    [
      "the list of a Hermes export",
      '{"session_id": "s", "sha256": "0", "path": "/x.md", "exported_at": 1}\n',
      "not-a-transcript",
      /list of what Hermes exported/,
    ],
    [
      "the list of a Hermes gateway",
      JSON.stringify({ "agent:main:x": { session_key: "agent:main:x", session_id: "s" } }, undefined, 2),
      "not-a-transcript",
      /list of a Hermes gateway/,
    ],
    [
      "a log of Hermes",
      "2026-08-14 09:00:00,123 INFO [20260814_090000_abc123] agent.conversation_loop: API call #1: model=m\n",
      "not-a-transcript",
      /a log as Hermes.*state\.db/,
    ],
    ["a text with such a line in it", "See:\n2026-08-14 09:00:00,123 INFO x: y\n", "unknown-format", /not a/],
    [
      "a Markdown file",
      '---\ntitle: "x"\n---\nexporter: "hermes sessions export (md/qmd) v1"\n',
      "unknown-format",
      /not a/,
    ],
    ["NULs only", Buffer.alloc(4096), "unknown-format", /not a transcript/],
  ];
  it.each(cases)("%s", async (_, content, code, message) => {
    const index = await read(content, {}, "/some/file.jsonl");
    expect(index.header).toBeUndefined();
    expect(index.problems).toMatchObject([{ code, severity: "error" }]);
    expect(index.problems[0]?.message).toMatch(message);
    expect(index.problems[0]?.message).toContain("/some/file.jsonl");
  });

  const failing = (code: string, after = 0): FileSource => {
    const bytes = Buffer.from(session());
    return {
      path: "/some/file",
      bytes: bytes.length,
      read: async (start, end) => {
        if (start >= after) throw Object.assign(new Error(`${code}: no`), { code });
        return bytes.subarray(start, Math.min(end, after));
      },
    };
  };

  it.each([
    ["EISDIR", /folder/],
    ["EACCES", /permissions/],
    ["ENOENT", /does not exist/],
    ["EIO", /cannot be read: EIO/],
  ])("%s is a problem, not an exception", async (code, message) => {
    const found = await sniff(failing(code), { utf8: nodeUtf8 });
    expect(found.ok).toBe(false);
    const index = await collect(readTranscript(failing(code), { utf8: nodeUtf8 }, {}, NEVER_CANCELLED));
    expect(index.problems).toMatchObject([{ code: "unreadable", severity: "error" }]);
    expect(index.problems[0]?.message).toMatch(message);
  });

  it("keeps what was read before a read fails", async () => {
    const text = session().repeat(1).concat("\n".repeat(10));
    const bytes = Buffer.from(text);
    let reads = 0;
    const source: FileSource = {
      path: "/f",
      bytes: bytes.length + 100,
      read: async (start, end) => {
        if (reads++ > 0 && start > 0) throw Object.assign(new Error("EIO: gone"), { code: "EIO" });
        return bytes.subarray(start, end);
      },
    };
    const index = await collect(readTranscript(source, { utf8: nodeUtf8 }, { format: "claude-code" }, NEVER_CANCELLED));
    expect(index.messages).toHaveLength(3);
    expect(codes(index)).toEqual(["read-failed"]);
  });

  it("ends quietly when the file shrinks while it is read", async () => {
    const bytes = Buffer.from(session());
    const source: FileSource = { path: "/f", bytes: bytes.length * 3, read: async (a, b) => bytes.subarray(a, b) };
    const index = await collect(readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED));
    expect(index.messages).toHaveLength(3);
  });

  it("stops when cancelled", async () => {
    const cancel = { isCancellationRequested: false };
    const source = memorySource(session().repeat(2000));
    let batches = 0;
    for await (const _ of readTranscript(source, { utf8: nodeUtf8 }, { chunkBytes: 4096 }, cancel)) {
      batches++;
      cancel.isCancellationRequested = true;
    }
    expect(batches).toBe(1);
  });
});

describe("damaged line files", () => {
  it("byte order mark, CRLF, blank lines, a line of NULs, no last newline", async () => {
    const [a, b, c] = lines(session());
    const index = await expectWhole(`\ufeff${a}\r\n\r\n   \n${"\0".repeat(256)}\r\n${b}\r\n${c}`);
    expect(codes(index)).toEqual(["nul-line"]);
    expect(index.messages.map((message) => message.place.line)).toEqual([1, 5, 6]);
    expect(index.messages[0]?.place.start).toBe(3);
  });

  it("a bad line in the middle is named and hides no other", async () => {
    const [a, b, c] = lines(session());
    const index = await expectWhole(`${a}\nnot json\n${b}\n{"half":\n${c}\n[1,2\n`);
    expect(index.problems.map((problem) => [problem.code, problem.at?.line])).toEqual([
      ["bad-record", 2],
      ["bad-record", 4],
      ["bad-record", 6],
    ]);
    expect(index.problems[0]?.message).toMatch(/^Line 2 /);
  });

  it("a torn last line is a warning", async () => {
    for (const tail of ['{"type":"user","mess', '{"type":"user","message":{"content":"gr', "{"]) {
      const index = await expectWhole(session() + tail);
      expect(index.problems).toMatchObject([{ code: "torn-last-line", severity: "warning", at: { line: 4 } }]);
    }
    const cut = Buffer.concat([Buffer.from(`${session()}{"type":"user","message":"`), Buffer.from("ü").subarray(0, 1)]);
    expect(codes(await expectWhole(cut))).toEqual(["torn-last-line"]);
  });

  it("several records on one line, without anything between them", async () => {
    const [a, b, c] = lines(session());
    const index = await expectWhole(`${a}${b}\n${c}`);
    expect(codes(index)).toEqual(["glued-records"]);
    expect(index.messages.map((message) => message.place.line)).toEqual([1, 1, 2]);
    expect(codes(await expectWhole(`${a}\n${b} ${c}{"torn":`))).toEqual(["torn-last-line", "glued-records"]);
    expect(codes(await expectWhole(`${a}\n${b}x${c}\n`))).toContain("bad-record");
  });

  it("bytes that are not UTF-8 are replaced and the line is named", async () => {
    const [a, b, c] = lines(session());
    const bad = Buffer.concat([
      Buffer.from(
        `${a}\n${b}\n${c}\n{"type":"user","uuid":"z","sessionId":"s","parentUuid":null,"message":{"content":"a`,
      ),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('b"}}\n'),
    ]);
    const index = await read(bad);
    expect(index.messages).toHaveLength(4);
    expect(index.messages[3]?.size).toEqual({ codePoints: 4, utf16: 4, bytes: 8 });
    expect(index.problems).toMatchObject([{ code: "invalid-utf8", at: { line: 4 } }]);
  });

  it("lone surrogates count as Python and JavaScript count them", async () => {
    const line = String.raw`{"type":"user","uuid":"z","sessionId":"s","parentUuid":null,"message":{"content":"a\ud83dzü\ude00"}}`;
    const index = await read(`${line}\n`);
    expect(index.messages[0]?.size).toEqual({ codePoints: 5, utf16: 5, bytes: 10 });
    expect(index.problems).toEqual([]);
  });

  it("a depth bomb is left out and named", async () => {
    const [a, b, c] = lines(session());
    for (const size of [10_000, 3_000_000]) {
      const bomb = `{"type":"user","uuid":"b","sessionId":"s","parentUuid":null,"message":{"content":${"[".repeat(size)}${"]".repeat(size)}}}`;
      const index = await read(`${a}\n${bomb}\n${b}\n${c}\n`);
      expect(index.results).toHaveLength(1);
      expect(index.messages.filter((message) => message.role !== "user").length).toBe(2);
      if (size > 1_000_000) expect(codes(index)).toEqual(["record-too-deep"]);
    }
    const unclosed = await read(`${a}\n${"[".repeat(2_000_000)}\n${b}\n${c}\n`);
    expect(unclosed.results).toHaveLength(1);
    expect(codes(unclosed)).toEqual(["record-too-deep"]);
  });

  it("a line of 60 MB", async () => {
    const big = "0123456789abcdef".repeat((60 * 1024 * 1024) / 16);
    const content = session() + jsonLines(answer("m2", use("t2")), toolResult("t2", big)) + jsonLines(prompt("after"));
    const index = await read(content);
    expect(index.results[1]?.size.codePoints).toBe(big.length);
    expect(index.messages.at(-1)?.place.line).toBe(6);
    expect(index.problems).toEqual([]);
  });

  it("a first line that is larger than what is looked at to find the format", async () => {
    const first = prompt("x".repeat(9 * 1024 * 1024));
    const { uuid, type, message, ...envelope } = first;
    const index = await read(jsonLines({ ...envelope, type, message, uuid }, prompt("after")));
    expect(index.header?.format).toBe("claude-code");
    expect(index.messages).toHaveLength(2);
    const chat = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(9 * 1024 * 1024) }] });
    expect((await read(chat)).header?.format).toBe("openai-chat");
  });

  it("a line above the limit is left out and named; the lines around it are read", async () => {
    const index = await read(session() + jsonLines(prompt("x".repeat(5000)), prompt("after")), {
      chunkBytes: 512,
      maxLineBytes: 2000,
    });
    expect(index.messages).toHaveLength(4);
    expect(index.problems).toMatchObject([{ code: "record-too-long", severity: "error", at: { line: 4 } }]);
  });

  it("many problems of one kind are capped, and the rest is counted", async () => {
    const index = await read(session() + "junk\n".repeat(500));
    const bad = index.problems.filter((problem) => problem.code === "bad-record");
    expect(bad).toHaveLength(101);
    expect(bad.at(-1)?.message).toMatch(/^400 more/);
  });
});

describe("damaged documents", () => {
  const snapshot = JSON.stringify(
    {
      session_id: "s",
      platform: "cli",
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "", tool_calls: [{ id: "t", function: { name: "ls", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "t", content: "result" },
      ],
    },
    null,
    2,
  );

  it("tells physical lines inside pretty-printed JSON", async () => {
    const index = await read(snapshot);
    // The brace that opens each message stands on the line before its role.
    const lineOf = (text: string) => snapshot.slice(0, snapshot.indexOf(text)).split("\n").length - 1;
    const wanted = ['"role": "user"', '"role": "assistant"', '"role": "tool"'].map(lineOf);
    expect(index.messages.map((message) => message.place.line)).toEqual(wanted);
    const { start, end } = index.messages[2]!.place;
    expect(JSON.parse(snapshot.slice(start, end))).toEqual({ role: "tool", tool_call_id: "t", content: "result" });
  });

  it("keeps every message before the cut, wherever a file is cut off", async () => {
    const all = await events(memorySource(snapshot));
    const ends = all.flatMap((event) => (event.kind === "message" ? [event.message.place.end] : []));
    for (let cut = 90; cut < snapshot.length; cut++) {
      const index = await read(snapshot.slice(0, cut), { format: "hermes-snapshot" });
      expect(index.messages.length).toBe(ends.filter((end) => end <= cut).length);
      expect(codes(index)).toEqual(["cut-off"]);
    }
  });

  it("a broken element is named and hides no other", async () => {
    const broken = snapshot.replace('"role": "assistant",', '"role": assistant,');
    const index = await read(broken);
    expect(index.messages.map((message) => message.role)).toEqual(["user", "tool"]);
    expect(index.problems).toMatchObject([{ code: "bad-record" }]);
  });

  it("reads on after a broken line of an export", async () => {
    const line = (id: string) =>
      JSON.stringify({ id, source: "cli", started_at: 1, messages: [{ role: "user", content: "x" }] });
    const index = await read(`${line("a")}\n${line("b").slice(0, -20)}\n${line("c")}\nnonsense\n${line("d")}\n`);
    expect(index.threads.map((thread) => thread.id)).toEqual(["a", "b", "c", "d"]);
    expect(index.messages.map((message) => message.threadId)).toEqual(["a", "c", "d"]);
    expect(index.problems.map((problem) => [problem.code, problem.at?.line])).toEqual([
      ["cut-off", 2],
      ["bad-record", 4],
    ]);
  });
});
