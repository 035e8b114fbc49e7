import { PassThrough } from "node:stream";
import {
  type CodeAction,
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type Hover,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { secretFinder } from "../../extension/src/node/secrets";
import type { InitOptions, ServerSettings } from "../../extension/src/protocol/lsp";
import type { CheckPorts } from "../../extension/src/server/checks";
import { createServer } from "../../extension/src/server/server";

export const HOME_CONFIG = "file:///home/user/.hermes/config.yaml";

export interface SessionOptions {
  /** True: the client asks for diagnostics, as VS Code does. */
  readonly pulls?: boolean;
  readonly init?: Partial<InitOptions>;
  /** How the server waits for its turn; counts looks at documents. */
  readonly defer?: (step: () => void) => void;
  /** Environment and files that the server sees; tests may change them. */
  readonly world?: World;
}

export interface World {
  readonly env: Readonly<Record<string, string>>;
  /** Text by path; folders exist where a file lies below them. */
  readonly files: Record<string, string>;
}

/** Nothing of the machine that runs the test gets in. */
function fakeWorld({ env, files }: World): CheckPorts {
  const isFolder = (path: string): boolean => Object.keys(files).some((file) => file.startsWith(`${path}/`));
  return {
    env,
    envName: "the editor's environment",
    windows: false,
    local: {
      stamp: (path) => files[path] ?? (isFolder(path) ? "folder" : undefined),
      read: (path) => files[path],
      list: (path) => [
        ...new Set(
          Object.keys(files).flatMap((file) =>
            file.startsWith(`${path}/`) ? [file.slice(path.length + 1).replace(/\/.*$/, "")] : [],
          ),
        ),
      ],
    },
  };
}

/** A real server and a real client over in-memory streams. */
export class Session {
  readonly warnings: string[] = [];
  readonly #client: MessageConnection;
  readonly #pushed = new Map<string, { version: number; diagnostics: Diagnostic[] }>();
  readonly #waiting: { uri: string; version: number; resolve: (diagnostics: Diagnostic[]) => void }[] = [];
  readonly #versions = new Map<string, number>();
  readonly #dispose: () => void;
  refreshes = 0;
  pushes = 0;

  constructor(options: SessionOptions) {
    const up = new PassThrough();
    const down = new PassThrough();
    const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
    const log = {
      info: () => undefined,
      warn: (message: string) => this.warnings.push(message),
      error: (message: string) => this.warnings.push(message),
    };
    const twoTurns = (step: () => void): unknown => setImmediate(() => setImmediate(step));
    const world = options.world ?? { env: {}, files: {} };
    createServer(server, { log, secrets: secretFinder(), ...fakeWorld(world), defer: options.defer ?? twoTurns });
    server.listen();
    this.#client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    this.#client.onNotification(
      "textDocument/publishDiagnostics",
      (params: { uri: string; version?: number; diagnostics: Diagnostic[] }) => {
        this.pushes += 1;
        this.#pushed.set(params.uri, { version: params.version ?? -1, diagnostics: params.diagnostics });
        for (const waiter of this.#waiting) {
          if (waiter.uri === params.uri && waiter.version === params.version) waiter.resolve(params.diagnostics);
        }
      },
    );
    this.#client.onRequest("workspace/diagnostic/refresh", () => {
      this.refreshes += 1;
      return null;
    });
    this.#client.listen();
    this.#dispose = () => {
      this.#client.dispose();
      server.dispose();
    };
  }

  static async start(options: SessionOptions = {}): Promise<Session> {
    const session = new Session(options);
    const pulls = options.pulls ?? false;
    await session.request("initialize", {
      processId: null,
      rootUri: null,
      locale: "en",
      capabilities: pulls
        ? { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } }
        : {},
      initializationOptions: {
        version: 1,
        homes: [],
        settings: { loader: "ruamel", files: [], contextLength: null },
        ...options.init,
      },
    });
    await session.notify("initialized", {});
    return session;
  }

  request<T>(method: string, params: unknown): Promise<T> {
    return this.#client.sendRequest<T>(method, params);
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.#client.sendNotification(method, params);
  }

  get client(): MessageConnection {
    return this.#client;
  }

  async open(text: string, uri = HOME_CONFIG, languageId = "yaml"): Promise<Diagnostic[]> {
    this.#versions.set(uri, 1);
    const said = this.said(uri, 1);
    await this.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    return said;
  }

  /** Opens a document without waiting for what the server says. */
  async openQuietly(text: string, uri = HOME_CONFIG): Promise<void> {
    this.#versions.set(uri, 1);
    await this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
  }

  /** Replaces the whole text without waiting for what the server says. */
  async change(text: string, uri = HOME_CONFIG): Promise<number> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    await this.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    return version;
  }

  async edit(text: string, uri = HOME_CONFIG): Promise<Diagnostic[]> {
    const said = this.said(uri, (this.#versions.get(uri) ?? 0) + 1);
    await this.change(text, uri);
    return said;
  }

  /** What was pushed last about a document. */
  last(uri = HOME_CONFIG): readonly Diagnostic[] | undefined {
    return this.#pushed.get(uri)?.diagnostics;
  }

  /** Diagnostics pushed for one version of a document. */
  said(uri: string, version: number): Promise<Diagnostic[]> {
    const known = this.#pushed.get(uri);
    if (known?.version === version) return Promise.resolve(known.diagnostics);
    return new Promise((resolve) => this.#waiting.push({ uri, version, resolve }));
  }

  /** Forgets what was pushed, so that the next push of the same version can be waited for. */
  forget(uri = HOME_CONFIG): void {
    this.#pushed.delete(uri);
  }

  async pull(uri = HOME_CONFIG): Promise<Diagnostic[]> {
    const report = await this.request<{ items: Diagnostic[] }>("textDocument/diagnostic", { textDocument: { uri } });
    return report.items;
  }

  hover(line: number, character: number, uri = HOME_CONFIG): Promise<Hover | null> {
    return this.request("textDocument/hover", { textDocument: { uri }, position: { line, character } });
  }

  actions(diagnostic: Diagnostic, uri = HOME_CONFIG): Promise<CodeAction[]> {
    const context = { diagnostics: [diagnostic] };
    return this.request("textDocument/codeAction", { textDocument: { uri }, range: diagnostic.range, context });
  }

  settings(settings: Partial<ServerSettings>): Promise<void> {
    return this.notify("workspace/didChangeConfiguration", {
      settings: { contextBudget: { loader: "ruamel", files: [], contextLength: null, ...settings } },
    });
  }

  dispose(): void {
    this.#dispose();
  }
}
