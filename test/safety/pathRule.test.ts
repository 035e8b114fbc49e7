import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentId } from "../../extension/src/core/model/transcript";
import { type FileAccess, NEVER_CANCELLED } from "../../extension/src/core/ports";
import { checkFile, type FileReport, type LocateContext } from "../../extension/src/core/results/fileCheck";
import { nodeFiles } from "../../extension/src/node/files";
import { nodeUtf8 } from "../../extension/src/node/utf8";
import { Random } from "../oracle/random";

/** Spellings tried; each costs a few system calls. */
const SPELLINGS = 6_000;
const windows = process.platform === "win32";

let root = "";
let socket: Server | undefined;
let touched: string[] = [];
let opened: string[] = [];

/** The real file system, and a record of what was asked of it. */
const recording: FileAccess = {
  stat: (path) => {
    touched.push(path);
    return nodeFiles.stat(path);
  },
  list: (path) => {
    touched.push(path);
    return nodeFiles.list(path);
  },
  open: (path, only) => {
    opened.push(path);
    return nodeFiles.open(path, only);
  },
};

const at = (...names: readonly string[]): string => join(root, ...names);

/** Every file holds its own path, so that a reading tells what was read. */
function put(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, path);
  return path;
}

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cbi-rule-")));
  if (windows) return;
  const spill = at("home/.hermes/cache/spillover");
  for (const name of [
    "a.txt",
    "ünï.txt".normalize("NFC"),
    "sp ace.txt",
    "deep/b.txt",
    "%61.txt",
    "~",
    "...",
    "a.txt:b",
  ])
    put(join(spill, name));
  put(at("home/.hermes/hook_outputs/h.txt"));
  put(at("home/.hermes/sessions/s.json"));
  put(at("home/.hermes/.env"));
  put(at("home/secret.txt"));
  put(at("outside/x.txt"));
  put(at("outside/cache/spillover/y.txt"));
  put(at("tmp/hermes-results/t.txt"));
  put(at("tmp/other/t.txt"));
  put(at("home/.claude/projects/-p/sess/tool-results/t.txt"));
  put(at("home/.claude/projects/-p/sess/notes/n.txt"));
  put(at("proj/bbb/tool-results/toolu_1.txt"));
  symlinkSync("a.txt", join(spill, "alias.txt"));
  symlinkSync("alias.txt", join(spill, "alias-of-alias.txt"));
  symlinkSync(at("home/secret.txt"), join(spill, "out.txt"));
  symlinkSync(at("outside"), join(spill, "out-folder"));
  symlinkSync(at("outside"), at("home/.hermes/cache/web"));
  symlinkSync("loop", join(spill, "loop"));
  symlinkSync("/dev/zero", join(spill, "zero"));
  symlinkSync("/proc/self/environ", join(spill, "environ"));
  linkSync(at("home/secret.txt"), join(spill, "hard.txt"));
  mkdirSync(join(spill, "folder.txt"));
  execFileSync("mkfifo", [join(spill, "pipe")]);
  socket = createServer();
  await new Promise<void>((done) => socket?.listen(join(spill, "socket"), done));
  // A session whose own folder whoever made the files turned into a link to another session's.
  symlinkSync(at("home/.claude/projects/-p/sess"), at("proj/aaa"));
});
afterAll(() => {
  socket?.close();
  rmSync(root, { recursive: true, force: true });
});

function context(agent: AgentId, changes: Partial<LocateContext> = {}): LocateContext {
  return {
    agent,
    transcriptPath: agent === "hermes" ? at("home/.hermes/sessions/s.json") : at("proj/bbb.jsonl"),
    sessionId: undefined,
    rebaseRoot: undefined,
    homeFolder: at("home"),
    tempFolders: [at("tmp")],
    hermesHomes: [at("home/.hermes")],
    claudeProjects: [at("home/.claude/projects")],
    ...changes,
  };
}

async function check(written: string, where: LocateContext, callId = "call_1"): Promise<FileReport> {
  touched = [];
  opened = [];
  const persisted = {
    variant: where.agent === "hermes" ? "hermes-block" : "claude-block",
    path: written,
    handle: undefined,
    statedChars: undefined,
    statedUnit: "utf16",
    statedRounded: false,
    preview: undefined,
  } as const;
  const ports = { files: recording, utf8: nodeUtf8, clock: { now: () => Date.now() } };
  return checkFile({ persisted, callId } as never, undefined, where, ports, NEVER_CANCELLED);
}

/** The plain model: folders in which files may be read, below trusted ones whose links are followed. `*` is any one name. */
function folders(agent: AgentId): readonly string[] {
  if (agent === "hermes") {
    const families = [
      "cache/spillover",
      "cache/tool_responses",
      "hook_outputs",
      "cache/terminal-output",
      "cache/exec",
      "cache/web",
    ];
    return [
      ...families.map((family) => at("home/.hermes", family)),
      at("home/.hermes/tmp/hermes-results"),
      at("tmp/hermes-results"),
    ];
  }
  return [at("proj/bbb/tool-results"), at("home/.claude/projects/*/*/tool-results")];
}

const inside = (path: string, agent: AgentId): boolean =>
  folders(agent).some((folder) => {
    const pattern = folder.split("/");
    const names = path.split("/");
    return names.length > pattern.length && pattern.every((name, i) => name === "*" || name === names[i]);
  });

/** What a real path may be read as, asked of the file system itself. */
function mayBeRead(real: string, agent: AgentId): boolean {
  const info = lstatSync(real);
  return info.isFile() && info.nlink === 1 && realpathSync.native(real) === real && inside(real, agent);
}

/** Where a plain absolute path, tidied by its text, leads; undefined when it leads nowhere. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const TARGETS = [
  ...[
    "a.txt",
    "ünï.txt",
    "sp ace.txt",
    "deep/b.txt",
    "%61.txt",
    "~",
    "...",
    "a.txt:b",
    "alias.txt",
    "alias-of-alias.txt",
  ],
  ...["out.txt", "out-folder/x.txt", "loop", "zero", "environ", "hard.txt", "folder.txt", "pipe", "socket", "none.txt"],
].map((name) => `home/.hermes/cache/spillover/${name}`);
const OTHERS = [
  "home/.hermes/hook_outputs/h.txt",
  "home/.hermes/cache/web/x.txt",
  "home/.hermes/.env",
  "home/.hermes/sessions/s.json",
  "home/secret.txt",
  "outside/x.txt",
  "outside/cache/spillover/y.txt",
  "tmp/hermes-results/t.txt",
  "tmp/other/t.txt",
  "home/.claude/projects/-p/sess/tool-results/t.txt",
  "home/.claude/projects/-p/sess/notes/n.txt",
  "proj/bbb/tool-results/toolu_1.txt",
  "proj/aaa/tool-results/t.txt",
];

type Spell = (path: string, random: Random) => string;
const slashAt = (path: string, random: Random): number => {
  const places = [...path.matchAll(/\//g)].map(({ index }) => index);
  return places.length === 0 ? 0 : random.pick(places);
};
const insert = (path: string, index: number, text: string): string => path.slice(0, index) + text + path.slice(index);

/** Ways to write a path differently: some mean the same place, some another, some nothing at all. */
const SPELLS: readonly Spell[] = [
  (path, random) => insert(path, slashAt(path, random), "/."),
  (path, random) => insert(path, slashAt(path, random), "/"),
  (path, random) => insert(path, slashAt(path, random), "/x/.."),
  (path, random) => insert(path, slashAt(path, random), "/.."),
  (path, random) => insert(path, slashAt(path, random), `/..`.repeat(random.int(2, 9))),
  (path) => `${path}/../../../../secret.txt`,
  (path) => `${path}/..`,
  (path) => `${path}/`,
  (path, random) => insert(path, slashAt(path, random), "/.".repeat(random.int(50, 3_000))),
  (path) => `file://${path}`,
  (path) => `file://host${path}`,
  (path) => `file:${path}`,
  (path) => `//host${path}`,
  (path) => `//?${path}`,
  (path) => `\\\\?\\${path}`,
  (path) => `\\\\host\\share${path.replaceAll("/", "\\")}`,
  (path) => `C:${path.replaceAll("/", "\\")}`,
  (path) => `C:${path}`,
  (path) => path.replaceAll("/", "\\"),
  (path, random) => path.replace(/\/(?=[^/]*$)/, random.pick(["\\", "\\..\\", "/..\\..\\"])),
  (path, random) => insert(path, random.int(0, path.length), "\0"),
  (path) => path.replace(at("home"), "~"),
  (path) => path.replace(at("home"), "~root"),
  (path) => path.replace(at("home"), "~/../home"),
  (path) => path.replace(at("home"), "$HOME"),
  (path) => path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replaceAll("/", "%2f"),
  (path) => path.replaceAll("/", "%2e%2e/"),
  (path) => path.toUpperCase(),
  (path, random) => path.replace(/[a-z]/g, (letter) => (random.chance(0.1) ? letter.toUpperCase() : letter)),
  (path) => path.normalize("NFD"),
  (path) => path.normalize("NFC"),
  (path, random) => path + random.pick([".", " ", "...", ":stream", "::$DATA", "\u200b", "\u202e", "\n", "\r", "\t"]),
  (path, random) => path.replace(/[^/]*$/, random.pick(["CON", "NUL", "nul.txt", "com1", "."])),
  (path, random) => random.pick(["", " ", "\t", "./", "../"]) + path.slice(1),
  (path) => ` ${path}`,
  (path) => path.replace(root, ""),
  (path) => path.replace(at("home/.hermes"), "/elsewhere/.hermes"),
  (path) => path.replace(at("home/.hermes"), "C:\\h\\.hermes").replaceAll("/", "\\"),
  (path) => path.replaceAll("/", "\u2215"),
];

describe.skipIf(windows)("a path out of a transcript, however it is written", () => {
  it("is read only when a regular file of one name lies inside a spill folder of its agent, links resolved", async () => {
    const random = new Random(20_260_911);
    let found = 0;
    let refused = 0;
    for (let n = 0; n < SPELLINGS; n++) {
      const agent: AgentId = random.chance(0.7) ? "hermes" : "claude-code";
      let written = at(random.chance(0.7) ? random.pick(TARGETS) : random.pick(OTHERS));
      for (let more = random.int(0, 3); more > 0; more--) written = random.pick(SPELLS)(written, random);
      const report = await check(written, context(agent));
      const said = `${agent} ${JSON.stringify(written.slice(0, 300))}`;
      // Nothing is asked of the disk about any place that the text alone shows to lie elsewhere, but about the trusted folders themselves.
      for (const path of touched) {
        const known = inside(path, agent) || folders(agent).some((folder) => `${folder}/`.startsWith(`${path}/`));
        expect(known || inside(`${path}/x`, agent), `${said} looked at ${path}`).toBe(true);
      }
      for (const path of opened) expect(mayBeRead(path, agent), `${said} opened ${path}`).toBe(true);
      if (report.inKnownFolder && report.status !== "unreadable" && report.status !== "missing") {
        found++;
        expect(report.resolvedPath, said).toBeDefined();
        expect(mayBeRead(report.resolvedPath ?? "", agent), `${said} resolved ${report.resolvedPath}`).toBe(true);
        expect(report.realBytes).toBe(Buffer.byteLength(report.resolvedPath ?? ""));
        expect(opened).toEqual([report.resolvedPath]);
      } else {
        refused++;
        // Whatever is not found this way is never taken for a file that needs no question.
        expect(report.status === "unreadable" || !report.inKnownFolder, said).toBe(true);
      }
      // And a plainly written one that may be read is found.
      const plain = written.startsWith("/") && !written.includes("\0") && written.length < 32_000;
      const real = plain ? realOf(posix.normalize(written).replace(/(?<=.)\/$/, "")) : undefined;
      const isThere = real !== undefined && inside(posix.normalize(written).replace(/\/$/, ""), agent);
      if (isThere && inside(real, agent) && mayBeRead(real, agent)) expect(report.resolvedPath, said).toBe(real);
    }
    // Both sides were met often.
    expect(found).toBeGreaterThan(SPELLINGS / 20);
    expect(refused).toBeGreaterThan(SPELLINGS / 5);
  });

  it.each([
    ["out.txt", "outside"],
    ["out-folder/x.txt", "outside"],
    ["hard.txt", "outside"],
    ["zero", "outside"],
    ["environ", "outside"],
    ["folder.txt", "unreadable"],
    ["pipe", "unreadable"],
    ["socket", "unreadable"],
    ["loop", "unreadable"],
  ])("%s is not opened", async (name, status) => {
    const report = await check(at("home/.hermes/cache/spillover", name), context("hermes"));
    expect(report.status).toBe(status);
    expect(opened).toEqual([]);
  });

  it("a session's own folder that is a link to another session's is refused", async () => {
    const where = context("claude-code", { transcriptPath: at("proj/aaa.jsonl"), claudeProjects: [] });
    for (const written of [at("proj/aaa/tool-results/t.txt"), "/x/tool-results/t.txt"]) {
      expect(await check(written, where, "t"), written).toMatchObject({ status: "outside", inKnownFolder: false });
      expect(opened).toEqual([]);
    }
    // The same file where its own session is opened.
    const own = context("claude-code", { transcriptPath: at("home/.claude/projects/-p/sess.jsonl") });
    expect(await check("/x/tool-results/t.txt", own, "t")).toMatchObject({ status: "ok" });
  });

  it("the tree itself was not changed", () => {
    expect(readFileSync(at("home/secret.txt"), "utf8")).toBe(at("home/secret.txt"));
  });
});
