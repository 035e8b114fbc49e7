import { execFileSync, spawn } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OutputPages } from "../../extension/src/client/views/outputPages";
import { approvedPage } from "../../extension/src/client/views/pages";
import { type FileAccess, NEVER_CANCELLED } from "../../extension/src/core/ports";
import { checkFile, type FileReport } from "../../extension/src/core/results/fileCheck";
import { nodeFiles } from "../../extension/src/node/files";
import { nodeLocalFiles } from "../../extension/src/node/localFiles";
import { peekFile } from "../../extension/src/node/peekFile";
import { nodeUtf8 } from "../../extension/src/node/utf8";

const windows = process.platform === "win32";
const SECRET = "SECRET outside of every spill folder, longer than the agent's text";
let root = "";
let file = "";
let secret = "";

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cbi-race-")));
  secret = join(root, "home/secret/a.txt");
  mkdirSync(dirname(secret), { recursive: true });
  writeFileSync(secret, SECRET);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A fresh file of the agent in its spill folder. */
beforeEach(() => {
  const spill = join(root, "home/.hermes/cache/spillover");
  rmSync(spill, { recursive: true, force: true });
  mkdirSync(spill, { recursive: true });
  file = join(spill, "a.txt");
  writeFileSync(file, "the agent's text");
});

/** What can be put where the file lay. */
const SWAPS: readonly (readonly [string, () => void | Promise<void>])[] = [
  ["a link to a secret", () => put(() => symlinkSync(secret, file))],
  ["a link to /dev/zero", () => put(() => symlinkSync("/dev/zero", file))],
  ["another file", () => put(() => writeFileSync(file, SECRET))],
  ["a hard link to a secret", () => put(() => linkSync(secret, file))],
  ["a named pipe", () => put(() => execFileSync("mkfifo", [file]))],
  ["a folder", () => put(() => mkdirSync(file))],
  [
    "a socket",
    () =>
      put(
        () =>
          new Promise<void>((done) => {
            const server = createServer();
            server.listen(file, () => done());
            server.unref();
          }),
      ),
  ],
  ["nothing", () => rmSync(file)],
  [
    "the same file by way of a folder that became a link",
    () => {
      const spill = dirname(file);
      renameSync(spill, join(root, "home/moved"));
      symlinkSync(join(root, "home/moved"), spill);
    },
  ],
];

function put(make: () => unknown): Promise<void> {
  // Renamed, not removed: a freed inode would be given to the next file at once.
  renameSync(file, join(root, `old-${Date.now()}-${Math.random()}`));
  return Promise.resolve(make()).then(() => undefined);
}

beforeEach(() => rmSync(join(root, "home/moved"), { recursive: true, force: true }));

describe.skipIf(windows)("between the look and the opening", () => {
  it.each(SWAPS)("%s takes the file's place: nothing of it is read", async (_, swap) => {
    const seen = await nodeFiles.stat(file);
    if (seen.kind !== "file" || seen.identity === undefined) throw new Error("the file was not seen");
    await swap();
    await expect(nodeFiles.open(seen.realPath, { identity: seen.identity })).rejects.toHaveProperty("code");
  });

  it.each(SWAPS)("%s takes the open file's place: later reads read nothing of it", async (_, swap) => {
    const seen = await nodeFiles.stat(file);
    if (seen.kind !== "file") throw new Error("the file was not seen");
    const source = await nodeFiles.open(seen.realPath, { identity: seen.identity });
    expect(nodeUtf8.decode(await source.read(0, 100)).text).toBe("the agent's text");
    await swap();
    await expect(source.read(0, 100)).rejects.toHaveProperty("code");
    // No other door to the same source follows what lies there now.
    expect(source.blocking).toBeUndefined();
  });

  it.each(SWAPS)("%s takes the place of a file that is being checked", async (_, swap) => {
    const report = await check(async () => {
      await swap();
    });
    expect(report.status).toBe("unreadable");
    expect(report.realChars).toBeUndefined();
    expect(JSON.stringify(report)).not.toContain("SECRET");
  });

  it.each(SWAPS)("%s takes the place of a file that was approved", async (_, swap) => {
    const seen = await nodeFiles.stat(file);
    if (seen.kind !== "file") throw new Error("the file was not seen");
    const approved = { path: file, realPath: seen.realPath, identity: seen.identity };
    const ports = { files: nodeFiles, utf8: nodeUtf8 };
    expect(await approvedPage(approved, ports, 0)).toMatchObject({ text: "the agent's text" });
    await swap();
    const page = await approvedPage(approved, ports, 0);
    expect(typeof page).toBe("string");
    expect(page).not.toContain("SECRET");
  });

  it.each(SWAPS)("%s takes the place of an approved file after the last look", async (_, swap) => {
    const seen = await nodeFiles.stat(file);
    if (seen.kind !== "file") throw new Error("the file was not seen");
    const approved = { path: file, realPath: seen.realPath, identity: seen.identity };
    const files: FileAccess = {
      ...nodeFiles,
      open: async (path, only) => {
        await swap();
        return nodeFiles.open(path, only);
      },
    };
    await expect(approvedPage(approved, { files, utf8: nodeUtf8 }, 0)).rejects.toHaveProperty("code");
  });

  it.each(SWAPS)("%s takes the place of a file that is paged, before and after the look", async (_, swap) => {
    const seen = await nodeFiles.stat(file);
    if (seen.kind !== "file") throw new Error("the file was not seen");
    const report = {
      status: "ok",
      resolvedPath: seen.realPath,
      identity: seen.identity,
      inKnownFolder: true,
      notes: [],
    };
    const session = { path: "/s.json", report: async () => report, text: async () => ({ ok: false }) } as never;
    const result = { index: 0, state: "persisted", persisted: { path: file } } as never;
    let late: (() => void | Promise<void>) | undefined = swap;
    const files: FileAccess = {
      ...nodeFiles,
      open: async (path, only) => {
        await late?.();
        late = undefined;
        return nodeFiles.open(path, only);
      },
    };
    const pages = new OutputPages({ files, utf8: nodeUtf8 });
    for (const when of ["after", "before"]) {
      const page = await pages.page(session, result, 0);
      expect(page.ok, when).toBe(false);
      expect(JSON.stringify(page)).not.toContain("SECRET");
    }
  });

  it.each(SWAPS.filter(([what]) => /link to|pipe|socket|nothing|folder$/.test(what) && !what.includes("hard")))(
    "%s takes the place of a file of which only links are refused",
    async (_, swap) => {
      const source = await nodeFiles.open(file, {});
      await swap();
      await expect(source.read(0, 100)).rejects.toHaveProperty("code");
    },
  );

  it("a file that is only written further is still that file", async () => {
    const seen = await nodeFiles.stat(file);
    if (seen.kind !== "file") throw new Error("the file was not seen");
    const source = await nodeFiles.open(seen.realPath, { identity: seen.identity });
    writeFileSync(file, "the agent's text, and more");
    expect(nodeUtf8.decode(await source.read(0, 100)).text).toBe("the agent's text, and more");
  });

  it("a program that swaps link and file as fast as it can gets no secret read", async () => {
    // Each turn: the file, then a link to the secret, by renaming, so that there is always one of them.
    const swapper = `
      const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
      const [file, secret] = process.argv.slice(1);
      for (let turn = 0; turn < 4000; turn++) {
        symlinkSync(secret, file + ".link"); renameSync(file + ".link", file);
        writeFileSync(file + ".plain", "the agent's text"); renameSync(file + ".plain", file);
      }`;
    const child = spawn(process.execPath, ["-e", swapper, file, secret], { stdio: "inherit" });
    let ended = false;
    const end = new Promise<void>((done) =>
      child.once("exit", () => {
        ended = true;
        done();
      }),
    );
    const statuses = new Map<string, number>();
    while (!ended) {
      const report = await check(async () => undefined);
      statuses.set(report.status, (statuses.get(report.status) ?? 0) + 1);
      expect(report.realBytes === undefined || report.realBytes === "the agent's text".length).toBe(true);
      expect(report.realChars === undefined || report.realChars === "the agent's text".length).toBe(true);
    }
    await end;
    // Both were met, so there was a race.
    expect(statuses.get("ok") ?? 0, JSON.stringify([...statuses])).toBeGreaterThan(0);
    expect(statuses.get("outside") ?? 0, JSON.stringify([...statuses])).toBeGreaterThan(0);
  });
});

describe.skipIf(windows)("what is no regular file", () => {
  it.each(["/dev/zero", "/dev/null", "/dev/tty", "/dev"])("%s is opened by nobody", async (path) => {
    await expect(nodeFiles.open(path)).rejects.toHaveProperty("code");
    await expect(nodeFiles.open(path, {})).rejects.toHaveProperty("code");
    expect(await peekFile(path, 100, 100)).toBeUndefined();
    expect(nodeLocalFiles.read(path)).toBeUndefined();
  });

  it("a named pipe keeps nobody waiting", async () => {
    const pipe = join(root, "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(nodeFiles.open(pipe)).rejects.toMatchObject({ code: "EINVAL" });
    await expect(nodeFiles.open(pipe, {})).rejects.toMatchObject({ code: "EINVAL" });
    expect(await peekFile(pipe, 100, 100)).toBeUndefined();
    expect(nodeLocalFiles.read(pipe)).toBeUndefined();
  });

  it("a file of the kernel that states no length is read as empty, not for ever", async () => {
    if (process.platform !== "linux") return;
    const source = await nodeFiles.open("/proc/self/status");
    expect(source.bytes).toBe(0);
    expect((await source.read(0, 1_000_000)).length).toBe(0);
  });
});

async function check(between: () => Promise<void>): Promise<FileReport> {
  const files: FileAccess = {
    stat: nodeFiles.stat,
    list: nodeFiles.list,
    open: async (path, only) => {
      await between();
      return nodeFiles.open(path, only);
    },
  };
  const home = join(root, "home");
  const persisted = {
    variant: "hermes-block",
    path: file,
    handle: undefined,
    statedChars: undefined,
    statedUnit: "utf16",
  };
  const where = {
    agent: "hermes",
    transcriptPath: join(home, ".hermes/sessions/s.json"),
    sessionId: undefined,
    rebaseRoot: undefined,
    homeFolder: home,
    tempFolders: [],
    hermesHomes: [],
    claudeProjects: [],
  } as const;
  const ports = { files, utf8: nodeUtf8, clock: { now: () => Date.now() } };
  return checkFile({ persisted, callId: "c" } as never, undefined, where, ports, NEVER_CANCELLED);
}
