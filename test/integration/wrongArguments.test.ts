import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Prompts } from "../../extension/src/client/prompts";
import { answering, handles } from "./handles";
import { closeEditors } from "./support";

/** Keybindings, links and other extensions run our commands with whatever they like. */
const hostile: readonly unknown[] = [
  null,
  0,
  -1,
  Number.NaN,
  "",
  "\0",
  "not an address: at all",
  "command:workbench.action.closeWindow",
  "file:///etc/passwd",
  "../../../etc/passwd",
  {},
  [],
  () => "x",
  { kind: "session" },
  { kind: "session", found: null },
  { kind: "session", found: { path: 7 } },
  { kind: "thread", found: { path: "/x" } },
  { kind: "threadPlace", found: {}, threads: 3 },
  { kind: "group", group: null },
  { kind: "note", path: "/etc/passwd" },
  { kind: "result" },
  { kind: "result", path: "/etc/passwd", row: { index: 0, line: 1, path: "/etc/passwd" }, session: {} },
  {
    kind: "result",
    path: "/etc/passwd",
    row: { index: 0, line: 1, path: "/etc/passwd", handle: "r" },
    // Looks like a session whose every file is in a known folder.
    session: {
      path: "/etc/passwd",
      isDatabase: false,
      result: async () => ({ index: 0, state: "persisted", persisted: { path: "/etc/passwd" } }),
      report: async () => ({ status: "ok", inKnownFolder: true, resolvedPath: "/etc/passwd", notes: [] }),
    },
  },
  { scheme: "file", path: "/etc/passwd", fsPath: "/etc/passwd" },
  vscode.Uri.parse("context-budget:/1/x.txt?999999.0.1"),
  vscode.Uri.parse("context-budget:/1/x.txt?-1.-1.-1"),
  vscode.Uri.parse("https://example.invalid/x.jsonl"),
  vscode.Uri.parse("untitled:x.jsonl"),
];

/** Commands that look at no argument, and change what later tests find: searches, the server, a setting. */
const TAKE_NOTHING =
  /\.(?:restartServer|openWalkthrough|showLog|stopSearch|continueSearch|refreshSessions|estimateOnSessions)$/;

/** A command that waits so long waits for somebody. Milliseconds. */
const HANGS_MS = 8_000;

describe("commands with arguments that nobody of ours gave them", () => {
  afterEach(closeEditors);

  it("do nothing of harm, and none of them fails", async () => {
    const { prompts } = await handles();
    // Views have commands of their own, with a second dot.
    const ours = (await vscode.commands.getCommands(true)).filter((name) => /^contextBudget\.[A-Za-z]+$/.test(name));
    assert.ok(ours.length > 15, ours.join());
    const asked: string[] = [];
    const no = Object.fromEntries(
      Object.keys(prompts).map((name) => [
        name,
        async (...said: readonly unknown[]) => {
          asked.push(`${name} ${said.filter((one) => typeof one === "string").join(" ")}`);
          return name === "confirm" ? false : undefined;
        },
      ]),
    ) as Partial<Prompts>;
    const failed: string[] = [];
    await answering(no, async () => {
      for (const name of ours.filter((one) => !TAKE_NOTHING.test(one))) {
        for (const argument of hostile) {
          try {
            const ran = Promise.resolve(vscode.commands.executeCommand(name, argument, Number.NaN, { toString: "x" }));
            const ended = ran.then(() => true);
            const late = new Promise<boolean>((done) => setTimeout(() => done(false), HANGS_MS));
            if (!(await Promise.race([ended, late]))) failed.push(`${name} ${String(JSON.stringify(argument))}: hangs`);
          } catch (error) {
            failed.push(`${name} ${String(JSON.stringify(argument))}: ${String(error)}`);
          }
        }
        const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.fsPath === "/etc/passwd");
        assert.deepEqual(shown, [], `${name} showed a file`);
        const outputs = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "context-budget");
        for (const output of outputs) assert.ok(!output.getText().includes("root:"), `${name} read a file`);
        await closeEditors();
      }
    });
    assert.deepEqual(failed, []);
    assert.ok(!asked.some((question) => question.includes("/etc/passwd")), asked.join("\n"));
  });
});
