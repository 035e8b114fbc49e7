import { extname } from "node:path";
import type { ConfigLanguage } from "../core/config/types";
import type { Problem } from "../core/model/problem";
import type { OnlyFile } from "../core/ports";
import type { CliIo } from "./io";
import { openInput, unreadable } from "./readInput";
import { grouped } from "./text";

/** Largest config read, in bytes; the agent's commented template has 126,181. */
const MAX_CONFIG_BYTES = 16 * 1024 * 1024;

/** The language that a config is written in, by its name. */
export function configLanguageOf(path: string): ConfigLanguage {
  const extension = extname(path).toLowerCase();
  return extension === ".json" ? "json" : extension === ".jsonc" ? "jsonc" : "yaml";
}

export type ConfigInput = { readonly text: string } | { readonly problem: Problem; readonly readable: boolean };

/** Text of a config, or why there is none. @param path, only: as for `openInput` */
export async function readConfigText(path: string, io: CliIo, only?: OnlyFile): Promise<ConfigInput> {
  const source = await openInput(path, io, only);
  if (!source.ok) return { problem: source.error, readable: false };
  const { bytes } = source.value;
  if (bytes > MAX_CONFIG_BYTES) {
    const message = `The file has ${grouped(bytes)} bytes; a config of more than 16 MB is not read. Is it the right file?`;
    return { problem: { code: "too-large", severity: "error", message }, readable: false };
  }
  let content: Uint8Array;
  try {
    content = await source.value.read(0, bytes);
  } catch (error) {
    return { problem: unreadable(error), readable: false };
  }
  const decoded = io.utf8.decode(content);
  if (decoded.valid) return { text: decoded.text };
  const message = "The file is not valid UTF-8, so the agent cannot load it and falls back. Save it as UTF-8.";
  return { problem: { code: "invalid-utf8", severity: "error", message }, readable: true };
}
