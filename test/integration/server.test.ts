import * as assert from "node:assert/strict";
import process from "node:process";
import * as vscode from "vscode";
import { answering, handles, until } from "./handles";
import { closeEditors, diagnostics, hoverText, sampleFile } from "./support";

/** Opens the sample's config and waits until its one mistake is underlined; returns where that is. */
async function checkedConfig(): Promise<vscode.Range> {
  await vscode.window.showTextDocument(sampleFile(".hermes", "config.yaml"));
  return underlined();
}

async function underlined(): Promise<vscode.Range> {
  const [found] = await diagnostics(sampleFile(".hermes", "config.yaml"), (all) => all.length === 1, "one diagnostic");
  assert.ok(found);
  return found.range;
}

describe("the server", () => {
  afterEach(async () => void (await closeEditors()));

  async function running(): Promise<number> {
    const { server } = await handles();
    await until("the server runs", () => server.state === "running" && server.processId !== undefined);
    return server.processId ?? 0;
  }

  async function crash(): Promise<void> {
    const pid = await running();
    process.kill(pid, "SIGKILL");
    const { server } = await handles();
    await until("the crash is noticed", () => server.processId !== pid || server.state !== "running");
  }

  it("links each problem to what the README says about it", async () => {
    await checkedConfig();
    const [problem] = await diagnostics(
      sampleFile(".hermes", "config.yaml"),
      (all) => all.length === 1,
      "one diagnostic",
    );
    assert.ok(problem && typeof problem.code === "object");
    const explanation = await vscode.workspace.openTextDocument(problem.code.target);
    assert.equal(explanation.languageId, "markdown");
    assert.match(explanation.getText(), new RegExp(`\\b${String(problem.code.value)}\\b`));
  });

  it("follows a changed setting without a restart", async () => {
    await checkedConfig();
    const before = await running();
    const config = vscode.workspace.getConfiguration("contextBudget.config");
    await config.update("contextLength", 131_072, vscode.ConfigurationTarget.Workspace);
    await config.update("loader", "pyyaml", vscode.ConfigurationTarget.Workspace);
    try {
      await underlined();
      assert.equal(await running(), before);
    } finally {
      await config.update("loader", undefined, vscode.ConfigurationTarget.Workspace);
      await config.update("contextLength", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("comes back after a crash and checks again", async () => {
    await checkedConfig();
    const before = await running();
    await crash();
    assert.notEqual(await running(), before);
    await underlined();
  });

  it("leaves nothing behind when restarted twice", async () => {
    const range = await checkedConfig();
    const { server, lifetime } = await handles();
    await server.restart();
    const owned = lifetime.size;
    await server.restart();
    assert.equal(lifetime.size, owned);
    await running();
    await underlined();
    const text = await hoverText(sampleFile(".hermes", "config.yaml"), range.start);
    assert.equal(text.split("Rejected").length, 2, text);
  });

  it("gives up after a few crashes, says so, and restarts on request", async () => {
    await checkedConfig();
    const { server } = await handles();
    await server.restart();
    const told: string[] = [];
    let press: (action: string) => void = () => undefined;
    const answer = new Promise<string>((done) => {
      press = done;
    });
    await answering(
      {
        error: (message) => {
          told.push(message);
          return answer;
        },
      },
      async () => {
        for (let crashes = 0; crashes < 5; crashes++) await crash();
        await until("it says so", () => told.length > 0);
        assert.equal(server.state, "failed");
        press("Restart");
        await running();
        await underlined();
      },
    );
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /off now/);
  });
});
