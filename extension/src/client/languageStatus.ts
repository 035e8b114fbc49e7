import * as vscode from "vscode";
import { CONFIG_LANGUAGES } from "./configLanguages";
import type { LanguageServer, ServerState } from "./languageServer";
import { type Disposable, Lifetime } from "./lifetime";

/** Context key: the server was started, so restarting it makes sense. */
const STARTED_KEY = "contextBudget:serverStarted";

const TEXTS: Readonly<Record<Exclude<ServerState, "idle">, string>> = {
  starting: "Config checker: starting",
  running: "Config checker: ready",
  failed: "Config checker: stopped",
};

/** Shows what the server does beside the language of a config document, and keeps the context key for the palette. */
export function showServerState(server: LanguageServer, failed: (error: unknown) => void): Disposable {
  const lifetime = new Lifetime();
  let item: vscode.LanguageStatusItem | undefined;
  const show = (state: ServerState): void => {
    vscode.commands.executeCommand("setContext", STARTED_KEY, state !== "idle").then(undefined, failed);
    if (state === "idle") {
      item?.dispose();
      item = undefined;
      return;
    }
    item ??= vscode.languages.createLanguageStatusItem(
      "contextBudget.server",
      CONFIG_LANGUAGES.map((language) => ({ language })),
    );
    item.name = "Context Budget";
    item.text = TEXTS[state];
    item.busy = state === "starting";
    item.severity =
      state === "failed" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    item.command =
      state === "failed"
        ? { command: "contextBudget.restartServer", title: "Restart" }
        : { command: "contextBudget.showLog", title: "Show Log" };
  };
  lifetime.add(server.onState(show));
  lifetime.add({ dispose: () => item?.dispose() });
  show(server.state);
  return lifetime;
}
