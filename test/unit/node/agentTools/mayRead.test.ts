import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../../extension/src/core/ports";
import { mayRead } from "../../../../extension/src/node/agentTools/mayRead";
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
  const asked = (path: string, homeFolder = join(root, "user")) =>
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

  it("is none when it is found but lies in no home", async () => {
    expect((await asked(other)).ok).toBe(false);
  });
});
