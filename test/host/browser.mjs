import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { onEnd } from "./cleanup.mjs";

/** Overrides the search; a path to a Chromium, Chrome or Edge binary. */
export const BROWSER_VARIABLE = "CONTEXT_BUDGET_BROWSER";
const DEBIAN_PACKAGES = ["chromium-headless-shell", "fonts-liberation"];

const APPLICATIONS = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "Chromium/Application/chrome.exe",
  ],
  // The shell draws pages without windows around them, which takes a third of the processor time of the whole browser.
  other: [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
  ],
};

function candidates() {
  if (process.platform === "darwin") return APPLICATIONS.darwin;
  if (process.platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => process.env[name] ?? []);
    return folders.flatMap((folder) => APPLICATIONS.win32.map((path) => join(folder, path)));
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return APPLICATIONS.other.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/**
 * Path of an installed Chromium, Chrome or Edge (or the one that `npx playwright-core install chromium` put down).
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env[BROWSER_VARIABLE];
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`${BROWSER_VARIABLE} names ${chosen}, which does not exist`);
    return chosen;
  }
  return [...candidates(), chromium.executablePath()].find((path) => existsSync(path));
}

/** Installs Debian's Chromium; only in CI, as root. */
function installOnDebian() {
  if (process.env["CI"] !== "true" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.error(`installing ${DEBIAN_PACKAGES.join(" and ")} through apt-get`);
  for (const args of [
    ["update", "-q"],
    ["install", "-y", "-q", "--no-install-recommends", ...DEBIAN_PACKAGES],
  ]) {
    const run = spawnSync("apt-get", args, {
      encoding: "utf8",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (run.status !== 0)
      throw new Error(`apt-get ${args.join(" ")} ended with ${run.status}:\n${run.stdout}${run.stderr}`);
  }
}

/** A headless browser; closed at the latest when the process ends. */
export async function launchBrowser() {
  if (!findChromium()) installOnDebian();
  const executablePath = findChromium();
  if (!executablePath) {
    throw new Error(
      `No Chromium, Chrome or Edge found. Install one (Debian: apt-get install ${DEBIAN_PACKAGES.join(" ")}; anywhere: npx playwright-core install chromium) or name one in ${BROWSER_VARIABLE}.`,
    );
  }
  const asRoot = process.platform === "linux" && process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    // Our own end-of-process handling closes it after the page had a chance to report.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      // Chromium's sandbox refuses to run as root.
      ...(asRoot ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  const close = onEnd(() => browser.close());
  browser.on("disconnected", () => void close());
  return browser;
}
