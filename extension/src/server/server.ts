import {
  type CodeAction,
  CodeActionKind,
  type Connection,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { NO_FILES } from "../core/config/surroundings";
import type { Log, SecretFinder } from "../core/ports";
import { tellError } from "../core/util/tellError";
import { DIAGNOSTIC_SOURCE } from "../protocol/lsp";
import { codeActions } from "../service/codeActions";
import { completion } from "../service/completion";
import type { CheckedDocument } from "../service/context";
import { toDiagnostics } from "../service/diagnostics";
import { hover } from "../service/hover";
import { inlayHints } from "../service/inlayHints";
import { type CheckPorts, Checks } from "./checks";
import { answerConfigRequests } from "./configRequests";
import type { Session } from "./session";
import { DEFAULT_SETTINGS, readChangedSettings, readInitOptions } from "./settings";
import { ShownTexts } from "./shownTexts";

/** The world as the server sees it. */
export interface ServerPorts extends CheckPorts {
  readonly log: Log;
  readonly secrets: SecretFinder;
  /** Runs a step after the messages that are already waiting, so that an edit can overtake it. */
  defer(step: () => void): void;
}

/** Wires the language features to a connection; call `connection.listen()` afterwards. */
export function createServer(connection: Connection, ports: ServerPorts): void {
  const documents = new TextDocuments(TextDocument);
  const shown = new ShownTexts(ports.secrets);
  let session = createSession({ capabilities: {}, processId: null, rootUri: null, workspaceFolders: null }, ports);

  const checkedAt = (uri: string): CheckedDocument | undefined => {
    const document = documents.get(uri);
    return document === undefined ? undefined : session.checks.of(document);
  };
  const diagnose = async (uri: string): Promise<Diagnostic[]> => {
    const checked = checkedAt(uri);
    return checked === undefined ? [] : shown.masked(toDiagnostics(checked, session.diagnostics), checked);
  };
  const push = (uri: string, version: number): void => {
    ports.defer(() => {
      // A newer edit has its own turn; what would be said about this version is old already.
      if (documents.get(uri)?.version !== version) return;
      const sent = diagnose(uri).then(async (diagnostics) => {
        if (documents.get(uri)?.version === version) await connection.sendDiagnostics({ uri, version, diagnostics });
      });
      send(sent, ports.log);
    });
  };

  connection.onInitialize((params) => {
    session = createSession(params, ports);
    return capabilities(session.pulls);
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    const changed = readChangedSettings(settings);
    if (changed === undefined) return;
    session.checks.use(changed);
    if (!session.pulls) for (const document of documents.all()) push(document.uri, document.version);
    else if (session.refreshes) send(connection.languages.diagnostics.refresh(), ports.log);
  });
  documents.onDidChangeContent(({ document }) => {
    if (!session.pulls) push(document.uri, document.version);
  });
  documents.onDidClose(({ document }) => {
    session.checks.forget(document.uri);
    if (!session.pulls) send(connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }), ports.log);
  });

  connection.languages.diagnostics.on(async ({ textDocument }, cancel) => {
    await new Promise<void>((resolve) => ports.defer(resolve));
    if (cancel.isCancellationRequested)
      throw new ResponseError(LSPErrorCodes.RequestCancelled, "Superseded by an edit.");
    return { kind: DocumentDiagnosticReportKind.Full, items: await diagnose(textDocument.uri) };
  });
  connection.onHover(async ({ textDocument, position }) => {
    const checked = checkedAt(textDocument.uri);
    return checked === undefined ? null : shown.masked(hover(checked, position, session.hover), checked);
  });
  answerConfigRequests(connection, shown, checkedAt, () => session);
  connection.onCompletion(({ textDocument, position }) => {
    const checked = checkedAt(textDocument.uri);
    return checked === undefined ? [] : completion(checked, position);
  });
  connection.onCodeAction(async ({ textDocument, range }, cancel) => {
    const checked = checkedAt(textDocument.uri);
    if (checked === undefined) return [];
    const actions = codeActions(checked, range, session.diagnostics, cancel);
    // What an action writes stays as it is.
    const said = actions.map(({ edit, ...words }) => words);
    return (await shown.masked(said, checked)).map((words, index) => ({ ...words, ...editOf(actions[index]) }));
  });
  connection.languages.inlayHint.on(({ textDocument, range }) => {
    const checked = checkedAt(textDocument.uri);
    return checked === undefined ? [] : inlayHints(checked, range, session.locale);
  });
  documents.listen(connection);
}

const editOf = (action: CodeAction | undefined): Pick<CodeAction, "edit"> =>
  action?.edit === undefined ? {} : { edit: action.edit };

function createSession(params: InitializeParams, ports: ServerPorts): Session {
  const options = readInitOptions(params.initializationOptions);
  const { textDocument, workspace } = params.capabilities;
  return {
    checks: new Checks(options.homes, options.settings ?? DEFAULT_SETTINGS, {
      ...ports,
      local: options.trusted === false ? NO_FILES : ports.local,
    }),
    diagnostics: { source: DIAGNOSTIC_SOURCE, docs: options.docs },
    locale: params.locale,
    hover: { locale: params.locale, explainCommand: options.explainCommand },
    pulls: textDocument?.diagnostic !== undefined,
    refreshes: workspace?.diagnostics?.refreshSupport === true,
  };
}

function capabilities(pulls: boolean): InitializeResult {
  const diagnostics = { identifier: DIAGNOSTIC_SOURCE, interFileDependencies: false, workspaceDiagnostics: false };
  return {
    serverInfo: { name: DIAGNOSTIC_SOURCE },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      ...(pulls ? { diagnosticProvider: diagnostics } : {}),
      hoverProvider: true,
      completionProvider: { triggerCharacters: [":", " ", '"'] },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] },
      inlayHintProvider: true,
    },
  };
}

/** A message that cannot be delivered is no reason to stop. */
function send(sent: Promise<unknown>, log: Log): void {
  sent.catch((error: unknown) => log.warn(`A message to the editor was not delivered: ${tellError(error).message}`));
}
