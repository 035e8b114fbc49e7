/** What must be undone however the process ends: processes started, temporary folders made. Newest first. */

/** @type {Set<() => void | Promise<void>>} */
const pending = new Set();
let listening = false;
let ending = false;

/** True once everything is being ended on purpose. */
export const isEnding = () => ending;

/**
 * Registers an action for the end of the process; returns a function that runs it now, once.
 * @param {() => void | Promise<void>} action safe to call when its object is already gone
 * @returns {() => Promise<void>}
 */
export function onEnd(action) {
  if (!listening) {
    listening = true;
    process.on("exit", () => {
      // Only the synchronous part of an action still runs here; signals below take the full way.
      for (const each of [...pending].reverse()) each();
    });
    for (const [signal, code] of /** @type {const} */ ([
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ])) {
      process.on(signal, () => endAll().finally(() => process.exit(code)));
    }
  }
  pending.add(action);
  return async () => {
    if (pending.delete(action)) await action();
  };
}

/** Runs everything that is still registered, all at once. One failing action does not keep the others from running. */
export async function endAll() {
  ending = true;
  const actions = [...pending].reverse();
  pending.clear();
  const results = await Promise.allSettled(actions.map(async (action) => action()));
  for (const result of results) {
    if (result.status === "rejected") console.error(`cleaning up: ${result.reason?.message ?? result.reason}`);
  }
}
