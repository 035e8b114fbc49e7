import type { Readable, Writable } from "node:stream";
import type { SurroundingsPorts } from "../core/config/surroundings";
import type { Result } from "../core/model/problem";
import type { Clock, Database, FileAccess, SecretFinder, StartHelper, Unpacker, Utf8, Wasm } from "../core/ports";
import type { KnownPlaces } from "../core/results/spillFolders";
import type { Environment } from "../node/paths";

/** One output stream. `write` resolves when the stream can take more and rejects with `PipeClosed` once the reader has gone, with `OutputFailed` on any other failure. */
export interface Out {
  readonly isTTY: boolean;
  write(text: string): Promise<void>;
}

/** The process's own pipes, for a command that talks with another program. */
export interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
  /** Calls back when the process is asked to end (SIGINT, SIGTERM), instead of ending at once. */
  onEnd(listener: () => void): { dispose(): void };
}

/** Everything the command line touches, so that tests can stand in for all of it. */
export interface CliIo {
  readonly stdout: Out;
  readonly stderr: Out;
  pipes(): Pipes;
  /** Folder against which paths on the command line are resolved. */
  readonly cwd: string;
  readonly files: FileAccess;
  readonly utf8: Utf8;
  readonly unpacker?: Unpacker;
  readonly wasm?: Wasm;
  readonly helper?: StartHelper | undefined;
  readonly clock: Clock;
  /** Finds the secrets that are masked in what is written. */
  readonly secrets: SecretFinder;
  /** Opens an agent's database; whoever opens it closes it. */
  openDatabase(path: string): Promise<Result<Database>>;
  /** True when colour is wanted on a terminal (`NO_COLOR` unset). */
  readonly colour: boolean;
  /** Environment and small files around a config. */
  readonly surroundings: SurroundingsPorts;
  /** What the places of agents' files depend on. */
  readonly environment: Environment;
  /** Where the agents of this machine keep their files. */
  places(): Promise<KnownPlaces>;
  /** Version of the package. */
  version(): string;
}

/** The reader of our output closed it (`… | head`); nothing more can be said, and nothing is wrong. */
export class PipeClosed extends Error {
  constructor() {
    super("the reader of the output closed it");
    this.name = "PipeClosed";
  }
}

/** Our output could not be written (`… > /dev/full`); the message says why. */
export class OutputFailed extends Error {
  constructor(reason: string) {
    super(`the output cannot be written (${reason})`);
    this.name = "OutputFailed";
  }
}

/** Exit codes of `context-budget`. */
const EXIT = { clean: 0, problems: 1, unusable: 2 } as const;

/** The exit code so far: the worst of what was met. Kept outside the commands so that a closed pipe does not lose it. */
export class Outcome {
  #code = 0;

  get code(): number {
    return this.#code;
  }

  /** Problems of error severity were found in a file that could be read. */
  problems(): void {
    this.#code = Math.max(this.#code, EXIT.problems);
  }

  /** The command line makes no sense, or something could not be read. */
  unusable(): void {
    this.#code = Math.max(this.#code, EXIT.unusable);
  }
}
