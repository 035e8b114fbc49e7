/** `npm start`: a real VS Code in the browser with the extension. What it takes is said by `USAGE`. */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { endAll, isEnding, onEnd } from "./cleanup.mjs";
import { fetchVsCode } from "./fetchVsCode.mjs";
import { startServer } from "./server.mjs";
import { CURRENT, VERSIONS } from "./versions.mjs";
import { workbenchAddress, writeSettings } from "./workbench.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const USAGE = `Builds the extension and shows it in a real VS Code in the browser, with a copy of the sample workspace.
Ctrl-C stops everything and removes what was made.

  npm start -- [--port N] [--no-open] [--vscode VERSION] [--folder DIR] [--hermes-home DIR] [--no-build] [--verbose]

  --port N           default: a free one
  --no-open          prints the address only
  --vscode VERSION   ${Object.keys(VERSIONS).join(" or ")}; default: ${CURRENT}
  --folder DIR       opens this folder itself instead of a copy of the sample workspace
  --hermes-home DIR  what HERMES_HOME is for the extension
  --no-build         takes dist/ as it is
  --verbose          prints what the server says
  --help             prints this`;

/** The system's way to open an address, where there is a screen and a person. @param {string} address */
function openInBrowser(address) {
  const hasScreen = process.platform !== "linux" || process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"];
  if (process.env["CI"] || !hasScreen) return;
  /** @type {readonly [string, ...string[]]} */
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", address]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", address]
        : ["xdg-open", address];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => console.log("No browser could be opened; open the address yourself."));
  child.unref();
}

/** A folder named by an option. @param {string} option @param {string} path */
function existingFolder(option, path) {
  const folder = resolve(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`--${option}: ${folder} is not a folder`);
  return folder;
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      "no-open": { type: "boolean", default: false },
      vscode: { type: "string", default: CURRENT },
      folder: { type: "string" },
      "hermes-home": { type: "string" },
      "no-build": { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port: ${values.port} is not a port number`);
  const given = values.folder ? existingFolder("folder", values.folder) : undefined;
  const hermesHome = values["hermes-home"] ? existingFolder("hermes-home", values["hermes-home"]) : undefined;

  if (!values["no-build"]) {
    console.log("Building …");
    const build = spawnSync(process.execPath, [join(root, "extension/build/esbuild.mjs")], { stdio: "inherit" });
    if (build.status !== 0) throw new Error("the build failed; see above");
  }
  await fetchVsCode(values.vscode);

  let folder = given;
  if (!folder) {
    const work = mkdtempSync(join(tmpdir(), "context-budget-start-"));
    onEnd(() => rmSync(work, { recursive: true, force: true }));
    folder = prepareSample(join(work, "sample-workspace"));
  }
  const token = randomBytes(16).toString("hex");
  const server = await startServer({
    version: values.vscode,
    port,
    token,
    env: hermesHome ? { HERMES_HOME: hermesHome } : {},
    log: (line) => {
      if (values.verbose) console.error(line);
    },
  });
  writeSettings(server);
  const address = new URL(
    workbenchAddress(server, {
      folder,
      extensionDevelopmentPath: root,
      ...(given ? {} : { openFile: join(folder, ".hermes/config.yaml") }),
    }),
  );
  address.searchParams.set("tkn", token);
  console.log(`\nVS Code ${server.version} with Context Budget Inspector:\n\n  ${address.href}\n`);
  console.log(`Folder: ${folder}${given ? "" : " (a copy; removed at the end)"}\nCtrl-C stops it.`);
  if (!values["no-open"]) openInBrowser(address.href);
  await server.ended;
  if (!isEnding()) throw new Error("the server ended by itself");
}

try {
  await main();
} catch (error) {
  console.error(`npm start: ${error instanceof Error ? error.message : error}`);
  await endAll();
  process.exit(1);
}
