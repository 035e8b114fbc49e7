import type { FileStatus } from "../model/fileStatus";
import type { PersistedInfo, ToolResult } from "../model/transcript";
import type { Cancel, Clock, FileAccess, FileStat, Utf8 } from "../ports";
import { formatFilePath, parseFilePath } from "../util/filePath";
import { type ContentReport, compareContents } from "./fileContents";
import { ageNote, explainMissing, outsideNotes, severalNames } from "./fileNotes";
import { type Candidate, type LocateContext, type Located, locate } from "./locate";
import { namesInside, ownerOf } from "./spillFolders";

export type { KnownPlaces, LocateContext } from "./locate";

export interface FileReport {
  readonly status: FileStatus;
  /** Where the file lies on this machine, links resolved; undefined when it was not found or not looked for. */
  readonly resolvedPath: string | undefined;
  /** Of the file that was looked at (`FileStat.identity`): whoever reads it opens this one and no other. */
  readonly identity?: string | undefined;
  /** Characters in the file, in the notice's unit; undefined when it was not decoded. */
  readonly realChars: number | undefined;
  readonly realBytes: number | undefined;
  /** Milliseconds since the file was last written. */
  readonly ageMs: number | undefined;
  /** Set where nothing may be looked at without being asked: the place where the file would be looked for. */
  readonly unseen?: string;
  /** True when the file may be read without asking. */
  readonly inKnownFolder: boolean;
  /** Choosing another folder for the path's home may help. */
  readonly canRebase: boolean;
  /** One sentence each. */
  readonly notes: readonly string[];
}

export interface FileCheckPorts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  readonly clock: Clock;
}

const NOTHING: FileReport = {
  status: "none",
  resolvedPath: undefined,
  realChars: undefined,
  realBytes: undefined,
  ageMs: undefined,
  inKnownFolder: false,
  canRebase: false,
  notes: [],
};

/**
 * Looks up the file behind a notice and compares it with what the notice says. Only files inside the known spill folders
 * of the agent that wrote the notice are touched, and they are read only when they still lie there after links are
 * resolved; any other path is reported as `outside` or `other-machine` without a look.
 */
export async function checkFile(
  result: Pick<ToolResult, "persisted" | "callId">,
  preview: string | undefined,
  where: LocateContext,
  ports: FileCheckPorts,
  cancel: Cancel,
): Promise<FileReport> {
  const persisted = result.persisted;
  if (persisted === undefined) return NOTHING;
  if (persisted.path === undefined) return withoutPath(persisted);
  const located = locate(persisted.path, persisted.variant, result.callId, where);
  let refused: FileReport | undefined;
  for (const candidate of await withCallIdFiles(located, result.callId, ports.files)) {
    if (cancel.isCancellationRequested) return { ...NOTHING, status: "not-checked" };
    const stat = await ports.files.stat(candidate.path);
    if (stat.kind === "missing") continue;
    const report = await checkCandidate(candidate, stat, persisted, preview, ports, cancel);
    if (report.status !== "unreadable" && report.status !== "outside") return report;
    // Another candidate may still be the file.
    refused ??= report;
  }
  return refused ?? notFound(persisted.path, located, where);
}

/**
 * The report in a workspace that is not trusted: nothing besides the transcript is looked at, so there is only the place that the
 * text tells, for the user to say yes or no to.
 */
export function unseenFile(result: Pick<ToolResult, "persisted" | "callId">, where: LocateContext): FileReport {
  const persisted = result.persisted;
  if (persisted === undefined) return NOTHING;
  if (persisted.path === undefined) return withoutPath(persisted);
  const { candidates } = locate(persisted.path, persisted.variant, result.callId, where);
  const note =
    "This workspace is not trusted, so only the transcript itself is read. The file has not been looked at; it is read when you open it.";
  return { ...NOTHING, status: "not-checked", unseen: candidates[0]?.path ?? persisted.path, notes: [note] };
}

function withoutPath(persisted: PersistedInfo): FileReport {
  if (persisted.handle === undefined) return NOTHING;
  const notes =
    ownerOf(persisted.variant, "unknown") === "openmausbot"
      ? [
          "OpenMausBot keeps this text in its own memory for one hour (a summarised one on disk for 30 days); it can be read there with the handle.",
        ]
      : ["The full text lived in the agent's memory only; the handle ends with the run."];
  return { ...NOTHING, notes };
}

/** Claude Code picks the extension by content, so the call's id is looked for with any. */
async function withCallIdFiles(
  located: Located,
  callId: string | undefined,
  files: FileAccess,
): Promise<readonly Candidate[]> {
  if (callId === undefined) return located.candidates;
  const found = new Map(located.candidates.map((candidate) => [candidate.path, candidate]));
  const listed = new Set<string>();
  for (const candidate of located.candidates) {
    const folder = folderOf(candidate.path);
    if (candidate.how !== "session" || listed.has(folder)) continue;
    listed.add(folder);
    const stat = await files.stat(folder);
    // The listing itself must not leave the session's folder through a link.
    if (stat.kind !== "directory" || !(await staysInside(`${stat.realPath}/x`, candidate, files))) continue;
    for (const name of await listIfReadable(folder, files)) {
      const path = candidate.path.slice(0, folder.length + 1) + name;
      if (name.startsWith(`${callId}.`) && !found.has(path)) found.set(path, { ...candidate, path });
    }
  }
  return [...found.values()];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
}

/** A folder that cannot be listed offers no further names; the named files are still tried. */
async function listIfReadable(folder: string, files: FileAccess): Promise<readonly string[]> {
  try {
    return await files.list(folder);
  } catch {
    return [];
  }
}

async function staysInside(realPath: string, candidate: Candidate, files: FileAccess): Promise<boolean> {
  const base = await files.stat(formatFilePath(candidate.folder.base));
  const real = base.kind === "directory" ? parseFilePath(base.realPath) : undefined;
  const path = parseFilePath(realPath);
  return real !== undefined && path !== undefined && namesInside(path, candidate.folder, real) !== undefined;
}

async function checkCandidate(
  candidate: Candidate,
  stat: FileStat,
  persisted: PersistedInfo,
  preview: string | undefined,
  ports: FileCheckPorts,
  cancel: Cancel,
): Promise<FileReport> {
  if (stat.kind === "missing") return { ...NOTHING, status: "missing" };
  if (stat.kind === "unreadable") {
    const note = `${candidate.path} cannot be read (${stat.reason}).`;
    return { ...NOTHING, status: "unreadable", inKnownFolder: true, notes: [note] };
  }
  if (!(await staysInside(stat.realPath, candidate, ports.files))) {
    return { ...NOTHING, status: "outside", notes: outsideNotes(stat.realPath, true) };
  }
  if (stat.kind === "file" && (stat.names ?? 1) > 1) {
    return { ...NOTHING, status: "outside", notes: [severalNames(stat.realPath)] };
  }
  const found = { ...NOTHING, resolvedPath: stat.realPath, identity: stat.identity, inKnownFolder: true };
  if (stat.kind !== "file") {
    const what = stat.kind === "directory" ? "a folder" : "not a regular file";
    return { ...found, status: "unreadable", notes: [`${stat.realPath} is ${what}, so it is not opened.`] };
  }
  const ageMs = Math.max(0, ports.clock.now() - stat.mtimeMs);
  const facts = { ...found, realBytes: stat.bytes, ageMs };
  const age = ageNote(ageMs, candidate.folder.keptMs);
  const moved = candidate.how === "written" ? [] : [`Found at ${stat.realPath}, not at the path in the notice.`];
  const contents = await compareContents(stat, persisted, preview, ports, cancel);
  if (!contents.ok) return { ...facts, status: contents.status, notes: [...moved, contents.note, age] };
  return { ...facts, ...verdict(contents), notes: [...moved, ...contents.notes, age] };
}

function verdict(contents: ContentReport & { readonly ok: true }): Pick<FileReport, "status" | "realChars"> {
  const status = contents.previewDiffers ? "preview-differs" : contents.sizeDiffers ? "size-differs" : "ok";
  return { status, realChars: contents.realChars };
}

function notFound(written: string, located: Located, where: LocateContext): FileReport {
  const { status, notes, canRebase } = explainMissing(written, located, where);
  return { ...NOTHING, status, notes, canRebase };
}
