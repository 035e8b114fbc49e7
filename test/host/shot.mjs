/**
 * A screenshot of the real workbench. Usage:
 *   node test/host/shot.mjs --out x.png [--theme dark|light|hc-dark|hc-light|"Theme Label"] [--folder DIR]
 *        [--script steps.mjs] [--width 1400] [--height 900] [--scale 1] [--vscode 1.139.1] [--hermes-home DIR]
 *        [--settings '{"contextBudget.loader":"pyyaml"}'] [--extension DIR | --no-extension] [--untrusted] [--verbose]
 *
 * steps.mjs exports `default` or `run`: async (page, host, tools) => {} and runs before the picture is taken; `tools` are
 * the helpers of workbench.mjs (runCommand, openFile, hoverAt, webviewFrame, writeSettings, THEMES). A script may take
 * further pictures itself with page.screenshot(). Without --out only the script runs. The extension is loaded from this
 * repository: build it first (npm run build).
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as tools from "./workbench.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { values } = parseArgs({
  options: {
    out: { type: "string" },
    theme: { type: "string", default: "dark" },
    folder: { type: "string" },
    script: { type: "string" },
    width: { type: "string", default: "1400" },
    height: { type: "string", default: "900" },
    scale: { type: "string", default: "1" },
    vscode: { type: "string" },
    settings: { type: "string", default: "{}" },
    extension: { type: "string" },
    "no-extension": { type: "boolean", default: false },
    "hermes-home": { type: "string" },
    untrusted: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

/** @type {((page: import("playwright-core").Page, host: object, helpers: typeof tools) => Promise<void>) | undefined} */
let steps;
if (values.script) {
  const module = await import(pathToFileURL(resolve(values.script)).href);
  steps = module.default ?? module.run;
  if (typeof steps !== "function") throw new Error(`${values.script} exports neither a default function nor run`);
}
if (values.folder && !existsSync(values.folder)) throw new Error(`${values.folder} does not exist`);

const host = await tools.startWorkbench({
  theme: values.theme,
  settings: JSON.parse(values.settings),
  width: Number(values.width),
  height: Number(values.height),
  scale: Number(values.scale),
  trust: !values.untrusted,
  ...(values.folder ? { folder: resolve(values.folder) } : {}),
  ...(values["no-extension"] ? {} : { extensionDevelopmentPath: resolve(values.extension ?? root) }),
  ...(values.vscode ? { version: values.vscode } : {}),
  ...(values["hermes-home"] ? { env: { HERMES_HOME: resolve(values["hermes-home"]) } } : {}),
  onLog: (type, args) => {
    if (values.verbose) console.error(`[${type}]`, ...args);
  },
  log: (line) => {
    if (values.verbose) console.error(line);
  },
});
try {
  await steps?.(host.page, host, tools);
  if (values.out) await host.page.screenshot({ path: values.out });
} catch (error) {
  if (values.out) await host.page.screenshot({ path: values.out });
  throw error;
} finally {
  await host.close();
}
