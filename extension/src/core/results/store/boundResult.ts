import { wholeEnd } from "./page";
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
  redact(text: string): string;
  /** Keeps a redacted text; anything but a `SavedText` with a handle, or a rejection, means that it was not kept. Called once at most. */
  save(text: string, truncated: boolean): Promise<unknown>;
  /** Calls `run` after a time unless disposed before. */
  after(ms: number, run: () => void): { dispose(): void };
}

const HANDLE = /^r-[0-9a-f-]{36}$/;

/**
 * What an agent gets of a tool's answer: short ones as they are, long ones as a preview and a handle for the rest. Secrets are
 * taken out before the cut. When the rest cannot be kept the preview says so, and nothing is tried again.
 */
export async function boundResult(text: string, ports: BoundPorts): Promise<string> {
  if (text.length <= WHOLE_UNITS) return text;
  const redacted = ports.redact(text);
  const keptUnits = wholeEnd(redacted, STORE_LIMITS.textUnits);
  const truncated = keptUnits < redacted.length;
  const saved = await saveInTime(redacted.slice(0, keptUnits), truncated, ports);
  const preview = redacted.slice(0, wholeEnd(redacted, PREVIEW_UNITS));
  return `${preview}\n\n${noticeOf(preview.length, saved, truncated)}`;
}

async function saveInTime(text: string, truncated: boolean, ports: BoundPorts): Promise<SavedText | undefined> {
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

function noticeOf(shown: number, saved: SavedText | undefined, truncated: boolean): string {
  const head = `[Large tool result: showing the first ${shown} characters. `;
  if (saved === undefined)
    return `${head}The remaining output could not be saved. The original operation was not retried. Do not repeat an action just to retrieve its output.]`;
  const kept =
    truncated || saved.truncated
      ? "Only a bounded portion was retained; the remaining tail was omitted."
      : "The remaining redacted result is temporarily saved.";
  return `${head}${kept} If a missing detail is needed, call tool_result_read with id "${saved.id}" and offset ${shown}. Saved results expire after one hour, on app restart, or under cache pressure. Do not repeat an action just to retrieve its output.]`;
}
