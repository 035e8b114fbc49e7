import { err, ok } from "../core/model/problem";
import type { Log, SecretFinder } from "../core/ports";
import { checkFile, unseenFile } from "../core/results/fileCheck";
import type { KnownPlaces } from "../core/results/locate";
import { readBody } from "../core/transcript/body";
import { unreadable } from "../core/transcript/sniff";
import { systemClock } from "../node/clock";
import { DatabaseRows } from "../node/databaseRows";
import { nodeFiles } from "../node/files";
import { FileFollower } from "../node/followFile";
import { type HomesInput, placesOf } from "../node/homes";
import { peekFile } from "../node/peekFile";
import { searchInWorker } from "../node/searchInWorker";
import { readDetails } from "../node/sessions/sessionDetails";
import { TranscriptSimulation } from "../node/simulateInWorker";
import { TableInWorker, type TableOptions } from "../node/tableInWorker";
import { nodeUnpacker } from "../node/unpack";
import { nodeUtf8 } from "../node/utf8";
import type { HermesConfigs } from "./hermesConfigs";
import type { MovedHomes } from "./movedHomes";
import type { SessionPorts } from "./views/sessionPorts";

export interface SessionPortsParts {
  readonly log: Log;
  readonly secrets: SecretFinder;
  readonly homes: () => HomesInput;
  /** Workspace trust: without it nothing is looked at but the transcript itself. */
  readonly isTrusted: () => boolean;
  readonly moved: MovedHomes;
  readonly configs: Pick<HermesConfigs, "inForce">;
  /** Where indexes are stored; undefined: nowhere. */
  readonly store: () => TableOptions["store"];
  /** After so long without a question the thread of the index ends until the next one; undefined: it stays. Milliseconds. */
  readonly idleMs?: number | undefined;
}

/** The ports of one open transcript, on this machine's files. */
export function nodeSessionPorts({
  log,
  secrets,
  homes,
  isTrusted,
  moved,
  configs,
  store,
  idleMs,
}: SessionPortsParts): SessionPorts {
  const ports = { files: nodeFiles, utf8: nodeUtf8, unpacker: nodeUnpacker, clock: systemClock };
  // Looked up once per open transcript: homes do not move while somebody reads.
  let places: Promise<KnownPlaces> | undefined;
  let rows: DatabaseRows | undefined;
  return {
    log,
    secrets,
    transcript: (path, news, woken) =>
      new TableInWorker(path, {
        store: store(),
        news,
        woken,
        trouble: (message) => log.warn(`${path}: ${message}`),
        ...(idleMs === undefined ? {} : { idleMs }),
      }),
    readText: async (path, ref) => {
      if (ref.place.row !== undefined) {
        rows ??= new DatabaseRows(path);
        return rows.body(ref);
      }
      try {
        return await readBody(await nodeFiles.open(path), ref, ports);
      } catch (error) {
        return err(unreadable({ path }, error));
      }
    },
    search: searchInWorker,
    config: (path, agent) => configs.inForce(path, agent),
    statedWindow: async (path) => (await readDetails(path, peekFile))?.tail?.window,
    simulate: (path, onProgress) => new TranscriptSimulation(path, { onProgress, store: store() }),
    follow: (path, heard) => new FileFollower(path, heard, (error) => log.error(`Following ${path} failed`, error)),
    readRow: async (path, place) => {
      rows ??= new DatabaseRows(path);
      const row = await rows.row(place);
      return row.ok ? ok(row.value.text) : row;
    },
    dispose: () => {
      rows?.dispose().catch((error: unknown) => log.error("Closing a database failed", error));
    },
    checkFile: async (transcriptPath, header, result, preview, cancel) => {
      const { agent, sessionId } = header;
      const of = { agent, transcriptPath, sessionId, rebaseRoot: moved.get(transcriptPath) };
      if (!isTrusted()) return unseenFile(result, { ...of, ...NOWHERE, homeFolder: homes().homeFolder });
      places ??= placesOf(homes(), nodeFiles);
      return checkFile(result, preview, { ...of, ...(await places) }, ports, cancel);
    },
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return { dispose: () => clearTimeout(timer) };
    },
  };
}

/** No known places but the transcript's own. */
const NOWHERE = { tempFolders: [], hermesHomes: [], claudeProjects: [] };
