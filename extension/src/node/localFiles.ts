import { readdirSync, readFileSync, statSync } from "node:fs";
import type { LocalFiles } from "../core/config/surroundings";

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
      const found = statSync(path);
      return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, "utf8") : undefined;
    }),
  list: (path) => quietly(() => readdirSync(path)) ?? [],
};

/** A path may be forbidden, no folder, too long or gone by now: the agent could not read it here either. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
