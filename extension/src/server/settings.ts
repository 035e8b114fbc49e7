import type { InitOptions, ServerSettings } from "../protocol/lsp";

export const DEFAULT_SETTINGS: ServerSettings = { loader: "ruamel", files: [], contextLength: null };

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item !== "") : [];
}

/** Settings as they arrive from a client; anything missing or of another type takes its default. */
function readSettings(raw: unknown): ServerSettings {
  const { loader, files, contextLength } = record(raw);
  const tokens = typeof contextLength === "number" && Number.isFinite(contextLength) && contextLength > 0;
  return {
    loader: loader === "pyyaml" ? "pyyaml" : DEFAULT_SETTINGS.loader,
    files: texts(files),
    contextLength: tokens ? contextLength : null,
  };
}

/** `initializationOptions` of a client that may be another editor and send nothing. */
export function readInitOptions(raw: unknown): InitOptions {
  const { homes, settings, docs, explainCommand, trusted } = record(raw);
  return {
    version: 1,
    homes: texts(homes),
    settings: readSettings(settings),
    ...(typeof docs === "string" ? { docs } : {}),
    trusted: trusted !== false,
    ...(typeof explainCommand === "string" ? { explainCommand } : {}),
  };
}

/** The part of `workspace/didChangeConfiguration` that is ours; undefined when the notification is about something else. */
export function readChangedSettings(raw: unknown): ServerSettings | undefined {
  const { contextBudget } = record(raw);
  return contextBudget === undefined ? undefined : readSettings(contextBudget);
}
