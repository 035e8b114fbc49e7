/**
 * A real VS Code in a headless browser, for tests that look at the workbench and for screenshots.
 *
 *   const host = await startWorkbench({ folder, extensionDevelopmentPath, theme: "Default Dark Modern" });
 *   await runCommand(host.page, "View: Toggle Problems");
 *   const inside = await webviewFrame(host.page, "context-budget-inspector");
 *   await host.page.screenshot({ path: "x.png" });
 *   await host.close();
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { launchBrowser } from "./browser.mjs";
import { startServer } from "./server.mjs";

/** Time allowed for the workbench to appear, milliseconds. */
const OPEN_MS = 60_000;

/** Time allowed for what a window shows when it was asked to; a busy machine takes its time. Milliseconds. */
const SHOW_MS = 60_000;

/** Settings that keep first-run pages, badges and animations out of pictures and tests. */
export const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.reduceMotion": "on",
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "git.enabled": false,
  "editor.accessibilitySupport": "off",
  "editor.cursorBlinking": "solid",
};

/**
 * The four theme kinds by a short name; `theme` options take these or any theme's own label.
 * @type {Readonly<Record<string, string>>}
 */
export const THEMES = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  "hc-dark": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
};

/** The same themes as the theme picker calls them. @type {Readonly<Record<string, string>>} */
const PICKER_NAMES = {
  dark: "Dark Modern",
  light: "Light Modern",
  "hc-dark": "Dark High Contrast",
  "hc-light": "Light High Contrast",
};

/** Class of the workbench's root element once the theme's file has been applied. @type {Readonly<Record<string, string>>} */
const THEME_CLASSES = {
  dark: "vscode-theme-defaults-themes-dark_modern-json",
  light: "vscode-theme-defaults-themes-light_modern-json",
  "hc-dark": "vscode-theme-defaults-themes-hc_black-json",
  "hc-light": "vscode-theme-defaults-themes-hc_light-json",
};

/** Time allowed for the theme of the settings to be applied before it is picked by hand, milliseconds. */
const THEME_MS = 10_000;

/**
 * @typedef {object} WorkbenchOptions
 * @property {string} [folder] folder to open
 * @property {string} [openFile] file to open at the start
 * @property {string} [extensionDevelopmentPath] extension to load from its source folder (build first)
 * @property {string} [tests] module whose `run()` is called in the extension host
 * @property {Readonly<Record<string, unknown>>} [settings] user settings
 * @property {string} [theme] a key of THEMES or a theme's label
 * @property {(type: string, args: readonly unknown[]) => void} [onLog] console of the extension host
 * @property {(code: number) => void} [onExit] end of the test run
 */

/**
 * Writes the user settings for windows that are opened later; the server from npm has no file watcher for open ones.
 * @param {{ dataFolder: string }} server
 * @param {Readonly<Record<string, unknown>>} [settings]
 * @param {string} [theme]
 */
export function writeSettings(server, settings = {}, theme = "dark") {
  const user = join(server.dataFolder, "data/data/User");
  mkdirSync(user, { recursive: true });
  const all = { ...QUIET, "workbench.colorTheme": THEMES[theme] ?? theme, ...settings };
  writeFileSync(join(user, "settings.json"), `${JSON.stringify(all, undefined, 2)}\n`);
}

/** A path of this machine as the workbench addresses it. @param {string} path */
const urlPath = (path) => {
  const absolute = resolve(path).replaceAll("\\", "/");
  return absolute.startsWith("/") ? absolute : `/${absolute}`;
};

/**
 * The address that opens a folder with an extension from its source folder.
 * @param {{ origin: string, port: number }} server
 * @param {Pick<WorkbenchOptions, "folder" | "openFile" | "extensionDevelopmentPath" | "tests">} options
 */
export function workbenchAddress(server, options) {
  const remote = `vscode-remote://127.0.0.1:${server.port}`;
  /** @type {[string, string][]} */
  const payload = [];
  if (options.extensionDevelopmentPath)
    payload.push(["extensionDevelopmentPath", remote + urlPath(options.extensionDevelopmentPath)]);
  if (options.tests) payload.push(["extensionTestsPath", remote + urlPath(options.tests)]);
  if (options.openFile) payload.push(["openFile", remote + urlPath(options.openFile)]);
  const address = new URL(server.origin);
  if (options.folder) address.searchParams.set("folder", urlPath(options.folder));
  else address.searchParams.set("ew", "true");
  if (payload.length > 0) address.searchParams.set("payload", JSON.stringify(payload));
  return address.href;
}

/**
 * Opens the workbench in a page and waits until it is there and (with a folder) its files are listed.
 * @param {import("playwright-core").Page} page
 * @param {import("./server.mjs").Server} server
 * @param {WorkbenchOptions} options
 */
export async function openWorkbench(page, server, options) {
  writeSettings(server, options.settings, options.theme);
  page.setDefaultTimeout(SHOW_MS);
  await page.exposeFunction("codeAutomationLog", (/** @type {string} */ type, /** @type {unknown[]} */ args) =>
    options.onLog?.(type, args),
  );
  await page.exposeFunction("codeAutomationExit", (/** @type {number} */ code) => options.onExit?.(code));
  await page.goto(workbenchAddress(server, options), { timeout: OPEN_MS });
  if (options.tests) return;
  await page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: OPEN_MS });
  if (options.folder) await page.locator(".explorer-folders-view .monaco-list").first().waitFor({ timeout: OPEN_MS });
  if (options.theme) await ensureTheme(page, options.theme);
}

/**
 * Waits until a window shows its theme. A new window begins in the default theme, and VS Code 1.139 stays there when the
 * settings name a high-contrast theme and arrive late, so after a while the theme is picked by hand.
 * @param {import("playwright-core").Page} page
 * @param {string} theme
 */
async function ensureTheme(page, theme) {
  const name = THEME_CLASSES[theme];
  if (name === undefined) return;
  const shown = page.locator(`.monaco-workbench.${name}`);
  try {
    await shown.waitFor({ timeout: THEME_MS });
  } catch {
    // Not the window's own doing, then; a theme that cannot be picked either fails below.
    await setTheme(page, theme);
    await shown.waitFor({ timeout: THEME_MS });
  }
}

/**
 * Server, browser and page in one; `close` ends all three.
 * @param {WorkbenchOptions & import("./server.mjs").ServerOptions & { width?: number, height?: number, scale?: number }} options
 */
export async function startWorkbench(options) {
  const server = await startServer(options);
  try {
    const browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1400, height: options.height ?? 900 },
      deviceScaleFactor: options.scale ?? 1,
      locale: "en-US",
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
    const page = await context.newPage();
    const close = async () => {
      await browser.close();
      await server.stop();
    };
    try {
      await openWorkbench(page, server, options);
    } catch (error) {
      await browser.close();
      throw error;
    }
    return { server, browser, context, page, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Opens a quick input, types, and clicks what it then lists. A workbench that rearranges itself loses the key, or closes the
 * list; and the list does not follow what is found or contributed while it is open. So a fresh one is asked for.
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<unknown>} open
 * @param {string} text
 * @param {import("playwright-core").Locator} row
 */
async function pick(page, open, text, row) {
  const input = quickInput(page);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await open();
      await input.waitFor({ timeout: 5_000 });
      await input.fill(text);
      await row.waitFor({ timeout: 5_000 });
      // Not so short that a busy machine clicks and is then said not to have: that would do it twice.
      await row.click({ timeout: 15_000 });
      return;
    } catch (error) {
      if (attempt === 10) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** @param {import("playwright-core").Page} page */
const quickInput = (page) => page.locator(".quick-input-widget input[type=text]");
/** @param {import("playwright-core").Page} page */
const quickRows = (page) => page.locator(".quick-input-list .monaco-list-row");

/**
 * Runs a command by its title in the command palette, e.g. "View: Show Explorer".
 * @param {import("playwright-core").Page} page
 * @param {string} title
 */
export async function runCommand(page, title) {
  const row = quickRows(page).filter({ hasText: title }).first();
  await pick(page, () => page.keyboard.press("F1"), `>${title}`, row);
}

/**
 * Changes the theme of an open window, through its own picker.
 * @param {import("playwright-core").Page} page
 * @param {string} theme a key of THEMES or the name that the picker shows
 */
export async function setTheme(page, theme) {
  const name = PICKER_NAMES[theme] ?? theme;
  const row = quickRows(page)
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();
  const open = async () => {
    await runCommand(page, "Preferences: Color Theme");
    await page.locator(".quick-input-widget input[placeholder*='Color Theme']").waitFor();
  };
  await pick(page, open, name, row);
  await quickInput(page).waitFor({ state: "hidden" });
}

/**
 * Opens a file of the folder by its name or path in the text editor (or its default editor).
 * @param {import("playwright-core").Page} page
 * @param {string} path
 */
export async function openFile(page, path) {
  const name = path.split("/").at(-1) ?? path;
  await pick(
    page,
    () => page.keyboard.press("ControlOrMeta+p"),
    path,
    quickRows(page).filter({ hasText: name }).first(),
  );
  await page.locator(".tabs-container .tab.active", { hasText: name }).first().waitFor();
  await page.locator(".monaco-editor .view-line:visible, iframe.webview:visible").first().waitFor();
}

/**
 * Moves the text cursor of the active editor and shows the hover there, as a keyboard user would.
 * @param {import("playwright-core").Page} page
 * @param {number} line one-based
 * @param {number} column one-based, UTF-16 units
 * @param {string} [awaited] text that the hover must contain; its parts arrive one after the other
 * @returns {Promise<string>} the hover's text
 */
export async function hoverAt(page, line, column, awaited = "") {
  await page.keyboard.press("Control+g");
  const input = quickInput(page);
  await input.waitFor();
  await input.fill(`:${line}:${column}`);
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "hidden" });
  await runCommand(page, "Show or Focus Hover");
  const hover = page.locator(".monaco-hover:visible .monaco-hover-content", { hasText: awaited }).first();
  await hover.waitFor();
  // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, with its line breaks
  return hover.innerText();
}

/**
 * The inner frame of the first webview that holds an element matching `selector` (webview content is two frames down).
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 * @param {number} [timeout] milliseconds
 * @returns {Promise<import("playwright-core").Frame>}
 */
export async function webviewFrame(page, selector, timeout = SHOW_MS) {
  const until = Date.now() + timeout;
  for (;;) {
    for (const frame of page.frames()) {
      // A frame may go away between listing and asking; then it simply is not the one.
      const count = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (count > 0 && frame !== page.mainFrame()) return frame;
    }
    if (Date.now() > until)
      throw new Error(
        `no webview with ${selector} after ${timeout} ms; frames: ${page
          .frames()
          .map((frame) => frame.url())
          .join(", ")}`,
      );
    await new Promise((done) => setTimeout(done, 100));
  }
}
