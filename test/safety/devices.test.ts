import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { identityOf } from "../../extension/src/node/fileIdentity";
import { nodeFiles } from "../../extension/src/node/files";
import { nodeLocalFiles } from "../../extension/src/node/localFiles";
import { peekFile } from "../../extension/src/node/peekFile";
import { openDatabase } from "../../extension/src/node/sqlite";

/** Every path that was opened. */
const opened = vi.hoisted((): string[] => []);

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const openSync: typeof real.openSync = (path, ...rest) => {
    opened.push(String(path));
    return real.openSync(path, ...rest);
  };
  return { ...real, openSync };
});
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const open: typeof real.open = (path, ...rest) => {
    opened.push(String(path));
    return real.open(path, ...rest);
  };
  return { ...real, open };
});

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cbi-devices-")));
  if (process.platform !== "win32") execFileSync("mkfifo", [join(root, "pipe")]);
  symlinkSync("/dev/tty", join(root, "link"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Opening alone moves tapes, resets boards, and lets the writer of a pipe go on. */
describe.skipIf(process.platform === "win32")("what is no regular file is not even opened", () => {
  it.each(["/dev/tty", "/dev/zero", "pipe", "link", "."])("%s", async (name) => {
    const path = name.startsWith("/") ? name : join(root, name);
    await expect(nodeFiles.open(path)).rejects.toHaveProperty("code");
    await expect(nodeFiles.open(path, {})).rejects.toHaveProperty("code");
    await expect(nodeFiles.open(path, { identity: "1:1" })).rejects.toHaveProperty("code");
    expect(await peekFile(path, 10, 10)).toBeUndefined();
    expect(nodeLocalFiles.read(path)).toBeUndefined();
    expect(await identityOf(path)).toBeUndefined();
    expect((await openDatabase(path, {}, { isCancellationRequested: false })).ok).toBe(false);
    expect(opened).toEqual([]);
  });

  it("while a regular file is", async () => {
    await (await nodeFiles.open(import.meta.filename)).read(0, 1);
    expect(opened).toContain(import.meta.filename);
  });
});
