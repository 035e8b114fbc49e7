import { hashOf } from "./rows/nameTable";

/** Shorter names (`m1`, `call_0`) are counters and stand in many sessions for different requests. */
const MIN_LENGTH = 16;
/** Bits that the second name gives, so that both fit into a number without loss. */
const SECOND_BITS = 21;

/**
 * What tells a request to the model from all others, in whichever file its record stands: resumed and forked sessions hold
 * copies of it. 53 bits of a hash, in which two of a million requests meet once in ten thousand collections. Undefined when
 * the names are too short to tell.
 */
export function callIdentity(first: string, second = ""): number | undefined {
  if (first.length + second.length < MIN_LENGTH) return undefined;
  const low = second === "" ? hashOf(first, 1, first.length - 1) : hashOf(second);
  return (hashOf(first) >>> 0) * 2 ** SECOND_BITS + (low & (2 ** SECOND_BITS - 1));
}
