import { readdirSync, statSync } from "node:fs";
import type { LocalFiles } from "../core/config/surroundings";
import { blockingReader } from "./files";

const MAX_BYTES = 1_000_000;

/** Files of this machine; whatever cannot be looked at counts as missing. */
export const nodeLocalFiles: LocalFiles = {
  stamp: (path) =>
    quietly(() => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? undefined : `${found.mtimeMs}:${found.size}`;
    }),
  read: (path) =>
    quietly(() => {
      // Before opening: some devices react to being opened.
      const found = statSync(path);
      return found.isFile() && found.size <= MAX_BYTES ? textOf(path) : undefined;
    }),
  list: (path) => quietly(() => readdirSync(path)) ?? [],
};

/** It may be a pipe by now, which must not be waited for, or longer. */
function textOf(path: string): string | undefined {
  const file = blockingReader(path);
  try {
    const bytes = file.take(0, MAX_BYTES + 1);
    return bytes.length > MAX_BYTES ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } finally {
    file.close();
  }
}

/** A path may be forbidden, no folder, too long or gone by now: the agent could not read it here either. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
