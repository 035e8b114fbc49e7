import { describe, expect, it } from "vitest";
import type { Client } from "../../../extension/src/client/clientFactory";
import { LanguageServer, type ServerState } from "../../../extension/src/client/languageServer";
import { MemoryLog, settle } from "./fakes";

type State = Parameters<Parameters<Client["onState"]>[0]>[0];

class FakeClient implements Client {
  readonly processId = undefined;
  readonly listeners = new Set<(state: State) => void>();
  readonly calls: string[] = [];
  startFails = false;
  constructor(readonly crashed: () => boolean) {}

  async start(): Promise<void> {
    this.calls.push("start");
    this.say("starting");
    await Promise.resolve();
    if (this.startFails) throw new Error("does not come up");
    this.say("running");
  }
  async dispose(): Promise<void> {
    this.calls.push("dispose");
    if (this.startFails) throw new Error("never ran");
  }
  onState(listener: (state: State) => void) {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }
  async sendSettings(): Promise<void> {
    this.calls.push("settings");
  }
  async explainConfig(uri: string) {
    return uri === "file:///config.yaml" ? { markdown: "# Explained" } : null;
  }
  async explainConfigText({ text }: { readonly text: string }) {
    return { markdown: `# ${text}` };
  }
  async configSummary() {
    return { text: "5 chars per result", detail: "", isBroken: false };
  }
  async configThreshold() {
    return { threshold: 5, scaled: { from: 8_000, to: 100_000 }, windowTokens: null, line: 1 };
  }
  async setThreshold() {
    return { edits: null, notes: [] };
  }
  say(state: State): void {
    for (const listener of this.listeners) listener(state);
  }
}

function make(prepare: (client: FakeClient) => void = () => undefined) {
  const clients: FakeClient[] = [];
  const log = new MemoryLog();
  const told: string[] = [];
  const states: ServerState[] = [];
  let answer: string | undefined;
  const server = new LanguageServer({
    create: async (crashed) => {
      const client = new FakeClient(crashed);
      prepare(client);
      clients.push(client);
      return client;
    },
    log,
    showLog: () => told.push("log shown"),
    prompts: {
      error: async (message) => {
        told.push(message);
        return answer;
      },
    },
    clock: { now: () => 0 },
  });
  server.onState((state) => states.push(state));
  return { server, clients, log, told, states, willAnswer: (action: string) => (answer = action) };
}

describe("LanguageServer", () => {
  it("starts once, however often it is asked", async () => {
    const { server, clients, states } = make();
    await Promise.all([server.ensureStarted(), server.ensureStarted()]);
    await server.ensureStarted();
    expect(clients).toHaveLength(1);
    expect(states).toEqual(["starting", "running"]);
  });

  it("sends settings only to a running server", async () => {
    const { server, clients } = make();
    await server.sendSettings();
    await server.ensureStarted();
    await server.sendSettings();
    expect(clients[0]?.calls).toEqual(["start", "settings"]);
  });

  it("restarts in order, with a fresh client, and hears the old one no more", async () => {
    const { server, clients } = make();
    await server.ensureStarted();
    await Promise.all([server.restart(), server.restart()]);
    expect(clients.map((client) => client.calls)).toEqual([["start", "dispose"], ["start", "dispose"], ["start"]]);
    expect(clients.map((client) => client.listeners.size)).toEqual([0, 0, 1]);
    expect(server.state).toBe("running");
  });

  it("does not start for a restart that only a started server needs", async () => {
    const { server, clients } = make();
    await server.restartIfStarted();
    expect(clients).toHaveLength(0);
  });

  it("lets crashes come back until they are too many, then asks, and does what was answered", async () => {
    const { server, clients, told, willAnswer } = make();
    willAnswer("Restart");
    await server.ensureStarted();
    const crash = () => clients.at(-1)?.crashed();
    expect([crash(), crash(), crash(), crash()]).toEqual([true, true, true, true]);
    expect(told).toEqual([]);
    expect(crash()).toBe(false);
    await settle();
    expect(told).toHaveLength(1);
    expect(clients).toHaveLength(2);
    expect(server.state).toBe("running");
    expect(crash()).toBe(true);
  });

  it("stays failed when the server does not come up, and can be restarted", async () => {
    let fails = true;
    const { server, clients, log } = make((client) => {
      client.startFails = fails;
    });
    await server.ensureStarted();
    await server.ensureStarted();
    expect([server.state, clients.length]).toEqual(["failed", 1]);
    expect(log.lines.join()).toContain("does not come up");
    fails = false;
    await server.restart();
    expect(server.state).toBe("running");
  });

  it("stops for good on dispose", async () => {
    const { server, clients } = make();
    await server.ensureStarted();
    server.dispose();
    await settle();
    await server.ensureStarted();
    expect(clients.map((client) => client.calls)).toEqual([["start", "dispose"]]);
  });
});

it("explains a config, starting the server for it", async () => {
  const { server, clients } = make();
  expect(await server.explainConfig("file:///config.yaml")).toBe("# Explained");
  expect(await server.explainConfig("file:///other.yaml")).toBeUndefined();
  const closed = { uri: "file:///config.yaml", languageId: "yaml", text: "a: 1" };
  expect(await server.explainConfigText(closed)).toBe("# a: 1");
  expect(clients).toHaveLength(1);
});

it("sums a config up only while the server runs", async () => {
  const { server } = make();
  expect(await server.configSummary("file:///config.yaml")).toBeUndefined();
  await server.ensureStarted();
  expect((await server.configSummary("file:///config.yaml"))?.text).toBe("5 chars per result");
});
