import { join } from "node:path";
import type * as vscode from "vscode";
import type { Log } from "../core/ports";
import { IndexStore } from "../node/indexStore";
import type { TableOptions } from "../node/tableInWorker";
import { storedIndexLimit } from "./settings";

/** The folder of the extension's own storage in which indexes of transcripts are kept. */
export class StoredIndexes {
  readonly #folder: string;
  readonly #version: string;
  readonly #log: Log;

  constructor(context: vscode.ExtensionContext, log: Log) {
    this.#folder = join(context.globalStorageUri.fsPath, "indexes");
    this.#version = String(context.extension.packageJSON.version);
    this.#log = log;
  }

  /** Undefined when the user turned it off. */
  options(): TableOptions["store"] {
    const limitBytes = storedIndexLimit();
    return limitBytes === 0 ? undefined : { folder: this.#folder, limitBytes, version: this.#version };
  }

  /** Removes all of them; how many there were. */
  clear(): Promise<number> {
    const trouble = (message: string): void => this.#log.warn(message);
    return new IndexStore({ folder: this.#folder, limitBytes: 0, reader: "", trouble }).clear();
  }
}
