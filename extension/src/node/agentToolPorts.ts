import { randomUUID } from "node:crypto";
import type { AgentToolPorts, Answered, ListedSession, SessionsAsked, SessionsPage } from "../core/agentTools/ports";
import { ok } from "../core/model/problem";
import type { Cancel, Log, SecretFinder } from "../core/ports";
import type { KnownPlaces } from "../core/results/spillFolders";
import { type AgentSession, SessionFinder } from "./agentTools/findSessions";
import { mayRead } from "./agentTools/mayRead";
import { listResults, listThreads, readResult } from "./agentTools/results";
import { Simulations } from "./agentTools/simulations";
import { Transcripts } from "./agentTools/transcripts";
import { systemClock } from "./clock";
import { nodeFiles } from "./files";
import { placesOf } from "./homes";
import { peekFile } from "./peekFile";
import { nodeScanFiles } from "./scanFiles";
import type { MayBeSearched } from "./sessions/searchedHomes";
import { readDetails } from "./sessions/sessionDetails";
import { nodeUtf8 } from "./utf8";
import type { StoreOptions } from "./workerFile";

/** What the edge knows: homes and settings as for the view of sessions, and what is open. */
export interface AgentToolPortsOptions extends MayBeSearched {
  /** False: nothing is found or read but the files in `roots`; no file besides them is looked at. */
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

/** Files whose ends are read at a time for a list. */
const PARALLEL = 8;

/** The ports of the tools for agents, on this machine's files. Transcripts are read in threads, which end when nobody asks. */
export function agentToolPorts(options: AgentToolPortsOptions): AgentToolPorts {
  const { finder, explainConfig, log, isTrusted, homes } = options;
  const sessions = new SessionFinder({
    ...options,
    files: nodeFiles,
    scanFiles: nodeScanFiles,
    utf8: nodeUtf8,
    clock: systemClock,
  });
  const transcripts = new Transcripts(options);
  const simulations = new Simulations({ ...options, file: nodeScanFiles.file });
  const places = async (): Promise<KnownPlaces | undefined> => (isTrusted() ? placesOf(homes(), nodeFiles) : undefined);
  const ports = { files: nodeFiles, utf8: nodeUtf8, clock: systemClock, places };
  return {
    mayRead: (path, what, caller, cancel) => {
      const { platform, homeFolder } = homes();
      const ground = { platform, homeFolder };
      return mayRead(path, what, caller, { ...options, files: nodeFiles, finder: sessions, ground }, cancel);
    },
    listSessions: (asked, cancel) => listSessions(sessions, asked, finder, cancel),
    listResults: (path, asked, cancel) =>
      transcripts.use(path, cancel, (transcript) => listResults(transcript, asked, ports, cancel)),
    listThreads: (path, asked, cancel) =>
      transcripts.use(path, cancel, async (transcript) => ok(listThreads(transcript, asked))),
    readResult: (path, result, maxUnits, cancel) =>
      transcripts.use(path, cancel, (transcript) => readResult(transcript, result, maxUnits, ports, cancel)),
    explainConfig,
    simulate: (path, asked, cancel) => simulations.run(path, asked, cancel),
    finder,
    clock: systemClock,
    newId: () => `r-${randomUUID()}`,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return { dispose: () => clearTimeout(timer) };
    },
    trouble: (message, error) => log.error(message, error),
    dispose: () => {
      sessions.dispose();
      transcripts.dispose();
      simulations.dispose();
    },
  };
}

async function listSessions(
  sessions: SessionFinder,
  { agent, offset, limit }: SessionsAsked,
  secrets: SecretFinder,
  cancel: Cancel,
): Promise<Answered<SessionsPage>> {
  const found = await sessions.find(cancel);
  const chosen = agent === undefined ? found.sessions : found.sessions.filter((one) => one.agent === agent);
  const page = chosen.slice(offset, offset + limit);
  const listed: ListedSession[] = [];
  for (let at = 0; at < page.length && !cancel.isCancellationRequested; at += PARALLEL)
    listed.push(...(await Promise.all(page.slice(at, at + PARALLEL).map((one) => described(one, secrets)))));
  const agents = [...new Set(found.sessions.map((one) => one.agent))].filter((one) => one !== null);
  const notes = [
    ...(found.isPart ? ["The search was stopped before its end, so sessions may be missing here."] : []),
    ...(agent !== undefined && chosen.length === 0
      ? [`No session of ${agent} was found; there are sessions of ${agents.join(", ") || "no agent"}.`]
      : []),
    ...found.notes,
  ];
  return ok({ sessions: listed, total: chosen.length, notes });
}

/** What the two ends of its file say about a session. */
async function described(session: AgentSession, secrets: SecretFinder): Promise<ListedSession> {
  const { path, bytes, mtimeMs, agent, isDatabase = false, project } = session;
  const details = isDatabase ? undefined : await readDetails(path, peekFile, secrets);
  return {
    transcript: path,
    agent,
    title: details?.title ?? null,
    project: project ?? details?.project ?? null,
    model: details?.tail?.model ?? details?.model ?? null,
    bytes,
    modifiedMs: mtimeMs,
    contextTokens: details?.tail?.tokens ?? null,
    isDatabase,
  };
}
