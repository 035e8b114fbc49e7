import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repoPath } from "../corpus";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { openFile, runCommand, startWorkbench, webviewFrame } from "../host/workbench.mjs";
import { openPersisted } from "./persisted";

interface Look {
  readonly what: string;
  readonly path: string;
  readonly writes: boolean;
}

/**
 * Restricted Mode in VS Code itself, with a record of every file that our code asks for: in the extension host, in the server and
 * in their threads. Needs a build in dist/.
 */
describe("a workspace that is not trusted", () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), "context-budget-restricted-")));
  const home = join(work, "home");
  const workspace = join(work, "sample");
  const decoy = join(work, "decoy");
  const trace = join(work, "trace.jsonl");
  const session = "session_20261006_064512_b0a7ed.json";
  const transcript = join(workspace, ".hermes/sessions", session);
  let host: Awaited<ReturnType<typeof startWorkbench>>;
  let told = 0;

  beforeAll(async () => {
    expect(existsSync(repoPath("dist/extension.js")), "dist/ is empty: run npm run build first").toBe(true);
    prepareSample(workspace);
    // A machine on which there is something to find: homes of agents, a state file, a second workspace full of sessions.
    cpSync(join(workspace, ".hermes"), join(home, ".hermes"), { recursive: true });
    cpSync(join(workspace, ".hermes"), decoy, { recursive: true });
    cpSync(join(workspace, "claude"), join(home, ".claude/projects"), { recursive: true });
    writeFileSync(join(workspace, ".hermes/.env"), "TOKEN=of-the-workspace\n");
    // Settings of whoever made the workspace.
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(
      join(workspace, ".vscode/settings.json"),
      JSON.stringify({
        "contextBudget.hermes.homes": [decoy],
        "contextBudget.sessions.homes": { [decoy]: "hermes", [join(decoy, "sessions")]: "codex" },
        "contextBudget.sessions.searchHomes": true,
        "contextBudget.config.files": ["**/*"],
        "contextBudget.secrets.mask": false,
      }),
    );
    writeFileSync(trace, "");
    host = await start();
  });

  afterAll(async () => {
    await host?.close();
    rmSync(work, { recursive: true, force: true });
  });

  async function start(): Promise<Awaited<ReturnType<typeof startWorkbench>>> {
    const started = await startWorkbench({
      folder: workspace,
      extensionDevelopmentPath: repoPath(),
      trust: false,
      settings: { "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" },
      env: {
        HOME: home,
        USERPROFILE: home,
        HERMES_HOME: "",
        CLAUDE_CONFIG_DIR: "",
        XDG_CONFIG_HOME: "",
        XDG_DATA_HOME: "",
        CONTEXT_BUDGET_TRACE: trace,
        CONTEXT_BUDGET_TRACED: repoPath("dist"),
        NODE_OPTIONS: `--require ${repoPath("test/safety/traceFiles.cjs")}`,
      },
    });
    await started.page.evaluate(() => {
      Object.assign(window, { stillTheSameWindow: true });
    });
    return started;
  }

  /** What our code asked for since the last time, without our own bundles and our own storage. */
  function looks(): readonly Look[] {
    const lines = readFileSync(trace, "utf8").split("\n").slice(0, -1);
    const fresh = lines.slice(told).map((line) => JSON.parse(line) as Look);
    told = lines.length;
    const own = [repoPath("dist"), repoPath("package.json"), host.server.dataFolder].map((path) => realpathSync(path));
    return fresh.filter(
      ({ what, path }) => what !== "loaded" && !own.some((one) => `${path}${sep}`.startsWith(one + sep)),
    );
  }
  const paths = (all: readonly Look[]): readonly string[] => [...new Set(all.map(({ path }) => path))].sort();
  const isOfMachine = (path: string): boolean => !/^\/(proc|sys|dev)\//.test(path);

  /** Whoever follows a file looks now and then whether it, or the log of a database beside it, has grown. */
  const isNotFollowing = ({ what, path }: Look): boolean => !(/stat$/.test(what) && path === `${transcript}-wal`);

  /** Opens the transcript and selects a result whose file nobody has looked at. */
  async function selectPersisted(): Promise<void> {
    const page = await openPersisted(host.page, session);
    await page.locator("cbi-detail-pane", { hasText: "not been looked at" }).waitFor();
  }

  const rows = () => host.page.locator(".pane-body .monaco-list-row");

  it("has nothing searched: the view says so, and no file was asked for", async () => {
    await runCommand(host.page, "Context Budget: Focus on Context Budget View");
    const welcome = host.page.locator(".welcome-view-content", { hasText: "not trusted" });
    await welcome.waitFor({ timeout: 60_000 });
    expect(await welcome.textContent()).toContain("nothing is searched");
    await runCommand(host.page, "Context Budget: Refresh");
    await welcome.waitFor();
    if (process.env["CONTEXT_BUDGET_SHOTS"]) {
      await host.page.screenshot({ path: join(process.env["CONTEXT_BUDGET_SHOTS"], "restricted-view.png") });
    }
    expect(
      await rows()
        .filter({ hasText: /Hermes|Claude/ })
        .count(),
    ).toBe(0);
    // The record is at work in the extension host, and the list of sessions was asked for: it begins with what is stored of it.
    expect(readFileSync(trace, "utf8")).toMatch(/"loaded"[^\n]*--type=extensionHost/);
    await expect.poll(() => readFileSync(trace, "utf8")).toMatch(/globalStorage[^"]*[\\/]sessions"/);
    expect(paths(looks()).filter(isOfMachine)).toEqual([]);
  });

  it("reads the one transcript that is opened, and nothing beside it", async () => {
    await selectPersisted();
    if (process.env["CONTEXT_BUDGET_SHOTS"]) {
      await host.page.screenshot({ path: join(process.env["CONTEXT_BUDGET_SHOTS"], "restricted-inspector.png") });
    }
    const seen = looks().filter(isNotFollowing);
    const opened = paths(seen.filter(({ what }) => /open|read/i.test(what)));
    expect(opened).toEqual([transcript]);
    // Its folder is watched for what is written to it; nothing else is asked for, not even whether it is there.
    expect(paths(seen).filter(isOfMachine)).toEqual([dirname(transcript), transcript]);
    expect(seen.filter(({ writes }) => writes)).toEqual([]);
  });

  it("shows the whole path of a full output before it looks for it, and takes no for an answer", async () => {
    const page = await webviewFrame(host.page, "context-budget-inspector");
    const open = page.locator("cbi-detail-pane").getByRole("button", { name: "Open full output" });
    const dialog = host.page.locator(".monaco-dialog-box");
    await open.click();
    await dialog.waitFor();
    const shown = /(\/[^\n]*\/cache\/spillover\/call_[0-9a-f]+\.txt)/.exec((await dialog.textContent()) ?? "")?.[1];
    expect(shown?.startsWith(join(workspace, ".hermes/cache/spillover")), shown).toBe(true);
    if (process.env["CONTEXT_BUDGET_SHOTS"]) {
      await host.page.screenshot({ path: join(process.env["CONTEXT_BUDGET_SHOTS"], "restricted-question.png") });
    }
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(paths(looks().filter(isNotFollowing))).toEqual([transcript]);
    await open.click();
    await dialog.getByRole("button", { name: "Open" }).click();
    await host.page.locator(".tabs-container .tab.active", { hasText: "call_" }).waitFor();
    await host.page.locator(".monaco-editor .view-line:visible").first().waitFor();
    expect(paths(looks().filter(isNotFollowing)).filter(isOfMachine)).toEqual([shown, transcript]);
  });

  it("checks a config by its own text alone", async () => {
    await openFile(host.page, "staging.yaml");
    await openFile(host.page, ".hermes/config.yaml");
    await host.page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: 60_000 });
    // The open transcript is followed: its next look may come a while later.
    const seen: Look[] = [];
    const asked = () => {
      seen.push(...looks());
      return paths(seen.filter(isNotFollowing)).filter(isOfMachine);
    };
    await expect.poll(asked, { timeout: 60_000 }).toEqual([transcript]);
  });

  it("comes to life when it is trusted, without a reload", async () => {
    // Without settings: those that begin to count would bring everything to life by themselves.
    await host.close();
    rmSync(join(workspace, ".vscode"), { recursive: true });
    host = await start();
    await selectPersisted();
    await runCommand(host.page, "Workspaces: Manage Workspace Trust");
    await host.page
      .getByRole("button", { name: /^Trust/ })
      .first()
      .click();
    await runCommand(host.page, "Context Budget: Focus on Context Budget View");
    await rows().filter({ hasText: "Claude Code" }).first().waitFor({ timeout: 60_000 });
    await rows().filter({ hasText: "Hermes" }).first().waitFor();
    expect(await host.page.evaluate(() => "stillTheSameWindow" in window)).toBe(true);
    const page = await webviewFrame(host.page, "context-budget-inspector");
    await expect.poll(() => page.locator("cbi-detail-pane", { hasText: "not been looked at" }).count()).toBe(0);
    if (process.env["CONTEXT_BUDGET_SHOTS"]) {
      await host.page.screenshot({ path: join(process.env["CONTEXT_BUDGET_SHOTS"], "trusted.png") });
    }
    // The record sees what is read now: the homes, and the spill files beside the transcript.
    await expect
      .poll(() => {
        const all = paths(looks());
        return [join(home, ".claude"), join(workspace, ".hermes/cache/spillover")].every((folder) =>
          all.some((path) => path.startsWith(folder)),
        );
      })
      .toBe(true);
  });
});
