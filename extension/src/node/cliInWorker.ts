import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellError } from "../core/util/tellError";
import { ReadingThread } from "./readingThread";
import type { Cancellable } from "./simulateInWorker";

/** Most that is kept of what a command prints, UTF-16 units. */
const MAX_OUTPUT = 20_000_000;

export interface CliRun {
  /** 0 clean · 1 problems · 2 unusable. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command of `context-budget` in a thread of its own, as if in a pipe. Undefined = cancelled. Rejects when the thread
 * fails, or prints more than can be shown.
 * @param cliFile the bundle dist/cli.mjs
 */
export function cliInWorker(
  cliFile: string,
  argv: readonly string[],
  cancel: Cancellable,
): Promise<CliRun | undefined> {
  if (cancel.isCancellationRequested) return Promise.resolve(undefined);
  // Whatever the command leaves behind when it is ended in the middle, such as its copy of a database, goes with this folder.
  const scratch = mkdtempSync(join(tmpdir(), "context-budget-"));
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: "1", TMPDIR: scratch, TEMP: scratch, TMP: scratch };
    const thread = new ReadingThread(cliFile, {}, { argv: [...argv], env, stdout: true, stderr: true, stdin: true });
    const { worker } = thread;
    const printed = { out: "", err: "" };
    let settled = false;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      listening.dispose();
      const ended = (): void => {
        rmSync(scratch, { recursive: true, force: true });
        finish();
      };
      void thread.end().then(ended, ended);
    };
    const fail = (why: string, cause?: unknown): void =>
      settle(() => reject(new Error(`context-budget ${argv[0] ?? ""} failed: ${why}`, { cause })));
    const listen = (stream: NodeJS.ReadableStream, to: "out" | "err"): Promise<void> => {
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => {
        printed[to] += text;
        if (printed[to].length > MAX_OUTPUT) fail("it printed more than can be shown.");
      });
      return new Promise((end) => stream.once("end", end));
    };
    const listening = cancel.onCancel(() => settle(() => resolve(undefined)));
    const printing = Promise.all([listen(worker.stdout, "out"), listen(worker.stderr, "err")]);
    worker.stdin?.end();
    worker.on("error", (error) => fail(tellError(error).message, error));
    worker.on("exit", (code) => {
      void printing.then(() => settle(() => resolve({ code, ...printed })));
    });
  });
}
