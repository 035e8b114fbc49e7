import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { makeDatabase } from "../unit/database/support";
import { buildProduct, type Product } from "./product";
import { treeState } from "./treeState";

const asRoot = process.getuid?.() === 0;
/** Root may write anywhere; as somebody else the command line meets folders that really are read-only. */
const NOBODY = 65_534;
const SNAPSHOT = ".hermes/sessions/session_20261006_064512_b0a7ed.json";

/** The command line as a program of its own, on files that may only be read. */
describe("looking changes nothing", () => {
  let root = "";
  let product: Product;
  let sample = "";
  let temp = "";

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "cbi-nothing-")));
    product = await buildProduct();
    chmodSync(product.folder, 0o755);
    sample = prepareSample(join(root, "sample"));
    writeFileSync(
      join(sample, "packed.jsonl.gz"),
      gzipSync(readFileSync(join(sample, "exports/hermes-sessions.jsonl"))),
    );
    makeDatabase(
      join(sample, "state.db"),
      {
        sessions: [{ id: "s1", source: "cli", model: "m", started_at: 1, title: "t" }],
        messages: [
          { id: 1, session_id: "s1", role: "user", content: "hi", timestamp: 1 },
          {
            id: 2,
            session_id: "s1",
            role: "assistant",
            content: "",
            tool_calls: '[{"id":"c1","function":{"name":"t","arguments":"{}"}}]',
            timestamp: 2,
          },
          { id: 3, session_id: "s1", role: "tool", content: "x".repeat(500), tool_call_id: "c1", timestamp: 3 },
        ],
      },
      ["PRAGMA journal_mode=WAL"],
    );
    // What a writer leaves beside its database, and a log that is not the database's own.
    writeFileSync(join(sample, "state.db-wal"), "");
    writeFileSync(join(sample, "agent.log"), "2026-10-06 06:45:12,000 INFO nothing\n");
    temp = join(root, "temp");
    mkdirSync(temp, { mode: 0o777 });
    chmodSync(temp, 0o777);
    chmodSync(root, 0o755);
    readOnly(sample);
  }, 60_000);

  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
    product.remove();
  });

  const run = (...argv: readonly string[]) =>
    spawnSync(process.execPath, [product.dist("cli.mjs"), ...argv], {
      encoding: "utf8",
      cwd: sample,
      env: { HOME: sample, HERMES_HOME: join(sample, ".hermes"), TMPDIR: temp, TEMP: temp, PATH: "" },
      ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });

  it.each([
    ["a config", 1, ["check", ".hermes/config.yaml", "config/staging.yaml", "--json"]],
    ["a transcript with its spill files", 0, ["inspect", SNAPSHOT, "--json"]],
    ["a summary", 0, ["inspect", SNAPSHOT, "--summary"]],
    ["lines", 0, ["inspect", "exports/hermes-sessions.jsonl"]],
    ["a packed file", 0, ["inspect", "packed.jsonl.gz"]],
    ["a database", 0, ["inspect", "state.db"]],
    ["all below a folder", undefined, ["inspect", ".", "--json"]],
    ["a simulation", 0, ["simulate", SNAPSHOT, "--thresholds", "1000,50000", "--json"]],
    ["a comparison", undefined, ["ab", SNAPSHOT, "--thresholds", "1000"]],
    ["a comparison on logs", undefined, ["ab", "--log", "agent.log", "--db", "state.db", "--utc-offset", "0"]],
  ] as const)("%s", (_, status, argv) => {
    const before = treeState(sample);
    const ran = run(...argv);
    expect(ran.error).toBeUndefined();
    if (status !== undefined) expect(ran.status, ran.stdout + ran.stderr).toBe(status);
    expect([0, 1], ran.stdout + ran.stderr).toContain(ran.status);
    expect(ran.stderr).not.toMatch(/EACCES|EROFS|EPERM|\bat \S+:\d+:\d+/);
    expect(treeState(sample)).toEqual(before);
    // A private copy of a database is removed as well.
    expect(readdirSync(temp)).toEqual([]);
  });

  it("and the state of a folder shows every change", () => {
    const folder = join(root, "watched");
    mkdirSync(folder);
    writeFileSync(join(folder, "a"), "1");
    const states = new Set<string>();
    const note = (): unknown => states.add(treeState(folder).join("\n"));
    note();
    writeFileSync(join(folder, "a"), "1");
    note();
    writeFileSync(join(folder, "b"), "");
    note();
    rmSync(join(folder, "b"));
    note();
    chmodSync(join(folder, "a"), 0o600);
    note();
    readFileSync(join(folder, "a"));
    note();
    // Reading is the one thing that leaves no mark.
    expect(states.size).toBe(5);
  });
});

function readOnly(path: string): void {
  const info = lstatSync(path);
  if (info.isDirectory()) for (const name of readdirSync(path)) readOnly(join(path, name));
  chmodSync(path, info.isDirectory() ? 0o555 : 0o444);
}
