import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../node/clock";
import { nodeFiles } from "../node/files";
import { secretFinder } from "../node/secrets";
import { nodeUtf8 } from "../node/utf8";
import { type AgentsFeature, createAgents } from "./agentsFeature";
import { clearStoredIndexes } from "./commands/clearStoredIndexes";
import { compareThresholds } from "./commands/compareThresholds";
import { copyField } from "./commands/copyField";
import { explainConfig } from "./commands/explainConfig";
import { explainProblem } from "./commands/explainProblem";
import { findSession } from "./commands/findSession";
import { openFullOutput } from "./commands/openFullOutput";
import { openInspector } from "./commands/openInspector";
import { revealInTranscript } from "./commands/revealInTranscript";
import { showSecrets } from "./commands/showSecrets";
import { turnPage } from "./commands/turnPage";
import { watchConfigEditor } from "./configEditor";
import { LanguageServer } from "./languageServer";
import { showServerState } from "./languageStatus";
import { Lifetime } from "./lifetime";
import { hostLog } from "./log";
import { maskingFinder } from "./maskingFinder";
import { MovedHomes } from "./movedHomes";
import { nodeSessionPorts } from "./nodeSessionPorts";
import { serveProblemDocs } from "./problemDocs";
import { type Prompts, windowPrompts } from "./prompts";
import { watchRelevantDocuments } from "./relevantDocuments";
import { sessionGlance } from "./sessions/sessionGlance";
import type { SessionIndex } from "./sessions/sessionIndex";
import { createSessions } from "./sessionsFeature";
import { documentSchemes, homesInput, initOptions, isMasking, SECTION } from "./settings";
import { StatusItem } from "./statusItem";
import { StoredIndexes } from "./storedIndexes";
import { watchActiveEditor } from "./transcriptEditor";
import { ConfigExplanations } from "./views/configExplanations";
import { FullOutputs } from "./views/fullOutputs";
import { InspectorProvider } from "./views/inspectorProvider";
import { InspectorSession } from "./views/inspectorSession";
import { OutputOpener } from "./views/outputOpener";
import { OutputPages } from "./views/outputPages";
import { SecretDocuments } from "./views/secretDocuments";
import type { SessionsTree } from "./views/sessionsTree";
import { createWhatIf } from "./whatIfFeature";

/** An estimate on the user's sessions waits so long for them to be found. */
const FIRST_LOOK_MS = 30_000;

/** The thread behind a session in the tree ends after so long: its rows are shown, and few people ask for more. */
const TREE_IDLE_MS = 30_000;

/** What integration tests get to see; nothing is exported in normal use. */
export interface TestHandles {
  readonly server: LanguageServer;
  readonly inspector: InspectorProvider;
  readonly tree: SessionsTree;
  readonly index: SessionIndex;
  readonly status: StatusItem;
  /** Tests replace its functions to answer for the user. */
  readonly prompts: { -readonly [M in keyof Prompts]: Prompts[M] };
  readonly lifetime: Lifetime;
  readonly agents: AgentsFeature;
}

export function activate(context: vscode.ExtensionContext): TestHandles | undefined {
  const lifetime = new Lifetime();
  context.subscriptions.push(lifetime);
  const channel = lifetime.add(vscode.window.createOutputChannel("Context Budget", { log: true }));
  const log = hostLog(channel, secretFinder());
  const failed = (error: unknown): void => log.error("Context Budget", error);
  const prompts = windowPrompts();

  const inDist = (name: string): string => join(context.extensionPath, "dist", name);
  const module = inDist("server.mjs");
  const server = lifetime.add(
    new LanguageServer({
      // Imported when needed: the client library is most of the bundle, and most windows never need it.
      create: async (crashed) =>
        (await import("./clientFactory")).createClient({
          module,
          log: channel,
          options: initOptions,
          schemes: documentSchemes,
          crashed,
        }),
      log,
      showLog: () => channel.show(),
      prompts,
      clock: systemClock,
    }),
  );
  lifetime.add(showServerState(server, failed));
  lifetime.add(serveProblemDocs(context.extensionUri));
  const startServer = (): void => {
    server.ensureStarted().catch(failed);
  };
  lifetime.add(watchRelevantDocuments(() => server.state === "idle", startServer));

  const indexes = new StoredIndexes(context, log);
  const cliFile = inDist("cli.mjs");
  const agents = lifetime.add(createAgents(context, { server, prompts, indexes, cliFile, log }));
  const moved = new MovedHomes(context.workspaceState);
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const secrets = maskingFinder();
  // Titles stay masked, whatever the setting says.
  const titleSecrets = secretFinder();
  const secretDocuments = lifetime.add(new SecretDocuments({ isMasking, failed }));
  const whatIf = lifetime.add(createWhatIf({ server, prompts, log, secrets, secretDocuments }));
  const { configs } = whatIf;
  const openSession = (path: string, idleMs?: number): InspectorSession =>
    new InspectorSession(
      path,
      nodeSessionPorts({
        log,
        secrets,
        homes: homesInput,
        isTrusted,
        moved,
        configs,
        store: () => indexes.options(),
        idleMs,
      }),
      vscode.env.language,
    );
  const outputs = lifetime.add(new FullOutputs({ files: nodeFiles, utf8: nodeUtf8, log, secrets, secretDocuments }));
  const pages = new OutputPages({ files: nodeFiles, utf8: nodeUtf8 });
  const opener = new OutputOpener({ outputs, files: nodeFiles, prompts, ground: homesInput(), log });
  const inspector = lifetime.add(
    new InspectorProvider({
      extensionUri: context.extensionUri,
      openSession: (path) => openSession(path),
      log,
      actions: {
        openFull: (session, result) => opener.openFull(session, result),
        outputPage: (session, result, offset) => pages.page(session, result, offset),
        outputSecret: (session, result, at) => pages.secret(session, result, at),
        glance: (session) => sessionGlance(session, titleSecrets),
        reveal: (session, line) => opener.reveal(session, line),
        copy: async (text) => vscode.env.clipboard.writeText(text),
        rebase: async (session) => {
          const chosen = await prompts.pickFolder(
            "Folder that stands for the home in the transcript's paths",
            "Use Folder",
          );
          if (chosen !== undefined) await moved.set(session.path, chosen);
          return chosen !== undefined;
        },
        whatIf: whatIf.views,
      },
    }),
  );
  const sessions = lifetime.add(
    createSessions(context, { openSession: (path) => openSession(path, TREE_IDLE_MS), secrets, log }),
  );
  const { index, tree } = sessions;
  const lens = whatIf.lens(async () => {
    await index.firstLook(FIRST_LOOK_MS);
    return index.found("hermes").sessions;
  });
  lifetime.add(watchActiveEditor(failed));
  lifetime.add(watchConfigEditor(failed));
  const status = lifetime.add(new StatusItem({ server, inspector, failed }));
  const explanations = lifetime.add(new ConfigExplanations((uri) => server.explainConfig(uri)));

  const commands: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
    openInspector: openInspector({ inspector, prompts, index, sessions: () => tree.sessions() }),
    findSession: findSession({ inspector, prompts, index, sessions: () => tree.sessions() }),
    openFullOutput: openFullOutput(opener, prompts),
    revealInTranscript: revealInTranscript(opener, prompts),
    copyPath: copyField("path", secrets),
    copyHandle: copyField("handle", secrets),
    showSecrets: showSecrets(secretDocuments, true),
    maskSecrets: showSecrets(secretDocuments, false),
    previousPage: turnPage(outputs, -1),
    nextPage: turnPage(outputs, 1),
    compareThresholds: compareThresholds({ configs, files: nodeFiles, outputs, prompts, cliFile }),
    estimateOnSessions: lens.clicked,
    refreshSessions: () => tree.refresh(),
    stopSearch: () => index.stop(),
    continueSearch: () => index.goOn(),
    restartServer: () => server.restart(),
    showLog: () => channel.show(),
    clearStoredIndexes: clearStoredIndexes(indexes, prompts),
    explainProblem,
    explainConfig: explainConfig(explanations, prompts),
    openWalkthrough: () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`, false),
  };
  for (const [name, run] of Object.entries(commands)) {
    lifetime.add(vscode.commands.registerCommand(`${SECTION}.${name}`, run));
  }

  const homesChanged = (): void => {
    sessions.homesChanged();
    server.restartIfStarted().catch(failed);
  };
  lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(homesChanged));
  lifetime.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      homesChanged();
      for (const document of inspector.documents) document.session.recheckFiles();
    }),
  );
  lifetime.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.secrets`)) {
        for (const document of inspector.documents) document.session.recheckFiles();
        secretDocuments.reset();
        pages.forget();
        tree.refresh();
      }
      if (change.affectsConfiguration(`${SECTION}.config`)) server.sendSettings().catch(failed);
      const isHomes = ["hermes.homes", "sessions.homes"].some((name) =>
        change.affectsConfiguration(`${SECTION}.${name}`),
      );
      if (isHomes) homesChanged();
      else if (change.affectsConfiguration(`${SECTION}.sessions`)) sessions.homesChanged();
    }),
  );
  return context.extensionMode === vscode.ExtensionMode.Test
    ? { server, inspector, tree, index, status, prompts, lifetime, agents }
    : undefined;
}
