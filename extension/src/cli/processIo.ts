import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../node/clock";
import { nodeFiles } from "../node/files";
import { knownPlaces } from "../node/paths";
import { nodeUtf8 } from "../node/utf8";
import { type CliIo, type Out, PipeClosed } from "./io";

/** A process stream as `Out`: waits when the reader is slow, and tells when it has gone. */
function streamOut(stream: NodeJS.WriteStream): Out {
  let closed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // EPIPE: the reader closed; EIO: its terminal went away. Anything else is a real failure of our own output.
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    closed = true;
  });
  return {
    isTTY: stream.isTTY === true,
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new PipeClosed());
          return;
        }
        stream.write(text, (error) => (error ? reject(new PipeClosed()) : resolve()));
      }),
  };
}

/** The real world. */
export function processIo(): CliIo {
  const environment = {
    env: process.env,
    platform: process.platform,
    homeFolder: homedir(),
    tempFolder: tmpdir(),
  };
  return {
    stdout: streamOut(process.stdout),
    stderr: streamOut(process.stderr),
    cwd: process.cwd(),
    files: nodeFiles,
    utf8: nodeUtf8,
    clock: systemClock,
    places: () => knownPlaces(environment, nodeFiles),
    colour: (process.env["NO_COLOR"] ?? "") === "",
    // The bundle is dist/cli.js, one folder below the manifest.
    version: () => String(JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8")).version),
  };
}
