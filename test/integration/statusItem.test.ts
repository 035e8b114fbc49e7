import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { handles, until } from "./handles";
import { closeEditors, sampleFile } from "./support";

const CLAUDE = "claude/-home-dana-tide-office/af3109ff-902f-446c-b921-6b2f35fc1ad9.jsonl";

async function shows(what: string, pattern: RegExp | undefined): Promise<void> {
  const { status } = await handles();
  await until(`the status bar shows ${what}`, () =>
    pattern === undefined ? status.shown === undefined : pattern.test(status.shown?.text ?? ""),
  );
}

describe("the item in the status bar", () => {
  afterEach(closeEditors);

  it("tells the context of a transcript, in a text editor and in the inspector, and opens the inspector", async () => {
    const { status, inspector } = await handles();
    const uri = sampleFile(CLAUDE);
    await vscode.window.showTextDocument(uri, { preview: false });
    await shows("tokens", /\d+k? \/ \S+ tok$/);
    const inText = status.shown?.text;
    const command = status.shown?.command;
    assert.ok(typeof command === "object");
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    const [document] = inspector.documents;
    await document?.session.finished;
    await until("the same is told of the inspector", () => status.shown?.text === inText);
    assert.match(String(status.shown?.tooltip), /measured, newest call/);
  });

  it("says that a transcript states no tokens, never 0", async () => {
    await vscode.window.showTextDocument(sampleFile(".hermes/sessions/session_20261006_064512_b0a7ed.json"));
    await shows("that nothing is known", /context –$/);
  });

  it("tells the cap of a config, and is hidden elsewhere", async () => {
    await vscode.window.showTextDocument(sampleFile("config/staging.yaml"));
    await vscode.window.showTextDocument(sampleFile(".hermes/config.yaml"));
    await shows("a cap", /chars|ignored|\d/);
    await vscode.window.showTextDocument(sampleFile("README.md"));
    await shows("nothing", undefined);
  });
});
