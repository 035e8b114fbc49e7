import { wholeEnd } from "./page";
import { partOf, type RedactedText } from "./redacted";
import { type Saved, STORE_LIMITS } from "./resultStore";

/** Texts up to this many UTF-16 units stay as they are. Source: OpenMausBot `server/drivers/agents-result.ts` @585ebf75. */
export const WHOLE_UNITS = 24_000;
/** UTF-16 units of a preview. */
export const PREVIEW_UNITS = 16_000;
/** A saving that takes longer counts as failed. Milliseconds. */
export const SAVE_PATIENCE_MS = 3_000;

/** What a saver gave back. OpenMausBot's savers can add a summary; ours never do, and one is not looked at. */
export type SavedText = Pick<Saved, "id" | "truncated">;

export interface BoundPorts {
  /** Takes secrets out of a text. */
  redact(text: string): Promise<RedactedText>;
  /** Keeps a text; anything but a `SavedText` with a handle, or a rejection, means that it was not kept. Called once at most. */
  save(text: RedactedText, truncated: boolean): Promise<unknown>;
  /** Calls `run` after a time unless disposed before. */
  after(ms: number, run: () => void): { dispose(): void };
}

export interface BoundOptions {
  /** The text is not all there was. */
  readonly truncated?: boolean;
  /** How to go on, as a call: after "If a missing detail is needed, call ". */
  readonly goOn?: (id: string, offset: number) => string;
}

const HANDLE = /^r-[0-9a-f-]{36}$/;

/** OpenMausBot's own tool. */
const theirTool = (id: string, offset: number): string => `tool_result_read with id "${id}" and offset ${offset}`;

/** A text as an agent gets it. Lengths are UTF-16 units of the text without its secrets. */
export interface Bounded {
  /** With the notice at its end, where it is not whole. */
  readonly text: RedactedText;
  /** How much of it is shown. */
  readonly shown: number;
  /** What is kept to be read on; undefined: all is shown, or the rest could not be kept. */
  readonly saved: SavedText | undefined;
  readonly isWhole: boolean;
}

/**
 * What an agent gets of a tool's answer: short ones whole, long ones as a preview and a handle for the rest. Secrets are
 * taken out before the cut. When the rest cannot be kept the preview says so, and nothing is tried again. Rejects only where
 * `redact` does.
 */
export async function boundText(text: string, ports: BoundPorts, options: BoundOptions = {}): Promise<Bounded> {
  const { truncated: isPart = false, goOn = theirTool } = options;
  const clean = await ports.redact(text);
  // Masks may be longer than what they stand for.
  if (!isPart && text.length <= WHOLE_UNITS && clean.length <= WHOLE_UNITS)
    return { text: clean, shown: clean.length, saved: undefined, isWhole: true };
  const keptUnits = wholeEnd(clean, STORE_LIMITS.textUnits);
  const truncated = isPart || keptUnits < clean.length;
  const saved = await saveInTime(partOf(clean, 0, keptUnits), truncated, ports);
  const preview = partOf(clean, 0, wholeEnd(clean, PREVIEW_UNITS));
  const notice = noticeOf(preview.length, saved, truncated, goOn);
  return { text: `${preview}\n\n${notice}` as RedactedText, shown: preview.length, saved, isWhole: false };
}

async function saveInTime(text: RedactedText, truncated: boolean, ports: BoundPorts): Promise<SavedText | undefined> {
  let stop: (() => void) | undefined;
  const late = new Promise<undefined>((resolve) => {
    const timer = ports.after(SAVE_PATIENCE_MS, () => resolve(undefined));
    stop = () => timer.dispose();
  });
  try {
    return savedTextOf(await Promise.race([ports.save(text, truncated), late]));
  } catch {
    // Why it failed is the saver's to log; here it only means that the rest is lost, which the notice says.
    return undefined;
  } finally {
    stop?.();
  }
}

function savedTextOf(value: unknown): SavedText | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  const { id } = value;
  if (typeof id !== "string" || !HANDLE.test(id)) return undefined;
  return { id, truncated: "truncated" in value && Boolean(value.truncated) };
}

function noticeOf(
  shown: number,
  saved: SavedText | undefined,
  truncated: boolean,
  goOn: (id: string, offset: number) => string,
): string {
  const head = `[Large tool result: showing the first ${shown} characters. `;
  if (saved === undefined)
    return `${head}The remaining output could not be saved. The original operation was not retried. Do not repeat an action just to retrieve its output.]`;
  const kept =
    truncated || saved.truncated
      ? "Only a bounded portion was retained; the remaining tail was omitted."
      : "The remaining redacted result is temporarily saved.";
  return `${head}${kept} If a missing detail is needed, call ${goOn(saved.id, shown)}. Saved results expire after one hour, on app restart, or under cache pressure. Do not repeat an action just to retrieve its output.]`;
}
