import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Log, SecretFinder } from "../core/ports";
import { DatabaseRows } from "../node/databaseRows";
import { nodeDigest } from "../node/digest";
import { nodeFiles } from "../node/files";
import type { HomesInput } from "../node/homes";
import { peekFile } from "../node/peekFile";
import { nodeScanFiles } from "../node/scanFiles";
import { secretFinder } from "../node/secrets";
import { WATCH_PATTERNS } from "../node/sessions/agentSessions";
import { searched } from "../node/sessions/searchedHomes";
import { systemTime, TimeSlices } from "../node/sessions/timeSlices";
import { nodeUtf8 } from "../node/utf8";
import { type Disposable, Lifetime } from "./lifetime";
import { DetailsStore } from "./sessions/detailsStore";
import { SessionIndex } from "./sessions/sessionIndex";
import { ThreadLists } from "./sessions/threadLists";
import { homesInput, isAgentOn, mayScanHomes } from "./settings";
import type { InspectorSession } from "./views/inspectorSession";
import { sessionGroups } from "./views/sessionGroups";
import { SessionsTree } from "./views/sessionsTree";
import { SessionsView } from "./views/sessionsView";

/** The sessions of this machine: found, kept up to date, and shown in the activity bar. */
export interface SessionsFeature extends Disposable {
  readonly index: SessionIndex;
  readonly tree: SessionsTree;
  /** Settings, folders or trust changed what may be searched. */
  homesChanged(): void;
}

export function createSessions(
  context: Pick<vscode.ExtensionContext, "globalStorageUri">,
  parts: {
    readonly openSession: (path: string) => InspectorSession;
    readonly secrets: SecretFinder;
    readonly log: Log;
  },
): SessionsFeature {
  const { openSession, secrets, log } = parts;
  const lifetime = new Lifetime();
  const storage = context.globalStorageUri.fsPath;
  // The editor keeps an extension's files in `<User>/globalStorage/<id>`, and its own chat sessions beside that.
  const editorUserFolder = dirname(dirname(storage));
  const homes = (): HomesInput => ({ ...homesInput(), editorUserFolder });
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const places = { homes, mayScanHomes, isTrusted, isOn: isAgentOn };
  const groups = sessionGroups({ files: nodeFiles, scanFiles: nodeScanFiles, utf8: nodeUtf8, ...places });
  const slices = new TimeSlices();
  const index = lifetime.add(
    new SessionIndex({
      sources: groups,
      files: nodeScanFiles,
      peek: peekFile,
      secrets: secretFinder(),
      store: new DetailsStore(join(storage, "sessions"), slices),
      slices,
      time: systemTime,
      log,
      openFolders: () => homesInput().workspaceFolders,
      sha256Hex: nodeDigest.sha256Hex,
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return { dispose: () => clearTimeout(timer) };
      },
    }),
  );
  const threads = lifetime.add(new ThreadLists((path) => new DatabaseRows(path), log, secrets));
  const tree = lifetime.add(new SessionsTree({ groups, index, threads, openSession, log }));
  const watched = () =>
    isTrusted()
      ? WATCH_PATTERNS.flatMap(([agent, pattern]) =>
          searched(agent, places).map((home): readonly [string, string] => [home, pattern]),
        )
      : undefined;
  const view = lifetime.add(new SessionsView({ tree, index, watched, log }));
  return { index, tree, homesChanged: () => view.homesChanged(), dispose: () => lifetime.dispose() };
}
