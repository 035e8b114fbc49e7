import type { LoaderId } from "../model/loader";
import { withoutTrailing } from "../util/withoutTrailing";
import { loadYaml } from "../yaml/load";
import { parseDotenv } from "./dotenv";
import type { ManagedLayer } from "./effective";
import type { Environment, EnvironmentValue } from "./expand";

/**
 * Small files beside a config, read without waiting: an answer about a config must not come before what it depends on. Nothing is
 * written.
 */
export interface LocalFiles {
  /** Changes whenever the file does; undefined where there is no readable file. */
  stamp(path: string): string | undefined;
  /** Text of a small file (at most 1 MB); undefined where it cannot be read. */
  read(path: string): string | undefined;
  /** Names in a folder; empty where it cannot be read. */
  list(path: string): readonly string[];
}

/** For workspaces that are not trusted. */
export const NO_FILES: LocalFiles = { stamp: () => undefined, read: () => undefined, list: () => [] };

export interface SurroundingsPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly local: LocalFiles;
  /** Whose environment `env` is, in words. */
  readonly envName: string;
}

/** What decides about a config besides its own text. */
export interface Surroundings {
  readonly environment: Environment;
  readonly managed: ManagedLayer | undefined;
  /** Equal stamps, equal surroundings. */
  readonly stamp: string;
  /** The files that were looked for, and whether they are there. */
  readonly envFile: { readonly path: string; readonly exists: boolean } | undefined;
  readonly managedFile: { readonly path: string; readonly exists: boolean };
  /** Set where the environment keeps Hermes from writing its config. */
  readonly lockedBy: string | undefined;
}

interface Known<T> {
  readonly stamp: string;
  readonly value: T;
}

/** Finds the `.env` beside a config and the managed layer of the machine; each file is read again only when it changed. */
export class SurroundingsFinder {
  readonly #ports: SurroundingsPorts;
  readonly #variables = new Map<string, Known<ReadonlyMap<string, string>>>();
  readonly #configs = new Map<string, Known<ManagedLayer["load"]>>();

  constructor(ports: SurroundingsPorts) {
    this.#ports = ports;
  }

  /** @param path of the config as the agent would write it (`C:/…` on Windows); undefined where it is no file. */
  of(path: string | undefined, loader: LoaderId): Surroundings {
    const folder = this.#managedFolder();
    const envPath = path === undefined ? undefined : `${path.replace(/\/[^/]*$/, "")}/.env`;
    const own = envPath === undefined ? undefined : this.#variablesOf(envPath);
    const managedEnv = this.#variablesOf(`${folder}/.env`);
    const managedPath = `${folder}/config.yaml`;
    const managed = this.#managedLoad(managedPath, loader);
    const ofProcess: Environment = { get: (name) => this.#fromProcess(name) };
    const environment: Environment = {
      get: (name) =>
        valueIn(managedEnv?.value, name, `${folder}/.env`) ??
        valueIn(own?.value, name, envLabel(envPath ?? "")) ??
        ofProcess.get(name),
    };
    return {
      environment,
      managed: managed && { path: managedPath, load: managed.value, environment: ofProcess },
      stamp: [own?.stamp, managedEnv?.stamp, managed?.stamp].join("|"),
      envFile: envPath === undefined ? undefined : { path: envPath, exists: own !== undefined },
      managedFile: { path: managedPath, exists: managed !== undefined },
      lockedBy: this.#ports.env["HERMES_MANAGED"]?.trim() ? "HERMES_MANAGED" : undefined,
    };
  }

  #fromProcess(name: string): EnvironmentValue | undefined {
    const value = this.#ports.env[name];
    return value === undefined ? undefined : { value, source: this.#ports.envName };
  }

  /** `HERMES_MANAGED_DIR` if that folder exists, else `/etc/hermes`. Source: `hermes_cli/managed_scope.py` @00067189. */
  #managedFolder(): string {
    const chosen = withoutTrailing(this.#ports.env["HERMES_MANAGED_DIR"]?.trim() ?? "", "/");
    return chosen && this.#ports.local.stamp(chosen) !== undefined ? chosen : "/etc/hermes";
  }

  #variablesOf(path: string): Known<ReadonlyMap<string, string>> | undefined {
    return this.#readOnce(path, path, this.#variables, parseDotenv);
  }

  #managedLoad(path: string, loader: LoaderId): Known<ManagedLayer["load"]> | undefined {
    return this.#readOnce(path, `${loader} ${path}`, this.#configs, (text) => loadYaml(text, loader));
  }

  #readOnce<T>(
    path: string,
    key: string,
    known: Map<string, Known<T>>,
    make: (text: string) => T,
  ): Known<T> | undefined {
    const stamp = this.#ports.local.stamp(path);
    if (stamp === undefined) {
      known.delete(key);
      return undefined;
    }
    const before = known.get(key);
    if (before?.stamp === stamp) return before;
    const text = this.#ports.local.read(path);
    if (text === undefined) return undefined;
    const fresh = { stamp, value: make(text) };
    known.set(key, fresh);
    return fresh;
  }
}

function valueIn(
  variables: ReadonlyMap<string, string> | undefined,
  name: string,
  source: string,
): EnvironmentValue | undefined {
  const value = variables?.get(name);
  return value === undefined ? undefined : { value, source };
}

function envLabel(path: string): string {
  const profile = /\/profiles\/([^/]+)\/\.env$/.exec(path)?.[1];
  return profile === undefined ? "the .env beside this file" : `the .env of the profile ${profile}`;
}
