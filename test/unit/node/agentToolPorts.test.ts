import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run as runCli } from "../../../extension/src/cli/main";
import type { AgentAnswer, AgentTools } from "../../../extension/src/core/agentTools/createAgentTools";
import { createAgentTools } from "../../../extension/src/core/agentTools/createAgentTools";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { withoutSecrets } from "../../../extension/src/core/secrets/mask";
import { type AgentToolPortsOptions, agentToolPorts } from "../../../extension/src/node/agentToolPorts";
import { nodeFiles } from "../../../extension/src/node/files";
import { secretFinder } from "../../../extension/src/node/secrets";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { repoPath } from "../../corpus";
import { prepareSample } from "../../fixtures/prepareSample.mjs";
import { fakeIo } from "../cli/fakeIo";
import { answer, jsonLines, prompt, toolResult, use } from "../transcript/support";
import { hermesSession, SimulationFolder } from "./simulation";

interface ExpectedResult {
  readonly tool: string;
  readonly chars: number;
  readonly path: string | null;
  readonly handle: string | null;
  readonly file: string;
  readonly state: string;
}
const expected: {
  readonly transcripts: readonly { readonly path: string; readonly results: readonly ExpectedResult[] }[];
} = JSON.parse(readFileSync(repoPath("test/fixtures/sampleExpected.json"), "utf8"));

const CALLER = { session: "chat" };
const CLAUDE = "-home-dana-tide-office/af3109ff-902f-446c-b921-6b2f35fc1ad9.jsonl";
const HERMES = "session_20261006_064512_b0a7ed.json";

let folder: SimulationFolder;
/** A machine whose user works with two agents. */
let home = "";
/** A folder that is open. */
let open = "";
const made: AgentTools[] = [];
const heard: string[] = [];

beforeAll(() => {
  folder = new SimulationFolder();
  open = prepareSample(join(folder.folder, "open"));
  home = join(folder.folder, "home");
  mkdirSync(join(home, ".claude"), { recursive: true });
  cpSync(join(open, "claude"), join(home, ".claude", "projects"), { recursive: true });
  cpSync(join(open, ".hermes"), join(home, ".hermes"), { recursive: true });
});
afterEach(() => {
  for (const tools of made.splice(0)) tools.dispose();
  expect(heard.splice(0)).toEqual([]);
});
afterAll(() => folder.dispose());

function tools(parts: Partial<AgentToolPortsOptions> = {}): AgentTools {
  const log = (message: string): void => void heard.push(message);
  const one = createAgentTools(
    agentToolPorts({
      homes: () => ({
        env: {},
        platform: process.platform,
        homeFolder: home,
        tempFolder: tmpdir(),
        added: [],
        extra: [],
        workspaceFolders: [open],
      }),
      mayScanHomes: () => true,
      isOn: () => true,
      isTrusted: () => true,
      roots: () => [open],
      finder: secretFinder(),
      explainConfig: async ({ config }) => ({ ok: true, value: `# ${config}` }),
      log: { info: log, warn: log, error: log },
      workerFile: folder.workerFile,
      ...parts,
    }),
  );
  made.push(one);
  return one;
}

const ask = (of: AgentTools, name: string, input: object, caller: { session: string; confirmed?: string } = CALLER) =>
  of.call(`contextBudget_${name}`, input, caller, NEVER_CANCELLED);

async function asked(of: AgentTools, name: string, input: object) {
  const given = await ask(of, name, input);
  if (!given.ok) throw new Error(given.text);
  return JSON.parse(given.text);
}

/** Head and text of an answer. */
function parted({ text }: AgentAnswer): { readonly head: Readonly<Record<string, unknown>>; readonly body: string } {
  const at = text.indexOf("\n\n");
  return { head: JSON.parse(text.slice(0, at)), body: text.slice(at + 2) };
}

/** All of a text, page by page. */
async function readOn(of: AgentTools, transcript: string, first: AgentAnswer): Promise<string> {
  const { head, body } = parted(first);
  let text = head["id"] === null ? body : body.slice(0, Number(head["shownUtf16Units"]));
  for (let offset = head["nextOffset"]; offset !== null; ) {
    const page = parted(await ask(of, "readPage", { transcript, id: head["id"], offset }));
    text += page.body;
    offset = page.head["nextOffset"];
  }
  return text;
}

/** Threads of this process. */
const threads = (): number => {
  const report = process.report?.getReport() as unknown as { readonly workers: readonly unknown[] };
  return report.workers.length;
};

describe("sessions for agents", () => {
  it("are those of the agents' homes and of what is open, newest first, each once", async () => {
    const list = await asked(tools(), "listSessions", { limit: 100 });
    const paths = list.sessions.map(({ transcript }: { transcript: string }) => transcript);
    expect(list).toMatchObject({ total: paths.length, nextOffset: null, notes: [] });
    expect([...paths].sort()).toEqual(
      [
        join(home, ".claude/projects", CLAUDE),
        join(home, ".hermes/sessions", HERMES),
        join(home, ".hermes/sessions/20260406_070015_71de0ffc.jsonl"),
        ...expected.transcripts.map(({ path }) => join(open, path)).filter((path) => !path.includes("subagents")),
      ].sort(),
    );
    const times = list.sessions.map(({ modified }: { modified: string }) => modified);
    expect(times).toEqual([...times].sort().reverse());
    const agents = new Map(
      list.sessions.map(({ transcript, agent }: { transcript: string; agent: string | null }) => [transcript, agent]),
    );
    expect(agents.get(join(open, ".hermes/sessions", HERMES))).toBe("hermes");
    expect(agents.get(join(open, "requests/otter-point.anthropic.json"))).toBeNull();
  });

  it("come in pages and by agent, with what their files say at both ends", async () => {
    const of = tools();
    const page = await asked(of, "listSessions", { agent: "claude-code" });
    const session = {
      agent: "claude-code",
      project: "/home/dana/tide-office",
      title: "The fog signal fires twice an hour. Find out why, please.",
      contextTokens: expect.any(Number),
    };
    // One in the agent's home, one in the open folder.
    expect(page).toMatchObject({ total: 2, sessions: [session, session] });
    const second = await asked(of, "listSessions", { offset: 1, limit: 2 });
    expect(second).toMatchObject({ offset: 1, nextOffset: 3, sessions: [{}, {}] });
    const none = await asked(of, "listSessions", { agent: "codex" });
    expect(none).toMatchObject({
      total: 0,
      notes: [expect.stringContaining("there are sessions of hermes, claude-code")],
    });
  });

  it("are in a workspace that is not trusted the files that the user opened", async () => {
    const file = join(open, "requests/otter-point.anthropic.json");
    const of = tools({ isTrusted: () => false, mayScanHomes: () => false, roots: () => [file, open] });
    const list = await asked(of, "listSessions", {});
    expect(list.sessions.map(({ transcript }: { transcript: string }) => transcript)).toEqual([file]);
  });
});

describe("results for agents", () => {
  it("are those of the inspector, in pages, with what can be read of each", async () => {
    const of = tools();
    for (const { path, results } of expected.transcripts) {
      const transcript = join(open, path);
      const rows = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const page = await asked(of, "listResults", { transcript, offset, limit: 7 });
        expect(page).toMatchObject({ total: results.length, resultsInTranscript: results.length });
        rows.push(...page.results);
        offset = page.nextOffset;
      }
      expect(rows.map(({ tool, state, path: at, handle }) => ({ tool, state, path: at, handle }))).toEqual(
        results.map(({ tool, state, path: at, handle }) => ({ tool, state, path: at, handle })),
      );
      for (const [at, { state, file, chars }] of results.entries()) {
        const { readable, contextChars } = rows[at];
        const where = `${path} ${at}`;
        expect(contextChars, where).toBe(state === "missing" ? null : chars);
        if (state === "inline" || ["ok", "size-differs", "preview-differs"].includes(file))
          expect(readable, where).toBe("all");
        else expect(readable, where).toBe(["missing", "cleared", "duplicate"].includes(state) ? "nothing" : "part");
      }
    }
  });

  it("come by state and thread", async () => {
    const of = tools();
    const transcript = join(open, "exports/hermes-sessions.jsonl");
    const all = await asked(of, "listResults", { transcript });
    const thread = all.results[11].thread;
    const some = await asked(of, "listResults", { transcript, thread, states: ["inline", "persisted"] });
    expect(
      some.results.every((row: { thread: string; state: string }) => row.thread === thread && row.state !== "pruned"),
    ).toBe(true);
    expect(some.total).toBe(some.results.length);
    const unknown = await ask(of, "listResults", { transcript, thread: "toString" });
    expect(unknown).toMatchObject({
      ok: false,
      text: expect.stringContaining(`has no thread toString. There are ${thread}`),
    });
  });

  it("are taken in when the session grows", async () => {
    const transcript = join(open, "growing.jsonl");
    const turn = (n: number) =>
      jsonLines(prompt(`go ${n}`), answer(`m${n}`, use(`t${n}`)), toolResult(`t${n}`, `r${n}`));
    writeFileSync(transcript, turn(1));
    const of = tools();
    expect(await asked(of, "listResults", { transcript })).toMatchObject({ total: 1 });
    appendFileSync(transcript, turn(2));
    expect(await asked(of, "listResults", { transcript })).toMatchObject({ total: 2 });
    expect(parted(await ask(of, "readResult", { transcript, result: 1 })).body).toBe("r2");
  });

  it("names the line of a problem once, in words or in front of it", async () => {
    const transcript = join(open, "broken.jsonl");
    const whole = jsonLines(prompt("go"), answer("m1", use("t1")), toolResult("t1", "r1"));
    writeFileSync(transcript, `${whole}{"cut":\n{}\n`);
    const { notes } = (await asked(tools(), "listResults", { transcript })) as { readonly notes: readonly string[] };
    expect(notes).toEqual([
      expect.stringMatching(/^Line 4 cannot be read: /),
      expect.stringMatching(/^Line 5: 1 record of a kind/),
    ]);
  });
});

describe("the full text for an agent", () => {
  it("is what the file or the transcript holds, to its end, without secrets", async () => {
    const of = tools();
    const finder = secretFinder();
    let files = 0;
    for (const { path, results } of expected.transcripts) {
      const transcript = join(open, path);
      for (const [result, { state, file }] of results.entries()) {
        const first = await ask(of, "readResult", { transcript, result });
        const where = `${path} ${result}`;
        if (["missing", "cleared", "duplicate"].includes(state)) {
          expect(first, where).toMatchObject({
            ok: false,
            text: expect.stringContaining(`Result ${result} (${state})`),
          });
          expect(first.text, where).toMatch(/no result in the transcript|neither in the transcript|newer result/);
          continue;
        }
        const { head } = parted(first);
        const isThere = ["ok", "size-differs", "preview-differs"].includes(file);
        expect(head["isFullOutput"], where).toBe(file === "ok" || state === "inline" ? true : isThere ? null : false);
        if (head["from"] !== "file") continue;
        files++;
        const whole = await withoutSecrets(readFileSync(String(head["path"]), "utf8"), finder);
        expect((await readOn(of, transcript, first)) === whole, where).toBe(true);
      }
    }
    expect(files).toBeGreaterThan(12);
  });

  it("is bounded where the file is larger than what is kept, and says so", async () => {
    const transcript = join(home, ".hermes/sessions", HERMES);
    const list = await asked(tools(), "listResults", { transcript, limit: 1 });
    const name = String(list.results[0].path).split("/").at(-1) ?? "";
    const file = join(home, ".hermes/cache/spillover", name);
    const before = readFileSync(file);
    const key = `ghp_${"a1B2".repeat(9)}`;
    // A secret at the end of what is looked at, whose other half nobody reads.
    const text = `${"é".repeat(256 * 1024 - 20)}${key}${"x".repeat(400_000)}`;
    writeFileSync(file, text);
    const of = tools();
    const first = await ask(of, "readResult", { transcript, result: 0 });
    expect(parted(first).head).toMatchObject({ keptUtf16Units: 128 * 1024, restNotKept: true, isFullOutput: null });
    expect(await readOn(of, transcript, first)).toBe("é".repeat(128 * 1024));
    writeFileSync(file, before);
  });

  it("is not that of a file outside the agent's spill folders; the refusal says what people can do", async () => {
    const transcript = join(open, ".hermes/sessions", HERMES);
    const result = expected.transcripts[0]?.results.findIndex(({ file }) => file === "outside") ?? -1;
    const { head } = parted(await ask(tools(), "readResult", { transcript, result }));
    expect(head).toMatchObject({ from: "transcript", path: null, isFullOutput: false });
    expect(String(head["notes"])).toMatch(/is not read for agents\. .* inspector, which asks first\./);
  });

  it("is in a workspace that is not trusted what the transcript itself holds", async () => {
    const own = join(home, ".hermes/sessions", HERMES);
    const of = tools({ isTrusted: () => false, mayScanHomes: () => false, roots: () => [own] });
    const { head } = parted(await ask(of, "readResult", { transcript: own, result: 0 }));
    expect(head).toMatchObject({ from: "transcript", path: null, isFullOutput: false });
    expect(String(head["notes"])).toContain("This workspace is not trusted");
    const list = await asked(of, "listResults", { transcript: own });
    expect(new Set(list.results.map((row: { readable: string }) => row.readable))).toEqual(
      new Set(["all", "part", "nothing"]),
    );
    for (const row of list.results) if (row.readable === "all") expect(row.state).toBe("inline");
  });

  it("has a number that exists", async () => {
    const transcript = join(open, "claude", CLAUDE);
    for (const result of [10, 1e12]) {
      const given = await ask(tools(), "readResult", { transcript, result });
      expect(given).toMatchObject({ ok: false, text: expect.stringContaining("numbered from 0 to 9") });
    }
  });
});

describe("a file that an agent names", () => {
  const listed = async (parts: Partial<AgentToolPortsOptions>, transcript: string, confirmed?: string) => {
    const caller = confirmed === undefined ? CALLER : { ...CALLER, confirmed };
    return ask(tools(parts), "listResults", { transcript }, caller);
  };
  const refused = (words: string) => ({ ok: false, text: expect.stringContaining(words) });
  let outside = "";
  beforeAll(() => {
    outside = folder.write(
      "outside.json",
      hermesSession(2, () => 100),
    );
  });

  it("is read when it is a session of an agent, or lies in what is open", async () => {
    expect((await listed({ roots: () => [] }, join(home, ".hermes/sessions", HERMES))).ok).toBe(true);
    expect((await listed({}, join(open, "openmausbot/harbour-desk.json"))).ok).toBe(true);
    expect((await listed({ roots: () => [outside] }, outside)).ok).toBe(true);
  });

  it("is not read otherwise, however it is written", async () => {
    const words = "none of the sessions";
    expect(await listed({}, outside)).toEqual(refused(words));
    expect(await listed({}, join(open, "../outside.json"))).toEqual(refused(words));
    expect(await listed({}, `${open}/../outside.json`)).toEqual(refused(words));
    expect(await listed({}, `${home}/.hermes/sessions/../../../outside.json`)).toEqual(refused(words));
    // A home or folder of which it is a mere beginning.
    cpSync(outside, `${open}-more.json`);
    expect(await listed({}, `${open}-more.json`)).toEqual(refused(words));
    expect(await listed({}, "outside.json")).toEqual(refused("Write the full path"));
    expect(await listed({}, `file://${outside}`)).toEqual(refused("Write the full path"));
    expect(await listed({}, join(open, "nowhere.json"))).toEqual(refused("is not on this machine"));
    expect(await listed({}, open)).toEqual(refused("is a folder"));
    expect(await listed({}, "/dev/zero", "/dev/zero")).toEqual(refused("is not a regular file"));
    const pipe = join(open, "pipe.jsonl");
    execFileSync("mkfifo", [pipe]);
    expect(await listed({}, pipe, pipe)).toEqual(refused("is not a regular file"));
    rmSync(pipe);
  });

  it("is not read through a link that leads out of what is open", async () => {
    const link = join(open, "link.json");
    symlinkSync(outside, link);
    expect(await listed({}, link)).toEqual(refused("none of the sessions"));
    const inside = join(open, "inside.json");
    symlinkSync(join(open, "openmausbot/harbour-desk.json"), inside);
    expect((await listed({}, inside)).ok).toBe(true);
  });

  it("is read after people agreed to that very file", async () => {
    expect((await listed({}, outside, outside)).ok).toBe(true);
    expect(await listed({}, outside, join(open, "README.md"))).toEqual(refused("none of the sessions"));
    const link = join(folder.folder, "innocent.json");
    symlinkSync(outside, link);
    expect(await listed({}, link, link)).toEqual(refused(`leads to ${outside} through a link`));
    expect((await listed({}, outside, outside)).ok).toBe(true);
  });

  it("is in a workspace that is not trusted one that is open, whatever else is true of it", async () => {
    const parts = { isTrusted: () => false, mayScanHomes: () => false };
    const file = join(open, "openmausbot/harbour-desk.json");
    for (const path of [file, outside, join(home, ".hermes/sessions", HERMES), join(home, "nothing.json")])
      expect(await listed(parts, path, path)).toEqual(refused("this workspace is not trusted"));
    expect((await listed({ ...parts, roots: () => [file] }, file)).ok).toBe(true);
    expect((await listed({ ...parts, roots: () => [`${open}/./openmausbot/harbour-desk.json`] }, file)).ok).toBe(true);
  });

  it("is as a config one of a Hermes home, or open", async () => {
    const explained = (config: string, parts: Partial<AgentToolPortsOptions> = { roots: () => [] }) =>
      ask(tools(parts), "explainBudget", { config });
    for (const name of [".hermes/config.yaml", ".hermes/profiles/nightwatch/config.yaml"]) {
      const config = join(home, name);
      expect(await explained(config)).toEqual({ ok: true, text: `# ${config}` });
    }
    const words = "is no config of a Hermes home";
    expect(await explained(join(home, ".hermes/sessions", HERMES))).toEqual(refused(words));
    expect(await explained(join(open, "config/staging.yaml"))).toEqual(refused(words));
    expect((await explained(join(open, "config/staging.yaml"), {})).ok).toBe(true);
    mkdirSync(join(home, ".hermes/profiles/linked"));
    symlinkSync(outside, join(home, ".hermes/profiles/linked/config.yaml"));
    expect(await explained(join(home, ".hermes/profiles/linked/config.yaml"))).toEqual(refused(words));
  });
});

describe("simulations for agents", () => {
  it("come to what the command line comes to", async () => {
    const transcript = folder.write(
      "long.json",
      hermesSession(12, (call) => 9_000 + call * 2_500),
    );
    const report = await asked(tools({ roots: () => [transcript] }), "simulatePolicy", {
      transcript,
      policy: { kind: "persist", threshold: 20_000 },
    });
    const io = fakeIo({}, { files: nodeFiles, utf8: nodeUtf8 });
    await runCli(["simulate", transcript, "--persist", "20000", "--json"], io);
    const { simulation } = JSON.parse(io.stdout.text);
    expect(report).toMatchObject({ calls: 13, results: 12, resultsRead: 12, measured: null, isCapped: false });
    expect(report.replacedResults).toBeGreaterThan(3);
    const { before, after } = simulation.totals;
    expect(report.before.estimatedInputTokens).toBe(Math.round(before.input));
    expect(report.after.estimatedInputTokens).toBe(Math.round(after.input));
    expect(report.largest[0]).toMatchObject({ action: "persisted", isExact: true });
  });

  it("stand for the file as it is now", async () => {
    const transcript = folder.write(
      "changes.json",
      hermesSession(3, () => 30_000),
    );
    const of = tools({ roots: () => [transcript] });
    const input = { transcript, policy: { kind: "micro", keepRecent: 1 } };
    expect(await asked(of, "simulatePolicy", input)).toMatchObject({ calls: 4 });
    writeFileSync(
      transcript,
      hermesSession(5, () => 30_000),
    );
    expect(await asked(of, "simulatePolicy", input)).toMatchObject({ calls: 6 });
  });

  it("say why there is none", async () => {
    const transcript = join(open, "openmausbot/thread-harbour.json");
    const policy = { preset: "tinyagents" };
    expect(await ask(tools(), "simulatePolicy", { transcript, policy })).toMatchObject({ ok: false });
    const unknown = await ask(tools(), "simulatePolicy", {
      transcript: join(open, "claude", CLAUDE),
      policy,
      thread: "x",
    });
    expect(unknown).toMatchObject({ ok: false, text: expect.stringContaining("thread is not in the transcript") });
  });
});

describe("threads that read for agents", () => {
  it("are few, and end with the tools", async () => {
    const none = threads();
    const of = tools();
    const paths = expected.transcripts.map(({ path }) => join(open, path));
    await Promise.all(paths.slice(0, 5).map((transcript) => ask(of, "listResults", { transcript })));
    for (const transcript of paths) {
      await ask(of, "listResults", { transcript });
      await ask(of, "simulatePolicy", { transcript, policy: { preset: "tinyagents" } });
    }
    expect(threads() - none).toBeGreaterThan(0);
    expect(threads() - none).toBeLessThanOrEqual(5);
    of.dispose();
    await expect.poll(threads).toBe(none);
  });

  it("stop when nobody waits any more", async () => {
    const lines = Array.from({ length: 8_000 }, (_, n) =>
      jsonLines(prompt(`go ${n}`), answer(`m${n}`, use(`t${n}`)), toolResult(`t${n}`, "r".repeat(2_000))),
    );
    const transcript = folder.write("large.jsonl", lines.join(""));
    const of = tools({ roots: () => [transcript] });
    const begun = {
      get isCancellationRequested() {
        return threads() > 0;
      },
    };
    const call = of.call("contextBudget_listResults", { transcript }, CALLER, begun);
    expect(await call).toMatchObject({ ok: false, text: expect.stringContaining("stopped") });
    // What was read so far is no answer; the next call reads it.
    expect(await asked(of, "listResults", { transcript, limit: 1 })).toMatchObject({ total: 8_000 });
  });
});
