import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fileExplainer } from "../../extension/src/cli/fileExplainer";
import { createAgentTools } from "../../extension/src/core/agentTools/createAgentTools";
import { NEVER_CANCELLED } from "../../extension/src/core/ports";
import { agentToolPorts } from "../../extension/src/node/agentToolPorts";
import { nodeFiles } from "../../extension/src/node/files";
import { secretFinder } from "../../extension/src/node/secrets";
import { nodeUtf8 } from "../../extension/src/node/utf8";
import { copyEngine } from "../builtWorker";
import { fakeIo } from "../unit/cli/fakeIo";
import { callOf, makeDatabase, message } from "../unit/database/support";
import { hermesSession, SimulationFolder } from "../unit/node/simulation";

const windows = process.platform === "win32";

let folder: SimulationFolder;
beforeAll(() => {
  folder = new SimulationFolder();
  copyEngine(folder.folder);
});
afterAll(() => folder.dispose());

/** What stands in the file that was agreed to, and in the one that takes its place. */
const SESSIONS = {
  json: (path: string, word: string) =>
    writeFileSync(path, hermesSession(2, () => 100).replaceAll("Line of result", word)),
  db: (path: string, word: string) => {
    const messages = Array.from({ length: 4 }, (_, i) =>
      message({
        ...{ id: i + 1, session_id: "one", timestamp: i + 1 },
        ...(i % 2 === 0
          ? { role: "assistant", content: "", tool_calls: callOf(`c${i}`) }
          : { role: "tool", content: `${word} ${i}`, tool_call_id: `c${i - 1}` }),
      }),
    );
    makeDatabase(path, { sessions: [{ id: "one", started_at: 1 }], messages });
  },
  yaml: (path: string, word: string) => writeFileSync(path, `tools:\n  tool_result_persist_threshold_chars: ${word}\n`),
} as const;
type Kind = keyof typeof SESSIONS;

/** What the other file says, in words that a config quotes as well. */
const OTHER = "Not_for_agents";

const SWAPS: readonly (readonly [string, (file: string, other: string) => void])[] = [
  [
    "a link to another file",
    (file, other) => {
      renameSync(file, `${file}.old`);
      symlinkSync(other, file);
    },
  ],
  [
    "a folder that became a link",
    (file, other) => {
      renameSync(dirname(file), `${dirname(file)}.old`);
      symlinkSync(dirname(other), dirname(file));
    },
  ],
  [
    "a named pipe",
    (file) => {
      renameSync(file, `${file}.old`);
      execFileSync("mkfifo", [file]);
    },
  ],
];

const TOOLS: readonly (readonly [string, Kind, object])[] = [
  ["listResults", "json", {}],
  ["readResult", "json", { result: 1 }],
  ["simulatePolicy", "json", { policy: { kind: "micro", keepRecent: 1 } }],
  ["listResults", "db", {}],
  ["readResult", "db", { result: 1 }],
  ["simulatePolicy", "db", { policy: { kind: "micro", keepRecent: 1 } }],
  ["explainBudget", "yaml", {}],
];

describe.skipIf(windows)("a file that an agent may have read", () => {
  let root = "";
  const made: { dispose(): void }[] = [];
  beforeEach(() => {
    root = mkdtempSync(join(folder.folder, "race-"));
    mkdirSync(join(root, "agreed"));
    mkdirSync(join(root, "other"));
  });
  afterEach(() => {
    for (const one of made.splice(0)) one.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  /** A call whose file is exchanged when it has just been allowed, on the given turn. */
  async function called(
    name: string,
    kind: Kind,
    more: object,
    swap: (file: string, other: string) => void,
    at: number,
  ) {
    const file = join(root, `agreed/a.${kind}`);
    const other = join(root, `other/a.${kind}`);
    SESSIONS[kind](file, "Agreed_to");
    SESSIONS[kind](other, OTHER);
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const ports = agentToolPorts({
      homes: () => ({
        ...{ env: {}, platform: process.platform, homeFolder: join(root, "home"), tempFolder: root },
        ...{ added: [], extra: [], workspaceFolders: [] },
      }),
      mayScanHomes: () => true,
      isOn: () => true,
      isTrusted: () => true,
      roots: () => [],
      finder: secretFinder(),
      explainConfig: fileExplainer(fakeIo({}, { files: nodeFiles, utf8: nodeUtf8 })),
      log: quiet,
      workerFile: folder.workerFile,
    });
    let turn = 0;
    const tools = createAgentTools({
      ...ports,
      mayRead: async (...asked) => {
        const answer = await ports.mayRead(...asked);
        if (turn++ === at) swap(file, other);
        return answer;
      },
    });
    made.push(tools);
    const input = { [kind === "yaml" ? "config" : "transcript"]: file, ...more };
    const call = () =>
      tools.call(`contextBudget_${name}`, input, { session: "chat", confirmed: file }, NEVER_CANCELLED);
    for (let before = 0; before < at; before++) await call();
    return call();
  }

  describe.each(TOOLS)("by %s, %s", (name, kind, more) => {
    it("is read as it is", async () => {
      const answer = await called(name, kind, more, () => undefined, 0);
      expect(answer.text).not.toContain(OTHER);
      expect(answer.ok, answer.text).toBe(true);
    });

    it.each(SWAPS)("is not read when its place is taken by %s", async (_, swap) => {
      const answer = await called(name, kind, more, swap, 0);
      expect(answer.text).not.toContain(OTHER);
      expect(answer.ok, answer.text).toBe(false);
    });
  });

  it.each(["json", "db"] as const)("is not read again when a link takes its place, %s", async (kind) => {
    const link = SWAPS[0]?.[1];
    if (link === undefined) throw new Error("there is no swap");
    const { text } = await called("readResult", kind, { result: 1 }, link, 1);
    // What was read of it before may still be told.
    expect(text).toMatch(/Agreed_to|another file now|cannot be read/);
    expect(text).not.toContain(OTHER);
  });

  it("may be written anew by its agent meanwhile", async () => {
    const anew = (file: string) => {
      SESSIONS.json(`${file}.new`, "Written_anew");
      renameSync(`${file}.new`, file);
    };
    const answer = await called("readResult", "json", { result: 1 }, anew, 1);
    expect(answer).toMatchObject({ ok: true, text: expect.stringContaining("Written_anew") });
  });
});
