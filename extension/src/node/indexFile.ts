import type { FileFormatId } from "../core/model/transcript";
import type { TranscriptEvent } from "../core/model/transcriptEvent";
import type { Cancel, FileSource } from "../core/ports";
import { readDatabase } from "../core/transcript/database/readDatabase";
import { readTranscript } from "../core/transcript/read";
import { unreadable } from "../core/transcript/sniff";
import { nodeFiles } from "./files";
import type { CopyOptions } from "./privateCopy";
import { skimHelpers } from "./skimHelper";
import { looksLikeDatabase, openDatabase } from "./sqlite";
import { nodeUnpacker } from "./unpack";
import { nodeUtf8 } from "./utf8";
import { nodeWasm } from "./wasm";

/**
 * Reads a transcript file or an agent's database of this machine; one that cannot be opened gives one problem, like any
 * other bad input. `format` forces a file to be read as that.
 */
export async function* indexFile(
  path: string,
  format: FileFormatId | undefined,
  cancel: Cancel,
  copy: CopyOptions = {},
): AsyncGenerator<readonly TranscriptEvent[]> {
  if (format === undefined && (await looksLikeDatabase(path))) {
    yield* indexDatabase(path, cancel, copy);
    return;
  }
  let source: FileSource;
  try {
    source = await nodeFiles.open(path);
  } catch (error) {
    yield [{ kind: "problem", problem: unreadable({ path }, error) }];
    return;
  }
  yield* readTranscript(
    source,
    { utf8: nodeUtf8, unpacker: nodeUnpacker, files: nodeFiles, wasm: nodeWasm, helper: skimHelpers() },
    format === undefined ? {} : { format },
    cancel,
  );
}

async function* indexDatabase(
  path: string,
  cancel: Cancel,
  copy: CopyOptions,
): AsyncGenerator<readonly TranscriptEvent[]> {
  const opened = await openDatabase(path, copy, cancel);
  if (!opened.ok) {
    yield [{ kind: "problem", problem: opened.error }];
    return;
  }
  const database = opened.value;
  if (database === undefined) return;
  try {
    yield* readDatabase(database, { utf8: nodeUtf8 }, cancel);
  } finally {
    database.close();
  }
}
