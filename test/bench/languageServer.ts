import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { Keystroke } from "./configText";

const URI = "file:///bench/.hermes/config.yaml";

/** A language server in a process of its own, driven over stdio; tells how long it takes from a keystroke to diagnostics. */
export class BenchServer {
  readonly #child: ChildProcess;
  readonly #connection: ProtocolConnection;
  readonly #waiting = new Map<number, () => void>();
  #text = "";
  #version = 0;
  #pull = false;
  /** Diagnostics of the newest answer; shows that the server really looked. */
  last = 0;

  private constructor(
    command: readonly string[],
    readonly settings: unknown,
  ) {
    const [program = process.execPath, ...rest] = command;
    this.#child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] });
    if (this.#child.stdout === null || this.#child.stdin === null) throw new Error("no pipes to the language server");
    this.#connection = createProtocolConnection(
      new StreamMessageReader(this.#child.stdout),
      new StreamMessageWriter(this.#child.stdin),
    );
  }

  static async start(
    command: readonly string[],
    settings: unknown,
    initializationOptions: unknown,
  ): Promise<BenchServer> {
    const server = new BenchServer(command, settings);
    await server.#initialize(initializationOptions);
    return server;
  }

  async #initialize(initializationOptions: unknown): Promise<void> {
    const connection = this.#connection;
    connection.onNotification(
      "textDocument/publishDiagnostics",
      (params: { version?: number; diagnostics: unknown[] }) => {
        this.last = params.diagnostics.length;
        // A server that leaves the version out answers for the newest text; only one edit is ever under way.
        const version = params.version ?? this.#version;
        this.#waiting.get(version)?.();
      },
    );
    connection.onRequest("workspace/configuration", (params: { items: { section?: string }[] }) =>
      params.items.map((item) => section(this.settings, item.section)),
    );
    for (const quiet of [
      "client/registerCapability",
      "client/unregisterCapability",
      "window/workDoneProgress/create",
      "workspace/diagnostic/refresh",
    ]) {
      connection.onRequest(quiet, () => null);
    }
    connection.onUnhandledNotification(() => undefined);
    connection.listen();
    const result = await connection.sendRequest<{ capabilities: { diagnosticProvider?: unknown } }>("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        workspace: { configuration: true },
        textDocument: { publishDiagnostics: { versionSupport: true }, diagnostic: {}, synchronization: {} },
      },
      initializationOptions,
    });
    this.#pull = result.capabilities.diagnosticProvider !== undefined;
    await connection.sendNotification("initialized", {});
    await connection.sendNotification("workspace/didChangeConfiguration", { settings: this.settings });
  }

  /** Opens the text and waits for its first diagnostics. */
  async open(text: string): Promise<void> {
    this.#text = text;
    this.#version = 1;
    const answered = this.#answer();
    await this.#connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: URI, languageId: "yaml", version: 1, text },
    });
    await answered();
  }

  /** Milliseconds from sending one keystroke to receiving the diagnostics of the text it made. */
  async type(edit: Keystroke): Promise<number> {
    const start = position(this.#text, edit.offset);
    const end = position(this.#text, edit.offset + edit.removed);
    this.#text = this.#text.slice(0, edit.offset) + edit.inserted + this.#text.slice(edit.offset + edit.removed);
    this.#version += 1;
    const answered = this.#answer();
    const began = performance.now();
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: URI, version: this.#version },
      contentChanges: [{ range: { start, end }, text: edit.inserted }],
    });
    await answered();
    return performance.now() - began;
  }

  /** Registers interest in the diagnostics of the current version; the result waits for them. */
  #answer(): () => Promise<void> {
    const version = this.#version;
    if (this.#pull) {
      return async () => {
        const report = await this.#connection.sendRequest<{ items?: unknown[] }>("textDocument/diagnostic", {
          textDocument: { uri: URI },
        });
        this.last = report.items?.length ?? 0;
      };
    }
    const published = new Promise<void>((resolve) => {
      this.#waiting.set(version, () => {
        this.#waiting.delete(version);
        resolve();
      });
    });
    return () => published;
  }

  /** Highest resident memory of the process so far, bytes; undefined where the system does not tell. */
  peakBytes(): number | undefined {
    return peakOf(this.#child.pid);
  }

  async stop(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    await gone;
    this.#connection.dispose();
  }
}

/** `VmHWM` of a Linux process, bytes. */
export function peakOf(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return found === null ? undefined : Number(found[1]) * 1024;
}

function section(settings: unknown, name: string | undefined): unknown {
  let value: unknown = settings;
  for (const key of name === undefined || name === "" ? [] : name.split(".")) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value ?? null;
}

function position(text: string, offset: number): { readonly line: number; readonly character: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}
