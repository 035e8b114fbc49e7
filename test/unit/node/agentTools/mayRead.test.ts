import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { type MayReadParts, mayRead } from "../../../../extension/src/node/agentTools/mayRead";
import { nodeFiles } from "../../../../extension/src/node/files";

describe.skipIf(process.platform === "win32")("a session of an agent's home", () => {
  let root = "";
  let session = "";
  let other = "";
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "may-read-")));
    session = join(root, "user/.hermes/sessions/session_1.json");
    other = join(root, "other/session_1.json");
    for (const file of [session, other]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "{}");
    }
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Discovery has found the session before, and remembers it. */
  const asked = (path: string, homeFolder = join(root, "user"), more: Partial<MayReadParts> = {}) =>
    mayRead(
      path,
      "transcript",
      { session: "chat" },
      {
        isTrusted: () => true,
        roots: () => [],
        files: nodeFiles,
        finder: { has: async () => true },
        ground: { platform: process.platform, homeFolder },
        homes: () => ({
          ...{ env: {}, platform: process.platform, homeFolder, tempFolder: root },
          ...{ added: [], extra: [], workspaceFolders: [] },
        }),
        mayScanHomes: () => true,
        isOn: () => true,
        ...more,
      },
      NEVER_CANCELLED,
    );

  it("may be read, also where the home is reached through a link: then by its real path", async () => {
    expect(await asked(session)).toEqual({ ok: true, value: session });
    const linked = join(root, "linked");
    symlinkSync(join(root, "user"), linked);
    expect(await asked(join(linked, ".hermes/sessions/session_1.json"), linked)).toEqual({ ok: true, value: session });
  });

  it("may not once it, or a folder on the way, became a link to something else", async () => {
    const refused = { ok: false, error: { message: expect.stringContaining("none of the sessions") } };
    rmSync(session);
    symlinkSync(other, session);
    expect(await asked(session)).toMatchObject(refused);
    renameSync(dirname(session), `${dirname(session)}.old`);
    symlinkSync(dirname(other), dirname(session));
    expect(await asked(session)).toMatchObject(refused);
  });

  it("is refused without a look where it is none, so that nothing tells whether a file is there", async () => {
    const looked: string[] = [];
    const files = {
      ...nodeFiles,
      stat: (path: string) => {
        looked.push(path);
        return nodeFiles.stat(path);
      },
    };
    const open = join(root, "open");
    mkdirSync(open);
    const parts = { files, roots: () => [open], finder: { has: async () => false } };
    for (const path of [
      other,
      join(root, "nothing.json"),
      "/dev/zero",
      `${open}/../other/session_1.json`,
      `${open}.json`,
    ])
      expect(await asked(path, undefined, parts), path).toMatchObject({
        error: { message: expect.stringContaining("none of the sessions") },
      });
    expect(new Set(looked)).toEqual(new Set([open]));
    // In what is open a name that is wrong is said to be.
    expect(await asked(join(open, "nothing.json"), undefined, parts)).toMatchObject({
      error: { message: expect.stringContaining("is not on this machine") },
    });
  });

  it("may be read in an open folder under its path and under the one to which the folder leads", async () => {
    const open = join(root, "open");
    symlinkSync(dirname(other), open);
    const parts = { roots: () => [open], finder: { has: async () => false } };
    for (const path of [join(open, "session_1.json"), other])
      expect(await asked(path, undefined, parts)).toEqual({ ok: true, value: other });
  });

  it("is none when it is found but lies in no home", async () => {
    expect((await asked(other)).ok).toBe(false);
  });
});
