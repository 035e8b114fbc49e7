import { dirname } from "node:path";
import * as vscode from "vscode";
import type { Log } from "../core/ports";
import { nodeFiles } from "../node/files";
import type { HomesInput } from "../node/homes";
import { secretFinder } from "../node/secrets";
import { registerAgentTools } from "./agents/agentTools";
import { type McpServers, registerMcpServers } from "./agents/mcpServers";
import { openFiles } from "./agents/openFiles";
import type { LanguageServer } from "./languageServer";
import { type Disposable, Lifetime } from "./lifetime";
import type { Prompts } from "./prompts";
import { areAgentToolsOn, homesInput, isAgentOn, isMcpServerOn, mayScanHomes, SECTION } from "./settings";
import type { StoredIndexes } from "./storedIndexes";

export interface AgentsFeatureParts {
  readonly server: LanguageServer;
  readonly prompts: Prompts;
  readonly indexes: StoredIndexes;
  /** Absolute path of the command line's file. */
  readonly cliFile: string;
  readonly log: Log;
}

export interface AgentsFeature extends Disposable {
  readonly mcp: McpServers;
}

/** What agents get of this extension: tools in VS Code's own chat, and a server for others. */
export function createAgents(context: vscode.ExtensionContext, parts: AgentsFeatureParts): AgentsFeature {
  const { server, prompts, indexes, cliFile, log } = parts;
  const lifetime = new Lifetime();
  const { version, contributes } = context.extension.packageJSON;
  const editorUserFolder = dirname(dirname(context.globalStorageUri.fsPath));
  const homes = (): HomesInput => ({ ...homesInput(), editorUserFolder });
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  lifetime.add(
    registerAgentTools({
      names: contributes.languageModelTools.map(({ name }: { readonly name: string }) => name),
      isOn: areAgentToolsOn,
      files: nodeFiles,
      ground: homesInput(),
      load: async () =>
        (await import("./agents/hostTools")).createHostTools({
          homes,
          mayScanHomes,
          isOn: isAgentOn,
          isTrusted,
          roots: () => [...(isTrusted() ? homesInput().workspaceFolders : []), ...openFiles()],
          // Whatever people let themselves be shown: a model gets no secrets.
          finder: secretFinder(),
          server,
          prompts,
          openText: (path) =>
            vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === path)?.getText(),
          uriOf: (path) => vscode.Uri.file(path).toString(),
          log,
          store: () => indexes.options(),
        }),
    }),
  );
  const changed = lifetime.add(new vscode.EventEmitter<void>());
  lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  lifetime.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.agentTools`)) changed.fire();
    }),
  );
  const mcp = lifetime.add(
    registerMcpServers({
      cliFile,
      version: String(version),
      isOn: () => isTrusted() && areAgentToolsOn() && isMcpServerOn(),
      onDidChange: changed.event,
    }),
  );
  return { mcp, dispose: () => lifetime.dispose() };
}
