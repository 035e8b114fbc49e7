import type { FileFormatId } from "../core/model/transcript";
import { TableReading } from "../core/transcript/table/tableReading";
import type { TranscriptTable } from "../core/transcript/table/transcriptTable";
import { nodeFiles } from "./files";
import { skimHelpers } from "./skimHelper";
import { nodeUnpacker } from "./unpack";
import { nodeUtf8 } from "./utf8";
import { nodeWasm } from "./wasm";

// What it takes to read a transcript, apart from what it takes to show a stored index: that is there in half the time.

export { readDatabase } from "../core/transcript/database/readDatabase";
export { looksLikeDatabase, openDatabase } from "./sqlite";

export function newReading(format: FileFormatId | undefined): TableReading {
  return new TableReading(ports(), format === undefined ? {} : { format });
}

/** Goes on from a stored index; undefined when its state is not whole. */
export function restoredReading(
  table: TranscriptTable,
  state: Uint8Array,
  format: FileFormatId | undefined,
): TableReading | undefined {
  return TableReading.restored(table, state, ports(), format === undefined ? {} : { format });
}

function ports() {
  return { utf8: nodeUtf8, unpacker: nodeUnpacker, files: nodeFiles, wasm: nodeWasm, helper: skimHelpers() };
}
