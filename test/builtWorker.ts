import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { repoPath } from "./corpus";

/** Builds the bundle of the reading threads, or of another `entry`, from the sources; how it ships is tested elsewhere. */
export function buildWorker(outfile: string, entry = "indexWorker"): void {
  buildSync({
    entryPoints: [repoPath("extension/src/node", `${entry}.ts`)],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
  });
}

/** Puts the SQLite engine where a built thread in this folder looks for it. */
export function copyEngine(folder: string): void {
  const engine = "node-sqlite3-wasm.wasm";
  copyFileSync(repoPath("node_modules/node-sqlite3-wasm/dist", engine), join(folder, engine));
}
