/** Bounds of what an agent can ask for. */
export const ASK_LIMITS = {
  /** Sessions in one answer. */
  sessions: 100,
  sessionsUnlessTold: 20,
  /** Results in one answer. */
  results: 200,
  resultsUnlessTold: 50,
  /** UTF-16 units of a path or any other text in a question. */
  text: 4_096,
  /** Largest number in a question, whatever it counts. */
  whole: 1e12,
  /** UTF-16 units that are looked at of one text: more than is kept, so that secrets at the end of what is kept are seen whole. */
  readUnits: 256 * 1024,
  /** Calls that are under way at a time, of all sessions. */
  calls: 32,
  /** A call that takes longer is stopped. Milliseconds. */
  patienceMs: 120_000,
} as const;

/** UTF-16 units of the words about a text that stand before it. */
export const HEAD_UNITS = 4_000;
