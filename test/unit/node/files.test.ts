import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeDigest } from "../../../extension/src/node/digest";
import { nodeFiles } from "../../../extension/src/node/files";
import { nodeUtf8 } from "../../../extension/src/node/utf8";

let folder = "";

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cbi-files-")));
  writeFileSync(join(folder, "a.txt"), "0123456789");
  writeFileSync(join(folder, "empty"), "");
  mkdirSync(join(folder, "sub"));
  symlinkSync(join(folder, "a.txt"), join(folder, "sub", "link"));
  symlinkSync("loop", join(folder, "loop"));
  symlinkSync("nowhere", join(folder, "dangling"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("nodeFiles", () => {
  it("describes files, folders, links and what is not there", async () => {
    expect(await nodeFiles.stat(join(folder, "a.txt"))).toMatchObject({ kind: "file", bytes: 10 });
    expect(await nodeFiles.stat(join(folder, "sub"))).toMatchObject({ kind: "directory" });
    expect(await nodeFiles.stat(join(folder, "sub", "link"))).toMatchObject({
      kind: "file",
      realPath: join(folder, "a.txt"),
    });
    for (const name of ["nothing", "dangling", "a.txt/below"]) {
      expect(await nodeFiles.stat(join(folder, name))).toEqual({ kind: "missing" });
    }
    expect((await nodeFiles.stat(join(folder, "loop"))).kind).toBe("unreadable");
    expect((await nodeFiles.stat("a\0b")).kind).toBe("unreadable");
    expect((await nodeFiles.stat(join(folder, "n".repeat(5000)))).kind).toBe("unreadable");
  });

  it("reads any range, and less at the end", async () => {
    const source = await nodeFiles.open(join(folder, "a.txt"));
    const text = async (start: number, end: number): Promise<string> =>
      new TextDecoder().decode(await source.read(start, end));
    expect(source.bytes).toBe(10);
    expect(await text(0, 10)).toBe("0123456789");
    expect(await text(3, 5)).toBe("34");
    expect(await text(8, 99)).toBe("89");
    expect(await text(20, 30)).toBe("");
    expect(await text(5, 3)).toBe("");
    expect((await nodeFiles.open(join(folder, "empty"))).bytes).toBe(0);
  });

  it("gives what is left when a file shrinks between reads", async () => {
    const path = join(folder, "shrinks");
    writeFileSync(path, "0123456789");
    const source = await nodeFiles.open(path);
    truncateSync(path, 4);
    expect((await source.read(2, 10)).length).toBe(2);
  });

  it("refuses folders, devices and named pipes without waiting", async () => {
    await expect(nodeFiles.open(folder)).rejects.toMatchObject({ code: "EISDIR" });
    await expect(nodeFiles.open(join(folder, "nothing"))).rejects.toMatchObject({ code: "ENOENT" });
    if (process.platform === "win32") return;
    await expect(nodeFiles.open("/dev/null")).rejects.toMatchObject({ code: "EINVAL" });
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await nodeFiles.stat(pipe)).toMatchObject({ kind: "other" });
    await expect(nodeFiles.open(pipe)).rejects.toMatchObject({ code: "EINVAL" });
  });

  it("rejects with the platform's code", async () => {
    await expect(nodeFiles.open(join(folder, "loop"))).rejects.toMatchObject({ code: "ELOOP" });
  });

  it("lists names, and nothing where there is no folder", async () => {
    expect([...(await nodeFiles.list(join(folder, "sub")))]).toEqual(["link"]);
    expect(await nodeFiles.list(join(folder, "nothing"))).toEqual([]);
    expect(await nodeFiles.list(join(folder, "a.txt"))).toEqual([]);
  });
});

describe("nodeUtf8", () => {
  it.each([
    [[0xef, 0xbb, 0xbf, 0x61], "\ufeffa", true],
    [[0xff, 0x61], "\ufffda", false],
    [[0xe2, 0x82], "\ufffd", false],
    [[0xed, 0xa0, 0x80], "\ufffd\ufffd\ufffd", false],
    [[0xf0, 0x9f, 0x98, 0x80], "😀", true],
    [[], "", true],
  ])("%j", (bytes, text, valid) => {
    expect(nodeUtf8.decode(new Uint8Array(bytes))).toEqual({ text, valid });
  });
});

describe("nodeDigest", () => {
  it("hashes UTF-8", () => {
    expect(nodeDigest.sha256Hex("é").slice(0, 12)).toBe("4a99557e4033");
  });
});
