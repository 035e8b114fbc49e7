import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeLocalFiles } from "../../../extension/src/node/localFiles";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "context-budget-local-"));
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, ".env"), "A=1\n");
  writeFileSync(join(folder, "large"), "x".repeat(1_000_001));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("nodeLocalFiles", () => {
  it("reads small files, and tells when they change", () => {
    const path = join(folder, ".env");
    expect(nodeLocalFiles.read(path)).toBe("A=1\n");
    const before = nodeLocalFiles.stamp(path);
    writeFileSync(path, "A=12\n");
    expect(nodeLocalFiles.stamp(path)).not.toBe(before);
  });

  it("counts whatever cannot be read as missing", () => {
    expect(nodeLocalFiles.read(join(folder, "none"))).toBeUndefined();
    expect(nodeLocalFiles.stamp(join(folder, "none"))).toBeUndefined();
    expect(nodeLocalFiles.stamp(join(folder, ".env", "below"))).toBeUndefined();
    expect(nodeLocalFiles.read(join(folder, "sub"))).toBeUndefined();
    expect(nodeLocalFiles.read(join(folder, "large"))).toBeUndefined();
    expect(nodeLocalFiles.read("with\0nul")).toBeUndefined();
    expect(nodeLocalFiles.list(join(folder, ".env"))).toEqual([]);
    expect(nodeLocalFiles.list(folder)).toContain("sub");
  });
});
