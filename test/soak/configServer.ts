import { fork } from "node:child_process";
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type PublishDiagnosticsParams,
} from "vscode-languageserver/node";

/** A mistake that every start of the server has to find. */
const TEXT = "tools:\n  tool_result_persist_threshold_chars: 1e4\n";
const URI = "file:///w/.hermes/config.yaml";
const PATIENCE_MS = 30_000;

/**
 * Starts the language server as the extension does, has a config checked, and ends it: in order, or by killing it while it is at
 * work. Gives what is wrong, undefined when all went well.
 */
export async function serveOnce(serverFile: string, kill: boolean): Promise<string | undefined> {
  const child = fork(serverFile, ["--node-ipc"], { execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => said.push(String(data)));
  const ended = new Promise<string>((resolve) => child.once("exit", (code, signal) => resolve(`${signal ?? code}`)));
  const client = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  // A connection whose other end is killed tells so; that is what happens here.
  client.onError(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("no answer"), PATIENCE_MS);
  });
  try {
    const published = new Promise<PublishDiagnosticsParams>((resolve) => {
      client.onNotification("textDocument/publishDiagnostics", resolve);
    });
    client.listen();
    const work = async (): Promise<string | undefined> => {
      await client.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
      await client.sendNotification("initialized", {});
      await client.sendNotification("textDocument/didOpen", {
        textDocument: { uri: URI, languageId: "yaml", version: 1, text: TEXT },
      });
      const { diagnostics } = await published;
      if (diagnostics.length === 0) return "the mistake was not found";
      if (kill) {
        client
          .sendRequest("textDocument/hover", { textDocument: { uri: URI }, position: { line: 1, character: 5 } })
          .catch(
            // Nobody is left to answer.
            () => undefined,
          );
        child.kill("SIGKILL");
        return (await ended) === "SIGKILL" ? undefined : `ended with ${await ended}`;
      }
      await client.sendRequest("shutdown");
      await client.sendNotification("exit");
      return (await ended) === "0" ? undefined : `ended with ${await ended}`;
    };
    const wrong = await Promise.race([work(), late]);
    return wrong ?? (said.length === 0 ? undefined : `said ${said.join("")}`);
  } finally {
    clearTimeout(timer);
    client.dispose();
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  }
}
