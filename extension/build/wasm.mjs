/**
 * Compiles extension/wasm into the module that core carries as text. Usage: node extension/build/wasm.mjs [--check]
 *   --check  writes nothing; exits with 1 when the text in the sources is not what the compiler makes
 * The result is in the repository so that builds and tests need no compiler.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import asc from "assemblyscript/asc";
import binaryen from "assemblyscript/binaryen";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const target = join(root, "extension/src/core/transcript/rows/skimModule.ts");

/** @returns {Promise<string>} text of the target file */
export async function compileSkim() {
  // The most pages are those of extension/src/node/wasm.ts.
  const memory = ["--initialMemory", "1", "--maximumMemory", "32768", "--importMemory", "--sharedMemory"];
  const features = ["--enable", "simd,threads,bulk-memory"];
  const flags = ["-O3", "--converge", "--runtime", "stub", "--noAssert", ...features, ...memory, "--use", "abort="];
  /** @type {Uint8Array | undefined} */
  let binary;
  const { error, stderr } = await asc.main(
    ["skim.ts", "--baseDir", join(root, "extension/wasm"), "--outFile", "skim.wasm", ...flags],
    {
      writeFile: (name, contents) => {
        if (name.endsWith(".wasm")) binary = /** @type {Uint8Array} */ (contents);
      },
    },
  );
  if (error || binary === undefined) throw new Error(`extension/wasm does not compile:\n${stderr}`);
  const text = Buffer.from(inlined(binary)).toString("base64");
  return `/** Made by \`npm run wasm\` from extension/wasm; a test compares the two. WebAssembly, base64. */\nexport const SKIM_MODULE =\n  "${text}";\n`;
}

/**
 * The engine calls the module's small functions as they are, so those that every key goes through stand where they are called:
 * a tenth faster for a tenth more bytes.
 * @param {Uint8Array} binary
 * @returns {Uint8Array}
 */
function inlined(binary) {
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(20);
  binaryen.setFlexibleInlineMaxSize(100);
  const module = binaryen.readBinary(binary);
  // What the compiler may use, and nothing newer.
  const { All, GC, ReferenceTypes, TailCall, RelaxedSIMD, ExtendedConst, Multivalue } = binaryen.Features;
  module.setFeatures(All & ~(GC | ReferenceTypes | TailCall | RelaxedSIMD | ExtendedConst | Multivalue));
  module.optimize();
  module.optimize();
  // Its own defaults: the settings are the library's, not the module's.
  binaryen.setAlwaysInlineMaxSize(2);
  binaryen.setFlexibleInlineMaxSize(20);
  return module.emitBinary();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: "boolean" } } });
  const text = await compileSkim();
  if (values.check !== true) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error(
      "extension/src/core/transcript/rows/skimModule.ts is not what extension/wasm compiles to; run npm run wasm",
    );
    process.exitCode = 1;
  }
}
