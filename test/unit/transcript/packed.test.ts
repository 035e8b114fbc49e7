import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import { inflated } from "../../../extension/src/core/transcript/inflated";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { sniff } from "../../../extension/src/core/transcript/sniff";
import { nodeUnpacker } from "../../../extension/src/node/unpack";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { codes, jsonLines, memorySource, read } from "./support";

const ports = { utf8: nodeUtf8, unpacker: nodeUnpacker };
const line = (type: string, payload: unknown) => ({ timestamp: "2026-01-01T00:00:00.000Z", type, payload });
const SESSION = jsonLines(
  line("session_meta", { id: "019c8a53-a0dd-7130", cwd: "/", cli_version: "0.50.0" }),
  line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: "hello 🌊" }] }),
  line("response_item", { type: "function_call", name: "shell", arguments: "{}", call_id: "c1" }),
  line("response_item", { type: "function_call_output", call_id: "c1", output: "潮位\n".repeat(40_000) }),
);

/** A frame of raw blocks: what any packer may write for texts that do not shrink. */
function framed(content: string | Uint8Array, block = 100_000): Buffer {
  const bytes = Buffer.from(content);
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  for (let at = 0; at < bytes.length; at += block) {
    const part = bytes.subarray(at, at + block);
    const head = (part.length << 3) | (at + block >= bytes.length ? 1 : 0);
    parts.push(Buffer.from([head & 255, (head >> 8) & 255, head >> 16]), part);
  }
  return Buffer.concat(parts);
}

const load = (packed: Uint8Array) =>
  collect(readTranscript(memorySource(packed, "/t/rollout.jsonl.zst"), ports, {}, NEVER_CANCELLED));

describe("Codex sessions packed with Zstandard", () => {
  it("read like what is packed in them, bodies included", async () => {
    const packed = framed(SESSION);
    const [index, plain] = [await load(packed), await read(SESSION, {}, "/t/rollout.jsonl")];
    expect(index.header).toEqual(plain.header);
    expect([index.messages, index.results, index.problems]).toEqual([plain.messages, plain.results, plain.problems]);
    expect(index.results[0]?.size.codePoints).toBe(120_000);
    const ref = index.results[0]?.body;
    if (ref === undefined) throw new Error("no body");
    const body = await readBody(memorySource(packed, "/t/rollout.jsonl.zst"), ref, ports);
    expect(body).toMatchObject({ ok: true, value: { text: "潮位\n".repeat(40_000) } });
    expect(await sniff(memorySource(packed), ports)).toEqual({ ok: true, value: "codex" });
  });

  it("cut off, what came before is read and the damage is said", async () => {
    const packed = framed(SESSION);
    const index = await load(packed.subarray(0, packed.length - 5));
    expect(codes(index)).toContain("damaged-archive");
    expect(index.messages).toHaveLength(2);
    expect(index.results.map(({ state }) => state)).toEqual(["missing"]);
    const nothing = await load(packed.subarray(0, 9));
    expect(nothing.problems).toMatchObject([{ code: "damaged-archive", severity: "error" }]);
    expect(nothing.problems[0]?.message).toContain("Zstandard");
  });

  it("a bomb is read up to the limit, and that is said with the tool that unpacks it", async () => {
    const block = Buffer.from([0x02, 0x00, 0x10, 0x0a]);
    const bomb = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...Array(3000).fill(block)]);
    const opened = await inflated(memorySource(bomb), ports, 5_000_000);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.source.bytes).toBe(5_000_000);
    expect(opened.value.problems).toMatchObject([{ code: "unpacked-too-large", severity: "error" }]);
    expect(opened.value.problems[0]?.message).toContain("zstd -d");
  });
});
