import { buildSync } from "esbuild";
import { repoPath } from "./corpus";

/** Builds the reading threads' bundle from the sources; how it ships is tested elsewhere. */
export function buildWorker(outfile: string): void {
  buildSync({
    entryPoints: [repoPath("extension/src/node/indexWorker.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
  });
}
