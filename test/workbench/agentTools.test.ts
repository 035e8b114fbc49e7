import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repoPath } from "../corpus";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { openFile, runCommand, startWorkbench } from "../host/workbench.mjs";

const SESSION = ".hermes/sessions/20260406_070015_71de0ffc.jsonl";
const HOSTILE = "we*ird `x` [a](command:x) \u202egnp.jsonl";

interface Answer {
  readonly text?: string;
  readonly error?: string;
}

/**
 * A window with the extension in it, and another extension that calls a tool as an agent does: without a chat, since none works
 * without a language model. VS Code agrees to its own questions in a test run, so this is no integration test.
 */
class Window {
  readonly #work = mkdtempSync(join(tmpdir(), "context-budget-agents-"));
  readonly folder = prepareSample(join(this.#work, "sample"));
  #host: Awaited<ReturnType<typeof startWorkbench>> | undefined;

  async open(options: { readonly trust: boolean; readonly settings?: Readonly<Record<string, unknown>> }) {
    expect(existsSync(repoPath("dist/extension.js")), "dist/ is empty: run npm run build first").toBe(true);
    const dataFolder = join(this.#work, "data");
    mkdirSync(join(dataFolder, "data"), { recursive: true });
    const caller = join(dataFolder, "extensions/test.agent-caller-0.0.1");
    cpSync(repoPath("test/fixtures/agent-caller"), caller, { recursive: true });
    this.#host = await startWorkbench({
      folder: this.folder,
      extensionDevelopmentPath: repoPath(),
      env: { HOME: this.#work, USERPROFILE: this.#work, HERMES_HOME: "" },
      dataFolder,
      trust: options.trust,
      settings: { "security.workspace.trust.startupPrompt": "never", ...options.settings },
    });
  }

  get page() {
    if (this.#host === undefined) throw new Error("the window is not open");
    return this.#host.page;
  }

  /** Lets the other extension call a tool. */
  async call(tool: string, input: object): Promise<void> {
    rmSync(join(this.folder, "answer.json"), { force: true });
    writeFileSync(join(this.folder, "call.json"), JSON.stringify({ tool: `contextBudget_${tool}`, input }));
    await runCommand(this.page, "Agent Caller: Call");
  }

  async answer(): Promise<Answer> {
    const file = join(this.folder, "answer.json");
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    return JSON.parse(readFileSync(file, "utf8"));
  }

  /** How many results the answer counts; the answer must be none that refuses. */
  async total(): Promise<unknown> {
    const { text, error } = await this.answer();
    expect(error).toBeUndefined();
    return JSON.parse(text ?? "").total;
  }

  get dialog() {
    return this.page.locator(".monaco-dialog-box");
  }

  async close(): Promise<void> {
    await this.#host?.close();
    rmSync(this.#work, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

describe("the question before a tool reads a file", () => {
  const window = new Window();
  const transcript = join(window.folder, HOSTILE);
  beforeAll(async () => {
    copyFileSync(join(window.folder, SESSION), transcript);
    await window.open({ trust: true });
  });
  afterAll(() => window.close());

  it("shows the whole path as text: no link, no mark, no hidden character; and no is no", async () => {
    await window.call("listResults", { transcript });
    await window.dialog.waitFor();
    const text = (await window.dialog.textContent()) ?? "";
    expect(text).toContain("List the tool results of this session?");
    expect(text).toContain("goes to the language model, with secrets masked");
    // The path comes in lines.
    expect(text.split("this session of an agent:").at(-1)?.replaceAll("\n", "").trim()).toBe(
      join(window.folder, HOSTILE.replace("\u202e", "\\u{202e}")),
    );
    expect(await window.dialog.locator("a[href], em, code").count()).toBe(0);
    await window.dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await window.answer()).error).toMatch(/Cancel/);
  });

  it("is asked again, and after a yes the file is read", async () => {
    await window.call("listResults", { transcript });
    await window.dialog.waitFor();
    await window.dialog.getByRole("button", { name: "Yes" }).click();
    expect(await window.total()).toBe(4);
  });

  it("is followed by one of our own for a file outside of everything known", async () => {
    const outside = mkdtempSync(join(tmpdir(), "context-budget-outside-"));
    const file = join(outside, "a.jsonl");
    copyFileSync(transcript, file);
    try {
      await window.call("listResults", { transcript: file });
      await window.dialog.getByRole("button", { name: "Yes" }).click();
      await expect
        .poll(() => window.dialog.textContent())
        .toContain("outside the open folders and the homes of agents");
      expect(await window.dialog.textContent()).toContain(file);
      await window.dialog.getByRole("button", { name: "Cancel" }).click();
      expect((await window.answer()).error).toContain("none of the sessions");
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});

describe("a workspace that is not trusted", () => {
  const window = new Window();
  const transcript = join(window.folder, SESSION);
  beforeAll(() => window.open({ trust: false }));
  afterAll(() => window.close());

  /** Answers VS Code's own question with yes. */
  const agreed = async (): Promise<Answer> => {
    await window.dialog.getByRole("button", { name: "Yes" }).click();
    return window.answer();
  };

  it("gives agents nothing but what the user opened", async () => {
    await window.call("listSessions", {});
    expect(JSON.parse((await window.answer()).text ?? "")).toMatchObject({ total: 0, sessions: [] });
    await window.call("listResults", { transcript });
    expect((await agreed()).error).toContain("this workspace is not trusted");
    await window.call("explainBudget", { config: join(window.folder, ".hermes/config.yaml") });
    expect((await agreed()).error).toContain("this workspace is not trusted");

    await openFile(window.page, "20260406_070015_71de0ffc.jsonl");
    await window.call("listResults", { transcript });
    expect(JSON.parse((await agreed()).text ?? "").total).toBe(4);
  });
});

describe("the MCP server among VS Code's own", () => {
  const window = new Window();
  const settings = { "contextBudget.agentTools.mcpServer": true, "chat.disableAIFeatures": false };
  beforeAll(() => window.open({ trust: true, settings }));
  afterAll(() => window.close());

  /** What the list of servers says about ours; empty where it is not listed. The list is opened anew each time. */
  const listed = async (): Promise<string> => {
    await window.page.keyboard.press("Escape");
    await runCommand(window.page, "MCP: List Servers");
    await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "Add Server" }).waitFor();
    return (await row("Context Budget").count()) > 0 ? ((await row("Context Budget").textContent()) ?? "") : "";
  };
  const row = (text: string) => window.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();

  it("is stopped until it is used, and runs then", async () => {
    await expect.poll(listed, { timeout: 60_000 }).toContain("Stopped");
    await row("Context Budget").click();
    await row("Start Server").click();
    await expect.poll(listed, { timeout: 60_000 }).toContain("Running");
  });
});
