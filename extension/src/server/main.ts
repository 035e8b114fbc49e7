import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { tellError } from "../core/util/tellError";
import { tellUncaught } from "../node/lastWords";
import { nodeLocalFiles } from "../node/localFiles";
import { secretFinder } from "../node/secrets";
import { createServer } from "./server";

tellUncaught(process.stderr);
const connection = createConnection(ProposedFeatures.all);
createServer(connection, {
  log: {
    info: (message) => connection.console.info(message),
    warn: (message) => connection.console.warn(message),
    error: (message, error) =>
      connection.console.error(error === undefined ? message : `${message}: ${tellError(error).stack}`),
  },
  secrets: secretFinder(),
  env: process.env,
  envName: "the editor's environment",
  local: nodeLocalFiles,
  windows: process.platform === "win32",
  // The connection handles one message per turn of the event loop; two turns let a waiting edit go first.
  defer: (step) => setImmediate(() => setImmediate(step)),
});
connection.listen();
