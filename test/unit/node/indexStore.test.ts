import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checksum, type Part } from "../../../extension/src/core/util/packed";
import { identityOf, likeness } from "../../../extension/src/node/fileIdentity";
import { IndexStore } from "../../../extension/src/node/indexStore";

let folder: string;
let trouble: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "index-store-"));
  trouble = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const storeIn = (options: { readonly limitBytes?: number; readonly reader?: string; readonly at?: string } = {}) =>
  new IndexStore({
    folder: options.at ?? join(folder, "store"),
    limitBytes: options.limitBytes ?? 1_000_000,
    reader: options.reader ?? "r1",
    trouble: (message) => trouble.push(message),
  });
const parts = (size: number, fill = 7): readonly Part[] => [
  { name: "a", numbers: [size, fill], bytes: new Uint8Array(size).fill(fill) },
  { name: "b", numbers: [], bytes: new Uint8Array(3) },
];
/** What is looked at later, as it comes. */
async function* late(pieces: readonly Uint8Array[], whole = true): AsyncGenerator<Uint8Array, boolean> {
  for (const piece of pieces) {
    await Promise.resolve();
    yield piece;
  }
  return whole;
}
const files = (): string[] => (existsSync(join(folder, "store")) ? readdirSync(join(folder, "store")) : []);
const onlyFile = (): string => join(folder, "store", files()[0] ?? "");

describe("IndexStore", () => {
  it("gives back what was stored, under its key only", async () => {
    const store = storeIn();
    await store.save("k", parts(1_000), late([Uint8Array.of(1, 2, 3)]));
    const found = await store.load("k");
    expect([...(found?.parts.values() ?? [])]).toEqual(parts(1_000));
    expect(await found?.late()).toEqual(Uint8Array.of(1, 2, 3));
    expect(await store.load("other")).toBeUndefined();
    await store.save("k", parts(10), undefined);
    const newer = await store.load("k");
    expect([...(newer?.parts.values() ?? [])]).toEqual(parts(10));
    expect(await newer?.late()).toBeUndefined();
    // The older one's late part is gone, and that is noticed.
    expect(await found?.late()).toBeUndefined();
    expect(files()).toHaveLength(1);
    expect(trouble).toEqual([]);
  });

  it("only the user may read it", async () => {
    await storeIn().save("k", parts(10), undefined);
    if (process.platform !== "win32") expect(statSync(onlyFile()).mode & 0o077).toBe(0);
  });

  it("what other readers made is removed", async () => {
    await storeIn().save("k", parts(10), undefined);
    expect(await storeIn({ reader: "r2" }).load("k")).toBeUndefined();
    expect(files()).toEqual([]);
  });

  it("any damaged byte and any cut is noticed, and the file removed", async () => {
    const store = storeIn();
    await store.save("k", parts(200), undefined);
    const whole = readFileSync(onlyFile());
    const path = onlyFile();
    for (let at = 0; at < whole.length; at++) {
      // Nothing stands there.
      if (at >= 72 && at < 80) continue;
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      writeFileSync(path, damaged);
      expect(await store.load("k"), `byte ${at}`).toBeUndefined();
      expect(existsSync(path), `byte ${at}`).toBe(false);
    }
    for (const length of [0, 10, 79, 80, 100, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect(await store.load("k"), `${length} bytes`).toBeUndefined();
    }
    expect(trouble).toEqual([]);
  });

  it("an index whose file is laid out in another way is removed", async () => {
    const store = storeIn();
    await store.save("k", parts(20), undefined, Uint8Array.of(1));
    const other = readFileSync(onlyFile());
    other.writeUInt32LE(other.readUInt32LE(4) - 1, 4);
    other.writeDoubleLE(checksum([other.subarray(0, 64)]), 64);
    writeFileSync(onlyFile(), other);
    expect(await store.glance("k")).toBeUndefined();
    expect(await store.load("k")).toBeUndefined();
    expect(files()).toEqual([]);
  });

  it("a part can be read before all others; damaged, it is as good as none", async () => {
    const store = storeIn();
    expect(await store.glance("k")).toBeUndefined();
    for (const glance of [Uint8Array.of(5), new Uint8Array(16).fill(6), new Uint8Array(1000).fill(7)]) {
      await store.save("k", parts(50), late([Uint8Array.of(8)]), glance);
      expect(await store.glance("k")).toEqual(glance);
      expect(await storeIn({ reader: "r2" }).glance("k")).toBeUndefined();
      const found = await store.load("k");
      expect([...(found?.parts.values() ?? [])]).toEqual(parts(50));
      expect(await found?.late()).toEqual(Uint8Array.of(8));
      const damaged = readFileSync(onlyFile());
      damaged[80 + glance.length - 1] = 1;
      writeFileSync(onlyFile(), damaged);
      expect(await store.glance("k")).toBeUndefined();
      expect((await store.load("k"))?.parts.size).toBe(2);
    }
    await store.save("k", parts(50));
    expect(await store.glance("k")).toBeUndefined();
    expect(trouble).toEqual([]);
  });

  it("a damaged late part is as good as none", async () => {
    const store = storeIn();
    await store.save("k", parts(20), late([new Uint8Array(50).fill(9)]));
    const whole = readFileSync(onlyFile());
    whole[whole.length - 1] = 1;
    writeFileSync(onlyFile(), whole);
    const found = await store.load("k");
    expect(found?.parts.size).toBe(2);
    expect(await found?.late()).toBeUndefined();
  });

  it("a late part comes in pieces, and is left out where it is not whole", async () => {
    const store = storeIn();
    const pieces = [new Uint8Array(32).fill(1), new Uint8Array(160).fill(2), Uint8Array.of(3, 4, 5)];
    await store.save("k", parts(100), late(pieces));
    expect(await (await store.load("k"))?.late()).toEqual(new Uint8Array(Buffer.concat(pieces)));
    await store.save("k", parts(100), late(pieces, false));
    const found = await store.load("k");
    expect([...(found?.parts.values() ?? [])]).toEqual(parts(100));
    expect(await found?.late()).toBeUndefined();
    expect(trouble).toEqual([]);
  });

  it("a late part that grows beyond the limit is not gone on with, and nothing is stored", async () => {
    const store = storeIn({ limitBytes: 10_000 });
    let asked = 0;
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array, boolean> {
      try {
        for (;;) {
          asked++;
          yield new Uint8Array(1024);
        }
      } finally {
        ended = true;
      }
    }
    await store.save("k", parts(10), endless());
    expect(asked).toBeLessThan(8);
    expect(ended).toBe(true);
    expect(files()).toEqual([]);
    expect(await store.load("k")).toBeUndefined();
  });

  it("what fails on the way leaves what was stored before", async () => {
    const store = storeIn();
    await store.save("k", parts(10));
    async function* failing(): AsyncGenerator<Uint8Array, boolean> {
      yield new Uint8Array(16);
      throw new Error("no more");
    }
    await store.save("k", parts(20), failing());
    expect(files()).toHaveLength(1);
    expect([...((await store.load("k"))?.parts.values() ?? [])]).toEqual(parts(10));
    expect(trouble).toEqual(["An index cannot be stored: no more"]);
  });

  it("keeps within its limit: what was not used for longest goes", async () => {
    const store = storeIn({ limitBytes: 10_000 });
    for (const key of ["a", "b", "c"]) {
      await store.save(key, parts(2_500), undefined);
      const old = new Date(Date.now() - 60_000 + key.charCodeAt(0) * 10);
      for (const name of files())
        if (statSync(join(folder, "store", name)).mtimeMs > Date.now() - 10_000)
          utimesSync(join(folder, "store", name), old, old);
    }
    await store.load("a");
    await store.save("d", parts(2_500), undefined);
    expect(await store.load("b")).toBeUndefined();
    expect(await store.load("a")).toBeDefined();
    expect(await store.load("d")).toBeDefined();
    await store.save("huge", parts(6_000), undefined);
    expect(await store.load("huge")).toBeUndefined();
    expect(await store.load("d")).toBeDefined();
  });

  it("removes what an ended process left half written, but not what another one writes now", async () => {
    const store = storeIn();
    await store.save("k", parts(10), undefined);
    const left = join(folder, "store", "x.index.1.ab.tmp");
    const now = join(folder, "store", "y.index.2.cd.tmp");
    writeFileSync(left, "x");
    writeFileSync(now, "x");
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(left, old, old);
    await store.save("k", parts(10), undefined);
    expect(existsSync(left)).toBe(false);
    expect(existsSync(now)).toBe(true);
  });

  it("several windows store and load one index at the same time: each gets a whole one, and nothing is left over", async () => {
    const windows = [storeIn(), storeIn(), storeIn()];
    const sizes = [10, 100_000, 3, 50_000];
    const work = windows.map(async (store, n) => {
      for (let round = 0; round < 12; round++) {
        await store.save("k", parts(sizes[(n + round) % sizes.length] ?? 1));
        const found = await store.load("k");
        expect(sizes).toContain(found?.parts.get("a")?.bytes.length);
      }
    });
    await Promise.all(work);
    expect(trouble).toEqual([]);
    expect(files()).toHaveLength(1);
  });

  it("clears everything", async () => {
    const store = storeIn();
    expect(await store.clear()).toBe(0);
    await store.save("a", parts(10), undefined);
    await store.save("b", parts(10), undefined);
    expect(await store.clear()).toBe(2);
    expect(files()).toEqual([]);
  });

  it("a folder that cannot be used is trouble, not an error", async () => {
    writeFileSync(join(folder, "file"), "");
    const store = storeIn({ at: join(folder, "file", "store") });
    await store.save("k", parts(10), undefined);
    expect(await store.load("k")).toBeUndefined();
    await store.drop("k");
    expect(trouble.length).toBeGreaterThan(0);
    expect(trouble[0]).toMatch(/^An index cannot be stored: /);
  });
});

describe("identity of a file", () => {
  const file = () => join(folder, "t.jsonl");
  const likenessAfter = async (change: () => void): Promise<string> => {
    writeFileSync(file(), "x".repeat(200_000));
    const before = await identityOf(file());
    if (before === undefined) throw new Error("no file");
    change();
    return likeness(before);
  };

  it("tells nothing, growth and everything else apart", async () => {
    expect(await likenessAfter(() => undefined)).toBe("same");
    expect(await likenessAfter(() => appendFileSync(file(), "more"))).toBe("grown");
    expect(await likenessAfter(() => truncateSync(file(), 10))).toBe("other");
    expect(await likenessAfter(() => rmSync(file()))).toBe("other");
    expect(await likenessAfter(() => writeFileSync(file(), "y".repeat(200_000)))).toBe("other");
    // Same bytes, another time: somebody wrote it.
    expect(await likenessAfter(() => utimesSync(file(), 1, 1))).toBe("other");
    // Rewritten at its beginning, and longer; rewritten at its end, and longer.
    expect(await likenessAfter(() => writeFileSync(file(), `y${"x".repeat(300_000)}`))).toBe("other");
    expect(await likenessAfter(() => writeFileSync(file(), `${"x".repeat(199_999)}y more`))).toBe("other");
    // Another file in its place, with the same beginning.
    const replaced = await likenessAfter(() => {
      writeFileSync(`${file()}.new`, "x".repeat(300_000));
      rmSync(file());
      writeFileSync(`${file()}.keep`, "");
      writeFileSync(file(), readFileSync(`${file()}.new`));
    });
    expect(["other", "grown"]).toContain(replaced);
  });

  it("knows an unchanged file after a restart gave its disk other numbers", async () => {
    writeFileSync(file(), "x".repeat(200_000));
    const before = await identityOf(file());
    if (before === undefined) throw new Error("no file");
    const remounted = { ...before, device: "1", inode: "2" };
    expect(await likeness(remounted)).toBe("same");
    const { atime, mtime } = statSync(file());
    writeFileSync(file(), `${"x".repeat(199_999)}y`);
    utimesSync(file(), atime, mtime);
    expect(await likeness(remounted)).toBe("other");
    writeFileSync(file(), "x".repeat(200_001));
    // What grew is only read on where it is the same file for certain.
    expect(await likeness(remounted)).toBe("other");
    expect(await likeness({ ...before, device: "1" })).toBe("grown");
  });

  it("a folder is no file, and nothing there is none", async () => {
    expect(await identityOf(folder)).toBeUndefined();
    expect(await identityOf(join(folder, "nothing"))).toBeUndefined();
  });
});
