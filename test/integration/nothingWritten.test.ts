import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { CancelSource } from "../../extension/src/client/lifetime";
import type { TreeNode } from "../../extension/src/client/views/sessionsTree";
import { POLICY_DEFAULTS } from "../../extension/src/core/compaction/policy";
import { SIM_OPTIONS } from "../../extension/src/core/compaction/simulate";
import { treeState } from "../safety/treeState";
import { answering, expectedTranscripts, handles, rowsOf, until } from "./handles";
import { closeEditors, hoverText, sampleFile } from "./support";

describe("looking", () => {
  afterEach(closeEditors);

  it("changes nothing: tree, inspector, search, details, full outputs, what if, hovers, explanations", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    await closeEditors();
    const before = treeState(folder);
    const { tree, index, inspector } = await handles();

    await vscode.commands.executeCommand("contextBudget.refreshSessions");
    await index.settled();
    let nodes = 0;
    const visit = async (node?: TreeNode): Promise<void> => {
      nodes += 1;
      if (node !== undefined) tree.getTreeItem(node);
      for (const child of await tree.getChildren(node)) await visit(child);
    };
    await visit();
    assert.ok(nodes > 20);

    const yes = { confirm: async () => true, info: async () => undefined };
    for (const { path } of expectedTranscripts()) {
      const uri = sampleFile(path);
      await vscode.commands.executeCommand("contextBudget.openInspector", uri);
      const session = inspector.documents.find((one) => one.uri.toString() === uri.toString())?.session;
      assert.ok(session, path);
      await session.finished;
      const rows = await rowsOf(session);
      await until("every file was looked at", async () => {
        return (await rowsOf(session)).every((row) => row.file !== "not-checked");
      });
      const query = { text: "e", regex: false, matchCase: false };
      await session.search(query, new CancelSource(), () => undefined);
      await session.overview(null);
      for (const row of rows.slice(0, 3)) {
        assert.ok((await session.detail(row.index)).ok);
        const result = await session.result(row.index);
        assert.ok(result);
        await answering(yes, () => inspector.actions.openFull(session, result));
        await answering(yes, () => inspector.actions.reveal(session, row.line));
      }
      const facts = await session.whatIf.open(null, {}, new CancelSource());
      if (!facts.ok) continue;
      const input = {
        thread: facts.value.thread,
        policies: [{ ...POLICY_DEFAULTS.persist, threshold: 1_000 }],
        assumptions: { cache: SIM_OPTIONS.cache, prices: null, windowTokens: null, baseTokens: null },
      };
      await inspector.actions.whatIf.diff(session, { input, call: facts.value.calls }, new CancelSource());
    }

    const config = sampleFile(".hermes/config.yaml");
    await vscode.window.showTextDocument(config);
    await hoverText(config, new vscode.Position(1, 1));
    await vscode.commands.executeCommand("contextBudget.explainConfig", config);
    await closeEditors();
    const after = treeState(folder);
    assert.deepEqual(
      after.filter((line, at) => line !== before[at]),
      [],
    );
    assert.equal(after.length, before.length);
  });
});
