import { dirname } from "node:path";
import type * as vscode from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import {
  CONFIG_SUMMARY,
  CONFIG_THRESHOLD,
  type ConfigSummaryResult,
  type ConfigTextParams,
  type ConfigThresholdResult,
  DIAGNOSTIC_SOURCE,
  EXPLAIN_CONFIG,
  EXPLAIN_CONFIG_TEXT,
  type ExplainConfigResult,
  type ExplainConfigTextParams,
  type InitOptions,
  isConfigSummaryResult,
  isConfigThresholdResult,
  isExplainConfigResult,
  isSetThresholdResult,
  SET_THRESHOLD,
  type SetThresholdParams,
  type SetThresholdResult,
} from "../protocol/lsp";
import { askServer, type Send } from "./askServer";
import { CONFIG_LANGUAGES } from "./configLanguages";
import type { Disposable } from "./lifetime";
import { EXPLAIN_COMMAND } from "./settings";

export interface ClientParts {
  /** Absolute path of dist/server.mjs. */
  readonly module: string;
  readonly log: vscode.LogOutputChannel;
  readonly options: () => InitOptions;
  /** Schemes of the documents that are checked. */
  readonly schemes: () => readonly string[];
  /** The server ended by itself; true when it is to be started again. */
  readonly crashed: () => boolean;
}

/** What the rest of the extension needs of a language client. */
export interface Client {
  /** Rejects when the server does not come up. */
  start(): Promise<void>;
  dispose(): Promise<void>;
  onState(listener: (state: "starting" | "running" | "failed") => void): Disposable;
  sendSettings(): Promise<void>;
  /** The explanation of an open config, as Markdown; null where there is none. */
  explainConfig(uri: string): Promise<ExplainConfigResult | null>;
  /** The explanation of a config, open or not, as Markdown; null where its language is none of ours. */
  explainConfigText(params: ExplainConfigTextParams): Promise<ExplainConfigResult | null>;
  /** The per-result cap of an open config; null where it is none. */
  configSummary(uri: string): Promise<ConfigSummaryResult | null>;
  /** What a config, open or not, says about the persist threshold; null where its language is none of ours. */
  configThreshold(params: ConfigTextParams): Promise<ConfigThresholdResult | null>;
  /** The edits that set the threshold of a config; null as above. */
  setThreshold(params: SetThresholdParams): Promise<SetThresholdResult | null>;
  readonly processId: number | undefined;
}

/**
 * The one place that knows the client library. It is by far the largest part of what the extension loads, so this module is imported
 * only when the server is needed.
 */
export function createClient({ module, log, options, schemes, crashed }: ClientParts): Client {
  const client = new LanguageClient(
    "contextBudget",
    "Context Budget",
    // Else it would run in the open folder, whoever made that.
    { module, transport: TransportKind.ipc, options: { cwd: dirname(module) } },
    {
      documentSelector: CONFIG_LANGUAGES.flatMap((language) => schemes().map((scheme) => ({ language, scheme }))),
      diagnosticCollectionName: DIAGNOSTIC_SOURCE,
      initializationOptions: options,
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { supportHtml: false, isTrusted: { enabledCommands: [EXPLAIN_COMMAND] } },
      errorHandler: {
        // One unreadable message is not the end; the connection itself reports when it closes.
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () =>
          crashed()
            ? { action: CloseAction.Restart, handled: true, message: "The config checker ended; starting it again." }
            : { action: CloseAction.DoNotRestart, handled: true, message: "The config checker ended too often." },
      },
    },
  );
  const send: Send = (method, params) => client.sendRequest(method, params);
  return {
    start: () => client.start(),
    dispose: () => client.dispose(),
    onState: (listener) =>
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Running) listener("running");
        else if (newState === State.Starting) listener("starting");
        else if (newState === State.StartFailed) listener("failed");
      }),
    sendSettings: () =>
      client.sendNotification(DidChangeConfigurationNotification.type, {
        settings: { contextBudget: options().settings },
      }),
    explainConfig: (uri) => askServer(send, EXPLAIN_CONFIG, { uri }, isExplainConfigResult),
    explainConfigText: (params) => askServer(send, EXPLAIN_CONFIG_TEXT, params, isExplainConfigResult),
    configSummary: (uri) => askServer(send, CONFIG_SUMMARY, { uri }, isConfigSummaryResult),
    configThreshold: (params) => askServer(send, CONFIG_THRESHOLD, params, isConfigThresholdResult),
    setThreshold: (params) => askServer(send, SET_THRESHOLD, params, isSetThresholdResult),
    get processId() {
      return client.serverProcess?.pid;
    },
  };
}
