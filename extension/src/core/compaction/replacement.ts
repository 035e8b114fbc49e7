import { type BlockEra, formatSize, notSavedText, persistText } from "../results/block";
import { spillFileName } from "../results/fileName";
import { PREVIEW_CHARS } from "../results/preview";
import { grouped } from "../util/numbers";
import { countCodePoints } from "../util/textSize";

/** How a text is cut for its preview, in code points; `chars` is what would land in the file. */
export interface CutFacts {
  readonly chars: number;
  readonly preview: number;
  readonly hasMore: boolean;
}

/** A cut without line feeds, for texts that could not be read. */
export function plainCut(chars: number): CutFacts {
  return { chars, preview: Math.min(chars, PREVIEW_CHARS), hasMore: chars > PREVIEW_CHARS };
}

/** Code points of the block without its numbers, path and preview. */
const BLOCK_REST: Readonly<Record<BlockEra, number>> = { recovery: blockRest("recovery"), plain: blockRest("plain") };
/** The line `...` behind a preview that was cut. */
const MORE_CHARS = 4;

function blockRest(era: BlockEra): number {
  return countCodePoints(persistText("", "", era).block) - 1 - countCodePoints(formatSize(0)) - 1;
}

/** Code points of the notice that `persistText` writes, without writing it. */
export function blockChars(cut: CutFacts, pathChars: number, era: BlockEra = "recovery"): number {
  return (
    BLOCK_REST[era] +
    groupedChars(cut.chars) +
    formatSize(cut.chars).length +
    pathChars +
    digits(cut.preview) +
    cut.preview +
    (cut.hasMore ? MORE_CHARS : 0)
  );
}

const NOT_SAVED_REST = countCodePoints(notSavedText("")) - 1;

/** Code points of `notSavedText`, of the text as it came (never unwrapped). */
export function notSavedChars(cut: CutFacts): number {
  return NOT_SAVED_REST + groupedChars(cut.chars) + cut.preview;
}

function digits(count: number): number {
  return String(count).length;
}

function groupedChars(count: number): number {
  return count < 1000 ? digits(count) : grouped(count).length;
}

const NO_DIGEST = { sha256Hex: () => "0".repeat(64) };

/** Code points of the path that a result is saved under. The digest in a name has a fixed length, whatever it is. */
export function spillPathChars(callId: string | undefined, folderChars: number): number {
  const name = spillFileName(callId?.split("|", 1)[0], NO_DIGEST);
  return folderChars + 1 + (name.ok ? name.value.length : "tool_result.txt".length);
}
