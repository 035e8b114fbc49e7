import * as assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { CancelSource } from "../../extension/src/client/lifetime";
import { POLICY_DEFAULTS } from "../../extension/src/core/compaction/policy";
import { SIM_OPTIONS } from "../../extension/src/core/compaction/simulate";
import type { WhatIfInput } from "../../extension/src/protocol/whatIf";
import { handles, until } from "./handles";
import { closeEditors, sampleFile } from "./support";

/** The right shape, and nobody's. */
const TOKEN = `gh${"p_"}${"q7Rk".repeat(9)}`;
const SIGN = "[secret: github]";
const HEAD = `$ env\nGITHUB_TOKEN=${TOKEN}\nHOME=/home/dev\n`;
/** The preview of a persisted result has 1,500 characters, and ends inside the second token. */
const OUTPUT = `${HEAD}${"x".repeat(1480 - HEAD.length)} ${TOKEN}\n${"y".repeat(3000)}\n`;
const CHAT = JSON.stringify({
  model: "m-1",
  messages: [
    { role: "user", content: `Deploy with ${TOKEN}` },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: `c1 ${TOKEN}`, type: "function", function: { name: "terminal", arguments: '{"command":"env"}' } },
      ],
    },
    { role: "tool", tool_call_id: `c1 ${TOKEN}`, content: OUTPUT },
    { role: "assistant", content: "Done." },
  ],
});

async function open() {
  const uri = sampleFile("withSecrets.json");
  writeFileSync(uri.fsPath, CHAT);
  const { inspector } = await handles();
  await vscode.commands.executeCommand("contextBudget.openInspector", uri);
  const document = inspector.documents.find((one) => one.uri.toString() === uri.toString());
  assert.ok(document);
  await document.session.finished;
  return { session: document.session, actions: inspector.actions };
}

const masked = OUTPUT.replaceAll(TOKEN, SIGN);
const setting = vscode.workspace.getConfiguration("contextBudget");

describe("Secrets", () => {
  afterEach(async () => {
    await setting.update("secrets.mask", undefined, vscode.ConfigurationTarget.Global);
    await closeEditors();
    rmSync(sampleFile("withSecrets.json").fsPath, { force: true });
  });

  it("are masked in what the page gets, with a place to ask for each", async () => {
    const { session } = await open();
    const detail = await session.detail(0);
    assert.ok(detail.ok);
    assert.equal(detail.value.text, masked);
    assert.deepEqual(
      detail.value.masks.map(({ at, units, kind }) => [OUTPUT.slice(at, at + units), kind]),
      [
        [TOKEN, "github"],
        [TOKEN, "github"],
      ],
    );
  });

  it("are masked in a full output until they are asked for, and again when it is opened again", async () => {
    const { session, actions } = await open();
    const result = await session.result(0);
    assert.ok(result);
    await actions.openFull(session, result);
    const shown = vscode.window.activeTextEditor?.document;
    assert.ok(shown);
    assert.equal(shown.getText(), masked);
    assert.ok(shown.fileName.includes(SIGN) && !shown.fileName.includes(TOKEN), shown.fileName);
    const titles = async (): Promise<readonly string[]> => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        shown.uri,
      );
      return lenses.map(({ command }) => command?.title ?? "");
    };
    assert.deepEqual(await titles(), ["2 secrets masked: show"]);
    await vscode.commands.executeCommand("contextBudget.showSecrets");
    await until("the secrets are shown", () => shown.getText() === OUTPUT, vscode.workspace.onDidChangeTextDocument);
    assert.deepEqual(await titles(), ["2 secrets shown: mask again"]);
    await vscode.commands.executeCommand("contextBudget.maskSecrets", shown.uri);
    await until("they are masked again", () => shown.getText() === masked, vscode.workspace.onDidChangeTextDocument);
  });

  it("are masked on both sides of a request, also in the preview that a policy leaves, until they are asked for", async () => {
    const { session, actions } = await open();
    const facts = await session.whatIf.open(null, {}, new CancelSource());
    assert.ok(facts.ok);
    const input: WhatIfInput = {
      thread: facts.value.thread,
      policies: [{ ...POLICY_DEFAULTS.persist, threshold: 1_000 }],
      assumptions: { cache: SIM_OPTIONS.cache, prices: null, windowTokens: null, baseTokens: null },
    };
    const call = facts.value.calls;
    assert.deepEqual(await actions.whatIf.diff(session, { input, call }, new CancelSource()), {
      ok: true,
      value: true,
    });
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(tab instanceof vscode.TabInputTextDiff);
    const before = await vscode.workspace.openTextDocument(tab.original);
    const after = await vscode.workspace.openTextDocument(tab.modified);
    for (const { uri } of [before, after]) {
      const side = await vscode.workspace.openTextDocument(uri);
      assert.ok(side.getText().includes(SIGN));
      assert.ok(!side.getText().includes(TOKEN.slice(0, 12)), side.getText());
    }
    await vscode.commands.executeCommand("contextBudget.showSecrets", tab.modified);
    const isShown = (): boolean => [before, after].every((side) => side.getText().includes(TOKEN.slice(0, 12)));
    await until("both sides show them", isShown, vscode.workspace.onDidChangeTextDocument);
    assert.ok(after.getText().includes(`x ${TOKEN.slice(0, 12)}`), "the preview holds a piece of the second token");
    assert.ok(!after.getText().includes(`x ${TOKEN}`));
  });

  it("are not masked where the setting says so", async () => {
    const { session } = await open();
    await setting.update("secrets.mask", false, vscode.ConfigurationTarget.Global);
    const detail = await session.detail(0);
    assert.ok(detail.ok);
    assert.equal(detail.value.text, OUTPUT);
    assert.deepEqual(detail.value.masks, []);
  });
});
