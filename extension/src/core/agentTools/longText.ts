import { type Bounded, boundText } from "../results/store/boundText";
import { redacted, redactedHead } from "../results/store/redacted";
import type { Saved } from "../results/store/resultStore";
import type { CallContext } from "./callContext";
import { ASK_LIMITS } from "./limits";

/** A text of any length as an agent gets it, and what was kept of it for the one who asked. */
export interface LongText extends Bounded {
  readonly kept: Saved | undefined;
}

/**
 * Bounds a text; what does not fit is kept under an id for this session and `key` (the path as the caller wrote it, which it
 * needs again to read on).
 * @param isCut the text is the beginning of a longer one
 */
export async function longText(
  text: string,
  key: string,
  isCut: boolean,
  { ports, turn }: CallContext,
): Promise<LongText> {
  const { finder, after } = ports;
  const store = turn.storeFor(key);
  const head = text.slice(0, ASK_LIMITS.readUnits);
  const isPart = isCut || head.length < text.length;
  let kept: Saved | undefined;
  const bounded = await boundText(
    head,
    {
      redact: (all) => (isPart ? redactedHead : redacted)(all, finder),
      save: async (rest, truncated) => {
        kept = store.save(rest, truncated);
        return kept;
      },
      after,
    },
    { truncated: isPart, goOn: (id, offset) => goOnWith(key, id, offset) },
  );
  return { ...bounded, kept: bounded.saved === undefined ? undefined : kept };
}

/** UTF-16 units of a path that is said again. */
const PATH_UNITS = 1_000;

/** How to read on, as a call that a model can make. */
function goOnWith(transcript: string, id: string, offset: number): string {
  const written = JSON.stringify(transcript);
  const which = written.length > PATH_UNITS ? "the same transcript" : `transcript ${written}`;
  return `contextBudget_readPage with ${which}, id "${id}" and offset ${offset}`;
}

/** Moment for an answer; milliseconds since the epoch. Undefined and what is no moment give null. */
export function moment(ms: number | undefined): string | null {
  return ms === undefined || !(Math.abs(ms) <= 8.64e15) ? null : new Date(ms).toISOString();
}
