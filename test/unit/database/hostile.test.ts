import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callOf, makeDatabase, message, readIndex, scratchFolder } from "./support";

const folder = scratchFolder();

/** Numbers from a seed (xorshift32), so that a failure can be had again. */
function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Sixty messages in three sessions, some larger than a page. */
function sound(): Buffer {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const id = i + 1;
    const session_id = `session-${i % 3}`;
    if (i % 6 < 3) return message({ id, session_id, role: "assistant", tool_calls: callOf(`c${i}`), timestamp: i });
    return message({
      id,
      session_id,
      role: "tool",
      content: `row ${id} `.repeat(i % 9 === 0 ? 1500 : 30),
      tool_call_id: `c${i - 3}`,
      timestamp: i,
    });
  });
  const sessions = [0, 1, 2].map((i) => ({ id: `session-${i}`, started_at: i, title: `Session ${i}` }));
  const path = makeDatabase(join(folder, "sound.db"), { sessions, messages: rows }, [
    "CREATE INDEX by_session ON messages(session_id, timestamp)",
  ]);
  return readFileSync(path);
}

describe("a damaged database", () => {
  const bytes = sound();
  const path = join(folder, "damaged.db");

  async function damaged(
    change: (copy: Buffer) => Buffer,
  ): Promise<{ readonly results: number; readonly problems: number }> {
    writeFileSync(path, change(Buffer.from(bytes)));
    // Fresh files are looked at twice.
    utimesSync(path, 1_000_000, 1_000_000);
    const read = await readIndex(path);
    if ("code" in read) {
      expect(read.code).toMatch(/^[a-z][a-z-]+$/);
      expect(read.message).toContain(path);
      return { results: 0, problems: 1 };
    }
    return { results: read.results.length, problems: read.problems.length };
  }

  it("is read whole as long as it is sound", async () => {
    const { results } = await damaged((copy) => copy);
    expect(results).toBe(30);
  });

  it("never throws or hangs, whichever bits flip", { timeout: 120_000 }, async () => {
    const next = random(20260908);
    let readable = 0;
    for (let run = 0; run < 80; run++) {
      const { results } = await damaged((copy) => {
        const flips = 1 + Math.floor(next() * 8);
        for (let flip = 0; flip < flips; flip++) {
          const at = Math.floor(next() * copy.length);
          copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(next() * 8));
        }
        return copy;
      });
      if (results > 0) readable++;
    }
    // Most flips hit a text; nothing of the rest may be lost to them.
    expect(readable).toBeGreaterThan(50);
  });

  it("never throws or hangs when whole pages are zeros, noise or other pages", { timeout: 120_000 }, async () => {
    const next = random(7);
    const pages = bytes.length / 4096;
    for (let run = 0; run < 45; run++) {
      await damaged((copy) => {
        const page = Math.floor(next() * pages) * 4096;
        const kind = run % 3;
        if (kind === 0) copy.fill(0, page, page + 4096);
        else if (kind === 1) for (let i = 0; i < 4096; i++) copy[page + i] = Math.floor(next() * 256);
        else copy.copy(copy, page, Math.floor(next() * pages) * 4096, Math.floor(next() * pages) * 4096 + 4096);
        return copy;
      });
    }
  });

  it("never throws or hangs where the pages of a tree are rewired", { timeout: 120_000 }, async () => {
    const next = random(99);
    const pages = bytes.length / 4096;
    for (let run = 0; run < 45; run++) {
      await damaged((copy) => {
        // Any four bytes of a page's head or cells may be a page number.
        const page = Math.floor(next() * pages) * 4096;
        const at = page + Math.floor(next() * 64);
        copy.writeUInt32BE(1 + Math.floor(next() * pages), Math.min(at, copy.length - 4));
        return copy;
      });
    }
  });

  it("cut at any length is a problem or a part", { timeout: 120_000 }, async () => {
    for (let length = 0; length < bytes.length; length += 4001) {
      const { problems, results } = await damaged((copy) => copy.subarray(0, length));
      expect(problems + results).toBeGreaterThan(0);
    }
  });

  it("gives the rows of sound pages when one page is lost", async () => {
    let most = 0;
    for (let page = 4096; page < bytes.length; page += 4096) {
      const { results } = await damaged((copy) => {
        copy.fill(0xff, page, page + 4096);
        return copy;
      });
      most = Math.max(most, results);
    }
    expect(most).toBeGreaterThan(20);
  });
});
