import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { opencodePlace } from "../core/transcript/opencodeStore";
import { openhandsPlace } from "../core/transcript/openhandsStore";

/** What tells one state of files from another. */
export interface FilesState {
  readonly text: string;
  /** When any of them was written last, milliseconds since the epoch. */
  readonly changedMs: number;
}

/** An agent writes its newest messages, and their newest parts; what is older is not looked at each time. */
const NEWEST = { messages: 3, parts: 16 } as const;

/** True for a path whose session is read from many files beside it. */
export function isInStore(path: string): boolean {
  return opencodePlace(path) !== undefined || openhandsPlace(path) !== undefined;
}

/**
 * The state of the files around one of a session that its agent keeps in many: folders tell of new files, the newest files of what is
 * written into them. Undefined for any other path.
 */
export async function storeState(path: string): Promise<FilesState | undefined> {
  const opencode = opencodePlace(path);
  if (opencode !== undefined) return opencodeState(opencode.storage, opencode.session);
  const openhands = openhandsPlace(path);
  if (openhands === undefined) return undefined;
  const { folder } = openhands;
  return together([await stateOf(join(folder, "events")), await stateOf(join(folder, "base_state.json"))]);
}

async function opencodeState(storage: string, session: string): Promise<FilesState> {
  const messages = join(storage, "message", session);
  const states = [await stateOf(messages)];
  for (const message of await newest(messages, NEWEST.messages)) {
    states.push(await stateOf(join(messages, message)));
    const parts = join(storage, "part", message.slice(0, -".json".length));
    states.push(await stateOf(parts));
    for (const part of await newest(parts, NEWEST.parts)) states.push(await stateOf(join(parts, part)));
  }
  return together(states);
}

/** Names of the newest JSON files of a folder: ids of opencode grow with time. */
async function newest(folder: string, count: number): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    return names.sort().slice(-count);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function together(states: readonly (FilesState | undefined)[]): FilesState {
  const text = states.map((state) => state?.text ?? "-").join(" ");
  return { text, changedMs: states.reduce((latest, state) => Math.max(latest, state?.changedMs ?? 0), 0) };
}

/** A file or folder as it is now, and who may read it; undefined when it is not there or may not be looked at. */
export async function stateOf(path: string): Promise<(FilesState & { readonly access: string }) | undefined> {
  try {
    const { ino, size, mtimeMs, mode, uid, gid } = await stat(path);
    return { text: `${ino} ${size} ${mtimeMs}`, access: `${mode} ${uid} ${gid}`, changedMs: mtimeMs };
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
