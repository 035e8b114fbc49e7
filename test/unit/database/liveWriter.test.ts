import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { mustOpen, mustRead, scratchFolder } from "./support";

const PYTHON = "python3";
const hasPython = spawnSync(PYTHON, ["-c", "import sqlite3"]).status === 0;
if (!hasPython) console.warn(`tests with a live writer are skipped: ${PYTHON} with sqlite3 is not there`);

/** Writes as an agent does, a step per line of its input; answers each with a line. */
const WRITER = `
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode=" + sys.argv[2])
db.execute("PRAGMA synchronous=NORMAL")
db.execute("PRAGMA wal_autocheckpoint=" + sys.argv[3])
db.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL)")
db.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL)")
db.execute("INSERT INTO sessions VALUES ('s', 1)")
count = 0
def pair():
    global count
    for _ in range(2):
        count += 1
        db.execute("INSERT INTO messages VALUES (?, 's', 'user', ?, ?)", (count, "x" * 3000, count))
print("ready", flush=True)
for line in sys.stdin:
    step = line.split()
    if step[0] == "pairs":
        for _ in range(int(step[1])):
            db.execute("BEGIN IMMEDIATE")
            pair()
            db.execute("COMMIT")
            time.sleep(float(step[2]) / 1000)
    elif step[0] == "begin":
        db.execute("BEGIN IMMEDIATE")
        pair()
    else:
        db.execute(step[0])
    print(count, flush=True)
db.close()
`;

interface Writer {
  readonly path: string;
  readonly folder: string;
  /** Does a step and gives the rows that were written by then. */
  step(text: string): Promise<number>;
  end(): Promise<void>;
}

const folder = scratchFolder();
const temp = join(folder, "temp");
mkdirSync(temp);
const running: Writer[] = [];
afterEach(async () => {
  for (const writer of running.splice(0)) await writer.end();
});

async function startWriter(name: string, mode: "WAL" | "DELETE", checkpointPages = 1000): Promise<Writer> {
  const home = join(folder, name);
  mkdirSync(home);
  const path = join(home, "state.db");
  const child = spawn(PYTHON, ["-c", WRITER, path, mode, String(checkpointPages)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string | undefined;
  expect(await next()).toBe("ready");
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const writer: Writer = {
    path,
    folder: home,
    step: async (text) => {
      child.stdin.write(`${text}\n`);
      return Number(await next());
    },
    end: async () => {
      child.stdin.end();
      await exited;
    },
  };
  running.push(writer);
  return writer;
}

/** The database and its logs; -shm is the writers' own scratch pad and changes when they take locks. */
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

async function rowsNow(path: string): Promise<number> {
  const database = await mustOpen(path, { tempFolder: temp });
  try {
    return [...database.rows({ table: "messages", columns: ["content"] })].length;
  } finally {
    database.close();
  }
}

describe.skipIf(!hasPython)("a database that an agent has open", () => {
  it("shows committed rows that are only in the log, leaves every file as it was, and no lock", async () => {
    const writer = await startWriter("wal", "WAL");
    await writer.step("pairs 20 0");
    expect(statSync(`${writer.path}-wal`).size).toBeGreaterThan(0);
    const before = traces(writer.folder);
    expect(await rowsNow(writer.path)).toBe(40);
    expect(traces(writer.folder)).toEqual(before);
    expect(await writer.step("pairs 1 0")).toBe(42);
    expect(await rowsNow(writer.path)).toBe(42);
  });

  it("does not show an open transaction, and does not disturb it", async () => {
    for (const mode of ["WAL", "DELETE"] as const) {
      const writer = await startWriter(`open-${mode}`, mode);
      await writer.step("pairs 3 0");
      await writer.step("begin");
      const before = traces(writer.folder);
      expect(await rowsNow(writer.path)).toBe(6);
      expect(traces(writer.folder)).toEqual(before);
      expect(await writer.step("COMMIT")).toBe(8);
      expect(await rowsNow(writer.path)).toBe(8);
    }
  });

  it("is a transcript at any moment", async () => {
    const writer = await startWriter("transcript", "WAL");
    await writer.step("pairs 2 0");
    const index = await mustRead(writer.path);
    expect(index.messages).toHaveLength(4);
    expect(index.problems).toEqual([]);
  });

  it.each(["WAL", "DELETE"] as const)(
    "%s: while it is being written, each copy holds whole transactions",
    { timeout: 60_000 },
    async (mode) => {
      // A checkpoint every few transactions, so that the log starts anew all the time.
      const writer = await startWriter(`busy-${mode}`, mode, 8);
      const written = writer.step("pairs 250 3");
      let done = false;
      const finished = written.then(() => {
        done = true;
      });
      let last = 0;
      let copies = 0;
      let busy = 0;
      while (!done) {
        const opened = await openDatabase(writer.path, { tempFolder: temp }, NEVER_CANCELLED);
        if (!opened.ok) {
          // Too busy to be copied is an answer; anything else would be a damaged copy.
          expect(opened.error.code).toBe("database-busy");
          busy++;
          continue;
        }
        const rows = [...(opened.value?.rows({ table: "messages", columns: ["content"] }) ?? [])];
        opened.value?.close();
        expect(rows.length % 2).toBe(0);
        expect(rows.length).toBeGreaterThanOrEqual(last);
        expect(rows.map((row) => row.id)).toEqual(rows.map((_, i) => i + 1));
        last = rows.length;
        copies++;
      }
      await finished;
      expect(copies).toBeGreaterThan(0);
      // A log that starts anew every few transactions leaves gaps enough; a database without one may leave none.
      if (mode === "WAL") expect(busy).toBe(0);
      expect(await rowsNow(writer.path)).toBe(500);
      expect(readdirSync(temp)).toEqual([]);
    },
  );

  it("a writer that commits without a pause and checkpoints now and then is never too busy", {
    timeout: 60_000,
  }, async () => {
    const writer = await startWriter("restless", "WAL", 200);
    let done = false;
    const finished = writer.step("pairs 4000 0").then(() => {
      done = true;
    });
    let last = 0;
    let copies = 0;
    while (!done) {
      const rows = await rowsNow(writer.path);
      expect(rows % 2).toBe(0);
      expect(rows).toBeGreaterThanOrEqual(last);
      last = rows;
      copies++;
    }
    await finished;
    expect(copies).toBeGreaterThan(0);
    expect(await rowsNow(writer.path)).toBe(8000);
    expect(readdirSync(temp)).toEqual([]);
  });

  it("what a checkpoint wrote into the database while that was copied stands in the log", async () => {
    const writer = await startWriter("covered", "WAL", 0);
    await writer.step("pairs 30 0");
    // Between the look at the files and their copy: a checkpoint, and more transactions.
    const meddle = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE"); db.execute("INSERT INTO messages VALUES (1000, 's', 'user', 'late', 1)"); db.execute("COMMIT")
db.execute("PRAGMA wal_checkpoint(PASSIVE)")
`;
    let times = 0;
    const onFolder = (): void => {
      if (times++ === 0) expect(spawnSync(PYTHON, ["-c", meddle, writer.path]).status).toBe(0);
    };
    const database = await mustOpen(writer.path, { tempFolder: temp, onFolder });
    const rows = [...database.rows({ table: "messages", columns: ["content"] })];
    database.close();
    expect([times, rows.length, rows.at(-1)?.values]).toEqual([1, 61, ["late"]]);
  });
});
