import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unzstd } from "../../../extension/src/node/unzstd";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "../transcript/corpusFiles";

const MAX = 64 * 1024 * 1024;
const hasTool = spawnSync("zstd", ["--version"]).status === 0;
if (!hasTool) console.warn("tests against the tool zstd are skipped: it is not installed");

function zstd(bytes: Uint8Array, ...options: readonly string[]): Buffer {
  const run = spawnSync("zstd", ["-q", "-c", ...options], { input: bytes, maxBuffer: MAX });
  if (run.status !== 0) throw new Error(run.stderr.toString());
  return run.stdout;
}

const text = (result: { readonly bytes: Uint8Array }): string => Buffer.from(result.bytes).toString("utf8");

// One raw block in a frame of a single segment.
const LINE = Buffer.from("KLUv/SANaQAAeyJhIjoiYmNkZSJ9Cg==", "base64");

describe("Zstandard, without the tool", () => {
  it("a frame with one raw block", () => {
    expect(unzstd(LINE, MAX)).toMatchObject({ state: "whole" });
    expect(text(unzstd(LINE, MAX))).toBe('{"a":"bcde"}\n');
  });

  it("frames that stand one after another, with others' data between them", () => {
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const result = unzstd(Buffer.concat([skipped, LINE, skipped, LINE]), MAX);
    expect(result.state).toBe("whole");
    expect(text(result)).toBe('{"a":"bcde"}\n'.repeat(2));
  });

  it("a frame that asks for gigabytes is refused before any memory is taken, wherever it stands", () => {
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    // Not one segment; window descriptor 0xA8 = 2 GB; one raw block of one byte. And one segment of 2^40 bytes.
    const window = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x09, 0x00, 0x00, 0x41]);
    const segment = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 0x09, 0x00, 0x00, 0x41]);
    const before = process.memoryUsage().arrayBuffers;
    for (const frame of [window, segment, Buffer.concat([LINE, window]), Buffer.concat([skipped, LINE, segment])]) {
      expect(unzstd(frame, MAX)).toMatchObject({ state: "window" });
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  });

  it("a bomb of constant blocks ends at the limit", () => {
    const block = Buffer.from([0x02, 0x00, 0x10, 0x41]);
    const bomb = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...Array(10_000).fill(block)]);
    const result = unzstd(bomb, 1_000_000);
    expect(result.state).toBe("capped");
    expect(result.bytes.length).toBe(1_000_000);
  });

  it("a hail of tiny blocks, for each of which the whole window would be moved, is refused", () => {
    const tiny = Buffer.from([0x08, 0x00, 0x00, 0x41]);
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68]), ...Array(20_000).fill(tiny)]);
    expect(unzstd(frame, MAX)).toMatchObject({ state: "window" });
  });

  it("blocks of a reserved kind are damage", () => {
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x01, 0x0f, 0x00, 0x00, 0x41]);
    expect(unzstd(frame, MAX)).toMatchObject({ state: "damaged" });
  });
});

describe.skipIf(!hasTool)("Zstandard, against the tool", () => {
  const levels = ["-1", "-3", "-9", "-19", "--fast=5"];

  it("texts of any kind, at every level", () => {
    const piece = fc.oneof(
      fc.constantFrom('{"type":"user","uuid":"', '","message":{"role":"assistant"', "\n", "aaaaaaaa", "潮位", "🌊"),
      fc.string({ maxLength: 20 }),
    );
    const any = fc.array(fc.tuple(piece, fc.nat(40)), { maxLength: 200 });
    fc.assert(
      fc.property(any, fc.constantFrom(...levels), fc.boolean(), (parts, level, bare) => {
        const content = Buffer.from(parts.map(([part, times]) => part.repeat(times)).join(""));
        const packed = zstd(content, level, ...(bare ? ["--no-check"] : []));
        const result = unzstd(packed, MAX);
        expect(result.state).toBe("whole");
        expect(Buffer.from(result.bytes).equals(content)).toBe(true);
      }),
      { seed: 20260130, numRuns: Number(process.env["ZSTD_RUNS"] ?? 25) },
    );
  });

  it("random bytes, long runs, and sizes around the block's", () => {
    let seed = 1;
    const random = (): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 16;
    };
    for (const size of [0, 1, 255, 256, 65_791, 131_071, 131_072, 131_073, 300_001]) {
      const noise = Buffer.from(Uint8Array.from({ length: size }, () => random() & 0xff));
      const few = Buffer.from(Uint8Array.from({ length: size }, () => 97 + (random() % 3)));
      for (const content of [noise, few, Buffer.alloc(size, 97)]) {
        for (const level of ["-1"]) {
          const result = unzstd(zstd(content, level), MAX);
          expect([result.state, Buffer.from(result.bytes).equals(content)]).toEqual(["whole", true]);
        }
      }
    }
  });

  it("windows that only the highest levels use are left to the tool", () => {
    for (const options of [
      ["-3", "--long=27"],
      ["-22", "--ultra"],
    ])
      expect(unzstd(zstd(Buffer.alloc(300_000, 97), ...options), MAX).state).toBe("window");
  });

  it.skipIf(!hasCorpus)("real sessions", () => {
    const files = [...filesBelow("codex", ".jsonl"), ...filesBelow("claude-code/checkpoints", ".jsonl").slice(0, 2)];
    for (const file of files) {
      const content = readFileSync(corpusPath(file));
      for (const level of ["-3"]) {
        const result = unzstd(zstd(content, level), MAX);
        expect([file, result.state, Buffer.from(result.bytes).equals(content)]).toEqual([file, "whole", true]);
      }
    }
    expect(existsSync(corpusPath("codex"))).toBe(true);
  });

  it("cut anywhere it gives a beginning of the text; damaged anywhere it ends", () => {
    const content = Buffer.from(Array.from({ length: 6000 }, (_, i) => `{"n":${i},"t":"line ${i * 7919}"}\n`).join(""));
    const packed = zstd(content, "-6", "--no-check");
    for (let cut = 0; cut < packed.length; cut += 997) {
      const { bytes, state } = unzstd(packed.subarray(0, cut), MAX);
      expect(state).toBe(cut === 0 ? "whole" : "damaged");
      expect(content.subarray(0, bytes.length).equals(Buffer.from(bytes))).toBe(true);
    }
    for (let at = 0; at < packed.length; at += 611) {
      const damaged = Buffer.from(packed);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      expect(unzstd(damaged, 2 * content.length).bytes.length).toBeLessThanOrEqual(2 * content.length);
    }
  });
});
