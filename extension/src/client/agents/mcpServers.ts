import * as vscode from "vscode";
import { type Disposable, Lifetime } from "../lifetime";

/** Also in the manifest. */
const PROVIDER_ID = "contextBudget.mcp";
const LABEL = "Context Budget";

/** The first VS Code with an API for it; the one before had it as a proposal of another shape. */
const SINCE = { major: 1, minor: 101 } as const;

/** `vscode.McpStdioServerDefinition`: a program that is started when somebody uses the server. */
interface StdioDefinition {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | number | null>>;
}
type StdioDefinitionClass = new (
  label: string,
  command: string,
  args: string[],
  env: Record<string, string | number | null>,
  version: string,
) => StdioDefinition;

interface DefinitionProvider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): StdioDefinition[];
  resolveMcpServerDefinition(server: StdioDefinition): StdioDefinition | undefined;
}

/** The part of the API that is younger than the oldest VS Code in which this extension runs. */
interface YoungerApi {
  readonly McpStdioServerDefinition?: StdioDefinitionClass;
  readonly lm: {
    readonly tools: readonly unknown[];
    registerMcpServerDefinitionProvider?(id: string, provider: DefinitionProvider): vscode.Disposable;
  };
}

export interface McpServersParts {
  /** Absolute path of the command line's file. */
  readonly cliFile: string;
  /** Version of the extension: when it changes, VS Code asks the server for its tools again. */
  readonly version: string;
  /** Whether the user wants the server listed. */
  readonly isOn: () => boolean;
  readonly onDidChange: vscode.Event<void>;
}

/** What VS Code is told about the server; tests look at it too. */
export interface McpServers extends Disposable {
  /** False in a VS Code without the API. */
  readonly isThere: boolean;
  readonly provider: DefinitionProvider | undefined;
}

/** Lists `context-budget mcp` among VS Code's MCP servers. It runs with VS Code's own Node, and only when it is used. */
export function registerMcpServers({ cliFile, version, isOn, onDidChange }: McpServersParts): McpServers {
  const lifetime = new Lifetime();
  const api: YoungerApi = vscode;
  const { McpStdioServerDefinition } = api;
  if (!isSince(vscode.version) || McpStdioServerDefinition === undefined) return none(lifetime);
  const changed = lifetime.add(new vscode.EventEmitter<void>());
  lifetime.add(onDidChange(() => changed.fire()));
  const provider: DefinitionProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () =>
      isOn()
        ? [
            new McpStdioServerDefinition(
              LABEL,
              process.execPath,
              [cliFile, "mcp"],
              // In a desktop VS Code that program is Electron, which this makes a plain Node.
              { ELECTRON_RUN_AS_NODE: "1" },
              version,
            ),
          ]
        : [],
    // The list may be older than the setting, or than the moment at which trust was taken back.
    resolveMcpServerDefinition: (server) => (isOn() ? server : undefined),
  };
  const registered = api.lm.registerMcpServerDefinitionProvider?.(PROVIDER_ID, provider);
  if (registered === undefined) return none(lifetime);
  lifetime.add(registered);
  return { isThere: true, provider, dispose: () => lifetime.dispose() };
}

const none = (lifetime: Lifetime): McpServers => ({
  isThere: false,
  provider: undefined,
  dispose: () => lifetime.dispose(),
});

function isSince(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > SINCE.major || (major === SINCE.major && minor >= SINCE.minor);
}
