/**
 * The part of the soak test in a real VS Code: inspectors are opened and closed on a file that is written meanwhile, the language
 * server is killed, windows are reloaded. `soakWorkbench` gives what was wrong.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { openFile, runCommand, startWorkbench, webviewFrame } from "../host/workbench.mjs";

/** Openings of an inspector between two reloads of the window. */
const CYCLES = 6;
/** A killed server comes back, and what was closed is gone, within this time. Milliseconds. */
const PATIENCE_MS = 60_000;
/** Open files and threads that an extension host may have more at the end of a window's life than after its first cycle. */
const ALLOWED = { files: 4, threads: 1, residentMb: 120 };

/** @param {number} pid */
const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // Ended since it was listed; it is no process of ours then.
    return "";
  }
};

/** Processes whose command line and environment say that they belong to this run. @param {string} mark @param {RegExp} kind */
function processes(mark, kind) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      if (!kind.test(commandOf(pid))) return false;
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
      } catch {
        // Gone, or a process of somebody else.
        return false;
      }
    });
}

/** @param {number} pid */
function measured(pid) {
  const count = (/** @type {string} */ name) => readdirSync(`/proc/${pid}/${name}`).length;
  const resident = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_000;
  return { files: count("fd"), threads: count("task"), residentMb: resident };
}

/** @param {() => boolean | Promise<boolean>} holds @param {string} what */
async function until(holds, what) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/**
 * @param {{ minutes: number, seed: number, folder: string, product: string }} options product: folder of the built extension
 * @returns {Promise<readonly string[]>} what was wrong
 */
export async function soakWorkbench({ minutes, seed, folder, product }) {
  /** @type {string[]} */
  const wrong = [];
  const temporary = join(folder, "temporary");
  const home = join(folder, "home");
  for (const each of [temporary, home]) mkdirSync(each, { recursive: true });
  const sample = prepareSample(join(folder, "sample"));
  const file = join(sample, "live.jsonl");
  let made = 0;
  const pair = () => {
    made += 1;
    const common = { sessionId: "s", timestamp: "2026-01-02T03:04:05.000Z", isSidechain: false, parentUuid: null };
    const call = { type: "tool_use", id: `t${made}`, name: "Bash", input: {} };
    const result = {
      type: "tool_result",
      tool_use_id: `t${made}`,
      content: `tide ${"x".repeat((made * 997) % 4_000)}`,
    };
    return [
      {
        ...common,
        uuid: `a${made}`,
        type: "assistant",
        message: { id: `m${made}`, role: "assistant", content: [call] },
      },
      { ...common, uuid: `u${made}`, type: "user", message: { role: "user", content: [result] } },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join("");
  };
  const plainCount = () => readFileSync(file, "utf8").split('"tool_result"').length - 1;
  const begin = () => writeFileSync(file, pair() + pair());
  begin();
  const steps = [
    () => appendFileSync(file, pair() + pair() + pair()),
    () => appendFileSync(file, pair()),
    () => begin(),
    () => {
      rmSync(file);
      begin();
    },
    () => {
      // Out of the folder, where quick open would find it first.
      renameSync(file, join(folder, "rotated.jsonl"));
      begin();
    },
  ];
  const mark = `CONTEXT_BUDGET_SOAK=${process.pid}`;
  const host = await startWorkbench({
    folder: sample,
    extensionDevelopmentPath: product,
    env: {
      HOME: home,
      USERPROFILE: home,
      HERMES_HOME: "",
      TMPDIR: temporary,
      CONTEXT_BUDGET_SOAK: String(process.pid),
    },
  });
  const { page } = host;
  const hosts = () => processes(mark, /--type=extensionHost/);
  const servers = () => processes(mark, /dist\/server\.mjs/);
  const copies = () => readdirSync(temporary).filter((name) => name.startsWith("context-budget-"));
  // A window that was reloaded a moment ago does not list its files yet.
  const open = async (/** @type {string} */ path) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await openFile(page, path);
        return;
      } catch (error) {
        if (attempt === 5) throw error;
        await page.keyboard.press("Escape");
      }
    }
  };
  const closeAll = () => runCommand(page, "View: Close All Editors");
  const squiggle = () => page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: PATIENCE_MS });
  let windows = 0;
  let cycles = 0;
  const ended = Date.now() + minutes * 60_000;
  try {
    while (Date.now() < ended) {
      windows += 1;
      await open(".hermes/config.yaml");
      await squiggle();
      const [before] = servers();
      if (before === undefined) throw new Error("the config is checked, and there is no server");
      process.kill(before, "SIGKILL");
      await until(() => servers().some((pid) => pid !== before), "the killed server to come back");
      await closeAll();
      /** @type {ReturnType<typeof measured>[]} */
      const samples = [];
      for (let cycle = 0; cycle < CYCLES && Date.now() < ended + PATIENCE_MS; cycle += 1) {
        cycles += 1;
        await open("live.jsonl");
        // What was opened in the inspector before comes back in it.
        const button = page.locator(".editor-actions").getByRole("button", { name: /Open Transcript in Inspector/ });
        await button.or(page.locator("iframe.webview")).first().waitFor({ timeout: PATIENCE_MS });
        if (await button.isVisible()) await button.click();
        const inspector = await webviewFrame(page, "cbi-results-table [aria-rowcount]", PATIENCE_MS);
        const step = steps[(cycles * 7 + seed) % steps.length];
        step?.();
        steps[cycles % 2]?.();
        const shown = async () => {
          const count = await inspector
            .locator("cbi-results-table [aria-rowcount]")
            .first()
            .getAttribute("aria-rowcount");
          return Number(count) - 1 === plainCount();
        };
        await until(shown, `${plainCount()} results in the inspector`).catch((error) => wrong.push(String(error)));
        await closeAll();
        const [extensionHost] = hosts();
        if (extensionHost === undefined) throw new Error("there is no extension host");
        samples.push(measured(extensionHost));
      }
      const [first, last] = [samples[1], samples.at(-1)];
      if (first && last && samples.length === CYCLES) {
        for (const key of /** @type {(keyof typeof ALLOWED)[]} */ (Object.keys(ALLOWED)))
          if (last[key] - first[key] > ALLOWED[key])
            wrong.push(`window ${windows}: ${key} of the extension host rose from ${first[key]} to ${last[key]}`);
        console.log(
          `window ${windows}: files ${first.files} → ${last.files}, threads ${first.threads} → ${last.threads}, resident ${first.residentMb.toFixed(0)} → ${last.residentMb.toFixed(0)} MB`,
        );
      }
      const old = [...hosts(), ...servers()];
      await runCommand(page, "Developer: Reload Window");
      await until(() => old.every((pid) => commandOf(pid) === ""), "the processes of the reloaded window to end");
      await page.locator(".explorer-folders-view .monaco-list").first().waitFor({ timeout: PATIENCE_MS });
    }
    await until(() => hosts().length > 0, "an extension host in the last window");
    if (hosts().length !== 1) wrong.push(`${hosts().length} extension hosts at the end instead of 1`);
    if (servers().length > 1) wrong.push(`${servers().length} language servers at the end`);
    wrong.push(...badLines(join(host.server.dataFolder, "data")));
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await host.close();
  }
  await until(() => processes(mark, /./).length === 0, "every process to end").catch((error) =>
    wrong.push(String(error)),
  );
  if (copies().length > 0) wrong.push(`left in the temporary folder: ${copies().join(", ")}`);
  console.log(`${windows} windows, ${cycles} inspectors, ${windows} servers killed`);
  return wrong;
}

/** Lines of VS Code's logs that tell of errors of ours. @param {string} folder */
function badLines(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".log"))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n"))
    .filter(
      (line) => /unhandled|rejected promise/i.test(line) || (/\[error\]/.test(line) && /context-?budget/i.test(line)),
    );
}
