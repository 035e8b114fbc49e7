import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Database as Engine } from "node-sqlite3-wasm";
import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { copyPrivately } from "../../../extension/src/node/privateCopy";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { corpusPath, hasCorpus } from "../../corpus";
import { makeDatabase, mustOpen, scratchFolder } from "./support";

const folder = scratchFolder();
const temp = join(folder, "temp");
mkdirSync(temp);
const options = { tempFolder: temp };

/** Everything that could show that somebody was here: names, bytes, times of change. */
function traces(of: string): readonly string[] {
  return readdirSync(of)
    .sort()
    .map((name) => {
      const { mtimeMs, size, ino } = statSync(join(of, name));
      return `${name} ${ino} ${size} ${mtimeMs} ${createHash("sha256")
        .update(readFileSync(join(of, name)))
        .digest("hex")}`;
    });
}

async function problemOf(path: string, more: { readonly maxBytes?: number } = {}): Promise<string> {
  const opened = await openDatabase(path, { ...options, ...more }, NEVER_CANCELLED);
  expect(opened.ok).toBe(false);
  expect(readdirSync(temp)).toEqual([]);
  return opened.ok ? "" : `${opened.error.code}: ${opened.error.message}`;
}

describe("opening a database", () => {
  it("gives every kind of value whole, and only ordinary tables", async () => {
    const path = makeDatabase(
      join(folder, "values.db"),
      {
        things: [
          { id: 1, value: "a\u0000b😀" },
          { id: 2, value: 2n ** 60n },
          { id: 3, value: 1.5 },
          { id: 4, value: new Uint8Array([0, 255]) },
          { id: 5, value: null },
          { id: 6, value: "" },
          { id: 7, value: new Uint8Array() },
        ],
      },
      [
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE VIRTUAL TABLE words USING fts5(word)",
        "CREATE TABLE keyed (a PRIMARY KEY) WITHOUT ROWID",
        'CREATE TABLE "odd ""name" (a, b AS (hex(zeroblob(900000000))))',
      ],
    );
    const database = await mustOpen(path, options);
    try {
      const names = database.tables().map((table) => table.name);
      expect(names).toEqual(expect.arrayContaining(["things", 'odd "name']));
      for (const hidden of ["endless", "words", "keyed", "sqlite_schema"]) expect(names).not.toContain(hidden);
      expect(database.tables().find((table) => table.name === 'odd "name')?.columns).toEqual(["a"]);
      const values = [...database.rows({ table: "things", columns: ["value"] })].map((row) => row.values[0]);
      expect(values).toEqual(["a\u0000b😀", 2n ** 60n, 1.5, new Uint8Array([0, 255]), null, "", new Uint8Array()]);
      const one = [...database.rows({ table: "things", columns: ["value", "id"], where: { rowid: 3 } })];
      expect(one).toEqual([{ id: 3, values: [1.5, 3], tooLong: [], badUtf8: [] }]);
      expect([...database.rows({ table: "things", columns: [], after: 5 })].map((row) => row.id)).toEqual([6, 7]);
      expect(() => [...database.rows({ table: "things", columns: ["nope"] })]).toThrow(/no such column/);
      expect(() => [...database.rows({ table: "endless", columns: ["i"] })]).toThrow(/no such table/);
    } finally {
      database.close();
    }
  });

  it("says which values are too long or no UTF-8", async () => {
    const path = makeDatabase(join(folder, "long.db"), { t: [{ id: 1, a: "x".repeat(2000), b: "ok" }] }, [
      "INSERT INTO t VALUES (2, 'short', CAST(x'61ff62' AS TEXT))",
    ]);
    const database = await mustOpen(path, { ...options, maxValueBytes: 1000 });
    const rows = [...database.rows({ table: "t", columns: ["a", "b"] })];
    database.close();
    expect(rows).toEqual([
      { id: 1, values: [null, "ok"], tooLong: ["a"], badUtf8: [] },
      { id: 2, values: ["short", "a\ufffdb"], tooLong: [], badUtf8: ["b"] },
    ]);
  });

  it("can look up rows while others are gone through", async () => {
    const rows = Array.from({ length: 50 }, (_, i) => ({ id: i + 1, a: `v${i}` }));
    const database = await mustOpen(makeDatabase(join(folder, "nested.db"), { t: rows }), options);
    const query = { table: "t", columns: ["a"] };
    let pairs = 0;
    for (const outer of database.rows(query)) {
      for (const inner of database.rows(query)) {
        if (inner.id > outer.id) break;
        pairs++;
      }
    }
    database.close();
    expect(pairs).toBe((50 * 51) / 2);
  });

  it("works on a copy that only this user can read, and removes it", async () => {
    const path = makeDatabase(join(folder, "private.db"), { t: [{ id: 1 }] });
    const database = await mustOpen(path, options);
    const [name = ""] = readdirSync(temp);
    if (process.platform !== "win32") {
      expect(statSync(join(temp, name)).mode & 0o777).toBe(0o700);
      for (const file of readdirSync(join(temp, name)).filter(
        (each) => each.startsWith("copy.db") && !each.endsWith(".lock"),
      )) {
        expect(statSync(join(temp, name, file)).mode & 0o077, file).toBe(0);
      }
    }
    database.close();
    expect(readdirSync(temp)).toEqual([]);
  });

  it("removes what killed processes left, and nothing else", async () => {
    const path = makeDatabase(join(folder, "swept.db"), { t: [{ id: 1 }] });
    // One more than Linux ever hands out.
    const [stale, living, other] = ["context-budget-db-4194305-x", `context-budget-db-${process.pid}-x`, "other"];
    for (const name of [stale, living, other]) mkdirSync(join(temp, name));
    (await mustOpen(path, options)).close();
    expect(readdirSync(temp).sort()).toEqual([living, other].sort());
    for (const name of [living, other]) rmdirSync(join(temp, name));
  });

  it("finds the log beside the file that a link leads to", async () => {
    const home = join(folder, "linked");
    mkdirSync(home);
    const path = makeDatabase(join(home, "state.db"), { t: [{ id: 1, a: "x" }] });
    symlinkSync(path, join(folder, "link.db"));
    const database = await mustOpen(join(folder, "link.db"), options);
    expect([...database.rows({ table: "t", columns: ["a"] })]).toHaveLength(1);
    database.close();
  });

  it("undoes in its copy what a crashed writer left half done", async () => {
    const home = join(folder, "hot");
    mkdirSync(home);
    const path = makeDatabase(join(home, "state.db"), {
      t: Array.from({ length: 400 }, (_, i) => ({ id: i + 1, a: "old".repeat(200) })),
    });
    const writer = new Engine(path);
    // A cache of one page makes the transaction spill into the file before it ends.
    writer.exec("PRAGMA cache_size=1; PRAGMA synchronous=OFF; BEGIN; UPDATE t SET a = 'new' || a");
    for (const suffix of ["", "-journal"]) copyFileSync(path + suffix, join(home, `crashed.db${suffix}`));
    writer.exec("ROLLBACK");
    writer.close();
    const before = traces(home);
    const database = await mustOpen(join(home, "crashed.db"), options);
    const values = new Set([...database.rows({ table: "t", columns: ["a"] })].map((row) => row.values[0]));
    database.close();
    expect(values).toEqual(new Set(["old".repeat(200)]));
    expect(traces(home)).toEqual(before);
  });

  it("names what is wrong", async () => {
    const at = (name: string, content: Buffer | string): string => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const sound = readFileSync(makeDatabase(join(folder, "sound.db"), { t: [{ id: 1 }] }));
    const noise = Buffer.from(Array.from({ length: 8192 }, (_, i) => (i * 7919 + 13) % 251));
    expect(await problemOf(at("zero.db", ""))).toMatch(/^empty-file: .*zero\.db is empty/);
    expect(await problemOf(at("text.db", "hello"))).toMatch(/^not-a-database: /);
    expect(await problemOf(at("encrypted.db", noise))).toMatch(/^not-a-database: .*encrypted/);
    expect(await problemOf(at("head.db", Buffer.concat([sound.subarray(0, 100), noise])))).toMatch(
      /^(?:not-a-database|database-damaged): /,
    );
    expect(await problemOf(at("cut.db", sound.subarray(0, 60)))).toMatch(/^(?:not-a-database|database-damaged): /);
    expect(await problemOf(join(folder, "absent.db"))).toMatch(/^unreadable: .*does not exist/);
    expect(await problemOf(folder)).toMatch(/^unreadable: .*folder/);
    expect(await problemOf(at("large.db", sound), { maxBytes: 4096 })).toMatch(/^database-too-large: .*export/i);
    if (process.getuid?.() !== 0) {
      chmodSync(at("secret.db", sound), 0);
      expect(await problemOf(join(folder, "secret.db"))).toMatch(/^unreadable: .*permissions/);
    }
  });

  it("says that UTF-16 is not read", async () => {
    const utf16 = readFileSync(makeDatabase(join(folder, "utf8.db"), { t: [{ id: 1 }] }));
    // Text encoding in the header (fileformat2.html, 1.3.13).
    utf16.writeUInt32BE(2, 56);
    writeFileSync(join(folder, "utf16.db"), utf16);
    expect(await problemOf(join(folder, "utf16.db"))).toMatch(/^database-encoding: /);
  });

  it("stops when cancelled, leaving nothing", async () => {
    const path = makeDatabase(join(folder, "cancelled.db"), { t: [{ id: 1, a: "x".repeat(100_000) }] });
    let asked = 0;
    for (let stop = 1; stop <= 3; stop++) {
      asked = 0;
      const cancel = {
        get isCancellationRequested() {
          return ++asked >= stop;
        },
      };
      const copy = await copyPrivately(path, options, cancel);
      if (copy.ok && copy.value !== "cancelled") copy.value.remove();
      expect(readdirSync(temp)).toEqual([]);
    }
    expect(asked).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasCorpus)("a database that was copied while it was open", () => {
  it("shows the rows that are only in its log, and is left as it was", async () => {
    const expected = JSON.parse(readFileSync(corpusPath("hermes", "live-wal", "expected.json"), "utf8"));
    const original = corpusPath("hermes", "live-wal");
    const before = traces(original);
    const count = async (path: string) => {
      const database = await mustOpen(path, options);
      try {
        return [...database.rows({ table: "messages", columns: [] })].length;
      } finally {
        database.close();
      }
    };
    expect(await count(join(original, "state.db"))).toBe(expected.with_wal.messages);
    expect(traces(original)).toEqual(before);
    const alone = join(folder, "alone.db");
    copyFileSync(join(original, "state.db"), alone);
    chmodSync(alone, 0o600);
    expect(await count(alone)).toBe(expected.without_wal.messages);
    expect(existsSync(`${alone}-wal`)).toBe(false);
  });
});
