import type * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  DidChangeConfigurationNotification,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { DIAGNOSTIC_SOURCE, type InitOptions } from "../protocol/lsp";
import { type Disposable, Lifetime, Signal } from "./lifetime";
import type { Prompts } from "./prompts";
import { RESTART_LIMIT, RestartPolicy } from "./restartPolicy";

/** Language ids of the documents that may hold agent config. */
export const CONFIG_LANGUAGES = ["yaml", "json", "jsonc"] as const;

/** idle: not needed yet · failed: crashed too often or never came up; only a restart by the user helps. */
export type ServerState = "idle" | "starting" | "running" | "failed";

export interface LanguageServerParts {
  /** Absolute path of dist/server.js. */
  readonly module: string;
  readonly log: vscode.LogOutputChannel;
  readonly prompts: Prompts;
  readonly options: () => InitOptions;
}

/** Owns the one language client: starts it when first needed, brings it back after a crash, says so when that fails. */
export class LanguageServer implements Disposable {
  readonly #parts: LanguageServerParts;
  readonly #policy = new RestartPolicy(RESTART_LIMIT, { now: () => Date.now() });
  readonly #states: Signal<ServerState>;
  readonly #lifetime = new Lifetime();
  #client: LanguageClient | undefined;
  #clientLifetime: Lifetime | undefined;
  #state: ServerState = "idle";
  /** Starts and stops never overlap: each waits for the one before. */
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: LanguageServerParts) {
    this.#parts = parts;
    this.#states = this.#lifetime.add(new Signal<ServerState>((error) => parts.log.error(asError(error))));
  }

  get state(): ServerState {
    return this.#state;
  }

  get onState(): (listener: (state: ServerState) => void) => Disposable {
    return this.#states.on;
  }

  /** Process id of the running server, for tests that crash it. */
  get processId(): number | undefined {
    return this.#client?.serverProcess?.pid;
  }

  /** Starts the server unless it was started before. A server that failed stays failed until `restart`. */
  ensureStarted(): Promise<void> {
    return this.#state === "idle" ? this.#enqueue(() => this.#startNow()) : this.#queue;
  }

  /** Stops the server if it runs and starts a fresh one. */
  restart(): Promise<void> {
    this.#policy.reset();
    return this.#enqueue(async () => {
      await this.#stopNow();
      await this.#startNow();
    });
  }

  /** Restarts only when running, for options that the server reads once. */
  restartIfStarted(): Promise<void> {
    return this.#state === "idle" ? this.#queue : this.restart();
  }

  /** Tells the running server about changed settings. */
  async sendSettings(): Promise<void> {
    if (this.#state !== "running") return;
    await this.#client?.sendNotification(DidChangeConfigurationNotification.type, {
      settings: { contextBudget: this.#parts.options().settings },
    });
  }

  /** Stops for good; resolves when the server is gone. */
  async stop(): Promise<void> {
    await this.#enqueue(() => this.#stopNow());
    this.#lifetime.dispose();
  }

  dispose(): void {
    this.stop().catch((error: unknown) => this.#parts.log.error(asError(error)));
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      if (this.#lifetime.disposed) return;
      await step();
    });
    return this.#queue;
  }

  async #startNow(): Promise<void> {
    if (this.#client) return;
    this.#set("starting");
    const lifetime = new Lifetime();
    const client = new LanguageClient(
      "contextBudget",
      "Context Budget",
      { module: this.#parts.module, transport: TransportKind.ipc },
      this.#clientOptions(),
    );
    this.#client = client;
    this.#clientLifetime = lifetime;
    lifetime.add(
      client.onDidChangeState((change) => {
        if (client !== this.#client) return;
        if (change.newState === State.Running) this.#set("running");
        else if (change.newState === State.Starting) this.#set("starting");
        else if (change.newState === State.StartFailed) this.#set("failed");
      }),
    );
    try {
      await client.start();
    } catch (error) {
      this.#parts.log.error(asError(error));
      this.#set("failed");
    }
  }

  async #stopNow(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#clientLifetime?.dispose();
    this.#clientLifetime = undefined;
    if (client) {
      try {
        await client.dispose();
      } catch (error) {
        // A client whose start failed cannot be stopped in order; its process is already gone.
        this.#parts.log.warn(`The language server did not stop in order: ${asError(error).message}`);
      }
    }
    this.#set("idle");
  }

  #clientOptions(): LanguageClientOptions {
    return {
      documentSelector: CONFIG_LANGUAGES.flatMap((language) => [
        { language, scheme: "file" },
        { language, scheme: "untitled" },
      ]),
      diagnosticCollectionName: DIAGNOSTIC_SOURCE,
      initializationOptions: () => this.#parts.options(),
      outputChannel: this.#parts.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: this.#errorHandler(),
      markdown: { supportThemeIcons: true },
    };
  }

  #errorHandler(): ErrorHandler {
    return {
      // One unreadable message is not the end; the connection itself reports when it closes.
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: (): CloseHandlerResult => {
        if (this.#policy.crashed()) {
          this.#set("starting");
          return {
            action: CloseAction.Restart,
            handled: true,
            message: "The language server ended; starting it again.",
          };
        }
        this.#set("failed");
        this.#giveUp().catch((error: unknown) => this.#parts.log.error(asError(error)));
        return { action: CloseAction.DoNotRestart, handled: true, message: GAVE_UP };
      },
    };
  }

  async #giveUp(): Promise<void> {
    const chosen = await this.#parts.prompts.error(GAVE_UP, "Restart", "Show Log");
    if (chosen === "Restart") await this.restart();
    else if (chosen === "Show Log") this.#parts.log.show();
  }

  #set(state: ServerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#states.fire(state);
  }
}

const GAVE_UP = `Context Budget: the config checker stopped ${RESTART_LIMIT.restarts + 1} times within ${
  RESTART_LIMIT.windowMs / 60_000
} minutes and is off now. Agent config is not checked until it is restarted.`;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
