import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
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

/** A log with one frame per page, all of them as they are: valid head, checksums that are not. */
function walOf(database: Buffer): Buffer {
  const head = Buffer.from("377f0682002de21800001000000000000000000100000002", "hex");
  const frames: Buffer[] = [Buffer.concat([head, Buffer.alloc(8)])];
  for (let page = 0; page * 4096 < database.length; page++) {
    const frame = Buffer.alloc(24);
    frame.writeUInt32BE(page + 1, 0);
    frame.writeUInt32BE(database.length / 4096, 4);
    head.copy(frame, 8, 16, 24);
    frames.push(frame, database.subarray(page * 4096, page * 4096 + 4096));
  }
  return Buffer.concat(frames);
}

/** A hot journal that puts every page back as it is. */
function journalOf(database: Buffer): Buffer {
  const head = Buffer.alloc(512);
  Buffer.from("d9d505f920a163d7ffffffff00000000", "hex").copy(head);
  head.writeUInt32BE(database.length / 4096, 16);
  head.writeUInt32BE(512, 20);
  head.writeUInt32BE(4096, 24);
  const records: Buffer[] = [head];
  for (let page = 0; page * 4096 < database.length; page++) {
    const content = database.subarray(page * 4096, page * 4096 + 4096);
    const numbers = [Buffer.alloc(4), Buffer.alloc(4)] as const;
    numbers[0].writeUInt32BE(page + 1);
    let sum = 0;
    for (let at = 4096 - 200; at > 0; at -= 200) sum += content[at] ?? 0;
    numbers[1].writeUInt32BE(sum);
    records.push(numbers[0], content, numbers[1]);
  }
  return Buffer.concat(records);
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

  it.each(["-wal", "-journal"])("never throws or hangs with noise in its %s", { timeout: 120_000 }, async (suffix) => {
    const next = random(31);
    const log = suffix === "-wal" ? walOf(bytes) : journalOf(bytes);
    for (let run = 0; run < 40; run++) {
      const copy = Buffer.from(log);
      for (let flip = 0; flip < 1 + run; flip++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256);
      // The heads say how much there is and how large its pages are.
      if (run % 2 === 0) copy[8 + Math.floor(next() * 20)] = Math.floor(next() * 256);
      writeFileSync(path + suffix, copy);
      await damaged((original) => original);
    }
    rmSync(path + suffix);
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
