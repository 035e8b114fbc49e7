import { readFileSync } from "node:fs";

/**
 * Watches how long this thread works without a pause. What it waits for a processor that others use does not count, where the
 * system tells it apart.
 */
export function watchTurns(): {
  /** The longest work between two turns of the event loop, milliseconds. */ stop(): number;
} {
  let longest = 0;
  let last = busyMs();
  const probe = setInterval(() => {
    const now = busyMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    stop: () => {
      clearInterval(probe);
      return longest;
    },
  };
}

/** How long this thread has worked so far, milliseconds; where the system does not tell, how long it has lived. */
function busyMs(): number {
  if (process.platform !== "linux") return performance.now();
  return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
}
