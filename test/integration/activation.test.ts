import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

const ID = "context-budget.context-budget-inspector";

describe("activation", () => {
  it("activates", async () => {
    const extension = vscode.extensions.getExtension(ID);
    assert.ok(extension, `${ID} is not there`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("registers every command that the manifest contributes", async () => {
    const extension = vscode.extensions.getExtension(ID);
    assert.ok(extension);
    await extension.activate();
    const manifest = JSON.parse(readFileSync(join(extension.extensionPath, "package.json"), "utf8"));
    const contributed: string[] = manifest.contributes.commands.map((each: { command: string }) => each.command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });
});
