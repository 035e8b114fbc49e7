/** An absolute path of either kind of system, taken apart. Pure text: nothing is looked up. */
export interface FilePath {
  readonly style: "posix" | "windows";
  /** `/`, `C:\` or `\\server\share\`. */
  readonly root: string;
  /** Names below the root; neither empty nor `.` nor `..`. */
  readonly segments: readonly string[];
}

/** Longest path that any system takes, UTF-16 units (Windows: 32,767; Linux 4,096 bytes). */
const MAX_PATH_UNITS = 32_767;

/**
 * Takes an absolute path apart and resolves `.`, `..` and doubled separators by text. A leading `~` stands for
 * `homeFolder`. Undefined for relative paths, other users' homes and texts that no system takes as a path. On Windows also for
 * names that lead to something else than the file they name: streams (`a.txt:b`), devices (`NUL`), and dots or spaces at the end,
 * which some programs drop.
 */
export function parseFilePath(text: string, homeFolder?: string): FilePath | undefined {
  if (text === "" || text.length > MAX_PATH_UNITS || text.includes("\0")) return undefined;
  if (text === "~" || text.startsWith("~/") || text.startsWith("~\\")) {
    const home = homeFolder === undefined ? undefined : parseFilePath(homeFolder);
    if (home === undefined || (home.style === "posix" && text.startsWith("~\\"))) return undefined;
    return sure(withSegments(home, text.slice(1).split(home.style === "windows" ? /[\\/]/ : "/")));
  }
  const drive = /^(?:\\\\\?\\)?([A-Za-z]):[\\/]/.exec(text);
  if (drive !== null) {
    const root = { style: "windows", root: `${(drive[1] ?? "").toUpperCase()}:\\`, segments: [] } as const;
    return sure(withSegments(root, text.slice(drive[0].length).split(/[\\/]/)));
  }
  const share = /^\\\\([^\\/?.][^\\/]*)[\\/]([^\\/]+)(?:[\\/]|$)/.exec(text);
  if (share !== null) {
    const root = { style: "windows", root: `\\\\${share[1] ?? ""}\\${share[2] ?? ""}\\`, segments: [] } as const;
    return sure(withSegments(root, text.slice(share[0].length).split(/[\\/]/)));
  }
  return text.startsWith("/") ? withSegments({ style: "posix", root: "/", segments: [] }, text.split("/")) : undefined;
}

/** Names of devices, which Windows finds in every folder and with every ending. Source: learn.microsoft.com, Naming Files. */
const DEVICE =
  /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])[ .]*(?:\.|$)/i;
const FORBIDDEN = /[\u0000-\u001f<>:"|?*]|[ .]$/;

/** Undefined where a name of a Windows path does not name the file that it seems to. */
function sure(path: FilePath): FilePath | undefined {
  if (path.style === "posix") return path;
  return path.segments.some((name) => FORBIDDEN.test(name) || DEVICE.test(name)) ? undefined : path;
}

/** The path as its system writes it. */
export function formatFilePath(path: FilePath): string {
  return path.root + path.segments.join(path.style === "windows" ? "\\" : "/");
}

/** Goes on from a path; `..` leads up, but never above the root. */
export function withSegments(path: FilePath, names: readonly string[]): FilePath {
  const segments = [...path.segments];
  for (const name of names) {
    if (name === "..") segments.pop();
    else if (name !== "" && name !== ".") segments.push(name);
  }
  return { ...path, segments };
}

/** The folder a path lies in; the root lies in itself. */
export function parentOf(path: FilePath): FilePath {
  return { ...path, segments: path.segments.slice(0, -1) };
}

/** The last name of a path; empty for a root. */
export function baseName(path: FilePath): string {
  return path.segments.at(-1) ?? "";
}

/** Names of `path` below `folder`, or undefined when it does not lie inside. Empty when both are the same. */
export function segmentsBelow(path: FilePath, folder: FilePath): readonly string[] | undefined {
  if (path.style !== folder.style || !sameName(path.style, path.root, folder.root)) return undefined;
  for (const [i, name] of folder.segments.entries()) {
    const other = path.segments[i];
    if (other === undefined || !sameName(path.style, other, name)) return undefined;
  }
  return path.segments.slice(folder.segments.length);
}

/** Windows compares names without case. */
function sameName(style: FilePath["style"], a: string, b: string): boolean {
  return style === "windows" ? a.toLowerCase() === b.toLowerCase() : a === b;
}
