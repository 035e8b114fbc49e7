import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { activated } from "./support";

describe("activation", () => {
  it("succeeds", async () => {
    assert.equal((await activated()).isActive, true);
  });

  it("registers every command that the manifest contributes", async () => {
    const { packageJSON } = await activated();
    const contributed: string[] = packageJSON.contributes.commands.map((each: { command: string }) => each.command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });
});
