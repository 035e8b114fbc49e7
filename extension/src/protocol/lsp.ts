/** Boundary between the language client (extension host) and the language server. Both ends import this file only. */
import type { LoaderId } from "../core/model/loader";

/** Client → server, in `initializationOptions`. */
export interface InitOptions {
  readonly version: 1;
  /** Folders that count as a Hermes home (each also covers `profiles/<name>`), most specific first. */
  readonly homes: readonly string[];
  readonly settings: ServerSettings;
  /** Address of the documentation of a problem, with `{code}` where its code goes; undefined = diagnostics carry no link. */
  readonly docs?: string;
  /** Command of the client that explains the config whose address it gets; undefined = hovers carry no link to it. */
  readonly explainCommand?: string;
  /** False in a workspace that is not trusted: no file besides the open documents is read then. */
  readonly trusted?: boolean;
}

/** The part of the user's settings that the server needs; sent at start and with `workspace/didChangeConfiguration` under `contextBudget`. */
export interface ServerSettings {
  readonly loader: LoaderId;
  /** Glob patterns of further files to treat as agent config. */
  readonly files: readonly string[];
  /** Context window in tokens to use where the file states none; null = show the usual ladder. */
  readonly contextLength: number | null;
}

/** `Diagnostic.source` of everything the server says. */
export const DIAGNOSTIC_SOURCE = "context-budget";

/** Client → server: explains an open agent config. Answers null where the document is not open or is no agent config. */
export const EXPLAIN_CONFIG = "contextBudget/explainConfig";

export interface ExplainConfigParams {
  readonly uri: string;
}

export interface ExplainConfigResult {
  /** A Markdown document. */
  readonly markdown: string;
}

/** Client → server: the per-result cap in force of an open agent config, for the status bar. Answers null as `EXPLAIN_CONFIG` does. */
export const CONFIG_SUMMARY = "contextBudget/configSummary";

export interface ConfigSummaryResult {
  readonly text: string;
  readonly detail: string;
  readonly isBroken: boolean;
}
