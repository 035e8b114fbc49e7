/**
 * The SQLite engine is shipped Brotli-compressed (1,277 KB → 408 KB; inside the package, which compresses less well, it would be
 * 527): this makes its loader unpack it. Node has Brotli built in, and unpacking costs some milliseconds once per reading thread.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** Name of the packed engine in dist/, beside the bundles that load it. */
export const PACKED_ENGINE = "node-sqlite3-wasm.wasm.br";

const READ = "if(readBinary){return readBinary(file)}";
const UNPACK = 'return require("node:zlib").brotliDecompressSync(require("node:fs").readFileSync(file+".br"));';

/** Rewrites the one place of the loader that reads the file; a new version of the loader that reads it elsewhere fails the build. */
export const packedEngine = {
  name: "packed-engine",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /[\\/]node-sqlite3-wasm[\\/]dist[\\/]node-sqlite3-wasm\.js$/ }, ({ path }) => {
      const parts = readFileSync(path, "utf8").split(READ);
      if (parts.length !== 2)
        return { errors: [{ text: `${path} no longer reads its engine where this build expects it` }] };
      return { contents: parts.join(UNPACK), loader: "js" };
    });
  },
};

/**
 * The engine's packed bytes, kept in a cache because packing takes seconds.
 * @param {string} engine path of the .wasm file
 * @param {string} cache path of the cached packed file
 */
export function packEngine(engine, cache) {
  if (existsSync(cache) && statSync(cache).mtimeMs > statSync(engine).mtimeMs) return readFileSync(cache);
  const bytes = readFileSync(engine);
  const packed = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(cache, packed);
  return packed;
}
