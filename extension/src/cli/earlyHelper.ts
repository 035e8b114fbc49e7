import { statSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { HELPED_FOLD_BYTES } from "../core/transcript/rows/helped";
import { canHelp, type SkimThread, skimFile, startEarly } from "../node/earlyThread";

/** The thread that will help to read a large transcript, started before the rest of the program is loaded. */
export function earlyHelper(argv: readonly string[]): SkimThread | undefined {
  return isMainThread && wantsHelper(argv) && canHelp(skimFile()) ? startEarly(skimFile()) : undefined;
}

/** Whether a look at the command line and at the file's size promises that a helper is needed. What is wrong with either is told later. */
export function wantsHelper([command, ...rest]: readonly string[]): boolean {
  const [path, ...more] = rest.filter((word) => !word.startsWith("-"));
  if (command !== "inspect" || !rest.includes("--summary")) return false;
  if (path === undefined || more.length > 0 || !path.endsWith(".jsonl")) return false;
  try {
    const file = statSync(path);
    return file.isFile() && file.size >= HELPED_FOLD_BYTES;
  } catch {
    // Whoever opens the file tells why it cannot be.
    return false;
  }
}
