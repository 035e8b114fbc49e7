import type { Problem } from "../model/problem";

/** Why a file could not be read, from the platform's error code. */
export function unreadable(source: { readonly path: string }, error: unknown): Problem {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const why = (text: string): Problem => ({ code: "unreadable", severity: "error", message: `${source.path} ${text}` });
  switch (code) {
    case "EISDIR":
      return why("is a folder. Open one of the transcripts in it.");
    case "ENOENT":
      return why("does not exist (any more).");
    case "EACCES":
    case "EPERM":
      return why("may not be read by this user. Check its permissions.");
    default:
      return why(`cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
