import { baseName, type FilePath, formatFilePath, parseFilePath, withSegments } from "../util/filePath";
import {
  chosenFolder,
  HERMES_FAMILIES,
  type LocateContext,
  namesInside,
  openedHome,
  ownerOf,
  SANDBOX_FOLDER,
  type SpillFolder,
  sessionFolder,
  spillFolders,
  TOOL_RESULTS,
} from "./spillFolders";

export type { KnownPlaces, LocateContext } from "./spillFolders";

/** A place where the file may lie; always inside a known spill folder, as far as the text of the path tells. */
export interface Candidate {
  readonly path: string;
  readonly folder: SpillFolder;
  /** `written`: the notice's own path · `rebased`: below the opened or chosen home · `session`: by call id or file name. */
  readonly how: "written" | "rebased" | "session";
}

/** What the text of a path tells about where it belongs. */
export type PathShape =
  /** Below a home: `names` from the family's folder on. */
  | {
      readonly kind: "home";
      readonly home: string;
      readonly names: readonly string[];
      /** Below the family's folder. */
      readonly below: readonly string[];
      readonly keptMs: number | undefined;
    }
  | { readonly kind: "sandbox"; readonly names: readonly string[] }
  | { readonly kind: "session"; readonly name: string }
  | { readonly kind: "foreign" }
  | { readonly kind: "not-absolute" };

export interface Located {
  readonly candidates: readonly Candidate[];
  readonly shape: PathShape;
  /** True when the written path belongs to the other kind of system than this transcript's own. */
  readonly otherSystem: boolean;
}

/**
 * Where the file behind a notice may lie on this machine. Looks at the text of the path only; nothing is touched, and
 * nothing outside the known spill folders is ever proposed.
 */
export function locate(written: string, variant: string, callId: string | undefined, where: LocateContext): Located {
  const owner = ownerOf(variant, where.agent);
  const path = parseFilePath(written, where.homeFolder);
  const folders = spillFolders(owner, where);
  const shape = path === undefined ? ({ kind: "not-absolute" } as const) : shapeOf(path, owner);
  const proposals: { path: FilePath; how: Candidate["how"] }[] = [];
  if (path !== undefined) proposals.push({ path, how: "written" });
  for (const next of rebased(path, shape, where)) proposals.push({ path: next, how: "rebased" });
  if (owner === "claude-code") {
    for (const next of inSession(path, callId, where)) proposals.push({ path: next, how: "session" });
  }
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  for (const { path: proposal, how } of proposals) {
    const text = formatFilePath(proposal);
    // Once more: a name of one system may hold what another takes for a separator, a stream or a device.
    const place = parseFilePath(text);
    const folder = place && folders.find((known) => namesInside(place, known) !== undefined);
    if (place === undefined || folder === undefined || text !== formatFilePath(place) || seen.has(text)) continue;
    seen.add(text);
    candidates.push({ path: text, folder, how });
  }
  const here = parseFilePath(where.transcriptPath);
  return { candidates, shape, otherSystem: path !== undefined && here !== undefined && path.style !== here.style };
}

function shapeOf(path: FilePath, owner: string): PathShape {
  if (owner === "hermes") {
    const sandbox = path.segments.lastIndexOf(SANDBOX_FOLDER, path.segments.length - 2);
    if (sandbox >= 0) return { kind: "sandbox", names: path.segments.slice(sandbox + 1) };
    for (const { names, keptMs } of HERMES_FAMILIES) {
      const at = indexOfNames(path.segments, names);
      if (at < 0) continue;
      const home = formatFilePath({ ...path, segments: path.segments.slice(0, at) });
      const below = path.segments.slice(at + names.length);
      return { kind: "home", home, names: path.segments.slice(at), below, keptMs };
    }
  }
  if (owner === "claude-code" && path.segments.at(-2) === TOOL_RESULTS) {
    return { kind: "session", name: baseName(path) };
  }
  return { kind: "foreign" };
}

/** Last place where `names` follow one another and a name follows them. */
function indexOfNames(segments: readonly string[], names: readonly string[]): number {
  for (let at = segments.length - names.length - 1; at >= 0; at--) {
    if (names.every((name, i) => segments[at + i] === name)) return at;
  }
  return -1;
}

/** Below the chosen folder first, then below the home that the transcript lies in. */
function rebased(path: FilePath | undefined, shape: PathShape, where: LocateContext): readonly FilePath[] {
  const found: FilePath[] = [];
  const chosen = chosenFolder(where);
  if (chosen !== undefined && path !== undefined) found.push(...belowChosen(chosen, path, shape));
  const home = openedHome(where);
  if (home !== undefined && shape.kind === "home") found.push(withSegments(home, shape.names));
  if (home !== undefined && shape.kind === "sandbox") {
    found.push(withSegments(home, ["tmp", SANDBOX_FOLDER, ...shape.names]));
  }
  return found;
}

/** The chosen folder may stand for the home, for the spill folder itself, or for the root of the other machine. */
function belowChosen(chosen: FilePath, path: FilePath, shape: PathShape): readonly FilePath[] {
  const tails: (readonly string[])[] = [];
  if (shape.kind === "home") tails.push(shape.names, shape.below);
  if (shape.kind === "sandbox") tails.push([SANDBOX_FOLDER, ...shape.names], shape.names);
  if (shape.kind === "session") tails.push([TOOL_RESULTS, shape.name], [shape.name]);
  if (shape.kind === "session") tails.push(path.segments.slice(-3), path.segments.slice(-4));
  tails.push(path.segments);
  return tails.map((tail) => withSegments(chosen, tail));
}

/** Claude Code's files lie next to the session, under the name in the notice or under the call's id. */
function inSession(path: FilePath | undefined, callId: string | undefined, where: LocateContext): readonly FilePath[] {
  const names: string[] = [];
  if (path !== undefined && baseName(path) !== "") names.push(baseName(path));
  if (callId !== undefined && /^[\w-]+$/.test(callId)) names.push(`${callId}.txt`, `${callId}.json`);
  return resultFolders(where).flatMap((folder) => names.map((name) => withSegments(folder, [name])));
}

/** Where a session's results lie: beside its file, or in the folder that the user chose. */
function resultFolders(where: LocateContext): readonly FilePath[] {
  const session = sessionFolder(where);
  const chosen = chosenFolder(where);
  return [
    ...(session === undefined ? [] : [withSegments(session, [TOOL_RESULTS])]),
    ...(chosen === undefined ? [] : [withSegments(chosen, [TOOL_RESULTS]), chosen]),
  ];
}
