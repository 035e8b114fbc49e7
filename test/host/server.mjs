import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onEnd } from "./cleanup.mjs";
import { fetchVsCode } from "./fetchVsCode.mjs";
import { CURRENT } from "./versions.mjs";

const GUARD = fileURLToPath(new URL("./guard.mjs", import.meta.url));

/** Time allowed for the server to say that it listens, milliseconds. */
const START_MS = 60_000;

/**
 * @typedef {object} ServerOptions
 * @property {string} [version] pinned VS Code version; default the current one
 * @property {number} [port] default 0: a free one
 * @property {string} [token] asked of every connection, in the address as `tkn`; default: none, for tests only
 * @property {boolean} [trust] false opens windows in Restricted Mode; default true
 * @property {Readonly<Record<string, string>>} [env] added to the environment of server and extension host
 * @property {string} [dataFolder] made by `serverFolder`; the caller removes it. Default: one of its own, removed on stop
 * @property {(line: string) => void} [log] every line that the server prints
 *
 * @typedef {object} Server
 * @property {string} version
 * @property {number} port
 * @property {string} origin http://127.0.0.1:<port>
 * @property {string} dataFolder temporary folder with `data` and `extensions`, removed on stop
 * @property {Promise<unknown>} ended resolves when the server has ended, for whatever reason
 * @property {() => Promise<void>} stop ends the server's whole process group
 */

/**
 * Ends a process and everything it started.
 * @param {import("node:child_process").ChildProcess} child started with `detached`
 * @param {NodeJS.Signals} signal
 */
export function endGroup(child, signal = "SIGTERM") {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
  }
}

/**
 * The arguments that every use of the server shares.
 * @param {import("./fetchVsCode.mjs").VsCode} code
 * @param {string} folder temporary folder made by `serverFolder`
 */
export function serverArguments(code, folder) {
  return [
    join(code.folder, "out/server-main.js"),
    "--accept-server-license-terms",
    "--telemetry-level",
    "off",
    "--server-data-dir",
    join(folder, "data"),
    "--extensions-dir",
    join(folder, "extensions"),
  ];
}

/** A temporary folder for a server's data. The server of 1.100 exits when these two are missing. */
export function serverFolder() {
  const folder = mkdtempSync(join(tmpdir(), "context-budget-host-"));
  for (const name of ["data", "extensions"]) mkdirSync(join(folder, name));
  return folder;
}

/**
 * Starts VS Code's server on 127.0.0.1 and waits until it listens.
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(options = {}) {
  const code = await fetchVsCode(options.version ?? CURRENT);
  const dataFolder = options.dataFolder ?? serverFolder();
  const args = [
    ...serverArguments(code, dataFolder),
    "--host",
    "127.0.0.1",
    "--port",
    String(options.port ?? 0),
    ...(options.token ? ["--connection-token", options.token] : ["--without-connection-token"]),
    // Without this the page ignores the development path in its address.
    "--enable-smoke-test-driver",
    ...(options.trust === false ? [] : ["--disable-workspace-trust"]),
  ];
  // A terminal inside another VS Code passes these on; they would redirect the new one.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_RUN_AS_NODE|NODE_OPTIONS)/.test(name),
  );
  const child = spawn(process.execPath, [GUARD, code.node, ...args], {
    cwd: dataFolder,
    detached: process.platform !== "win32",
    // Standard input is what the guard watches.
    stdio: ["pipe", "pipe", "pipe"],
    // The server's sockets go where its data goes, so that nothing stays behind.
    env: { ...Object.fromEntries(inherited), XDG_RUNTIME_DIR: dataFolder, ...options.env },
  });
  const ended = new Promise((done) => child.once("close", done));
  const stop = onEnd(async () => {
    const alive = child.exitCode === null && child.signalCode === null;
    endGroup(child, "SIGTERM");
    if (alive) {
      const force = setTimeout(() => endGroup(child, "SIGKILL"), 3_000);
      await ended;
      clearTimeout(force);
    }
    if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  /** @type {string[]} */
  const lines = [];
  try {
    const port = await new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`the server did not listen after ${START_MS / 1000} s`)), START_MS);
      child.once("error", fail);
      child.once("close", (exit) => fail(new Error(`the server ended with ${exit} before it listened`)));
      for (const stream of [child.stdout, child.stderr]) {
        let rest = "";
        stream.setEncoding("utf8");
        stream.on("data", (text) => {
          const parts = (rest + text).split("\n");
          rest = parts.pop() ?? "";
          for (const line of parts) {
            if (lines.length < 400) lines.push(line);
            options.log?.(line);
            const match = /Extension host agent listening on (\d+)/.exec(line);
            if (match) {
              clearTimeout(timer);
              done(Number(match[1]));
            }
          }
        });
      }
    });
    return { version: code.version, port, origin: `http://127.0.0.1:${port}`, dataFolder, ended, stop };
  } catch (error) {
    await stop();
    throw new Error(
      `VS Code ${code.version}: ${error instanceof Error ? error.message : error}\n${lines.slice(-30).join("\n")}`,
    );
  }
}
