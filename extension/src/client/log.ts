import type * as vscode from "vscode";
import type { Log, SecretFinder } from "../core/ports";
import { withoutSecrets } from "../core/secrets/mask";
import { tellError } from "../core/util/tellError";

const LEFT_OUT = "A message could not be checked for secrets and is left out here.";

/** The output channel as the port that everything else knows. Lines keep their order; secrets in them are masked, whatever the settings say, and errors quote no file. */
export function hostLog(channel: Pick<vscode.LogOutputChannel, "info" | "warn" | "error">, secrets: SecretFinder): Log {
  let last: Promise<unknown> = Promise.resolve();
  const write = (level: "info" | "warn" | "error", text: string): void => {
    const masked = withoutSecrets(text, secrets).catch(() => LEFT_OUT);
    // A channel that is closed takes nothing more; nobody is left to read it either.
    last = Promise.all([masked, last])
      .then(([line]) => channel[level](line))
      .catch(() => undefined);
  };
  return {
    info: (message) => write("info", message),
    warn: (message) => write("warn", message),
    error: (message, error) => {
      const cause = tellError(error).stack;
      write("error", error === undefined ? message : `${message} ${cause}`);
    },
  };
}
