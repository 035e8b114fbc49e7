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

type Fields = { readonly [key: string]: unknown };

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isPosition(value: unknown): value is TextPosition {
  const { line, character } = fields(value);
  return isCount(line) && isCount(character);
}

// What arrives at the server.

export function isExplainConfigParams(value: unknown): value is ExplainConfigParams {
  return areTexts(fields(value)["uri"]);
}

export function isConfigTextParams(value: unknown): value is ConfigTextParams {
  const { uri, languageId, text } = fields(value);
  return areTexts(uri, languageId, text);
}

export function isExplainConfigTextParams(value: unknown): value is ExplainConfigTextParams {
  const { model, contextWindow } = fields(value);
  return (
    isConfigTextParams(value) &&
    (model === undefined || typeof model === "string") &&
    (contextWindow === undefined || isCount(contextWindow))
  );
}

export function isSetThresholdParams(value: unknown): value is SetThresholdParams {
  return isConfigTextParams(value) && isCount(fields(value)["threshold"]);
}

// What arrives at the client, besides null.

export function isExplainConfigResult(value: unknown): value is ExplainConfigResult {
  return areTexts(fields(value)["markdown"]);
}

export function isConfigSummaryResult(value: unknown): value is ConfigSummaryResult {
  const { text, detail, isBroken } = fields(value);
  return areTexts(text, detail) && typeof isBroken === "boolean";
}

export function isConfigThresholdResult(value: unknown): value is ConfigThresholdResult {
  const { threshold, scaled, windowTokens, line } = fields(value);
  const { from, to } = fields(scaled);
  return (
    [from, to].every(Number.isFinite) &&
    [threshold, windowTokens, line].every((one) => one === null || Number.isFinite(one))
  );
}

export function isSetThresholdResult(value: unknown): value is SetThresholdResult {
  const { edits, notes } = fields(value);
  const isEdit = (edit: unknown): boolean => {
    const { start, end, newText } = fields(edit);
    return isPosition(start) && isPosition(end) && areTexts(newText);
  };
  return (
    (edits === null || (Array.isArray(edits) && edits.every(isEdit))) && Array.isArray(notes) && areTexts(...notes)
  );
}
