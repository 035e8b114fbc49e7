import type { Digest } from "../../../extension/src/core/ports";
import { type BlockEra, notSavedText, PERSISTED_TAG, persistText } from "../../../extension/src/core/results/block";
import { spillFileName } from "../../../extension/src/core/results/fileName";
import { countCodePoints } from "../../../extension/src/core/util/textSize";

/** One tool result of a batch; a part list gives its texts, and undefined for parts that are none. */
export interface BatchResult {
  readonly id: string | null | undefined;
  readonly content: string | readonly (string | undefined)[];
}

export interface BatchOptions {
  /** `turn_budget` in code points. */
  readonly perTurn: number;
  /** Folder of the spill files, without a slash at its end. */
  readonly folder: string;
  readonly saveFails?: boolean;
  /** Code points of the preview; 1,500 unless said otherwise. */
  readonly preview?: number;
  readonly era?: BlockEra;
}

/** What enforcement did to one result. */
export interface BatchChange {
  readonly index: number;
  /** Index of the text that was replaced in a part list; undefined for a plain text. */
  readonly part: number | undefined;
  readonly text: string;
  /** Undefined when the file could not be written. */
  readonly path: string | undefined;
}

/**
 * Layer 3 (`hermes.md` 3.7): while the texts of one batch are longer than the turn budget, the largest is persisted whatever
 * its size. A replacement can be longer than what it replaces.
 */
export function enforceTurnBudget(
  batch: readonly BatchResult[],
  options: BatchOptions,
  digest: Digest,
): readonly BatchChange[] {
  const sizes = batch.map(({ content }) => sizeOf(content));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  const candidates = batch
    .map((result, index) => ({ result, index, size: sizes[index] ?? 0 }))
    .filter(({ result }) => typeof result.content !== "string" || !result.content.includes(PERSISTED_TAG))
    .sort((a, b) => b.size - a.size);
  const changes: BatchChange[] = [];
  for (const { result, index } of candidates) {
    if (total <= options.perTurn) break;
    const id = result.id === undefined ? `budget_${index}` : (result.id ?? undefined);
    const change = persistLargest(result.content, id, index, options, digest);
    if (change === undefined) continue;
    changes.push(change);
    const before = typeof result.content === "string" ? result.content : (result.content[change.part ?? 0] ?? "");
    total += countCodePoints(change.text) - countCodePoints(before);
  }
  return changes.sort((a, b) => a.index - b.index);
}

function sizeOf(content: BatchResult["content"]): number {
  if (typeof content === "string") return countCodePoints(content);
  return content.reduce((sum, text) => sum + countCodePoints(text ?? ""), 0);
}

function persistLargest(
  content: BatchResult["content"],
  id: string | undefined,
  index: number,
  options: BatchOptions,
  digest: Digest,
): BatchChange | undefined {
  let part: number | undefined;
  let text: string;
  if (typeof content === "string") text = content;
  else {
    const largest = largestPart(content);
    if (largest === undefined) return undefined;
    part = largest;
    text = content[part] ?? "";
  }
  const name = spillFileName(part === undefined ? id : `${id ?? ""}_part${part}`, digest);
  if (options.saveFails === true || !name.ok)
    return { index, part, text: notSavedText(text, options.preview), path: undefined };
  const path = `${options.folder}/${name.value}`;
  return { index, part, text: persistText(text, path, options.era, options.preview).block, path };
}

function largestPart(texts: readonly (string | undefined)[]): number | undefined {
  let best: number | undefined;
  let size = 0;
  for (const [index, text] of texts.entries()) {
    if (text === undefined || text.includes(PERSISTED_TAG)) continue;
    const chars = countCodePoints(text);
    if (chars > size) {
      best = index;
      size = chars;
    }
  }
  return best;
}
