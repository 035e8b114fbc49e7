import type { Prompts } from "../prompts";
import type { StoredIndexes } from "../storedIndexes";

/** Removes every stored index; the transcripts stay, and each is read anew when it is opened. */
export function clearStoredIndexes(indexes: Pick<StoredIndexes, "clear">, prompts: Prompts): () => Promise<void> {
  return async () => {
    const count = await indexes.clear();
    await prompts.info(count === 1 ? "1 stored index was removed." : `${count} stored indexes were removed.`);
  };
}
