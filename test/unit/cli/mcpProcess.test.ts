import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { build, type Metafile } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BUNDLES } from "../../../extension/build/bundles.mjs";
import { sharedOptions } from "../../../extension/build/options.mjs";
import { AGENT_TOOLS } from "../../../extension/src/core/agentTools/agentTool";
import { repoPath } from "../../corpus";
import { prepareSample } from "../../fixtures/prepareSample.mjs";

const folder = mkdtempSync(join(tmpdir(), "cbi-mcp-"));
const cli = join(folder, "dist", "cli.mjs");
const home = join(folder, "home");
const sample = join(home, "sample");
const transcript = join(sample, ".hermes/sessions/session_20261006_064512_b0a7ed.json");
const spilled = join(sample, ".hermes/cache/spillover/call_e0cda385b6a8.txt");
let metafile: Metafile;

beforeAll(async () => {
  mkdirSync(home);
  prepareSample(sample);
  copyFileSync(repoPath("package.json"), join(folder, "package.json"));
  const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
  const built = await build(sharedOptions(shared, { outdir: join(folder, "dist"), production: true }));
  metafile = built.metafile as Metafile;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, HERMES_HOME: join(sample, ".hermes") };
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** The SDK's own client over the pipes of the program as it ships. */
async function start(...options: readonly string[]) {
  return startWith(undefined, ...options);
}

async function startWith(roots: readonly string[] | undefined, ...options: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, "mcp", ...options],
    env,
    stderr: "pipe",
  });
  const complaints: string[] = [];
  transport.stderr?.on("data", (data: Buffer) => complaints.push(String(data)));
  const client = new Client({ name: "test", version: "1" }, { capabilities: roots === undefined ? {} : { roots: {} } });
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
    }));
  clients.push(client);
  await client.connect(transport);
  const ask = async (name: string, input: Readonly<Record<string, unknown>> = {}) => {
    const answer = await client.callTool({ name, arguments: { ...input } });
    const [part, ...others] = answer.content as readonly { readonly type: string; readonly text: string }[];
    expect(others).toEqual([]);
    return { isError: answer.isError === true, text: part?.text ?? "" };
  };
  return { client, transport, complaints, ask };
}

/** An answer with a head of JSON and a text. */
function parted(text: string): { readonly head: Readonly<Record<string, unknown>>; readonly body: string } {
  const end = text.indexOf("\n\n");
  return { head: JSON.parse(text.slice(0, end)), body: text.slice(end + 2) };
}

/** Opens the result whose text lies in `spilled`. */
async function openLong(ask: Awaited<ReturnType<typeof start>>["ask"]) {
  const { results } = JSON.parse((await ask("contextBudget_listResults", { transcript, states: ["persisted"] })).text);
  const row = results.find((one: { path: string }) => one.path.endsWith("call_e0cda385b6a8.txt"));
  expect(row.readable).toBe("all");
  return parted((await ask("contextBudget_readResult", { transcript, result: row.result })).text);
}

describe("an agent at the other end of the pipes", () => {
  it("finds a session, finds a persisted result, and reads all of it, page by page", async () => {
    const { client, ask, complaints } = await start();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(AGENT_TOOLS.map(({ name }) => name));
    const { sessions } = JSON.parse((await ask("contextBudget_listSessions", { agent: "hermes" })).text);
    expect(sessions.map((one: { transcript: string }) => one.transcript)).toContain(transcript);
    const opened = await openLong(ask);
    expect(opened.head).toMatchObject({ isFullOutput: true, restNotKept: false });
    let body = opened.body.slice(0, Number(opened.head["shownUtf16Units"]));
    let offset = opened.head["nextOffset"];
    for (let pages = 0; typeof offset === "number"; pages += 1) {
      expect(pages).toBeLessThan(20);
      const page = await ask("contextBudget_readPage", { transcript, id: opened.head["id"], offset });
      expect(page.isError).toBe(false);
      body += parted(page.text).body;
      offset = parted(page.text).head["nextOffset"];
    }
    const whole = readFileSync(spilled, "utf8");
    expect(whole.length).toBeGreaterThan(40_000);
    expect(body).toBe(whole);
    expect(complaints.join("")).toBe("");
  });

  it("gets a config explained and a policy simulated", async () => {
    const { ask } = await start();
    const config = join(sample, ".hermes/config.yaml");
    const explained = await ask("contextBudget_explainBudget", { config, contextWindow: 64_000 });
    expect(explained.text).toContain("# Context budget: this config explained");
    expect(explained.text).toContain("a window of 64,000 tokens, as asked for");
    const simulated = await ask("contextBudget_simulatePolicy", { transcript, policy: { preset: "hermes-persist" } });
    expect(simulated.isError).toBe(false);
    expect(JSON.parse(simulated.text)).toHaveProperty("thread");
  });

  it.each([
    ["contextBudget_nothing", {}, "no such tool"],
    ["contextBudget_readResult", {}, "`transcript` is missing"],
    ["contextBudget_readResult", { transcript, result: -1 }, "`result` must be"],
    ["contextBudget_readResult", { transcript, result: 1e6 }, "1000000"],
    ["contextBudget_listResults", { transcript, wrong: 1 }, "no `wrong` here"],
    ["contextBudget_listResults", { transcript: "relative.json" }, "full path"],
    ["contextBudget_listResults", { transcript: join(sample, "none.json") }, "none of the sessions"],
    ["contextBudget_simulatePolicy", { transcript, policy: { preset: "x" } }, "preset"],
    ["contextBudget_explainBudget", { config: sample }, "no config of a Hermes home"],
  ])("is told what is wrong with a call of %s with %j", async (name, input, remedy) => {
    const { ask } = await start();
    const answer = await ask(name, input);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(remedy);
  });

  it("reads no page of what another connection saved, and learns nothing from trying", async () => {
    const first = await start();
    const other = await start();
    const { id } = (await openLong(first.ask)).head;
    const result = { transcript, id, offset: 0 };
    expect(await first.ask("contextBudget_readPage", result)).toMatchObject({ isError: false });
    const foreign = await other.ask("contextBudget_readPage", result);
    const wrong = await other.ask("contextBudget_readPage", {
      ...result,
      id: "r-00000000-0000-4000-8000-000000000000",
    });
    const elsewhere = join(sample, ".hermes/sessions/20260406_070015_71de0ffc.jsonl");
    const ofOther = await first.ask("contextBudget_readPage", { ...result, transcript: elsewhere });
    expect(foreign).toEqual(wrong);
    expect(ofOther).toEqual(wrong);
    expect(wrong.isError).toBe(true);
  });
});

describe("what may be read", () => {
  const outside = join(folder, "elsewhere");
  const copy = join(outside, "copy.json");
  beforeAll(() => {
    mkdirSync(outside);
    copyFileSync(transcript, copy);
  });

  it("is nothing outside the homes of agents, unless a folder is given or open in the client", async () => {
    const closed = await start();
    const refused = await closed.ask("contextBudget_listResults", { transcript: copy });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(copy) });
    const given = await start("--root", outside);
    expect(await given.ask("contextBudget_listResults", { transcript: copy })).toMatchObject({ isError: false });
    const open = await startWith([outside]);
    expect(await open.ask("contextBudget_listResults", { transcript: copy })).toMatchObject({ isError: false });
  });
});

describe("the end", () => {
  const closed = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once("close", resolve));

  /** The program with our own hands on its pipes. */
  function raw() {
    const child = spawn(process.execPath, [cli, "mcp"], { env, stdio: ["pipe", "pipe", "pipe"] });
    const out: string[] = [];
    const err: string[] = [];
    child.stderr.on("data", (data: Buffer) => err.push(String(data)));
    const waiting: { readonly id: number; readonly done: () => void }[] = [];
    child.stdout.on("data", (data: Buffer) => {
      out.push(String(data));
      for (const { id, done } of waiting) if (out.join("").includes(`"id":${id}}`)) done();
    });
    const send = (message: object | string): void => {
      child.stdin.write(`${typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    };
    const answered = (id: number): Promise<void> => new Promise((done) => waiting.push({ id, done }));
    const hello = async (): Promise<void> => {
      const initialized = answered(0);
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
      send({ id: 0, method: "initialize", params });
      await initialized;
      send({ method: "notifications/initialized" });
    };
    return { child, out, err, send, answered, hello };
  }

  it("comes when the input ends, also in the middle of a call", async () => {
    const { child, send, hello, err } = raw();
    await hello();
    send({ id: 1, method: "tools/call", params: { name: "contextBudget_listResults", arguments: { transcript } } });
    child.stdin.end();
    expect(await closed(child)).toBe(0);
    expect(err.join("")).toBe("");
  });

  it("comes in order when the process is asked to end, and at once when it is killed", async () => {
    const asked = raw();
    await asked.hello();
    asked.child.kill("SIGTERM");
    expect(await closed(asked.child)).toBe(0);

    const { client, transport } = await start();
    const call = client.callTool({ name: "contextBudget_listResults", arguments: { transcript } });
    const failed = expect(call).rejects.toThrow("Connection closed");
    process.kill(transport.pid ?? 0, "SIGKILL");
    await failed;
  });

  it("leaves nothing but the protocol on standard output, whatever comes in, and logs none of it", async () => {
    const { child, send, hello, answered, out, err } = raw();
    await hello();
    const last = answered(9);
    send('{"secret":"hunter2"');
    send({ id: 3, method: "no/such/hunter2" });
    send({ id: 4, result: { hunter2: true } });
    send([] as object);
    send({ id: 9, method: "ping" });
    await last;
    child.stdin.end();
    expect(await closed(child)).toBe(0);
    const lines = out.join("").trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("jsonrpc", "2.0");
    expect(err.join("")).toContain("dropped");
    expect(err.join("")).not.toContain("hunter2");
  });

  it("comes when more is sent than fits into a message", async () => {
    const { child, hello, err } = raw();
    await hello();
    child.stdin.on("error", () => undefined);
    child.stdin.write("x".repeat(11 * 1024 * 1024));
    expect(await closed(child)).toBe(0);
    expect(err.join("")).toContain("maximum size");
  });
});

describe("the bundle", () => {
  /** Sources that are loaded as soon as one is, whatever it does then. */
  const atOnce = (source: string): readonly string[] => {
    const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === source);
    const outputs = new Set([entry ?? ""]);
    for (const path of outputs)
      for (const each of metafile.outputs[path]?.imports ?? [])
        if (each.kind === "import-statement") outputs.add(each.path);
    return [...outputs].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  };

  it("holds no transport over a network and no validator", () => {
    const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("@modelcontextprotocol/sdk"));
    expect(inputs.length).toBeGreaterThan(4);
    expect(inputs.filter((path) => /sse|http|websocket|auth(?!-)|\/client\/|express/i.test(path))).toEqual([]);
    const others = Object.keys(metafile.inputs).filter((path) =>
      /node_modules\/(express|hono|@hono|eventsource|cors|jose|raw-body|cross-spawn|ajv|pkce-challenge)\b/.test(path),
    );
    expect(others).toEqual([]);
  });

  it("loads the SDK for mcp alone, and the tools when they are used", () => {
    const early = atOnce("extension/src/cli/program.ts");
    expect(early).toContain("extension/src/cli/main.ts");
    expect(early.filter((path) => /@modelcontextprotocol|\/zod\/|core\/agentTools/.test(path))).toEqual([]);
    const host = atOnce("extension/src/client/activate.ts");
    expect(host).toContain("extension/src/client/agents/agentTools.ts");
    expect(
      host.filter((path) => /core\/agentTools|agents\/hostTools|transcript\/readers\/index|@modelcontext/.test(path)),
    ).toEqual([]);
  });
});
