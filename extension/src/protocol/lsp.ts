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

/** A config file as it stands on disk or in an editor; it need not be open. */
export interface ConfigTextParams {
  readonly uri: string;
  /** `yaml`, `json` or `jsonc`. */
  readonly languageId: string;
  readonly text: string;
}

/** Client → server: explains a config as it stands on disk or in an editor, open or not. Answers null where its language is none of ours. */
export const EXPLAIN_CONFIG_TEXT = "contextBudget/explainConfigText";

export interface ExplainConfigTextParams extends ConfigTextParams {
  /** A model whose window the numbers are for, known by its name; without it the stated one. */
  readonly model?: string;
  /** The window in tokens that the numbers are for; goes before the model's. */
  readonly contextWindow?: number;
}

/** Client → server: what a config says about the persist threshold. Answers null where its language is none of ours. */
export const CONFIG_THRESHOLD = "contextBudget/configThreshold";

export interface ConfigThresholdResult {
  /** Explicit threshold in force, code points; null = none, so that it scales with the window. */
  readonly threshold: number | null;
  /** What applies to a result when none is set, code points: a range as long as the window is unknown. */
  readonly scaled: { readonly from: number; readonly to: number };
  /** The model's window in tokens as the config states it; null = it does not. */
  readonly windowTokens: number | null;
  /** The 0-based line of the key that counts; null where it is not in the file. */
  readonly line: number | null;
}

/** Client → server: the edits that set the persist threshold of a config. Nothing is changed. Answers null as above. */
export const SET_THRESHOLD = "contextBudget/setThreshold";

export interface SetThresholdParams extends ConfigTextParams {
  /** Code points. */
  readonly threshold: number;
}

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface SetThresholdResult {
  /** Null where it cannot be done safely. */
  readonly edits:
    | readonly { readonly start: TextPosition; readonly end: TextPosition; readonly newText: string }[]
    | null;
  /** Sentences about what else decides: the managed layer of the machine, a broken file. */
  readonly notes: readonly string[];
}
