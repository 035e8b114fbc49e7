/**
 * Writes webview/dev/themes.json: the values that VS Code's own themes give to the theme variables which webview/src uses, read from a running
 * VS Code. Usage: node webview/dev/captureThemes.mjs. Needed after the page starts to use another variable; a test says so.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../../test/host/browser.mjs";
import { startServer } from "../../test/host/server.mjs";

/** Name in the dev page → theme as the setting names it, body classes as VS Code sets them in webviews, class of the workbench. */
const THEMES = {
  "dark-modern": { setting: "Default Dark Modern", classes: ["vscode-dark"], workbench: "vs-dark" },
  "light-modern": { setting: "Default Light Modern", classes: ["vscode-light"], workbench: "vs" },
  "high-contrast": { setting: "Default High Contrast", classes: ["vscode-high-contrast"], workbench: "hc-black" },
  "high-contrast-light": {
    setting: "Default High Contrast Light",
    classes: ["vscode-high-contrast-light", "vscode-high-contrast"],
    workbench: "hc-light",
  },
};

/** Set for webviews only, so not to be found in the workbench: Linux defaults. */
/** @type {Readonly<Record<string, string>>} */
const FONTS = {
  "--vscode-font-family": 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
  "--vscode-font-size": "13px",
  "--vscode-font-weight": "normal",
  "--vscode-editor-font-family": '"Droid Sans Mono", "monospace", monospace',
  "--vscode-editor-font-size": "14px",
};

const source = fileURLToPath(new URL("../src", import.meta.url));
const used = new Set(Object.keys(FONTS));
for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
  if (name.endsWith(".ts")) {
    for (const [token] of readFileSync(join(source, name), "utf8").matchAll(/--vscode-[\w-]+/g)) {
      used.add(token);
    }
  }
}

const server = await startServer({ log: () => undefined });
const browser = await launchBrowser();
/** @type {Record<string, { kind: string, classes: readonly string[], variables: Record<string, string> }>} */
const themes = {};
const known = new Set(Object.keys(FONTS));
const folder = mkdtempSync(join(tmpdir(), "context-budget-themes-"));
try {
  for (const [name, { setting, classes, workbench }] of Object.entries(THEMES)) {
    const workspace = join(folder, name);
    mkdirSync(join(workspace, ".vscode"), { recursive: true });
    writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify({ "workbench.colorTheme": setting }));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.origin}/?folder=${workspace}`);
    await page.waitForSelector(".monaco-workbench .part.editor");
    await page.waitForSelector(`.monaco-workbench.${workbench}`);
    // The first paint may show a theme of the same kind; the final one is there once the settings are read.
    await page.waitForTimeout(4000);
    const all = await page.evaluate(() => {
      /** @type {Record<string, string>} */
      const found = {};
      const workbench = document.querySelector(".monaco-workbench");
      const names = new Set();
      for (const sheet of document.styleSheets) {
        for (const rule of sheet.cssRules) {
          for (const [token] of rule.cssText.matchAll(/--vscode-[\w-]+/g)) {
            names.add(token);
          }
        }
      }
      const style = workbench === null ? null : getComputedStyle(workbench);
      for (const token of names) {
        found[token] = style?.getPropertyValue(token).trim() ?? "";
      }
      return found;
    });
    for (const token of Object.keys(all)) {
      known.add(token);
    }
    const values = { ...all, ...FONTS };
    themes[name] = {
      kind: classes[0] ?? "",
      classes,
      variables: Object.fromEntries(
        [...used].sort().flatMap((token) => (values[token] ? [[token, values[token]]] : [])),
      ),
    };
    await context.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await browser.close();
  await server.stop();
}
const unknown = [...used].filter((token) => !known.has(token));
if (unknown.length > 0) {
  console.error(`VS Code has no such theme variable: ${unknown.join(", ")}`);
  process.exitCode = 1;
}
writeFileSync(
  fileURLToPath(new URL("themes.json", import.meta.url)),
  `${JSON.stringify({ used: [...used].filter((token) => known.has(token)).sort(), themes }, null, 2)}\n`,
);
console.log(
  Object.entries(themes)
    .map(([name, theme]) => `${name}: ${Object.keys(theme.variables).length} variables`)
    .join("\n"),
);
