import type { Log } from "../../extension/src/core/ports";
import { claudeSessions } from "../claudeSessions";

/** One look at the sessions of a Claude Code home, as the tree of a new window takes it: how many it lists. */
export async function lookAtSessions(root: string, store: string, log: Log): Promise<number> {
  const index = claudeSessions(root, store, log);
  try {
    await index.settled();
    return index.found("c").sessions.length;
  } finally {
    index.dispose();
  }
}
