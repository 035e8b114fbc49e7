import type { FileFormatId } from "../core/model/transcript";
import type { TranscriptEvent } from "../core/model/transcriptEvent";
import type { Cancel, FileSource } from "../core/ports";
import { readTranscript } from "../core/transcript/read";
import { unreadable } from "../core/transcript/sniff";
import { nodeFiles } from "./files";
import { nodeGunzip } from "./gunzip";
import { nodeUtf8 } from "./utf8";

/** Reads a transcript file of this machine; a file that cannot be opened gives one problem, like any other bad input. */
export async function* indexFile(
  path: string,
  format: FileFormatId | undefined,
  cancel: Cancel,
): AsyncGenerator<readonly TranscriptEvent[]> {
  let source: FileSource;
  try {
    source = await nodeFiles.open(path);
  } catch (error) {
    yield [{ kind: "problem", problem: unreadable({ path }, error) }];
    return;
  }
  yield* readTranscript(source, { utf8: nodeUtf8, gunzip: nodeGunzip }, format === undefined ? {} : { format }, cancel);
}
