import * as assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { answering, handles } from "./handles";
import { activated, sampleFile } from "./support";

interface Contributed {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
}

const SPILLED = ".hermes/cache/spillover/call_e0cda385b6a8.txt";
const ELSEWHERE = ".hermes/sessions/20260406_070015_71de0ffc.jsonl";

/** What a tool answers; questions of VS Code itself count as agreed to in a test run. */
async function ask(name: string, input: object, token?: vscode.CancellationToken): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(`contextBudget_${name}`, options, token);
  const [part, ...others] = content;
  assert.deepEqual(others, []);
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return part.value;
}

/** An answer with a head of JSON and a text. */
function parted(text: string): { readonly head: Readonly<Record<string, unknown>>; readonly body: string } {
  const end = text.indexOf("\n\n");
  return { head: JSON.parse(text.slice(0, end)), body: text.slice(end + 2) };
}

const transcript = (): string => sampleFile(".hermes/sessions/session_20261006_064512_b0a7ed.json").fsPath;

/** Opens the result whose text lies in `SPILLED`. */
async function openLong(): Promise<ReturnType<typeof parted>> {
  const { results } = JSON.parse(await ask("listResults", { transcript: transcript(), states: ["persisted"] }));
  const row = results.find((one: { readonly path: string }) => SPILLED.endsWith(one.path.split("/").at(-1) ?? "-"));
  return parted(await ask("readResult", { transcript: transcript(), result: row.result }));
}

describe("tools for agents", () => {
  before(activated);

  it("are there for every model, as the manifest has them", async () => {
    const { packageJSON } = await activated();
    const contributed: readonly Contributed[] = packageJSON.contributes.languageModelTools;
    assert.equal(contributed.length, 6);
    for (const { name, modelDescription, inputSchema } of contributed) {
      const tool = vscode.lm.tools.find((one) => one.name === name);
      assert.ok(tool, `${name} is not there`);
      assert.equal(tool.description, modelDescription);
      assert.deepEqual(tool.inputSchema, inputSchema);
    }
  });

  it("find a session, find a persisted result, and give all of it, page by page", async () => {
    const { sessions } = JSON.parse(await ask("listSessions", {}));
    assert.ok(sessions.some((one: { readonly transcript: string }) => one.transcript === transcript()));
    const opened = await openLong();
    assert.equal(opened.head["isFullOutput"], true);
    let body = opened.body.slice(0, Number(opened.head["shownUtf16Units"]));
    let offset = opened.head["nextOffset"];
    for (let pages = 1; typeof offset === "number"; pages += 1) {
      assert.ok(pages < 20, "the pages have no end");
      const page = parted(await ask("readPage", { transcript: transcript(), id: opened.head["id"], offset }));
      body += page.body;
      offset = page.head["nextOffset"];
    }
    const whole = readFileSync(sampleFile(SPILLED).fsPath, "utf8");
    assert.ok(whole.length > 40_000);
    assert.ok(body === whole, "the pages are not the file");
  });

  it("give nothing under an id of another transcript, and the same answer as for a wrong id", async () => {
    const { id } = (await openLong()).head;
    const other = sampleFile(ELSEWHERE).fsPath;
    const refusal = async (page: object): Promise<string> => {
      try {
        return await ask("readPage", { offset: 0, ...page });
      } catch (error) {
        return `refused: ${error instanceof Error ? error.message : error}`;
      }
    };
    const wrong = await refusal({ transcript: transcript(), id: "r-00000000-0000-4000-8000-000000000000" });
    assert.match(wrong, /^refused: Nothing can be read under this id/);
    assert.equal(await refusal({ transcript: other, id }), wrong);
    assert.match(await refusal({ transcript: transcript(), id }), /^\{/);
  });

  it("explain a config by the checker, as it stands in the editor, for a window that is asked about", async () => {
    const config = sampleFile(".hermes/config.yaml").fsPath;
    const text = await ask("explainBudget", { config, contextWindow: 64_000 });
    assert.match(text, /# Context budget: this config explained/);
    assert.match(text, /a window of 64,000 tokens, as asked for/);
  });

  it("simulate a policy", async () => {
    const answer = JSON.parse(
      await ask("simulatePolicy", { transcript: transcript(), policy: { preset: "hermes-persist" } }),
    );
    assert.equal(typeof answer.thread, "string");
  });

  it("say what is wrong with a call", async () => {
    await assert.rejects(ask("listResults", {}), /`transcript` is missing/);
    await assert.rejects(ask("listResults", { transcript: "relative.json" }), /full path/);
    await assert.rejects(ask("readResult", { transcript: transcript(), result: 1e6 }), /1000000/);
    const none = sampleFile("none.json").fsPath;
    await assert.rejects(ask("listResults", { transcript: none }), /not on this machine/);
  });

  it("stop when the call is cancelled, and answer the next one", async () => {
    const source = new vscode.CancellationTokenSource();
    const copy = join(mkdtempSync(join(tmpdir(), "context-budget-agents-")), "copy.jsonl");
    copyFileSync(sampleFile(ELSEWHERE).fsPath, copy);
    try {
      const outcome = answering(
        {
          confirm: async () => {
            source.cancel();
            // VS Code takes the news around and hands it to the tool; a command that it answers itself comes back behind it.
            await vscode.commands.executeCommand("setContext", "contextBudget.cancelled", true);
            return true;
          },
        },
        () => ask("listResults", { transcript: copy }, source.token),
      );
      await assert.rejects(outcome, (error: Error) => error.name === "Canceled" || /[Cc]ancel/.test(error.message));
      assert.match(await ask("listSessions", {}), /"sessions"/);
    } finally {
      rmSync(copy);
      source.dispose();
    }
  });

  it("ask before they read a file outside of everything known, once, and keep to the answer", async () => {
    const folder = mkdtempSync(join(tmpdir(), "context-budget-agents-"));
    const copies = ["a.jsonl", "b.jsonl"].map((name) => join(folder, name));
    for (const copy of copies) copyFileSync(sampleFile(ELSEWHERE).fsPath, copy);
    const [yes = "", no = ""] = copies;
    const questions: string[] = [];
    try {
      await answering(
        {
          confirm: async (_question, detail) => {
            questions.push(detail.split("\n")[0] ?? "");
            return detail.startsWith(yes);
          },
        },
        async () => {
          assert.match(await ask("listResults", { transcript: yes }), /"results"/);
          assert.match(await ask("listResults", { transcript: yes, limit: 1 }), /"results"/);
          for (let times = 0; times < 2; times += 1)
            await assert.rejects(ask("listResults", { transcript: no }), /none of the sessions/);
        },
      );
      assert.deepEqual(questions, [yes, no]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("are off when the user turns them off", async () => {
    const settings = vscode.workspace.getConfiguration("contextBudget");
    await settings.update("agentTools.enabled", false, vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(ask("listSessions", {}), /are off|not contributed|disabled/);
    } finally {
      await settings.update("agentTools.enabled", undefined, vscode.ConfigurationTarget.Global);
    }
    assert.match(await ask("listSessions", {}), /"sessions"/);
  });
});

describe("the MCP server in VS Code", () => {
  const younger = (): boolean => !vscode.version.startsWith("1.100.");

  it("is offered where VS Code has an API for it", async () => {
    assert.equal((await handles()).agents.mcp.isThere, younger());
  });

  it("is listed once the user wants it, and what is listed answers", async () => {
    const { provider } = (await handles()).agents.mcp;
    if (provider === undefined) return assert.equal(younger(), false);
    assert.deepEqual(provider.provideMcpServerDefinitions(), []);
    const settings = vscode.workspace.getConfiguration("contextBudget");
    const changed = new Promise<void>((done) => {
      const listening = provider.onDidChangeMcpServerDefinitions(() => {
        listening.dispose();
        done();
      });
    });
    await settings.update("agentTools.mcpServer", true, vscode.ConfigurationTarget.Global);
    try {
      await changed;
      const [server, ...others] = provider.provideMcpServerDefinitions();
      assert.deepEqual(others, []);
      assert.ok(server);
      assert.equal(provider.resolveMcpServerDefinition(server), server);
      const { command, args, env } = server;
      const child = spawn(command, args, { env: { ...process.env, ...(env as Record<string, string>) } });
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
      const line = await new Promise<string>((done) => child.stdout.once("data", (data) => done(String(data))));
      child.stdin.end();
      assert.equal(JSON.parse(line).result.serverInfo.name, "context-budget");
      assert.equal(await new Promise((done) => child.once("close", done)), 0);
    } finally {
      await settings.update("agentTools.mcpServer", undefined, vscode.ConfigurationTarget.Global);
    }
    assert.deepEqual(provider.provideMcpServerDefinitions(), []);
  });
});
