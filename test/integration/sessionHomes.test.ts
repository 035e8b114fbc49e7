import * as assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { TreeNode } from "../../extension/src/client/views/sessionsTree";
import { handles, until } from "./handles";
import { closeEditors, sampleFile } from "./support";

const CLAUDE = "claude/-home-dana-tide-office/af3109ff-902f-446c-b921-6b2f35fc1ad9.jsonl";

const settings = () => vscode.workspace.getConfiguration("contextBudget.sessions");

async function children(id: string): Promise<readonly TreeNode[]> {
  const { tree, index } = await handles();
  await index.settled();
  const group = (await tree.getChildren()).find((node) => node.kind === "group" && node.group.id === id);
  return group === undefined ? [] : tree.getChildren(group);
}

/** Sessions of a group, whether or not they stand below places. */
async function sessions(id: string): Promise<readonly TreeNode[]> {
  const { tree } = await handles();
  const nodes = await children(id);
  const below = await Promise.all(nodes.map((node) => (node.kind === "place" ? tree.getChildren(node) : [node])));
  return below.flat();
}

const paths = (nodes: readonly TreeNode[]) =>
  nodes.flatMap((node) => (node.kind === "session" ? [node.found.path] : []));

describe("homes that the user adds", () => {
  const folder = mkdtempSync(join(tmpdir(), "session-homes-"));
  const claude = join(folder, ".claude");
  const hermes = join(folder, ".hermes");
  const project = join(claude, "projects", "-a-name-that-says-nothing");
  const first = join(project, "11111111-2222-4333-8444-555555555555.jsonl");

  before(async () => {
    mkdirSync(project, { recursive: true });
    mkdirSync(hermes);
    copyFileSync(sampleFile(CLAUDE).fsPath, first);
    const repository = process.env["CONTEXT_BUDGET_REPOSITORY"];
    assert.ok(repository);
    // Not bundled: the engine looks for its WebAssembly beside itself.
    const { Database } = createRequire(join(repository, "package.json"))("node-sqlite3-wasm");
    const database = new Database(join(hermes, "state.db"));
    database.exec(`
      CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL, title TEXT, cwd TEXT);
      CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT);
      INSERT INTO sessions VALUES ('old', 1, 'An old session', '/w/one'), ('new', 9, 'A new session', '/w/two');
      INSERT INTO messages VALUES (1, 'old', 'user', 'go'), (2, 'new', 'user', 'go');
    `);
    database.close();
    await settings().update(
      "homes",
      { [claude]: "claude-code", [hermes]: "hermes" },
      vscode.ConfigurationTarget.Global,
    );
    await until("the session is listed", async () => paths(await sessions("claude-code")).includes(first));
  });
  after(async () => {
    await settings().update("homes", undefined, vscode.ConfigurationTarget.Global);
    await settings().update("agents", undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("workbench.view.explorer");
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(closeEditors);

  it("stand by the project that the records state", async () => {
    const { tree } = await handles();
    const nodes = await children("claude-code");
    const labels = nodes.flatMap((node) => (node.kind === "place" ? [tree.getTreeItem(node).label] : []));
    const [session] = (await sessions("claude-code")).filter(
      (node) => node.kind === "session" && node.found.path === first,
    );
    assert.ok(session);
    const { tooltip } = tree.getTreeItem(session);
    const text = typeof tooltip === "string" ? tooltip : (tooltip?.value ?? "");
    assert.ok(labels.length === 0 || labels.every((label) => label !== "-a-name-that-says-nothing"), String(labels));
    assert.match(text, /Project/);
    assert.match(text, /measured/);
  });

  it("hold databases, whose sessions are listed newest first and open by themselves", async () => {
    const { tree, inspector } = await handles();
    const path = join(hermes, "state.db");
    const node = (await sessions("hermes")).find((one) => one.kind === "session" && one.found.path === path);
    assert.ok(node);
    const threads = await tree.getChildren(node);
    const items = threads.map((thread) => tree.getTreeItem(thread));
    assert.deepEqual(
      items.map(({ label }) => label),
      ["A new session", "An old session"],
    );
    const command = items[1]?.command;
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    const [document] = inspector.documents;
    assert.equal(document?.uri.fsPath, path);
    await until("the page is ready", () => inspector.links.some((link) => link.ready));
    await document?.session.finished;
    assert.equal(document?.session.hasThread("old"), true);
    const [, old] = threads;
    assert.ok(old);
    const [note] = await tree.getChildren(old);
    assert.ok(note);
    assert.match(String(tree.getTreeItem(note).label), /Nothing persisted; 0 tool results/);
  });

  it("are watched while the view is visible", async () => {
    await vscode.commands.executeCommand("contextBudget.sessions.focus");
    const fresh = join(project, "22222222-2222-4333-8444-555555555555.jsonl");
    copyFileSync(first, fresh);
    await until("the new session is listed", async () => paths(await sessions("claude-code")).includes(fresh));
  });

  it("can be turned off by agent", async () => {
    await settings().update("agents", { "claude-code": false }, vscode.ConfigurationTarget.Global);
    await until("no session is listed", async () => (await children("claude-code")).length === 0);
    await settings().update("agents", undefined, vscode.ConfigurationTarget.Global);
    await until("it is listed again", async () => paths(await sessions("claude-code")).includes(first));
  });

  it("are found by words", async () => {
    const { prompts } = await handles();
    const before = prompts.search;
    let offered: readonly string[] = [];
    prompts.search = async (matching) => {
      const found = await matching("11111111 SAYS-nothing");
      offered = found.map(({ detail }) => detail ?? "");
      return undefined;
    };
    try {
      await vscode.commands.executeCommand("contextBudget.findSession");
    } finally {
      prompts.search = before;
    }
    assert.equal(offered.length, 1);
    assert.ok(offered[0]?.endsWith(first));
  });
});
