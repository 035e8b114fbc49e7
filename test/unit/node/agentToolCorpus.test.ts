import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentTools, createAgentTools } from "../../../extension/src/core/agentTools/createAgentTools";
import { HEAD_UNITS } from "../../../extension/src/core/agentTools/limits";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { WHOLE_UNITS } from "../../../extension/src/core/results/store/boundText";
import { agentToolPorts } from "../../../extension/src/node/agentToolPorts";
import { secretFinder } from "../../../extension/src/node/secrets";
import { corpusPath, hasCorpus } from "../../corpus";
import { SimulationFolder } from "./simulation";

/** Files looked at of each kind of transcript, and their most bytes. */
const FILES = 2;
const MOST_BYTES = 2_000_000;

describe.skipIf(!hasCorpus)("the tools for agents on real transcripts (shared/corpus)", () => {
  let folder: SimulationFolder;
  let tools: AgentTools;
  const errors: unknown[] = [];
  const finder = secretFinder();

  beforeAll(() => {
    folder = new SimulationFolder();
    tools = createAgentTools(
      agentToolPorts({
        homes: () => ({
          ...{ env: {}, platform: process.platform, homeFolder: folder.folder, tempFolder: tmpdir() },
          ...{ added: [], extra: [], workspaceFolders: [] },
        }),
        mayScanHomes: () => true,
        isOn: () => true,
        isTrusted: () => true,
        roots: () => [corpusPath()],
        finder,
        explainConfig: async () => ({ ok: true, value: "" }),
        log: { info: () => undefined, warn: () => undefined, error: (...all) => errors.push(all) },
        workerFile: folder.workerFile,
      }),
    );
  });
  afterAll(async () => {
    tools.dispose();
    await folder.dispose();
  });

  const call = async (name: string, input: object) => {
    const answer = await tools.call(`contextBudget_${name}`, input, { session: "corpus" }, NEVER_CANCELLED);
    expect(answer.text.length).toBeLessThanOrEqual(WHOLE_UNITS + HEAD_UNITS);
    expect(await finder.find(answer.text)).toEqual([]);
    return answer;
  };

  it.each(kinds())("list, read and simulate %s", { timeout: 120_000 }, async (kind) => {
    const files = filesOf(corpusPath(kind)).slice(0, FILES);
    let rows = 0;
    for (const transcript of files) {
      const list = await call("listResults", { transcript });
      if (!list.ok) {
        expect(list.text).toContain(kind);
        continue;
      }
      const { results, total, nextOffset } = JSON.parse(list.text);
      rows += results.length;
      expect(nextOffset === null ? results.length : nextOffset).toBe(results.length);
      expect(results.length).toBeLessThanOrEqual(total);
      // One of each state, and the largest.
      const some = new Map<string, { readonly result: number; readonly readable: string }>(
        results.map((row: { state: string; result: number; readable: string }) => [row.state, row]),
      );
      for (const { result, readable } of some.values()) {
        const read = await call("readResult", { transcript, result });
        expect(read.ok, `${transcript} ${result} ${read.text.slice(0, 200)}`).toBe(readable !== "nothing");
      }
      await call("simulatePolicy", { transcript, policy: { preset: "tinyagents" } });
    }
    expect(files.length).toBeGreaterThan(0);
    // The one chat of VS Code there called no tool.
    expect(rows > 0).toBe(kind !== "vscode-copilot-chat");
    expect(errors.splice(0)).toEqual([]);
  });
});

/** Folders of the corpus that hold transcripts of one agent or format; OpenMausBot's holds what its code did. */
function kinds(): readonly string[] {
  const others = new Set(["derived", "hermes-config", "openmausbot", "oracle", "SOURCES.md"]);
  return hasCorpus ? readdirSync(corpusPath()).filter((name) => !others.has(name)) : [];
}

function filesOf(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:jsonl?|ndjson|traj)$/.test(name) && !/oracle|index|package|config/i.test(name))
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile() && statSync(file).size < MOST_BYTES)
    .sort((a, b) => statSync(b).size - statSync(a).size);
}
