/**
 * Puts a pinned VS Code server into the cache folder, from npm. Usage from a shell:
 *   node test/host/fetchVsCode.mjs [version …]     (default: all pinned versions)
 *
 * An install is complete or absent: it is made in a folder of its own and renamed when its marker file is written.
 * Runs beside each other wait for the first one; an interrupted run leaves only a folder that the next one removes.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onEnd } from "./cleanup.mjs";
import { NODE_PACKAGES, pinned, VERSIONS } from "./versions.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const MARKER = "complete.json";
/** Longest wait for another process that installs the same version, milliseconds. */
const LOCK_WAIT_MS = 10 * 60_000;

/** The cache folder; `VSCODE_TEST_CACHE` moves it (one cache for several clones). */
export const cacheFolder = () => process.env["VSCODE_TEST_CACHE"] ?? join(root, ".vscode-test");

/**
 * @typedef {object} VsCode
 * @property {string} version of VS Code
 * @property {string} folder of the server: holds out/server-main.js
 * @property {string} node binary that runs it
 */

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} target */
function readComplete(target, wanted = "") {
  const file = join(target, MARKER);
  if (!existsSync(file)) return false;
  return readFileSync(file, "utf8") === wanted;
}

/** What a complete install of this version holds; its text is the marker, so a changed pin installs anew.
 * @param {import("./versions.mjs").PinnedVersion} pin */
function recipe(pin) {
  const packages = [`code-server@${pin.codeServer}`];
  if (Number.parseInt(process.versions.node, 10) < pin.minNode) {
    const platform = `${process.platform}-${process.arch}`;
    const node = NODE_PACKAGES[platform];
    if (!node) {
      throw new Error(
        `VS Code ${pin.vscode} needs Node ${pin.minNode}; there is no npm package with it for ${platform}: run this with Node ${pin.minNode} or newer`,
      );
    }
    packages.push(node.join("@"));
  }
  return { packages, marker: `${JSON.stringify({ layout: 1, packages })}\n` };
}

/** @param {string} target @param {readonly string[]} packages @param {string} version @returns {VsCode} */
function describe(target, packages, version) {
  const nodePackage = packages[1]?.replace(/@[^@]*$/, "");
  const binary = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  return {
    version,
    folder: join(target, "node_modules/code-server/lib/vscode"),
    node: nodePackage ? join(target, "node_modules", nodePackage, binary) : process.execPath,
  };
}

/**
 * @param {string} cwd @param {readonly string[]} args
 * @returns {Promise<void>}
 */
function npm(cwd, args) {
  const cli = process.env["npm_execpath"];
  const all = [
    "install",
    ...args,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
    "--loglevel=error",
  ];
  const own = cli && /npm-cli\.js$/.test(cli);
  // Variables that an outer `npm run` sets would make the inner npm work on this repository.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|command|config_local_prefix)/i.test(name)),
  );
  const child = own
    ? spawn(process.execPath, [cli, ...all], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("npm", all, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    output += data;
  });
  const stop = onEnd(() => {
    child.kill();
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      void stop();
      if (code === 0) done();
      else fail(new Error(`npm ${all.join(" ")} ended with ${code}:\n${output.trim()}`));
    });
  });
}

/** @param {string} cache @param {string} name @returns {Promise<() => Promise<void>>} releases the lock */
async function lock(cache, name) {
  const file = join(cache, `.${name}.lock`);
  const until = Date.now() + LOCK_WAIT_MS;
  let told = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return onEnd(() => rmSync(file, { force: true }));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const holder = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
    else if (Date.now() > until)
      throw new Error(`${file}: process ${holder} has been installing for too long; end it or remove the file`);
    else {
      if (!told) console.error(`waiting for process ${holder}, which installs ${name}`);
      told = true;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
}

/** Folders of runs that were interrupted. @param {string} cache */
function removeLeftovers(cache) {
  for (const name of readdirSync(cache)) {
    const pid = /^\.installing-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/** @param {string} text @param {() => Promise<void>} work */
async function step(text, work) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  if (process.stderr.isTTY) process.stderr.write(`  ${text} …`);
  const timer = process.stderr.isTTY
    ? setInterval(() => process.stderr.write(`\r  ${text} … ${seconds()}`), 500)
    : undefined;
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  console.error(`${process.stderr.isTTY ? "\r" : ""}  ${text} … done in ${seconds()}`);
}

/**
 * The pinned VS Code server, installed first if the cache does not hold it. Progress goes to standard error.
 * @param {string} version a key of VERSIONS
 * @returns {Promise<VsCode>}
 */
export async function fetchVsCode(version) {
  const pin = pinned(version);
  const { packages, marker } = recipe(pin);
  const cache = cacheFolder();
  const name = `server-${version}`;
  const target = join(cache, name);
  if (readComplete(target, marker)) return describe(target, packages, version);

  mkdirSync(cache, { recursive: true });
  const release = await lock(cache, name);
  try {
    if (readComplete(target, marker)) return describe(target, packages, version);
    removeLeftovers(cache);
    console.error(`VS Code ${version} is not in ${cache} yet; installing it from npm (about 300 MB on disk)`);
    const work = join(cache, `.installing-${process.pid}-${name}`);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    const discard = onEnd(() => rmSync(work, { recursive: true, force: true }));
    try {
      writeFileSync(join(work, "package.json"), '{ "private": true }\n');
      await step(packages.join(", "), () => npm(work, packages));
      const made = describe(work, packages, version);
      await step("its own dependencies", () => npm(made.folder, ["--omit=dev"]));
      for (const file of [join(made.folder, "out/server-main.js"), made.node]) {
        if (!existsSync(file)) throw new Error(`${file} is missing after the installation of ${packages.join(", ")}`);
      }
      writeFileSync(join(work, MARKER), marker);
      if (!readComplete(target, marker)) {
        rmSync(target, { recursive: true, force: true });
        renameSync(work, target);
      }
    } finally {
      await discard();
    }
    return describe(target, packages, version);
  } finally {
    await release();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const versions = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(VERSIONS);
  for (const version of versions) console.log(`VS Code ${version}: ${(await fetchVsCode(version)).folder}`);
}
