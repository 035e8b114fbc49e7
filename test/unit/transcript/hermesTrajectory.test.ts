import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import { inflated, MAX_PACKED_BYTES } from "../../../extension/src/core/transcript/inflated";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { sniff } from "../../../extension/src/core/transcript/sniff";
import { nodeUnpacker } from "../../../extension/src/node/unpack";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { LONG, REQUEST, TRAJECTORY } from "./samples";
import { bodyText, brief, briefMessage, codes, jsonLines, memorySource, read } from "./support";

const chars = [...LONG].length;
const quoted = `${LONG} quotes </tool_response> here`;
const ports = { utf8: nodeUtf8, unpacker: nodeUnpacker };

describe("Hermes trajectories", () => {
  it("results of a turn answer the calls before it, by tool; a quoted closing tag ends nothing", async () => {
    const index = await read(TRAJECTORY);
    expect(index.header).toMatchObject({ format: "hermes-trajectory", agent: "hermes", model: "m-1" });
    expect(index.results.map(brief)).toEqual([
      [1, 1, "b", "id-b", "inline", "paired", [...quoted].length],
      [1, 1, "a", "id-a", "inline", "paired", '{"ok":true}'.length],
    ]);
    expect(await bodyText(TRAJECTORY, index.results[0]?.body)).toBe(quoted);
    expect(await bodyText(TRAJECTORY, index.results[1]?.body)).toBe('{"ok":true}');
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "system", undefined, 8],
      [1, "user", 1, chars],
      [2, "assistant", 1, 5],
      [3, "tool", 1, [...quoted].length + 11],
      [4, "assistant", 1, 5],
    ]);
    expect(index.messages[2]?.args.codePoints).toBe('{"p":1}{}'.length);
    expect(index.calls.map((call) => call.usage)).toEqual([undefined, undefined]);
  });

  it("calls whose tool turn is not there are missing; a tool turn without results is said", async () => {
    const index = await read(
      jsonLines(
        {
          conversations: [
            { from: "gpt", value: '<tool_call>\n{"name": "x", "arguments": {}}\n</tool_call>' },
            { from: "human", value: "?" },
          ],
          model: "m",
        },
        {
          conversations: [
            { from: "tool", value: "no tags" },
            { from: "narrator", value: "?" },
            { from: "gpt", value: 7 },
          ],
          model: "n",
        },
      ),
    );
    expect(index.results.map(brief)).toEqual([[undefined, 1, "x", undefined, "missing", "paired", 0]]);
    expect(index.threads).toHaveLength(2);
    expect(codes(index)).toEqual(["unreadable-result", "unknown-record"]);
  });
});

describe("packed files", () => {
  const load = (bytes: Uint8Array) =>
    collect(readTranscript(memorySource(bytes, "/t/a.jsonl.gz"), ports, {}, NEVER_CANCELLED));

  it("are read through the port, all members of them, bodies too", async () => {
    const packed = Buffer.concat([gzipSync(TRAJECTORY), gzipSync(TRAJECTORY)]);
    const index = await load(packed);
    const plain = await read(`${TRAJECTORY}${TRAJECTORY}`, {}, "/t/a.jsonl.gz");
    expect(index).toEqual(plain);
    const ref = index.results[2]?.body;
    if (ref === undefined) throw new Error("no body");
    const body = await readBody(memorySource(packed), ref, ports);
    expect(body).toEqual({ ok: true, value: { text: quoted, images: 0 } });
    expect(await sniff(memorySource(packed), ports)).toEqual({ ok: true, value: "hermes-trajectory" });
  });

  it("without the port are named, with the remedy", async () => {
    const index = await read(gzipSync(TRAJECTORY));
    expect(index.problems).toMatchObject([{ severity: "error" }]);
    expect(index.problems[0]?.message).toContain("gzip -d");
  });

  it("cut or damaged, what can be unpacked is read, and the damage is said", async () => {
    const lines = Array.from({ length: 200 }, (_, i) =>
      jsonLines({ conversations: [{ from: "human", value: `${i} ${Math.sin(i)}` }] }),
    ).join("");
    const packed = gzipSync(lines);
    const index = await load(packed.subarray(0, packed.length - 20));
    expect(codes(index)).toContain("damaged-archive");
    expect(index.messages.length).toBeGreaterThan(100);
    expect(codes(await load(Buffer.concat([gzipSync(TRAJECTORY), Buffer.from("trailing garbage")])))).not.toContain(
      "unknown-format",
    );
    expect(codes(await load(packed.subarray(0, 12)))).toEqual(["damaged-archive"]);
  });

  it("a bomb is bounded", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, 0x20));
    expect(bomb.length).toBeLessThan(64 * 1024);
    const opened = await inflated(memorySource(bomb), ports, 1024 * 1024);
    expect(opened).toMatchObject({
      ok: true,
      value: { problems: [{ code: "unpacked-too-large", severity: "error" }] },
    });
    expect(opened.ok && opened.value.source.bytes).toBe(1024 * 1024);
  });

  it("a packed file that is too large is not taken into memory", async () => {
    const head = gzipSync(TRAJECTORY);
    const source = {
      path: "/t/big.gz",
      bytes: MAX_PACKED_BYTES + 1,
      read: async (start: number, end: number) => head.subarray(start, end),
    };
    expect(await inflated(source, ports)).toMatchObject({ ok: false, error: { code: "packed-too-large" } });
  });

  it("an error while it is read is an error of the file", async () => {
    const source = {
      path: "/t/gone.gz",
      bytes: 100,
      read: async (start: number, end: number) => {
        if (end - start > 2) throw Object.assign(new Error("EIO"), { code: "EIO" });
        return Buffer.from([0x1f, 0x8b]);
      },
    };
    const index = await collect(readTranscript(source, ports, {}, NEVER_CANCELLED));
    expect(index.problems).toMatchObject([{ code: "unreadable", severity: "error" }]);
  });
});

describe("Hermes request dumps", () => {
  it("show what was sent", async () => {
    const index = await read(REQUEST);
    expect(index.header).toMatchObject({ format: "hermes-request", sessionId: "20260910_040024_abcdef", model: "m-1" });
    expect(index.results.map(brief)).toEqual([[1, 1, "terminal", "c1", "inline", "paired", chars]]);
    expect(await bodyText(REQUEST, index.results[0]?.body)).toBe(LONG);
    expect(index.calls.map((call) => call.usage)).toEqual([undefined]);
  });

  it("of the Responses interface, and without a body", async () => {
    const dump = (request: unknown) =>
      JSON.stringify({ timestamp: "t", session_id: "s", reason: "preflight", request });
    const index = await read(
      dump({
        body: {
          model: "m",
          instructions: "Be brief.",
          input: [
            { role: "user", content: "hi" },
            { type: "function_call", call_id: "c", name: "terminal", arguments: "{}" },
            { type: "function_call_output", call_id: "c", output: "out" },
          ],
        },
      }),
    );
    expect(index.results.map(brief)).toEqual([[1, 1, "terminal", "c", "inline", "paired", 3]]);
    expect(index.messages[0]).toMatchObject({ index: -1, role: "system" });
    expect(codes(await read(dump({ body: "not captured" })))).toEqual(["no-body"]);
  });
});
