import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type ClientCapabilities, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { McpRoots } from "../../../extension/src/cli/mcpRoots";
import { createMcpServer } from "../../../extension/src/cli/mcpServer";
import { AGENT_TOOLS } from "../../../extension/src/core/agentTools/agentTool";
import type { AgentTools } from "../../../extension/src/core/agentTools/createAgentTools";

type Call = AgentTools["call"];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A client of the SDK and our server, in one process. */
async function connected(
  call: Call,
  options: { readonly capabilities?: ClientCapabilities; readonly roots?: (n: number) => readonly string[] } = {},
) {
  const roots = new McpRoots(["given"], "/work");
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const log = { info: say, warn: say, error: say };
  const server = createMcpServer({ tools: { call }, roots, version: "9.9.9", log });
  const client = new Client({ name: "test", version: "1" }, { capabilities: options.capabilities ?? {} });
  let asked = 0;
  if (options.roots !== undefined) {
    const answer = options.roots;
    client.setRequestHandler(ListRootsRequestSchema, () => {
      asked += 1;
      return { roots: answer(asked).map((uri) => ({ uri })) };
    });
  }
  const [here, there] = InMemoryTransport.createLinkedPair();
  closers.push(() => client.close());
  await Promise.all([server.connect(there), client.connect(here)]);
  return { client, server, roots, said, here, timesAsked: () => asked };
}

const answering =
  (text: string): Call =>
  async () => ({ ok: true, text });

describe("the MCP server", () => {
  it("lists every tool for agents, as it is, and says that it only reads", async () => {
    const { client } = await connected(answering(""));
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema })),
    ).toEqual(
      AGENT_TOOLS.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema })),
    );
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(client.getServerVersion()).toMatchObject({ name: "context-budget", version: "9.9.9" });
  });

  it("hands a call on as it came, for the one session that there is", async () => {
    const calls: unknown[] = [];
    const { client } = await connected(async (name, input, caller) => {
      calls.push([name, input, caller]);
      return { ok: true, text: "fine" };
    });
    const answer = await client.callTool({ name: "contextBudget_readPage", arguments: { id: 5 } });
    await client.callTool({ name: "contextBudget_listSessions" });
    expect(answer).toEqual({ content: [{ type: "text", text: "fine" }] });
    expect(calls).toEqual([
      ["contextBudget_readPage", { id: 5 }, { session: "connection" }],
      ["contextBudget_listSessions", undefined, { session: "connection" }],
    ]);
  });

  it("tells a refusal from an answer", async () => {
    const { client } = await connected(async () => ({ ok: false, text: "`id` is missing." }));
    expect(await client.callTool({ name: "contextBudget_readPage" })).toEqual({
      content: [{ type: "text", text: "`id` is missing." }],
      isError: true,
    });
  });

  it("stops a call that the client cancels, and answers nothing to it", async () => {
    let stopped: (() => void) | undefined;
    const wasStopped = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    let begun: (() => void) | undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { client } = await connected(async (_name, _input, _caller, cancel) => {
      begun?.();
      while (!cancel.isCancellationRequested) await new Promise((next) => setImmediate(next));
      stopped?.();
      return { ok: false, text: "stopped" };
    });
    const hand = new AbortController();
    const call = client.callTool({ name: "contextBudget_listSessions" }, undefined, { signal: hand.signal });
    const failed = expect(call).rejects.toThrow("enough");
    await hasBegun;
    hand.abort("enough");
    await failed;
    await wasStopped;
    expect((await client.listTools()).tools).toHaveLength(AGENT_TOOLS.length);
  });
});

describe("the folders that a client has open", () => {
  const capabilities = { roots: { listChanged: true } };

  it("are asked for before the first call is answered, and again when they change", async () => {
    const seen: (readonly string[])[] = [];
    const kept: { roots?: McpRoots } = {};
    const { client, roots, timesAsked } = await connected(
      async () => {
        seen.push(kept.roots?.folders ?? []);
        return { ok: true, text: "" };
      },
      { capabilities, roots: (n) => [`file:///open/${n}`] },
    );
    kept.roots = roots;
    await client.callTool({ name: "contextBudget_listSessions" });
    await client.sendRootsListChanged();
    await client.callTool({ name: "contextBudget_listSessions" });
    expect(timesAsked()).toBe(2);
    expect(seen).toEqual([
      ["/work/given", "/open/1"],
      ["/work/given", "/open/2"],
    ]);
  });

  it("are not asked for where the client has no such thing", async () => {
    const { client, roots } = await connected(answering(""));
    await client.callTool({ name: "contextBudget_listSessions" });
    expect(roots.folders).toEqual(["/work/given"]);
  });

  it("may stay unknown: the log says so, and calls are answered", async () => {
    const { client, roots, said } = await connected(answering("fine"), { capabilities });
    expect(await client.callTool({ name: "contextBudget_listSessions" })).toMatchObject({
      content: [{ text: "fine" }],
    });
    expect(roots.folders).toEqual(["/work/given"]);
    expect(said).toEqual([expect.stringContaining("did not say which folders it has open")]);
  });

  it.each([
    ["file:///home/dana/tide%20office", "/home/dana/tide office"],
    ["file://localhost/srv", "/srv"],
  ])("%s is the folder %s", (uri, folder) => {
    const roots = new McpRoots([], "/work");
    roots.use([uri, uri]);
    expect(roots.folders).toEqual([folder]);
  });

  it.each([
    "file://server/share",
    "https://a.example/x",
    "vscode-vfs://github/x",
    "file:///a%2fb",
    "file:///a%00b",
    "file:///50%",
    "file:///a%c3%28",
    "x",
    "",
  ])("%s is none of this machine", (uri) => {
    const roots = new McpRoots([], "/work");
    roots.use(["file:///before"]);
    roots.use([uri]);
    expect(roots.folders).toEqual([]);
  });

  it("are as many as are looked at, and no more", () => {
    const roots = new McpRoots([], "/work");
    roots.use(Array.from({ length: 1_000 }, (_, n) => `file:///${n}`));
    expect(roots.folders).toHaveLength(100);
  });
});

it("logs that a message was dropped, and nothing of the message", async () => {
  const { server, said, here } = await connected(answering(""));
  await here.send({ jsonrpc: "2.0", id: 77, result: { secret: "hunter2" } });
  server.onerror?.(new SyntaxError(`Unexpected token 'h', "hunter2" is not valid JSON`));
  const zod = new Error('[{"message":"hunter2"}]');
  zod.name = "ZodError";
  server.onerror?.(zod);
  expect(said.length).toBeGreaterThan(1);
  expect(said.join("\n")).toContain("dropped");
  expect(said.join("\n")).not.toContain("hunter2");
});
