import { fork, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-languageserver/node";
import { BUNDLES } from "../../extension/build/bundles.mjs";
import { sharedOptions } from "../../extension/build/options.mjs";
import { tellError } from "../../extension/src/core/util/tellError";
import { repoPath } from "../corpus";
import { callOf, makeDatabase, message } from "../unit/database/support";
import { answer, jsonLines, prompt, toolResult, use } from "../unit/transcript/support";
import { buildProduct, type Product } from "./product";

/** Stands in every text of a transcript and every value of a config; must not come out. */
const CANARY = "Zaunkoenig";
const body = (n: number): string => `${CANARY} ${n} `.repeat(300);
const whole = jsonLines(
  prompt(`${CANARY} begins`),
  ...Array.from({ length: 150 }, (_, n) => [answer(`m${n}`, use(`t${n}`)), toolResult(`t${n}`, body(n))]).flat(),
);

/** Transcripts that fail in as many ways as there are, by name. */
const BROKEN: Readonly<Record<string, string | Buffer>> = {
  "whole.jsonl": whole,
  "torn.jsonl": whole.slice(0, -700),
  "damaged.jsonl": whole.replaceAll('"content"', '"content'),
  "middle.jsonl": `${whole}{"type":"user","message":{"role":"user","content":"${CANARY}\n${whole}`,
  "notUtf8.jsonl": Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xfe]), Buffer.from(`${CANARY}\n`)]),
  "deep.json": `${'{"messages":['.repeat(20_000)}"${CANARY}"`,
  "value.json": JSON.stringify({
    messages: [
      { role: "user", content: CANARY },
      { role: "tool", content: [CANARY] },
    ],
  }),
  "halfValue.json": `{"messages":[{"role":"user","content":"${CANARY}`,
  "noTranscript.json": JSON.stringify({ [CANARY]: CANARY }),
  "text.jsonl": `${CANARY}\n`.repeat(50),
  "packed.jsonl.zst": Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x24]), Buffer.from(CANARY.repeat(20))]),
  "damaged.db": Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.from(CANARY.repeat(3_000))]),
};

const CONFIGS: Readonly<Record<string, string>> = {
  "value.yaml": `tools:\n  tool_result_persist_threshold_chars: ${CANARY}\napi_key: ${CANARY}\n`,
  "broken.yaml": `tools:\n  api_key: "${CANARY}\n tool_result_persist_threshold_chars: [${CANARY}\n`,
  "twice.yaml": `a: &x ${CANARY}\na: *y\nb: !!${CANARY} c\n? [${CANARY}]\n: ${CANARY}\n`,
  "nul.yaml": `api_key: ${CANARY}\0\n`,
  "binary.yaml": `api_key: !!binary ${CANARY}!\nd: !!timestamp ${CANARY}\nf: !!float ${CANARY}\n`,
  "deep.yaml": `${"[".repeat(5_000)}${CANARY}`,
};

let product: Product;
let folder = "";
const put = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: folder,
  USERPROFILE: folder,
  HERMES_HOME: folder,
});

beforeAll(async () => {
  product = await buildProduct();
  folder = join(product.folder, "work");
  mkdirSync(join(folder, "store"), { recursive: true });
  for (const [name, content] of Object.entries(CONFIGS)) put(name, content);
  put(".env", `API_KEY=${CANARY}\n"${CANARY}\n`);
});
afterAll(() => product?.remove());

describe("what is told of an error", () => {
  const frozen = Object.freeze({ x: 1 }) as { x: number };
  it.each<[string, () => unknown]>([
    ["text that is no JSON", () => JSON.parse(`${CANARY}`)],
    ["a text in the middle of JSON", () => JSON.parse(`{"a":${CANARY}}`)],
    ["a number that is none", () => BigInt(CANARY)],
    ["an expression", () => new RegExp(`(${CANARY}`)],
    ["a time zone", () => new Intl.DateTimeFormat("en", { timeZone: CANARY })],
    ["a property of a text", () => Object.defineProperty(CANARY as unknown as object, "x", {})],
    ["a key of a text", () => (undefined as unknown as Record<string, string>)[CANARY]],
    ["`in` a text", () => "x" in (CANARY as unknown as object)],
    ["an argument", () => Buffer.from({ toString: 1, [CANARY]: CANARY } as never)],
    ["an encoding", () => Buffer.alloc(2).toString(CANARY as BufferEncoding)],
    ["a name of a constant", () => Object.assign(frozen, { [CANARY]: 1 })],
  ])("quotes nothing of %s", (_what, run) => {
    let error: unknown;
    try {
      run();
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(Error);
    const { message: told, stack } = tellError(error);
    expect(told + stack).not.toContain(CANARY);
    expect(stack).toMatch(/\n {4}at /);
  });

  it("says what our own errors and those of the system say", () => {
    expect(tellError(new Error("its thread ended")).message).toBe("its thread ended");
    try {
      readFileSync(join(folder, "absent"));
    } catch (error) {
      expect(tellError(error).message).toMatch(/^ENOENT: .*absent/);
    }
    expect(tellError("stopped").message).toBe("stopped");
    expect(tellError({ text: CANARY }).message).toBe("something that is no error was thrown (object)");
  });
});

describe("the streams and logs of the product hold nothing out of a file", () => {
  it("the command line's error stream, whatever it is given", () => {
    const transcripts = Object.entries(BROKEN).map(([name, content]) => put(`cli-${name}`, content));
    const configs = Object.keys(CONFIGS).map((name) => join(folder, name));
    const runs = [
      ["check", ...configs],
      ["inspect", ...transcripts, join(folder, "absent.jsonl")],
      ["ab", "--log", transcripts[0] ?? ""],
      // A table leaves no room for what is wrong, which is told beside it.
      ...transcripts.map((path) => ["simulate", path, "--thresholds", "20000", "--csv"]),
      ...transcripts.slice(1, 3).map((path) => ["ab", path, "--csv"]),
    ];
    const said = runs.map((args) => {
      const { stderr, status } = spawnSync(process.execPath, [product.dist("cli.mjs"), ...args], {
        encoding: "utf8",
        cwd: folder,
        env: environment(),
      });
      expect([0, 1, 2], `${args.join(" ")}: ${stderr.slice(0, 300)}`).toContain(status);
      return stderr;
    });
    expect(said.filter((text) => text !== "").length).toBeGreaterThan(5);
    expect(said.filter((text) => text.includes(CANARY))).toEqual([]);
  }, 240_000);

  it("the extension's log, while transcripts fail in every way", async () => {
    const options = sharedOptions(
      BUNDLES.filter(({ runtime }) => runtime === "shared"),
      { outdir: product.folder, production: true },
    );
    const program = product.dist("sayEverything.mjs");
    await build({
      entryPoints: [repoPath("test/safety/sayEverything.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      banner: options.banner ?? {},
      plugins: options.plugins?.filter(({ name }) => name !== "names-where-used") ?? [],
      mainFields: ["module", "main"],
      alias: options.alias ?? {},
      logLevel: "error",
    });
    const database = makeDatabase(join(folder, "good.db"), {
      sessions: [{ id: "s", source: "cli", model: "m", started_at: 1, title: CANARY, parent_session_id: null }],
      messages: [
        message({ id: 1, content: CANARY }),
        message({ id: 2, role: "assistant", tool_calls: callOf("a", "terminal", `{"x":"${CANARY}`) }),
        message({ id: 3, role: "tool", content: body(1), tool_call_id: "a" }),
      ],
    });
    const paths = [...Object.entries(BROKEN).map(([name, content]) => put(`log-${name}`, content)), database];
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [program, folder, product.dist("worker.mjs"), ...paths],
      { encoding: "utf8", env: environment() },
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("everything was asked");
    expect(stdout.trim().split("\n").length).toBeGreaterThan(3);
    expect((stdout + stderr).split("\n").filter((line) => line.includes(CANARY))).toEqual([]);
  }, 120_000);

  it("the language server's messages and streams", async () => {
    const child = fork(product.dist("server.mjs"), ["--node-ipc"], {
      execArgv: [],
      env: environment(),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => said.push(String(data)));
    const client = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
    for (const name of ["window/logMessage", "window/showMessage", "$/logTrace", "telemetry/event"])
      client.onNotification(name, (params: unknown) => void said.push(JSON.stringify(params)));
    client.listen();
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const ask = (method: string, params: unknown): Promise<unknown> =>
      client.sendRequest(method, params as object).catch((error: unknown) => said.push(String(error)));
    await ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
    await client.sendNotification("initialized", {});
    for (const [name, text] of Object.entries(CONFIGS)) {
      const uri = pathToFileURL(join(folder, name)).href;
      await client.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "yaml", version: 1, text },
      });
      const textDocument = { uri };
      const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
      for (const line of [0, 1, 99, -1, CANARY]) {
        await ask("textDocument/hover", { textDocument, position: { line, character: 20 } });
        await ask("textDocument/completion", { textDocument, position: { line, character: 5 } });
      }
      await ask("textDocument/codeAction", { textDocument, range, context: { diagnostics: [{ code: CANARY }] } });
      await ask("textDocument/inlayHint", { textDocument, range });
      await ask("contextBudget/explainConfig", { uri });
      for (const params of [
        { uri, text, languageId: "yaml" },
        { uri, text: [CANARY] },
        { [CANARY]: CANARY },
        CANARY,
        null,
      ]) {
        await ask("contextBudget/configThreshold", params);
        await ask("contextBudget/setThreshold", params);
        await ask("contextBudget/configSummary", params);
      }
    }
    await ask("shutdown", undefined);
    await client.sendNotification("exit");
    expect(await ended).toBe(0);
    client.dispose();
    // Wrong requests are refused in words.
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((text) => text.includes(CANARY))).toEqual([]);
  }, 60_000);

  it("the last words of a program that fails by a bug", async () => {
    const source = put(
      "bug.ts",
      `import { tellUncaught } from ${JSON.stringify(repoPath("extension/src/node/lastWords"))};
       tellUncaught(process.stderr);
       Promise.resolve().then(() => JSON.parse("${CANARY}"));`,
    );
    const program = join(folder, "bug.mjs");
    await build({ entryPoints: [source], outfile: program, bundle: true, platform: "node", format: "esm" });
    const { stderr, status } = spawnSync(process.execPath, [program], { encoding: "utf8" });
    expect(status).toBe(70);
    expect(stderr).toMatch(/^context-budget: SyntaxError .*\n {4}at /);
    expect(stderr).not.toContain(CANARY);
  });
});
