import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import type { TreeNode } from "../../extension/src/client/views/sessionsTree";
import { expectedTranscripts, handles, until } from "./handles";
import { closeEditors } from "./support";

async function group(id: string): Promise<TreeNode> {
  const { tree, index } = await handles();
  await index.settled();
  const roots = await tree.getChildren();
  const found = roots.find((node) => node.kind === "group" && node.group.id === id);
  assert.ok(found, `no group ${id}`);
  return found;
}

async function session(id: string, name: string): Promise<TreeNode> {
  const { tree } = await handles();
  const sessions = await tree.getChildren(await group(id));
  const found = sessions.find((node) => node.kind === "session" && node.found.path.endsWith(name));
  assert.ok(found, `no session ${name}`);
  return found;
}

describe("the sessions tree", () => {
  afterEach(closeEditors);

  it("lists the sessions of homes in open folders and other transcripts, told apart by content", async () => {
    const { tree } = await handles();
    const names = async (id: string) =>
      (await tree.getChildren(await group(id))).map((node) =>
        node.kind === "session" ? node.found.path.split("/").at(-1) : node.kind,
      );
    const [hermes, files] = [await names("hermes"), await names("workspace")];
    const listed = expectedTranscripts().filter(({ path }) => !path.includes("/subagents/"));
    for (const { path } of listed) {
      const name = path.split("/").at(-1);
      assert.ok((path.includes(".hermes/") ? hermes : files).includes(name), `${name} is not listed`);
    }
    assert.equal(hermes.length + files.length, listed.length, [...hermes, ...files].join(", "));
  });

  it("lists what was taken out of a session's context, and whether its file is there", async () => {
    const { tree } = await handles();
    const node = await session("hermes", "session_20261006_064512_b0a7ed.json");
    let children = await tree.getChildren(node);
    await until("files were looked at", async () => {
      children = await tree.getChildren(node);
      return children.every((child) => child.kind === "result" && child.row.file !== "not-checked");
    });
    assert.ok(children.length > 5);
    const items = children.map((child) => tree.getTreeItem(child));
    assert.ok(
      items.some((item) => String(item.description).endsWith("persisted") && item.contextValue?.includes("full")),
    );
    assert.ok(
      items.some((item) => String(item.description).endsWith("file expired") && !item.contextValue?.includes("full")),
    );
  });

  it("copies the path of a result", async () => {
    const { tree } = await handles();
    const children = await tree.getChildren(await session("hermes", "session_20261006_064512_b0a7ed.json"));
    const child = children.find((one) => one.kind === "result" && one.row.path !== null);
    assert.ok(child?.kind === "result");
    await vscode.commands.executeCommand("contextBudget.copyPath", child);
    assert.equal(await vscode.env.clipboard.readText(), child.row.path);
  });

  it("opens the inspector on the row that was clicked", async () => {
    const { tree, inspector } = await handles();
    const children = await tree.getChildren(await session("hermes", "session_20261006_064512_b0a7ed.json"));
    const command = children[1] && tree.getTreeItem(children[1]).command;
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    assert.equal(inspector.documents.length, 1);
    await until("the page is ready", () => inspector.links.some((link) => link.ready));
  });

  it("keeps the ids of its nodes when it is refreshed, and so what is open and selected", async () => {
    const { tree, index } = await handles();
    const ids = async (): Promise<readonly (string | undefined)[]> => {
      await index.settled();
      const roots = await tree.getChildren();
      const below = await Promise.all(roots.map((root) => tree.getChildren(root)));
      return [...roots, ...below.flat()].map((node) => tree.getTreeItem(node).id);
    };
    const before = await ids();
    await vscode.commands.executeCommand("contextBudget.refreshSessions");
    assert.deepEqual(await ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it("says so when nothing was taken out", async () => {
    const { tree } = await handles();
    const sessions = (await tree.getChildren(await group("workspace"))).concat(
      await tree.getChildren(await group("hermes")),
    );
    for (const node of sessions) {
      const children = await tree.getChildren(node);
      assert.ok(children.length > 0, "an expanded session shows something");
    }
  });
});
