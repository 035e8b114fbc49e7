import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { CancelSource } from "../../extension/src/client/lifetime";
import type { Prompts } from "../../extension/src/client/prompts";
import { POLICY_DEFAULTS } from "../../extension/src/core/compaction/policy";
import { SIM_OPTIONS } from "../../extension/src/core/compaction/simulate";
import type { WhatIfInput } from "../../extension/src/protocol/whatIf";
import { answering, handles, until } from "./handles";
import { closeEditors, sampleFile } from "./support";

const SNAPSHOT = ".hermes/sessions/session_20261006_064512_b0a7ed.json";
const KEY = "tool_result_persist_threshold_chars";

async function open() {
  const { inspector } = await handles();
  const uri = sampleFile(SNAPSHOT);
  await vscode.commands.executeCommand("contextBudget.openInspector", uri);
  const document = inspector.documents.find((one) => one.uri.toString() === uri.toString());
  assert.ok(document);
  const { session } = document;
  await session.finished;
  const facts = await session.whatIf.open(null, {}, new CancelSource());
  assert.ok(facts.ok, facts.ok ? "" : facts.error.message);
  const input: WhatIfInput = {
    thread: facts.value.thread,
    policies: [{ ...POLICY_DEFAULTS.persist, threshold: 1_000 }],
    assumptions: { cache: SIM_OPTIONS.cache, prices: null, windowTokens: null, baseTokens: null },
  };
  return { session, facts: facts.value, input, actions: inspector.actions.whatIf };
}

/** The user takes the file from the list. */
const taking = (path: string): Partial<Prompts> => ({
  pick: async (items) => (await items).find((item) => item.detail === path),
  info: async () => undefined,
});

describe("What if", () => {
  afterEach(closeEditors);

  it("knows the thread, and holds it against the config in its home", async () => {
    const { facts } = await open();
    assert.ok(facts.calls > 0 && facts.results > 0 && facts.resultsRead > 0);
    // The sample's config has a value that Hermes rejects, so that an unset threshold applies.
    assert.equal(facts.configThreshold, null);
    assert.match(facts.inferred?.note ?? "", /what an unset threshold gives/);
  });

  it("shows a request before and after as a diff of two read-only documents", async () => {
    const { session, facts, input, actions } = await open();
    const outcome = await actions.diff(session, { input, call: facts.calls }, new CancelSource());
    assert.deepEqual(outcome, { ok: true, value: true });
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const shown = tab?.input;
    assert.ok(shown instanceof vscode.TabInputTextDiff, "a diff is open");
    assert.match(tab?.label ?? "", /as it was ↔ persist above 1,000 chars/);
    const [before, after] = await Promise.all(
      [shown.original, shown.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.ok(before && after);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(shown.modified.scheme), undefined);
    const headings = (text: string) => text.split("\n").filter((line) => /^(=====|-----) .* \1$/.test(line));
    assert.ok(headings(before.getText()).length > 3);
    assert.deepEqual(headings(after.getText()), headings(before.getText()));
    assert.notEqual(after.getText(), before.getText());
    assert.ok(after.getText().includes("<persisted-output>"));
    // The inspector it was opened from is still there.
    const tabs = vscode.window.tabGroups.activeTabGroup.tabs.map((one) => one.input);
    assert.ok(tabs.some((one) => one instanceof vscode.TabInputCustom));
  });

  it("writes a threshold into a config so that it shows, is not saved, and can be undone", async () => {
    const { actions } = await open();
    const config = sampleFile(".hermes/config.yaml");
    const bytes = readFileSync(config.fsPath, "utf8");
    const outcome = await answering(taking(config.fsPath), () => actions.apply(12_345));
    assert.deepEqual(outcome, { ok: true, value: true });
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), config.toString());
    assert.ok(editor);
    const { document } = editor;
    assert.ok(document.isDirty);
    assert.match(document.getText(), new RegExp(`${KEY}: 12345`));
    assert.match(document.lineAt(editor.selection.active.line).text, /12345/);
    assert.equal(readFileSync(config.fsPath, "utf8"), bytes, "nothing was saved");
    await vscode.commands.executeCommand("undo");
    await until("it was undone", () => document.getText() === bytes);
    assert.equal(document.isDirty, false);
  });

  it("writes nothing when the user takes no file", async () => {
    const { actions } = await open();
    assert.deepEqual(await answering({ pick: async () => undefined }, () => actions.apply(12_345)), {
      ok: true,
      value: false,
    });
  });

  it("exports a run as an untitled document", async () => {
    const { session, input, actions } = await open();
    for (const [format, expected] of [
      ["markdown", /Again with `context-budget simulate /],
      ["json", /"sha256": "[0-9a-f]{64}"/],
      ["csv", /^call,/m],
    ] as const) {
      assert.deepEqual(await actions.exportRun(session, { input, format }, new CancelSource()), {
        ok: true,
        value: true,
      });
      const shown = () => vscode.window.activeTextEditor?.document;
      await until(
        `the ${format} is shown`,
        () => shown()?.isUntitled === true && expected.test(shown()?.getText() ?? ""),
      );
    }
    // Not one by one: VS Code gives the next document the name, and for a moment the text, of one that was just closed.
    for (let left = 3; left > 0; left--)
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("compares thresholds on a transcript and shows what the command line prints", async () => {
    const path = sampleFile(SNAPSHOT).fsPath;
    const asked: string[] = [];
    const answers: Partial<Prompts> = {
      pick: async (items) => (await items).find(({ label }) => label === "Choose a Transcript…"),
      pickFile: async () => path,
      input: async ({ title, value, problem }) => {
        asked.push(title);
        assert.equal(problem(value), undefined);
        return value;
      },
    };
    await answering(answers, async () => vscode.commands.executeCommand("contextBudget.compareThresholds"));
    assert.equal(asked.length, 4);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, "context-budget");
    assert.match(document?.getText() ?? "", /^\$ context-budget ab .*--thresholds=8000,/);
    assert.match(document?.getText() ?? "", /threshold +scenario[\s\S]+an upper bound on logical input, not a bill/);
  });

  it("says above a threshold what it would have saved, once it was asked to", async () => {
    const config = sampleFile(".hermes/config.yaml");
    const document = await vscode.workspace.openTextDocument(config);
    await vscode.window.showTextDocument(document);
    const settings = vscode.workspace.getConfiguration("contextBudget");
    const lens = async (): Promise<string | undefined> => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        config,
        9,
      );
      const own = found.find(({ command }) => command?.command === "contextBudget.estimateOnSessions");
      assert.ok(own === undefined || document.lineAt(own.range.start.line).text.includes(KEY));
      return own?.command?.title;
    };
    try {
      await until("the lens offers an estimate", async () => /estimate on my sessions/.test((await lens()) ?? ""));
      await vscode.commands.executeCommand("contextBudget.estimateOnSessions", config);
      assert.equal(vscode.workspace.getConfiguration("contextBudget").get("config.estimateOnSessions"), true);
      const told = /On your last \d+ sessions?: .* would have saved ≈ [<>]? ?−?\d+(?:\.\d)?% of input \(upper bound\)/;
      await until("the lens tells", async () => told.test((await lens()) ?? ""));
    } finally {
      await settings.update("config.estimateOnSessions", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
