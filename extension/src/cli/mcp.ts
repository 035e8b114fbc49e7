import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createAgentTools } from "../core/agentTools/createAgentTools";
import type { Log } from "../core/ports";
import { tellError } from "../core/util/tellError";
import { agentToolPorts } from "../node/agentToolPorts";
import type { HomesInput } from "../node/homes";
import { secretFinder } from "../node/secrets";
import type { McpCommand } from "./args";
import { fileExplainer } from "./fileExplainer";
import { type CliIo, OutputFailed, PipeClosed, type Pipes } from "./io";
import { McpRoots } from "./mcpRoots";
import { createMcpServer } from "./mcpServer";

/**
 * `context-budget mcp`: serves the tools for agents to the program at the other end of the pipes, until its input ends. Standard
 * output carries the protocol alone.
 */
export async function runMcp(command: McpCommand, io: CliIo): Promise<void> {
  const pipes = io.pipes();
  const log = stderrLog(io);
  const roots = new McpRoots(command.roots, io.cwd);
  const homes = (): HomesInput => ({ ...io.environment, extra: [], added: [], workspaceFolders: roots.folders });
  const tools = createAgentTools(
    agentToolPorts({
      homes,
      // Whoever set this server up for an agent wants its sessions read.
      mayScanHomes: () => true,
      isOn: () => true,
      isTrusted: () => true,
      roots: () => roots.folders,
      finder: secretFinder(),
      explainConfig: fileExplainer(io),
      log,
    }),
  );
  const server = createMcpServer({ tools, roots, version: io.version(), log });
  const ended = endOf(pipes, server);
  try {
    await server.connect(new StdioServerTransport(pipes.input, pipes.output));
    await ended.reached;
  } finally {
    ended.dispose();
    tools.dispose();
    await server.close();
  }
}

/** The client has gone, or the process is asked to go. */
function endOf({ input, output, onEnd }: Pipes, server: { onclose?: (() => void) | undefined }) {
  let end = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    end = resolve;
  });
  input.once("end", end);
  input.once("close", end);
  output.once("error", end);
  output.once("close", end);
  server.onclose = end;
  const signals = onEnd(end);
  return { reached, dispose: () => signals.dispose() };
}

/** Lines on standard error, which clients keep as the server's log. */
function stderrLog({ stderr }: CliIo): Log {
  const say = (text: string): void => {
    stderr.write(`context-budget mcp: ${text}\n`).catch((error: unknown) => {
      // Nobody reads it any more; the client goes on all the same.
      if (!(error instanceof PipeClosed || error instanceof OutputFailed)) throw error;
    });
  };
  return {
    info: say,
    warn: say,
    error: (message, error) => say(error === undefined ? message : `${message}: ${tellError(error).stack}`),
  };
}
