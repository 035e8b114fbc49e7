import { basename, dirname, sep } from "node:path";
import type { ScanFiles } from "../scanFiles";

/** Homes by how their sessions lie in them. */
export interface Homes {
  /** Sessions lie in `sessions` of the home or of one of its profiles; the rest of it is the user's. */
  readonly hermes: readonly string[];
  /** All that lies in them. */
  readonly others: readonly string[];
}

/**
 * Tells paths of sessions that lie in homes. An open folder is known by its own path and a home often by a link to it (settings
 * that are kept in a repository), so where homes lead counts too.
 */
export async function inHomes(homes: Homes, files: Pick<ScanFiles, "real">): Promise<(path: string) => boolean> {
  const hermes = new Set(await withReal(homes.hermes, files));
  const others = await withReal(homes.others, files);
  return (path) => isHermesSession(path, hermes) || others.some((home) => path.startsWith(`${home}${sep}`));
}

async function withReal(homes: readonly string[], files: Pick<ScanFiles, "real">): Promise<readonly string[]> {
  const real = await Promise.all(homes.map((home) => files.real(home)));
  return [...homes, ...real.filter((home) => home !== undefined)];
}

/** True for `sessions/…` of a home or of one of its profiles. */
function isHermesSession(path: string, homes: ReadonlySet<string>): boolean {
  const folder = dirname(path);
  if (basename(folder) !== "sessions") return false;
  return isHomeOrProfile(dirname(folder), homes);
}

/** Whether a folder is one of the Hermes homes, or a profile of one. By text. */
export function isHomeOrProfile(folder: string, homes: ReadonlySet<string>): boolean {
  return homes.has(folder) || (basename(dirname(folder)) === "profiles" && homes.has(dirname(dirname(folder))));
}
