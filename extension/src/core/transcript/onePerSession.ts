import { opencodePlace } from "./opencodeStore";
import { isOpenhandsEvent, openhandsPlace } from "./openhandsStore";

/** Records of opencode's storage folder that only say something as a part of their session (transcripts.md 8). */
const OPENCODE_RECORD = /^(.*[\\/]storage)[\\/](?:message|part|project)[\\/]/;

/**
 * Of sessions that are kept in many files, the one that stands for all in a list: a session of opencode's storage folder,
 * where one is listed, and the first event of an OpenHands conversation, or its state where no event is listed. Other
 * paths stay as they are.
 * @param paths absolute, with either platform's separators
 * @returns those that stay, in the order given
 */
export function onePerSession(paths: readonly string[]): readonly string[] {
  const standing = new Map<string, { readonly path: string; readonly rank: number }>();
  const storages = new Set(paths.map((path) => opencodePlace(path)?.storage));
  const folderOf = (path: string): string | undefined => openhandsPlace(path)?.folder;
  for (const path of paths) {
    const folder = folderOf(path);
    if (folder === undefined) continue;
    const rank = rankOf(path);
    const first = standing.get(folder);
    if (first === undefined || rank < first.rank) standing.set(folder, { path, rank });
  }
  return paths.filter((path) => {
    const folder = folderOf(path);
    if (folder !== undefined) return standing.get(folder)?.path === path;
    const storage = OPENCODE_RECORD.exec(path)?.[1];
    return storage === undefined || !storages.has(storage);
  });
}

/** Number of an event; the state comes after all of them. */
function rankOf(path: string): number {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  return isOpenhandsEvent(name) ? Number(/\d+/.exec(name)?.[0]) : Number.POSITIVE_INFINITY;
}
