import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repoPath } from "../corpus";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { hoverAt, openFile, setTheme, startWorkbench, THEMES, webviewFrame } from "../host/workbench.mjs";
import { openPersisted } from "./persisted";

/** What a person sees in VS Code itself: everything real, from the click to the pixels. Needs a build in dist/. */
describe("the extension in a real workbench", () => {
  const work = mkdtempSync(join(tmpdir(), "context-budget-workbench-"));
  const requests: string[] = [];
  let host: Awaited<ReturnType<typeof startWorkbench>>;

  beforeAll(async () => {
    expect(existsSync(repoPath("dist/extension.js")), "dist/ is empty: run npm run build first").toBe(true);
    host = await startWorkbench({
      folder: prepareSample(join(work, "sample")),
      extensionDevelopmentPath: repoPath(),
      env: { HOME: work, USERPROFILE: work, HERMES_HOME: "" },
    });
    host.page.on("request", (request) => requests.push(request.url()));
  });

  afterAll(async () => {
    await host?.close();
    rmSync(work, { recursive: true, force: true });
  });

  it("underlines the sample's wrong value and explains it in the hover", async () => {
    await openFile(host.page, ".hermes/config.yaml");
    await host.page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: 60_000 });
    const lines = readFileSync(join(work, "sample/.hermes/config.yaml"), "utf8").split("\n");
    const line = lines.findIndex((each) => /\b1e4\b/.test(each)) + 1;
    const column = (lines[line - 1]?.indexOf("1e4") ?? 0) + 1;
    const text = await hoverAt(host.page, line, column, "39,321");
    expect(text).toContain("1e4");
    await host.page.keyboard.press("Escape");
  });

  it("lists a transcript's results in the inspector and shows the one that is clicked", async () => {
    const page = await openPersisted(host.page, "session_20261006_064512_b0a7ed.json");
    expect((await page.locator("cbi-detail-pane pre").textContent())?.length).toBeGreaterThan(100);
  });

  it("simulates on the open transcript: a moved slider changes the numbers", async () => {
    const page = await webviewFrame(host.page, "context-budget-inspector");
    await page.locator("#tab-whatIf").click();
    const summary = page.locator("cbi-what-if .summary");
    await summary.waitFor();
    const before = await summary.textContent();
    expect(before).toMatch(/^Persisting above [\d,]+ chars would have /);
    await page.locator("cbi-policy-card input[type=range]").first().focus();
    await host.page.keyboard.press("PageDown");
    await expect.poll(() => summary.textContent()).not.toBe(before);
    expect(await page.locator("cbi-what-if canvas").count()).toBe(2);
    await page.locator("#tab-results").click();
    await page.locator("cbi-results-table").waitFor();
  });

  it.each(Object.keys(THEMES))("has no accessibility problem in the inspector in the theme %s", async (theme) => {
    const page = await webviewFrame(host.page, "context-budget-inspector");
    await setTheme(host.page, theme);
    const kind = {
      dark: "vscode-dark",
      light: "vscode-light",
      "hc-dark": "vscode-high-contrast",
      "hc-light": "vscode-high-contrast-light",
    }[theme];
    await page.locator(`body.${kind}`).waitFor();
    const axe = new AxeBuilder({ page: host.page })
      .options({ resultTypes: ["violations"] })
      .include(["iframe.webview", "#active-frame", "context-budget-inspector"]);
    const { violations, passes } = await axe.analyze();
    expect(passes.length).toBeGreaterThan(0);
    expect(
      violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).join(", ")}`),
    ).toEqual([]);
  });

  it("sends nothing anywhere from its page", () => {
    const inspector = host.page.frames().filter((frame) => /webview/.test(frame.url()));
    expect(inspector.length).toBeGreaterThan(0);
    const elsewhere = requests.filter(
      (url) => /^https?:/.test(url) && !new URL(url).hostname.match(/^(127\.0\.0\.1|localhost|.*vscode-cdn\.net)$/),
    );
    expect(elsewhere.filter((url) => !/open-vsx\.org|vscode-unpkg/.test(url))).toEqual([]);
  });
});
