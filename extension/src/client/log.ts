import type * as vscode from "vscode";
import type { Log } from "../core/ports";

/** The output channel as the port that everything else knows. */
export function hostLog(channel: vscode.LogOutputChannel): Log {
  return {
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => {
      if (error === undefined) channel.error(message);
      else channel.error(message, error instanceof Error ? (error.stack ?? error.message) : error);
    },
  };
}
