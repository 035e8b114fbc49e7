import type { Clock, Log } from "../core/ports";
import { tellError } from "../core/util/tellError";
import type {
  ConfigSummaryResult,
  ConfigTextParams,
  ConfigThresholdResult,
  ExplainConfigTextParams,
  SetThresholdParams,
  SetThresholdResult,
} from "../protocol/lsp";
import type { Client } from "./clientFactory";
import { type Disposable, Lifetime, Signal } from "./lifetime";
import type { Prompts } from "./prompts";
import { RESTART_LIMIT, RestartPolicy } from "./restartPolicy";

/** idle: not needed yet · failed: crashed too often or never came up; only a restart by the user helps. */
export type ServerState = "idle" | "starting" | "running" | "failed";

export interface LanguageServerParts {
  /** Makes a client that is not started yet; it asks `crashed` whether to come back after its server ended by itself. */
  readonly create: (crashed: () => boolean) => Promise<Client>;
  readonly log: Log;
  readonly showLog: () => void;
  readonly prompts: Pick<Prompts, "error">;
  readonly clock: Clock;
}

/** Owns the one language client: starts it when first needed, brings it back after a crash, says so when that fails. */
export class LanguageServer implements Disposable {
  readonly #parts: LanguageServerParts;
  readonly #policy: RestartPolicy;
  readonly #states: Signal<ServerState>;
  readonly #lifetime = new Lifetime();
  #client: Client | undefined;
  #listener: Disposable | undefined;
  #state: ServerState = "idle";
  /** Starts and stops never overlap: each waits for the one before. */
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: LanguageServerParts) {
    this.#parts = parts;
    this.#policy = new RestartPolicy(RESTART_LIMIT, parts.clock);
    this.#states = this.#lifetime.add(new Signal<ServerState>((error) => parts.log.error(FAILED, error)));
  }

  get state(): ServerState {
    return this.#state;
  }

  get onState(): (listener: (state: ServerState) => void) => Disposable {
    return this.#states.on;
  }

  /** Process id of the running server, for tests that crash it. */
  get processId(): number | undefined {
    return this.#client?.processId;
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

  /** Restarts only when started, for options that the server reads once. */
  restartIfStarted(): Promise<void> {
    return this.#state === "idle" ? this.#queue : this.restart();
  }

  /** Tells the running server about changed settings. */
  async sendSettings(): Promise<void> {
    if (this.#state === "running") await this.#client?.sendSettings();
  }

  /** Markdown that explains an open config; undefined where there is nothing to explain. Starts the server if needed. */
  async explainConfig(uri: string): Promise<string | undefined> {
    await this.ensureStarted();
    return (await this.#client?.explainConfig(uri))?.markdown;
  }

  /** Markdown that explains a config, open or not. Starts the server if needed; undefined while it does not run. */
  async explainConfigText(params: ExplainConfigTextParams): Promise<string | undefined> {
    await this.ensureStarted();
    return this.#state === "running" ? (await this.#client?.explainConfigText(params))?.markdown : undefined;
  }

  /** The per-result cap of an open config; undefined where it is none, or while the server does not run. */
  async configSummary(uri: string): Promise<ConfigSummaryResult | undefined> {
    return this.#state === "running" ? ((await this.#client?.configSummary(uri)) ?? undefined) : undefined;
  }

  /** What a config says about the persist threshold. Starts the server if needed; undefined while it does not run. */
  async configThreshold(params: ConfigTextParams): Promise<ConfigThresholdResult | undefined> {
    await this.ensureStarted();
    return this.#state === "running" ? ((await this.#client?.configThreshold(params)) ?? undefined) : undefined;
  }

  /** The edits that set the persist threshold of a config. As above. */
  async setThreshold(params: SetThresholdParams): Promise<SetThresholdResult | undefined> {
    await this.ensureStarted();
    return this.#state === "running" ? ((await this.#client?.setThreshold(params)) ?? undefined) : undefined;
  }

  /** Stops for good; resolves when the server is gone. */
  async stop(): Promise<void> {
    await this.#enqueue(() => this.#stopNow());
    this.#lifetime.dispose();
  }

  dispose(): void {
    this.stop().catch((error: unknown) => this.#parts.log.error(FAILED, error));
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      if (!this.#lifetime.disposed) await step();
    };
    // A step that failed was heard by its own caller and must not keep later ones from running.
    this.#queue = this.#queue.then(run, run);
    return this.#queue;
  }

  async #startNow(): Promise<void> {
    if (this.#client) return;
    this.#set("starting");
    try {
      const client = await this.#parts.create(() => this.#mayRestart());
      this.#client = client;
      this.#listener = client.onState((state) => this.#set(state));
      await client.start();
    } catch (error) {
      this.#parts.log.error(FAILED, error);
      this.#set("failed");
    }
  }

  async #stopNow(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#listener?.dispose();
    this.#listener = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // A client whose start failed cannot be stopped in order; its process is already gone.
      this.#parts.log.warn(`The config checker did not stop in order: ${tellError(error).message}`);
    }
    this.#set("idle");
  }

  #mayRestart(): boolean {
    if (this.#policy.crashed()) {
      this.#set("starting");
      return true;
    }
    this.#set("failed");
    this.#giveUp().catch((error: unknown) => this.#parts.log.error(FAILED, error));
    return false;
  }

  async #giveUp(): Promise<void> {
    const chosen = await this.#parts.prompts.error(GAVE_UP, "Restart", "Show Log");
    if (chosen === "Restart") await this.restart();
    else if (chosen === "Show Log") this.#parts.showLog();
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

const FAILED = "The config checker";
