import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  type PublishDiagnosticsParams,
} from "vscode-languageserver/node";
import { repoPath } from "../corpus";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { callOf, makeDatabase, message } from "../unit/database/support";
import { buildProduct, type Product } from "./product";

const GUARD = repoPath("test/safety/refuse.cjs");

interface Attempt {
  readonly what: string;
  readonly first?: string;
  readonly stack?: readonly string[];
}

let product: Product;
let sample = "";
let driver = "";
let attempts = "";
/** Where `unshare` may give a program a network of its own, with nothing in it. */
const canUnshare = process.platform === "linux" && spawnSync("unshare", ["-n", "true"]).status === 0;
if (!canUnshare) console.warn("tests in a network namespace are skipped: unshare -n is not there or not allowed");

beforeAll(async () => {
  product = await buildProduct();
  sample = prepareSample(join(product.folder, "sample"));
  makeDatabase(join(sample, "state.db"), {
    sessions: [{ id: "s", source: "cli", model: "m", started_at: 1_788_760_800, title: null, parent_session_id: null }],
    messages: [
      message({ id: 1, content: "go" }),
      message({ id: 2, role: "assistant", content: "", tool_calls: callOf("a") }),
      message({ id: 3, role: "tool", content: "the result ".repeat(500), tool_call_id: "a" }),
    ],
  });
  driver = join(product.folder, "readInThreads.mjs");
  await build({
    entryPoints: [repoPath("test/safety/readInThreads.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: driver,
    logLevel: "error",
  });
});
afterAll(() => product?.remove());
beforeEach(() => {
  attempts = join(product.folder, "attempts.jsonl");
  rmSync(attempts, { force: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  CONTEXT_BUDGET_ATTEMPTS: attempts,
  HOME: product.folder,
  USERPROFILE: product.folder,
  HERMES_HOME: join(sample, ".hermes"),
  NODE_OPTIONS: "",
});

function heard(): readonly Attempt[] {
  const text = existsSync(attempts) ? readFileSync(attempts, "utf8").trim() : "";
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as Attempt);
}
/** What was tried; fails when the guard was not there. */
function tried(): readonly Attempt[] {
  const all = heard();
  expect(all.map(({ what }) => what)).toContain("loaded");
  return all.filter(({ what }) => !what.startsWith("loaded"));
}

const guarded = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["--require", GUARD, ...args], { encoding: "utf8", cwd: sample, env: environment() });

/** Without what tells when it was said. */
const untimed = (text: string): string => text.replace(/"(ageMs|extractedAt)":\s*[^,}\n]+/g, "$1");

const CLAUDE = "claude/-home-dana-tide-office/af3109ff-902f-446c-b921-6b2f35fc1ad9.jsonl";
const HERMES = ".hermes/sessions/session_20261006_064512_b0a7ed.json";

/** Every command, with the exit codes that its sample gives. */
const COMMANDS: readonly { readonly codes: readonly number[]; readonly args: readonly string[] }[] = [
  { codes: [0], args: ["--help"] },
  { codes: [0], args: ["--version"] },
  { codes: [0, 1], args: ["check", ".hermes/config.yaml", "config/staging.yaml", "--json"] },
  { codes: [0, 1], args: ["inspect", ".", "--json"] },
  { codes: [0, 1], args: ["inspect", CLAUDE] },
  { codes: [0, 1], args: ["inspect", "state.db", "--json"] },
  { codes: [0, 1], args: ["simulate", HERMES, "--persist", "auto", "--thresholds", "20000", "--json"] },
  { codes: [0, 1], args: ["simulate", CLAUDE, "--preset", "hermes-prune", "--markdown"] },
  { codes: [0, 1], args: ["ab", HERMES, "--thresholds", "10000,20000", "--json"] },
];

/** What the guard calls the attempt that a piece of code makes: the module, or the function that every other one comes down to. */
const NAME_IN = (code: string): RegExp => {
  const module = /node:([a-z_0-9]+)/.exec(code)?.[1] ?? "fetch";
  return new RegExp(`^${module}\\b`);
};

describe("the guard", () => {
  const TRIES = [
    'require("node:net").connect(1, "127.0.0.1")',
    'new (require("node:net").Socket)().connect(1)',
    'require("node:net").createServer().listen(0)',
    'require("node:tls").connect(1)',
    'require("node:http").get("http://127.0.0.1:1")',
    'require("node:https").request("https://127.0.0.1:1")',
    'require("node:http2").connect("http://127.0.0.1:1")',
    'require("node:dns").lookup("a.example", () => {})',
    'require("node:dns").promises.resolve4("a.example")',
    'new (require("node:dns").Resolver)().resolve4("a.example", () => {})',
    'require("node:dgram").createSocket("udp4").send("x", 1, "127.0.0.1")',
    'require("node:inspector").open(0)',
    'require("node:child_process").spawn("true")',
    'require("node:child_process").exec("true")',
    'require("node:child_process").fork("a.js")',
    'require("node:child_process").spawnSync("true")',
    'require("node:child_process").execFileSync("true")',
    'fetch("http://127.0.0.1:1")',
  ];

  it("refuses each and tells of it", () => {
    const script = join(product.folder, "try.cjs");
    const each = TRIES.map((code) => `try { Promise.resolve(${code}).catch(() => 0); } catch {}`);
    // The last of them ends the program, as some keep it alive.
    writeFileSync(script, `${each.join("\n")}\nprocess.exit(0);`);
    guarded(script);
    expect(tried().map(({ what }) => what)).toEqual(TRIES.map((code) => expect.stringMatching(NAME_IN(code))));
  });

  it("is in threads, and in modules that import by name", () => {
    const script = join(product.folder, "thread.mjs");
    const code = 'import { lookup } from "node:dns"; try { lookup("a.example", () => {}); } catch {}';
    const url = JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`);
    writeFileSync(script, `import { Worker } from "node:worker_threads"; new Worker(new URL(${url}));`);
    guarded(script);
    expect(heard().map(({ what }) => what)).toEqual(["loaded", "loaded in a thread", "dns.lookup"]);
  });
});

describe("without any network", () => {
  it.each(COMMANDS)("the command line tries none: $args", ({ codes, args }) => {
    const { status, stderr, stdout } = guarded(product.dist("cli.mjs"), ...args);
    expect(tried()).toEqual([]);
    expect(codes, stderr).toContain(status);
    expect(stdout.length).toBeGreaterThan(0);
  });

  it.skipIf(!canUnshare).each(COMMANDS.slice(2, 4))(
    "the command line says the same when there is none: $args",
    ({ args }) => {
      const words = [product.dist("cli.mjs"), ...args];
      const how = { encoding: "utf8", cwd: sample, env: environment() } as const;
      const usual = spawnSync(process.execPath, words, how);
      const alone = spawnSync("unshare", ["-n", process.execPath, ...words], how);
      expect(alone.status).toBe(usual.status);
      expect(untimed(alone.stdout) === untimed(usual.stdout), "the output differs").toBe(true);
      expect(alone.stderr).toBe(usual.stderr);
    },
  );

  it("the reading threads try none: index, rows, search, simulation, a database", () => {
    const files = [CLAUDE, HERMES, "state.db", "exports/hermes-sessions.jsonl"].map((path) => join(sample, path));
    const { status, stdout, stderr } = guarded(driver, product.dist("worker.mjs"), ...files);
    expect(tried()).toEqual([]);
    expect(heard().filter(({ what }) => what === "loaded in a thread").length).toBeGreaterThanOrEqual(3 * files.length);
    expect([status, stderr]).toEqual([0, ""]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ end }) => end)).toEqual(files.map(() => "done"));
    expect(lines.map(({ simulated }) => simulated)).toEqual(files.map(() => true));
    expect(lines.map(({ secrets }) => secrets)).toEqual(files.map(() => 1));
    expect(Math.min(...lines.map(({ rows }) => rows))).toBeGreaterThan(0);
  });

  it("the MCP server tries none, and all its tools answer", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["--require", GUARD, product.dist("cli.mjs"), "mcp"],
      env: Object.fromEntries(Object.entries(environment()).map(([name, value]) => [name, value ?? ""])),
      cwd: sample,
      stderr: "pipe",
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    const transcript = join(sample, HERMES);
    const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      contextBudget_listSessions: {},
      contextBudget_listResults: { transcript },
      contextBudget_readResult: { transcript, result: 0 },
      contextBudget_readPage: { transcript, id: "none", offset: 0 },
      contextBudget_explainBudget: { config: join(sample, ".hermes/config.yaml") },
      contextBudget_simulatePolicy: { transcript, policy: { preset: "hermes-prune" } },
    };
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(inputs)));
      for (const [name, given] of Object.entries(inputs)) {
        const { content } = await client.callTool({ name, arguments: { ...given } });
        expect(JSON.stringify(content).length, name).toBeGreaterThan(20);
      }
    } finally {
      await client.close();
    }
    expect(tried()).toEqual([]);
  });

  it("the language server tries none, whatever it is asked", async () => {
    const child = fork(product.dist("server.mjs"), ["--node-ipc"], {
      execArgv: ["--require", GUARD],
      env: environment(),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const client = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
    try {
      await useServer(child, client);
    } finally {
      client.dispose();
      child.kill();
    }
    expect(tried()).toEqual([]);
  });
});

/** Opens the sample's config and asks for everything that the server offers, then ends it in order. */
async function useServer(child: ChildProcess, client: MessageConnection): Promise<void> {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const uri = pathToFileURL(join(sample, ".hermes/config.yaml")).href;
  const text = readFileSync(join(sample, ".hermes/config.yaml"), "utf8");
  const published = new Promise<PublishDiagnosticsParams>((resolve) => {
    client.onNotification("textDocument/publishDiagnostics", resolve);
  });
  client.listen();
  const { capabilities } = await client.sendRequest<{ capabilities: Readonly<Record<string, unknown>> }>("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(sample).href,
    workspaceFolders: [{ uri: pathToFileURL(sample).href, name: "sample" }],
    capabilities: {},
  });
  await client.sendNotification("initialized", {});
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 1, text },
  });
  const { diagnostics } = await published;
  expect(diagnostics.length).toBeGreaterThan(0);
  const textDocument = { uri };
  const at = diagnostics[0]?.range.start ?? { line: 0, character: 0 };
  const range = { start: { line: 0, character: 0 }, end: { line: text.split("\n").length, character: 0 } };
  expect(capabilities).toMatchObject({ hoverProvider: expect.anything(), completionProvider: expect.anything() });
  await client.sendRequest("textDocument/hover", { textDocument, position: at });
  await client.sendRequest("textDocument/completion", { textDocument, position: at });
  await client.sendRequest("textDocument/codeAction", { textDocument, range, context: { diagnostics } });
  await client.sendRequest("textDocument/inlayHint", { textDocument, range });
  await client.sendRequest("contextBudget/explainConfig", { uri });
  await client.sendRequest("shutdown");
  await client.sendNotification("exit");
  expect(await ended).toBe(0);
}
