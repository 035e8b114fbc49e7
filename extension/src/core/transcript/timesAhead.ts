import type { Problem } from "../model/problem";
import type { Thread } from "../model/transcript";
import { plural } from "./problems";

/** Two places on earth are at most 26 hours apart (UTC+14 and UTC−12), and some formats state no zone. Milliseconds. */
const ZONES_MS = 26 * 3_600_000;

/** Says that threads begin at a time that is still to come; `nowMs` since the epoch. Undefined when none does. */
export function timesAhead(threads: Iterable<Pick<Thread, "startedAt">>, nowMs: number): Problem | undefined {
  let count = 0;
  let latest = 0;
  let written = "";
  for (const { startedAt } of threads) {
    const began = startedAt === undefined ? Number.NaN : Date.parse(startedAt);
    if (!(began > nowMs + ZONES_MS)) continue;
    count++;
    if (began <= latest || startedAt === undefined) continue;
    latest = began;
    written = startedAt;
  }
  if (count === 0) return undefined;
  const message = `${plural(count, "thread")} with a beginning that is still to come, the latest ${written}: a clock was wrong. Times are shown as they are written.`;
  return { code: "time-ahead", severity: "info", message };
}
