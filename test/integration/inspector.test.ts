import * as assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { InspectorSession } from "../../extension/src/client/views/inspectorSession";
import { answering, expectedTranscripts, handles, rowsOf, until } from "./handles";
import { closeEditors, sampleFile } from "./support";

const SNAPSHOT = ".hermes/sessions/session_20261006_064512_b0a7ed.json";
const VIEW_TYPE = "contextBudget.inspector";

async function open(path: string, row?: number) {
  const { inspector } = await handles();
  const uri = sampleFile(path);
  await vscode.commands.executeCommand("contextBudget.openInspector", uri, row);
  const document = inspector.documents.find((one) => one.uri.toString() === uri.toString());
  assert.ok(document, `no inspector is open for ${path}`);
  await document.session.finished;
  return { inspector, session: document.session };
}

async function everyFileSeen(session: InspectorSession): Promise<boolean> {
  return (await rowsOf(session)).every((row) => row.file !== "not-checked");
}

function activeText(): vscode.TextDocument | undefined {
  return vscode.window.activeTextEditor?.document;
}

describe("the inspector", () => {
  afterEach(closeEditors);

  it("opens as an editor of its own, and its page asks for the state", async () => {
    const { inspector } = await open(SNAPSHOT);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom && input.viewType === VIEW_TYPE);
    await until("the page is ready", () => inspector.links.some((link) => link.ready));
  });

  for (const { path, results } of expectedTranscripts()) {
    it(`lists the results of ${path}`, async () => {
      const { session } = await open(path);
      await until("every file was looked at", () => everyFileSeen(session));
      assert.equal(session.full().error, null);
      assert.deepEqual(
        (await rowsOf(session)).map(({ tool, state, handle, file }) => ({ tool, state, handle, file })),
        results.map(({ tool, state, handle, file }) => ({ tool, state, handle, file })),
      );
    });
  }

  it("says why a file is no transcript", async () => {
    const { session } = await open("README.md");
    const { phase, error } = session.full();
    assert.equal(phase, "failed");
    assert.match(error ?? "", /README\.md/);
  });

  it("opens the full output of a row read-only, and stays open", async () => {
    const { session } = await open(SNAPSHOT);
    const { inspector } = await handles();
    await until("the page is ready", () => inspector.links.some((link) => link.ready));
    const row = (await rowsOf(session)).find((one) => one.path?.endsWith("call_e0cda385b6a8.txt"));
    assert.ok(row);
    await inspector.links[0]?.receive({ v: 1, id: 1, t: "call", m: "openFull", body: { index: row.index } });
    const document = activeText();
    assert.equal(document?.uri.scheme, "context-budget");
    const spill = readFileSync(sampleFile(".hermes/cache/spillover/call_e0cda385b6a8.txt").fsPath, "utf8");
    assert.equal(document?.getText(), spill);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.input);
    assert.ok(tabs.some((input) => input instanceof vscode.TabInputCustom));
  });

  it("opens the text of an inline result from the transcript", async () => {
    const { session, inspector } = await open(SNAPSHOT);
    const row = (await rowsOf(session)).find((one) => one.state === "inline");
    assert.ok(row);
    await inspector.links[0]?.receive({ v: 1, id: 2, t: "call", m: "openFull", body: { index: row.index } });
    const length = [...(activeText()?.getText() ?? "")].length;
    assert.equal(length, row.chars);
  });

  it("never opens a path outside the spill folders unless the user agrees to the full path", async () => {
    const { session, inspector } = await open(SNAPSHOT);
    await until("every file was looked at", () => everyFileSeen(session));
    const row = (await rowsOf(session)).find((one) => one.file === "outside");
    assert.ok(row?.path);
    const { openFull } = inspector.actions;
    const result = await session.result(row.index);
    assert.ok(result);
    const asked: string[] = [];
    const ask = (agree: boolean) =>
      answering(
        {
          confirm: async (_message, detail) => {
            asked.push(detail);
            return agree;
          },
        },
        () => openFull(session, result),
      );
    assert.deepEqual(await ask(false), { ok: true, value: false });
    assert.equal(asked.length, 1);
    assert.ok(asked[0]?.includes(row.path));
    const agreed = await ask(true);
    assert.equal(asked.length, 2);
    assert.ok(!agreed.ok && agreed.error.includes(row.path), "the file is not on this machine, and the user hears it");
    assert.notEqual(activeText()?.uri.scheme, "context-budget");
  });

  it("reveals the record in the transcript's text", async () => {
    const { session, inspector } = await open("exports/hermes-sessions.jsonl");
    const row = (await rowsOf(session)).at(-1);
    assert.ok(row);
    await inspector.links[0]?.receive({ v: 1, id: 4, t: "call", m: "reveal", body: { line: row.line } });
    await until(
      "the line is selected",
      () => vscode.window.activeTextEditor?.selection.active.line === row.line - 1,
      vscode.window.onDidChangeActiveTextEditor,
      vscode.window.onDidChangeTextEditorSelection,
    );
    assert.equal(activeText()?.uri.toString(), sampleFile("exports/hermes-sessions.jsonl").toString());
  });

  it("lets go of page and session when its editor closes", async () => {
    const { inspector } = await open(SNAPSHOT);
    await closeEditors();
    await until("nothing is left", () => inspector.links.length === 0 && inspector.documents.length === 0);
  });

  it("follows a transcript that is being written, and looks inside its results", async () => {
    const folder = mkdtempSync(join(tmpdir(), "context-budget-live-"));
    const path = join(folder, "session.jsonl");
    const line = (n: number) =>
      `${JSON.stringify({
        type: "user",
        uuid: `u${n}`,
        parentUuid: null,
        sessionId: "s-1",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: `text ${n}` }] },
      })}\n`;
    try {
      writeFileSync(path, line(0));
      const { inspector } = await handles();
      await vscode.commands.executeCommand("contextBudget.openInspector", vscode.Uri.file(path));
      const session = inspector.documents.find((one) => one.uri.fsPath === path)?.session;
      assert.ok(session);
      await session.finished;
      assert.equal(session.full().rows.count, 1);
      const [first] = await rowsOf(session);
      // The end of the line is not written yet: nothing is said about it.
      appendFileSync(path, line(1) + line(2).slice(0, 30));
      await until("the new result is listed", () => session.full().rows.count === 2);
      assert.deepEqual((await rowsOf(session))[0], first);
      assert.deepEqual(
        session.full().problems.filter(({ code }) => code === "torn-last-line"),
        [],
      );
      appendFileSync(path, line(2).slice(30));
      await until("the line has its end", () => session.full().rows.count === 3);
      const hits: number[] = [];
      const query = { text: "^text [12]$", regex: true, matchCase: true };
      const end = await session.search(query, { isCancellationRequested: false }, (step) => {
        hits.push(...step.hits.map(({ index }) => index));
      });
      assert.deepEqual([end, hits], [{ ok: true, value: "done" }, [1, 2]]);
      writeFileSync(`${path}.new`, line(7));
      renameSync(`${path}.new`, path);
      await until("the new file is read", () => session.full().rows.count === 1);
      await closeEditors();
      await until("nothing is left", () => inspector.documents.length === 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
