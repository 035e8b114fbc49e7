import { differs } from "./hash";
import { BLOCKS } from "./layout";

/**
 * Runs of keys and values that nobody looks at are the same in record after record (`"userType":"external","cwd":"/home/…",…`).
 * The last one met is kept for each place in a record, and passed over as a whole where the same bytes stand again.
 */
const RUN_BYTES = 1024;
const SHORTEST = 24;

/** Places where a run may stand. */
export const RECORD_RUN = 0;
export const MESSAGE_RUN = 1;
export const LATE_RUN = 2;

// Of each run four words: length, bits of `seen`, flags, none; then its bytes.
function runAt(slot: i32): usize {
  return BLOCKS + 0x2000 + <usize>(slot * (RUN_BYTES + 32));
}

/** Length of the run that begins at the opening quote of a key, or 0. */
export function matchRun(slot: i32, at: usize): usize {
  const run = runAt(slot);
  const length = load<i32>(run);
  if (load<u64>(run, 16) !== load<u64>(at) || length === 0) return 0;
  return differs(run + 16, at, length) ? 0 : <usize>length;
}

export function runSeen(slot: i32): i32 {
  return load<i32>(runAt(slot), 4);
}

export function runFlags(slot: i32): i32 {
  return load<i32>(runAt(slot), 8);
}

/** Keeps the run from one key's opening quote to that of the next key that is looked at. */
export function keepRun(slot: i32, from: usize, to: usize, seen: i32, flags: i32): void {
  const length = <i32>(to - from);
  if (length < SHORTEST || length > RUN_BYTES) return;
  const run = runAt(slot);
  store<i32>(run, length);
  store<i32>(run, seen, 4);
  store<i32>(run, flags, 8);
  memory.copy(run + 16, from, length);
}
