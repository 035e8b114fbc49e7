import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAgentTools } from "../../../../extension/src/core/agentTools/createAgentTools";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { agentToolPorts } from "../../../../extension/src/node/agentToolPorts";
import { buildWorker, copyEngine } from "../../../builtWorker";
import { findSecrets } from "../../agentTools/fakePorts";
import { callOf, makeDatabase, message, scratchFolder } from "../../database/support";

describe("the tools for agents on a database", () => {
  const folder = scratchFolder();
  const home = join(folder, "home");
  const temp = join(folder, "temp");
  const workerFile = join(folder, "worker.js");
  const before = process.env["TMPDIR"];
  mkdirSync(join(home, ".hermes"), { recursive: true });
  const of = (session: string, from: number) =>
    Array.from({ length: 20 }, (_, i) => {
      const id = `${session}${i - (i % 2)}`;
      const more = { id: from + i, session_id: session, timestamp: from + i };
      return i % 2 === 0
        ? message({ ...more, role: "assistant", content: "", tool_calls: callOf(id) })
        : message({
            ...more,
            role: "tool",
            content: `SECRET-${session.toUpperCase()} ${"r".repeat(i * 2_000)}`,
            tool_call_id: id,
          });
    });
  const transcript = makeDatabase(join(home, ".hermes/state.db"), {
    sessions: [
      { id: "one", started_at: 1 },
      { id: "two", started_at: 2 },
    ],
    messages: [...of("one", 1), ...of("two", 101)],
  });

  beforeAll(() => {
    mkdirSync(temp);
    buildWorker(workerFile);
    copyEngine(folder);
  });
  // Threads inherit the environment of the moment in which they start.
  beforeEach(() => {
    process.env["TMPDIR"] = temp;
  });
  afterEach(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });

  it("list the results of one of its sessions, read them, simulate it, and leave no copy", async () => {
    const logged: string[] = [];
    const tools = createAgentTools(
      agentToolPorts({
        homes: () => ({
          ...{ env: {}, platform: process.platform, homeFolder: home, tempFolder: temp },
          ...{ added: [], extra: [], workspaceFolders: [] },
        }),
        mayScanHomes: () => true,
        isOn: () => true,
        isTrusted: () => true,
        roots: () => [],
        finder: { find: findSecrets },
        explainConfig: async () => ({ ok: true, value: "" }),
        log: { info: () => undefined, warn: (text) => logged.push(text), error: (text) => logged.push(text) },
        workerFile,
      }),
    );
    const call = async (name: string, input: object) => {
      const answer = await tools.call(`contextBudget_${name}`, input, { session: "a" }, NEVER_CANCELLED);
      if (!answer.ok) throw new Error(answer.text);
      return answer.text;
    };
    const found = JSON.parse(await call("listSessions", {}));
    expect(found.sessions).toEqual([expect.objectContaining({ transcript, agent: "hermes", holdsManySessions: true })]);
    const all = JSON.parse(await call("listResults", { transcript }));
    expect(all).toMatchObject({ total: 20, threadsInTranscript: 2, states: { inline: 20 } });
    const threads = JSON.parse(await call("listResults", { transcript, threads: true, limit: 1 }));
    expect(threads).toMatchObject({
      total: 2,
      nextOffset: 1,
      threads: [{ thread: "two", kind: "main", modelCalls: 10 }],
    });
    const rest = JSON.parse(await call("listResults", { transcript, threads: true, offset: 1 }));
    expect(rest).toMatchObject({ nextOffset: null, threads: [{ thread: "one" }] });
    expect(JSON.parse(await call("listResults", { transcript, threads: true, offset: 9 })).threads).toEqual([]);
    const some = JSON.parse(await call("listResults", { transcript, thread: "two" }));
    expect(some).toMatchObject({ total: 10, resultsInTranscript: 20 });
    const last = some.results.at(-1);
    const read = await call("readResult", { transcript, result: last.result });
    const at = read.indexOf("\n\n");
    expect(JSON.parse(read.slice(0, at))).toMatchObject({ isFullOutput: true, shownUtf16Units: 16_000 });
    expect(read.slice(at + 2, at + 30)).toBe(`[secret: test] ${"r".repeat(13)}`);
    const simulated = JSON.parse(
      await call("simulatePolicy", { transcript, thread: "two", policy: { kind: "micro", keepRecent: 1 } }),
    );
    expect(simulated).toMatchObject({ thread: "two", results: 10 });
    expect(simulated.replacedResults).toBeGreaterThan(5);
    tools.dispose();
    await expect.poll(() => readdirSync(temp)).toEqual([]);
    expect(logged).toEqual([]);
  });
});
