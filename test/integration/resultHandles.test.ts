import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { CancelSource } from "../../extension/src/client/lifetime";
import { sessionHandles } from "../../extension/src/client/views/sessionHandles";
import { handles, rowsOf, until } from "./handles";
import { closeEditors, sampleFile } from "./support";

const SNAPSHOT = ".hermes/sessions/session_20261006_064512_b0a7ed.json";
const ALL = { moment: { kind: "now" }, use: null, from: 0, count: 200 } as const;

async function open(path: string) {
  const { inspector } = await handles();
  const uri = sampleFile(path);
  await vscode.commands.executeCommand("contextBudget.openInspector", uri);
  const document = inspector.documents.find((one) => one.uri.toString() === uri.toString());
  assert.ok(document, `no inspector is open for ${path}`);
  await document.session.finished;
  await until("the page is ready", () => inspector.links.some((link) => link.ready));
  return { inspector, session: document.session };
}

describe("handles and pages", () => {
  afterEach(closeEditors);

  it("lists every path and id of a session, with what is found of the files", async () => {
    const { session } = await open(SNAPSHOT);
    const answer = await sessionHandles(session, ALL, {}, { now: () => Date.now() }, new CancelSource());
    assert.ok(answer.ok, "the handles were found");
    const rows = (await rowsOf(session)).filter(({ path, handle }) => (path ?? handle) !== null);
    const expected = rows.filter(({ state }) => state === "persisted" || state === "handle");
    assert.ok(expected.length > 0);
    assert.deepEqual(
      answer.value.rows.map(({ row, name }) => ({ row, name })),
      expected.map(({ index, path, handle }) => ({ row: index, name: handle ?? path })),
    );
    const there = answer.value.rows.find(({ name }) => name.endsWith("call_e0cda385b6a8.txt"));
    assert.equal(there?.file, "ok");
    assert.equal(there?.readable, "yes");
  });

  it("pages through a full output to its end", async () => {
    const { session, inspector } = await open(SNAPSHOT);
    const row = (await rowsOf(session)).find((one) => one.path?.endsWith("call_e0cda385b6a8.txt"));
    assert.ok(row);
    const result = await session.result(row.index);
    assert.ok(result);
    let text = "";
    for (;;) {
      const page = await inspector.actions.outputPage(session, result, text.length);
      assert.ok(page.ok, page.ok ? "" : page.error);
      assert.equal(page.value.offset, text.length);
      text += page.value.text;
      if (page.value.nextOffset === page.value.length) break;
    }
    assert.equal(text, readFileSync(sampleFile(".hermes/cache/spillover/call_e0cda385b6a8.txt").fsPath, "utf8"));
  });
});
