import * as assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { handles, rowsOf, until } from "./handles";
import { closeEditors } from "./support";

/** A small Hermes database, made by the engine that reads it. */
function makeStateDb(path: string): void {
  const repository = process.env["CONTEXT_BUDGET_REPOSITORY"];
  assert.ok(repository);
  // Not bundled: the engine looks for its WebAssembly beside itself.
  const { Database } = createRequire(join(repository, "package.json"))("node-sqlite3-wasm");
  const database = new Database(path);
  database.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL, title TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, timestamp REAL);
    INSERT INTO sessions VALUES ('s', 1, 'A session');
    INSERT INTO messages VALUES (1, 's', 'user', 'go', NULL, NULL, 1);
    INSERT INTO messages VALUES (2, 's', 'assistant', '', NULL, '[{"id":"c","function":{"name":"terminal","arguments":"{}"}}]', 2);
    INSERT INTO messages VALUES (3, 's', 'tool', 'the whole output', 'c', NULL, 3);
  `);
  database.close();
}

describe("a database", () => {
  const folder = mkdtempSync(join(tmpdir(), "state-db-"));
  const path = join(folder, "state.db");

  before(() => makeStateDb(path));
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    const { inspector } = await handles();
    await until("every page in sight is ready", () => inspector.links.every((link) => link.ready || !link.visible));
    await closeEditors();
  });

  it("opens in the inspector, shows texts and rows, and is left as it was", async () => {
    const bytes = readFileSync(path);
    const { inspector } = await handles();
    const uri = vscode.Uri.file(path);
    await vscode.commands.executeCommand("contextBudget.openInspector", uri);
    const session = inspector.documents.find((one) => one.uri.toString() === uri.toString())?.session;
    assert.ok(session);
    await session.finished;
    assert.equal(session.full().error, null);
    assert.equal(session.full().header?.format, "hermes-db");
    const [row] = await rowsOf(session);
    assert.equal(row?.tool, "terminal");
    assert.equal(row?.line, 3);
    const detail = await session.detail(0);
    assert.equal(detail.ok && detail.value.text, "the whole output");
    await until("the page is ready", () => inspector.links.some((link) => link.ready));
    await inspector.links[0]?.receive({ v: 1, id: 1, t: "call", m: "reveal", body: { line: 3 } });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, "context-budget");
    assert.deepEqual(JSON.parse(document.getText()), {
      id: 3,
      session_id: "s",
      role: "tool",
      content: "the whole output",
      tool_call_id: "c",
      tool_calls: null,
      timestamp: 3,
    });
    assert.deepEqual(readdirSync(folder), ["state.db"]);
    assert.deepEqual(readFileSync(path), bytes);
  });
});
