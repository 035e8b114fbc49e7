import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Everything about a folder that writing to it would change: names, kinds, rights, owners, sizes, times of change to the nanosecond,
 * contents. Not the times of reading.
 */
export function treeState(folder: string): readonly string[] {
  const lines: string[] = [];
  const visit = (path: string, name: string): void => {
    const info = lstatSync(path, { bigint: true });
    const facts = [info.mode, info.uid, info.gid, info.nlink, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(
      " ",
    );
    const content = info.isSymbolicLink()
      ? readlinkSync(path)
      : info.isFile()
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "";
    lines.push(`${name} ${facts} ${content}`);
    if (!info.isDirectory()) return;
    for (const child of readdirSync(path).sort()) visit(join(path, child), `${name}/${child}`);
  };
  visit(folder, ".");
  return lines;
}
