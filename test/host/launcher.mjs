#!/usr/bin/env node
/**
 * Stands in for the desktop VS Code binary when `runTests()` of @vscode/test-electron calls it: takes the same arguments,
 * starts the server from npm, opens its workbench in a headless browser and exits with the code of the test run.
 * Environment: CONTEXT_BUDGET_VSCODE chooses the version, CONTEXT_BUDGET_VERBOSE=1 shows what the server prints.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { format } from "node:util";
import { endAll } from "./cleanup.mjs";
import { CURRENT } from "./versions.mjs";
import { startWorkbench } from "./workbench.mjs";

/** Longest test run, milliseconds. */
const RUN_MS = 10 * 60_000;

const args = process.argv.slice(2);
/** @param {string} name */
const argument = (name) => args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const required = (/** @type {string} */ name) => {
  const value = argument(name);
  if (value === undefined)
    throw new Error(`the launcher needs --${name}=…; it is meant to be called by @vscode/test-electron`);
  return value;
};
const folder = args.find((each) => !each.startsWith("-") && existsSync(each));
const dataFolder = resolve(required("user-data-dir"));
for (const name of ["data", "extensions"]) mkdirSync(join(dataFolder, name), { recursive: true });
const verbose = process.env["CONTEXT_BUDGET_VERBOSE"] === "1";

/** Begins each line that the test runner prints; the rest of the extension host's console is shown on failure only. */
const MARK = "[test] ";
/** @type {string[]} */
const others = [];

/** @type {(code: number) => void} */
let finish = () => {};
/** @type {Promise<number>} */
const finished = new Promise((done) => {
  finish = done;
});

let code = 1;
try {
  const host = await startWorkbench({
    version: process.env["CONTEXT_BUDGET_VSCODE"] ?? CURRENT,
    dataFolder,
    extensionDevelopmentPath: required("extensionDevelopmentPath"),
    tests: required("extensionTestsPath"),
    trust: args.includes("--disable-workspace-trust"),
    ...(folder ? { folder } : {}),
    onLog: (type, parts) => {
      const text = format(...parts);
      if (text.startsWith(MARK)) console.log(text.slice(MARK.length));
      else if (verbose) console.error(text);
      else others.push(`[${type}] ${text}`);
    },
    onExit: (exit) => finish(exit),
    log: (line) => {
      if (verbose) console.error(line);
    },
  });
  host.page.on("crash", () => {
    console.error("the workbench's page crashed");
    finish(1);
  });
  host.browser.on("disconnected", () => finish(1));
  const timer = setTimeout(() => {
    console.error(`the test run did not end after ${RUN_MS / 60_000} minutes`);
    finish(1);
  }, RUN_MS);
  code = await finished;
  clearTimeout(timer);
  await host.close();
} catch (error) {
  console.error(error);
}
if (code !== 0 && others.length > 0) {
  // The server from npm comes without its compiled log writer and watchdog, says so at length and works without.
  const telling = others.filter((text) => !/spdlog|watchdog|Creating a socket|connection token|ENOTFOUND/.test(text));
  console.error(
    `\nWhat else the extension host printed (its last ${Math.min(40, telling.length)} messages):\n${telling.slice(-40).join("\n")}`,
  );
}
await endAll();
process.exit(code);
