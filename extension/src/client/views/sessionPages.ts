/** Sessions that one level of the tree shows; older ones stand below a node of their own, so that no level grows without bound. */
export const SESSIONS_PER_LEVEL = 200;

export interface SessionPage<T> {
  readonly shown: readonly T[];
  /** Newest first; empty when all are shown. */
  readonly older: readonly T[];
}

/** Splits a list that begins with the newest. */
export function sessionPage<T>(sessions: readonly T[]): SessionPage<T> {
  // A node for a handful of sessions would only be in the way.
  const all = sessions.length <= SESSIONS_PER_LEVEL + SESSIONS_PER_LEVEL / 10;
  if (all) return { shown: sessions, older: [] };
  return { shown: sessions.slice(0, SESSIONS_PER_LEVEL), older: sessions.slice(SESSIONS_PER_LEVEL) };
}
