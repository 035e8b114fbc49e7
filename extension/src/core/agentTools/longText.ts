import { type Bounded, type BoundOptions, boundText } from "../results/store/boundResult";
import { type RedactedText, redacted } from "../results/store/redacted";
import type { Saved } from "../results/store/resultStore";
import type { CallContext } from "./callContext";

/** A text of any length as an agent gets it, and what was kept of it for the one who asked. */
export interface LongText extends Bounded {
  readonly kept: Saved | undefined;
}

/**
 * Bounds a text; what does not fit is kept under an id for this session and `key` (the path as the caller wrote it, which it
 * needs again to read on).
 */
export async function longText(
  text: string,
  key: string,
  { ports, turn }: CallContext,
  options: BoundOptions & { readonly redact?: (text: string) => Promise<RedactedText> } = {},
): Promise<LongText> {
  const store = turn.storeFor(key);
  let kept: Saved | undefined;
  const bounded = await boundText(
    text,
    {
      redact: options.redact ?? ((whole) => redacted(whole, ports.finder)),
      save: async (rest, truncated) => {
        kept = store.save(rest, truncated);
        return kept;
      },
      after: ports.after,
    },
    { goOn: (id, offset) => goOnWith(key, id, offset), ...options },
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
