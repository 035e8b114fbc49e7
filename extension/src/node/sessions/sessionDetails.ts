import type { SecretFinder } from "../../core/ports";
import { withoutSecrets } from "../../core/secrets/mask";
import { type Glance, glanceTail, glanceText, type TailGlance, titleLine } from "../../core/transcript/glance";
import type { Peek } from "../peekFile";

/** What the two ends of a session's file say; valid for this state of the file. */
export interface SessionDetails extends Glance {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly tail: TailGlance | undefined;
}

export type PeekFile = (path: string, headBytes: number, tailBytes: number) => Promise<Peek | undefined>;

/** Bytes of the beginning that nearly always say it all, and those looked at where they do not name the project. */
const HEAD_STEPS = [16 * 1024, 256 * 1024] as const;
/** The newest answer with its usage stands within so many bytes of the end, unless a large result came after it. */
const TAIL_BYTES = 32 * 1024;

/**
 * Reads both ends of a session's file; undefined when it cannot be read.
 * @param secrets finds what is masked in the title; undefined: the caller shows none
 */
export async function readDetails(
  path: string,
  peek: PeekFile,
  secrets?: SecretFinder,
): Promise<SessionDetails | undefined> {
  const first = await peek(path, HEAD_STEPS[0], TAIL_BYTES);
  if (first === undefined) return undefined;
  let head = glanceText(first.head);
  if (head.project === undefined && head.projectHash === undefined && first.bytes > HEAD_STEPS[0]) {
    const more = await peek(path, HEAD_STEPS[1], 0);
    if (more !== undefined) head = glanceText(more.head);
  }
  const { bytes, mtimeMs } = first;
  const written = head.title;
  const title = titleLine(
    secrets === undefined || written === undefined ? written : await withoutSecrets(written, secrets),
  );
  return { bytes, mtimeMs, ...head, title, tail: glanceTail(first.tail === "" ? first.head : first.tail) };
}
