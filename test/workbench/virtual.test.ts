import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repoPath } from "../corpus";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { launchBrowser } from "../host/browser.mjs";
import { serverFolder, startServer } from "../host/server.mjs";
import { hoverAt, runCommand, workbenchAddress, writeSettings } from "../host/workbench.mjs";

const SESSION = "session_20261006_064512_b0a7ed.json";

/** A file system in memory, as an extension of its own. Its files have the paths of other files on disk. */
const MEMORY_FILES = `
const vscode = require("vscode");
const files = JSON.parse(require("node:fs").readFileSync(require("node:path").join(__dirname, "files.json"), "utf8"));
exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const below = (path) => Object.keys(files).filter((name) => name.startsWith(path.replace(/\\/?$/, "/")));
  const missing = (uri) => vscode.FileSystemError.FileNotFound(uri);
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider("memfs", {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => {}),
    stat(uri) {
      if (uri.path in files) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: Buffer.byteLength(files[uri.path]) };
      if (below(uri.path).length > 0) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      throw missing(uri);
    },
    readDirectory(uri) {
      const start = uri.path.replace(/\\/?$/, "/").length;
      const names = new Map(below(uri.path).map((name) => {
        const [first, ...rest] = name.slice(start).split("/");
        return [first, rest.length > 0 ? vscode.FileType.Directory : vscode.FileType.File];
      }));
      return [...names];
    },
    readFile(uri) {
      if (uri.path in files) return Buffer.from(files[uri.path]);
      throw missing(uri);
    },
    createDirectory() {}, writeFile() {}, delete() {}, rename() {},
  }, { isReadonly: true }));
};`;

/** A workspace that is not on disk (a virtual workspace), in VS Code itself. Needs a build in dist/. */
describe("a workspace that is not on disk", () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), "context-budget-virtual-")));
  const home = join(work, "home");
  const project = join(work, "project");
  const trace = join(work, "trace.jsonl");
  const dataFolder = serverFolder();
  const installed = join(dataFolder, "extensions/context-budget.context-budget-inspector-0.1.0");
  let server: Awaited<ReturnType<typeof startServer>>;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let page: Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>["newPage"]>>;

  beforeAll(async () => {
    expect(existsSync(repoPath("dist/extension.js")), "dist/ is empty: run npm run build first").toBe(true);
    prepareSample(project);
    cpSync(join(project, "claude"), join(home, ".claude/projects"), { recursive: true });
    writeFileSync(join(project, ".hermes/.env"), "TOKEN=on-disk\n");
    // Installed: VS Code does not hold an extension under development to what it declares.
    for (const part of ["dist", "schemas", "extension/media", "package.json", "package.nls.json", "README.md"])
      cpSync(repoPath(part), join(installed, part), { recursive: true });
    const extension = join(dataFolder, "extensions/test.memory-files-0.0.1");
    mkdirSync(extension);
    writeFileSync(
      join(extension, "package.json"),
      JSON.stringify({
        name: "memory-files",
        publisher: "test",
        version: "0.0.1",
        engines: { vscode: "^1.100.0" },
        main: "./extension.js",
        activationEvents: ["onFileSystem:memfs"],
      }),
    );
    writeFileSync(join(extension, "extension.js"), MEMORY_FILES);
    const text = (path: string): string => readFileSync(join(project, path), "utf8");
    writeFileSync(
      join(extension, "files.json"),
      JSON.stringify({
        [`${project}/.hermes/config.yaml`]: text(".hermes/config.yaml"),
        [`${project}/${SESSION}`]: text(`.hermes/sessions/${SESSION}`),
      }),
    );
    // A file of the same path on disk, which nobody opened.
    cpSync(join(project, ".hermes/sessions", SESSION), join(project, SESSION));
    writeFileSync(join(work, "virtual.code-workspace"), JSON.stringify({ folders: [{ uri: `memfs:${project}` }] }));
    writeFileSync(trace, "");
    server = await startServer({
      dataFolder,
      env: {
        HOME: home,
        USERPROFILE: home,
        HERMES_HOME: "",
        CLAUDE_CONFIG_DIR: "",
        CONTEXT_BUDGET_TRACE: trace,
        CONTEXT_BUDGET_TRACED: join(installed, "dist"),
        NODE_OPTIONS: `--require ${repoPath("test/safety/traceFiles.cjs")}`,
      },
    });
    writeSettings(server);
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: "en-US" });
    page = await context.newPage();
    const address = new URL(workbenchAddress(server, {}));
    address.searchParams.delete("ew");
    address.searchParams.set("workspace", join(work, "virtual.code-workspace"));
    await page.goto(address.href, { timeout: 60_000 });
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: SESSION }).waitFor({ timeout: 60_000 });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const shot = async (name: string): Promise<void> => {
    const folder = process.env["CONTEXT_BUDGET_SHOTS"];
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  const entry = (name: string) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first();

  it("has its agent configs checked and explained, from their text alone", async () => {
    await entry(".hermes").click();
    await entry("config.yaml").dblclick();
    await page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: 60_000 });
    const lines = readFileSync(join(project, ".hermes/config.yaml"), "utf8").split("\n");
    const line = lines.findIndex((each) => /\b1e4\b/.test(each)) + 1;
    const text = await hoverAt(page, line, (lines[line - 1]?.indexOf("1e4") ?? 0) + 1, "1e4");
    expect(text).toContain("1e4");
    await page.keyboard.press("Escape");
    await shot("virtual-config");
  });

  it("says what is missing when somebody opens a transcript of it", async () => {
    await entry(SESSION).dblclick();
    await page.locator(".tabs-container .tab.active", { hasText: SESSION }).waitFor();
    await runCommand(page, "View: Reopen Editor With...");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Context Budget Inspector" }).click();
    const said = page.getByText(/Only what is on disk can be opened here, and memfs:/).first();
    await said.waitFor({ timeout: 60_000 });
    expect(await said.textContent()).toContain("Save a copy to disk");
    await shot("virtual-transcript");
    await page.locator(".monaco-dialog-box").getByRole("button", { name: "Cancel" }).click();
  });

  it("lists the sessions of this machine", async () => {
    await runCommand(page, "Context Budget: Focus on Context Budget View");
    await page.locator(".pane-body .monaco-list-row", { hasText: "Claude Code" }).first().waitFor({ timeout: 60_000 });
    await shot("virtual-sessions");
  });

  it("has none of its paths taken for one of this machine's", () => {
    const lines = readFileSync(trace, "utf8").split("\n").slice(0, -1);
    const looks = lines.map((line) => JSON.parse(line) as { readonly what: string; readonly path: string });
    expect(looks.some(({ path }) => path.startsWith(join(home, ".claude")))).toBe(true);
    expect(looks.map(({ path }) => path).filter((path) => path.startsWith(project))).toEqual([]);
  });
});
