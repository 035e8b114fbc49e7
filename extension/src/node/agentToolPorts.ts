import { randomUUID } from "node:crypto";
import type { AgentToolPorts } from "../core/agentTools/ports";
import { err } from "../core/model/problem";
import type { Log, SecretFinder } from "../core/ports";
import { systemClock } from "./clock";
import type { MayBeSearched } from "./sessions/searchedHomes";
import type { StoreOptions } from "./workerFile";

/** What the edge knows: homes and settings as for the view of sessions, and what is open. */
export interface AgentToolPortsOptions extends MayBeSearched {
  /** False: no link leads out of the folders, and no spill folders of the machine count as known. */
  readonly isTrusted: () => boolean;
  /** Files and folders that are open; what lies in them may be read. In a workspace that is not trusted: the files that the user opened. */
  readonly roots: () => readonly string[];
  readonly finder: SecretFinder;
  /** Of the server or the service: the path was allowed before. */
  readonly explainConfig: AgentToolPorts["explainConfig"];
  readonly log: Log;
  /** Where indexes are stored; nowhere without it. */
  readonly store?: () => StoreOptions | undefined;
  /** The worker's bundle; by default `worker.mjs` beside the running bundle. */
  readonly workerFile?: string;
}

/** The ports of the tools for agents, on this machine's files. Transcripts are read in threads, which end when nobody asks. */
export function agentToolPorts(options: AgentToolPortsOptions): AgentToolPorts {
  const { finder, explainConfig, log } = options;
  const notYet = async () => err({ message: "This tool is not there yet." });
  return {
    mayRead: notYet,
    listSessions: notYet,
    listResults: notYet,
    readResult: notYet,
    explainConfig,
    simulate: notYet,
    finder,
    clock: systemClock,
    newId: () => `r-${randomUUID()}`,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return { dispose: () => clearTimeout(timer) };
    },
    trouble: (message, error) => log.error(message, error),
    dispose: () => undefined,
  };
}
