import { isMainThread } from "node:worker_threads";
import { tellError } from "../core/util/tellError";

/**
 * A program of ours that fails by a bug says so without the contents of files, which the engine's own last words would quote, and
 * ends with code 70 (an internal error, BSD sysexits.h).
 */
export function tellUncaught(to: { write(text: string): unknown }): void {
  // Whoever started a thread hears of its error.
  if (!isMainThread) return;
  process.on("uncaughtException", (error) => {
    to.write(`context-budget: ${tellError(error).stack}\n`);
    process.exit(70);
  });
}
