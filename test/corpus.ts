import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const corpus = resolve(repository, "../shared/corpus");

/** True where the corpus of real transcripts and recorded oracles lies beside the repository. */
export const hasCorpus = existsSync(corpus);

if (!hasCorpus) console.warn(`corpus tests are skipped: ${corpus} does not exist`);

/** Absolute path of a corpus file. */
export function corpusPath(...parts: readonly string[]): string {
  return join(corpus, ...parts);
}

/** Absolute path of a file of this repository. */
export function repoPath(...parts: readonly string[]): string {
  return join(repository, ...parts);
}
