import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { err, ok } from "../core/model/problem";
import { NEVER_CANCELLED } from "../core/ports";
import { systemClock } from "../node/clock";
import type { SkimThread } from "../node/earlyThread";
import { nodeFiles } from "../node/files";
import { nodeLocalFiles } from "../node/localFiles";
import { knownPlaces } from "../node/paths";
import { secretFinder } from "../node/secrets";
import { skimHelpers } from "../node/skimHelper";
import { nodeUnpacker } from "../node/unpack";
import { nodeUtf8 } from "../node/utf8";
import { nodeWasm } from "../node/wasm";
import { type CliIo, type Out, OutputFailed, PipeClosed, type Pipes } from "./io";

/** A process stream as `Out`: waits when the reader is slow, and tells when it has gone. */
function streamOut(name: "stdout" | "stderr"): Out {
  let failure: Error | undefined;
  let listens = false;
  // Made by Node when it is asked for, which takes longer than a small report.
  const opened = (): NodeJS.WriteStream => {
    const stream = process[name];
    // The same error reaches the write's callback; without a listener it would end the process.
    if (!listens)
      stream.on("error", (error: NodeJS.ErrnoException) => {
        failure ??= outputError(error);
      });
    listens = true;
    return stream;
  };
  return {
    get isTTY() {
      return opened().isTTY === true;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        const stream = opened();
        if (failure === undefined) stream.write(text, (error) => (error ? reject(outputError(error)) : resolve()));
        else reject(failure);
      }),
  };
}

/** EPIPE: the reader closed; EIO: its terminal went away. */
function outputError(error: Error): Error {
  const code = "code" in error ? String(error.code) : error.message;
  return code === "EPIPE" || code === "EIO" ? new PipeClosed() : new OutputFailed(code);
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const onEnd: Pipes["onEnd"] = (listener) => {
  for (const signal of SIGNALS) process.once(signal, listener);
  return {
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
};

/** The real world. `helper`: a thread that helps to read, started already. */
export function processIo(helper?: SkimThread): CliIo {
  const environment = {
    env: process.env,
    platform: process.platform,
    homeFolder: homedir(),
    tempFolder: tmpdir(),
  };
  return {
    stdout: streamOut("stdout"),
    stderr: streamOut("stderr"),
    pipes: () => ({ input: process.stdin, output: process.stdout, onEnd }),
    cwd: process.cwd(),
    files: nodeFiles,
    utf8: nodeUtf8,
    unpacker: nodeUnpacker,
    wasm: nodeWasm,
    helper: skimHelpers(undefined, helper),
    clock: systemClock,
    secrets: secretFinder(),
    openDatabase: async (path) => {
      const { openDatabase } = await import("../node/sqlite");
      const opened = await openDatabase(path, {}, NEVER_CANCELLED);
      if (!opened.ok) return err(opened.error);
      if (opened.value === undefined) throw new Error("opening was cancelled, though nobody can");
      return ok(opened.value);
    },
    environment,
    surroundings: { env: process.env, envName: "the environment", local: nodeLocalFiles },
    places: () => knownPlaces(environment, nodeFiles),
    colour: (process.env["NO_COLOR"] ?? "") === "",
    // The bundle is in dist/, one folder below the manifest.
    version: () => String(JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8")).version),
  };
}
