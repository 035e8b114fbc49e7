import type { BodyReader } from "../../core/compaction/facts";
import { err, ok, type Problem, type Result } from "../../core/model/problem";
import type { FileFormatId, RecordPlace, ToolResult, TranscriptHeader } from "../../core/model/transcript";
import type { TranscriptEvent } from "../../core/model/transcriptEvent";
import type { Cancel, Database, FileSource } from "../../core/ports";
import { aroundIn } from "../../core/results/handles/times";
import { BodyReader as SourceReader } from "../../core/transcript/body";
import { CallArguments } from "../../core/transcript/callArguments";
import { Collector } from "../../core/transcript/collect";
import { readDatabase } from "../../core/transcript/database/readDatabase";
import { readRowBody } from "../../core/transcript/database/rowBody";
import { WholeRecords } from "../../core/transcript/database/wholeRecord";
import type { TranscriptIndex } from "../../core/transcript/events";
import { openedSource } from "../../core/transcript/inflated";
import { readTranscript } from "../../core/transcript/read";
import { unreadable } from "../../core/transcript/sniff";
import { blockingReader, nodeFiles } from "../files";
import type { IndexStore } from "../indexStore";
import type { CopyOptions } from "../privateCopy";
import { skimHelpers } from "../skimHelper";
import { looksLikeDatabase, openDatabase } from "../sqlite";
import { storedIndex } from "../storedTable";
import { nodeUnpacker } from "../unpack";
import { nodeUtf8 } from "../utf8";
import { nodeWasm } from "../wasm";

/** A transcript that was read to its end, with its texts at hand. */
export interface LoadedTranscript {
  readonly header: TranscriptHeader;
  readonly index: TranscriptIndex;
  readonly bodies: BodyReader;
  /** Undefined for a database, which its agent may be writing to: its bytes say nothing. */
  readonly file: FileSource | undefined;
  /** The whole record behind a message as JSON text; undefined = it cannot be read. */
  record(place: RecordPlace): Promise<string | undefined>;
  /** What stands on a record's line before and behind it, where lines wrap other agents' records. */
  readonly around?: (place: RecordPlace) => Promise<{ readonly before: string; readonly after: string }>;
  close(): void;
}

export interface LoadOptions extends CopyOptions {
  readonly format: FileFormatId | undefined;
  /** Where the index of the file may be stored: then it is not read again. */
  readonly store?: IndexStore | undefined;
  readonly onProgress: (doneBytes: number, totalBytes: number) => void;
}

/** Undefined = cancelled. The error says why the file is no transcript. */
export async function loadTranscript(
  path: string,
  options: LoadOptions,
  cancel: Cancel,
): Promise<Result<LoadedTranscript> | undefined> {
  const asDatabase = options.format === undefined && (await looksLikeDatabase(path));
  return asDatabase ? loadDatabase(path, options, cancel) : loadFile(path, options, cancel);
}

async function loadFile(
  path: string,
  options: LoadOptions,
  cancel: Cancel,
): Promise<Result<LoadedTranscript> | undefined> {
  const ports = { utf8: nodeUtf8, unpacker: nodeUnpacker, files: nodeFiles, wasm: nodeWasm, helper: skimHelpers() };
  let file: FileSource;
  try {
    file = await nodeFiles.open(path);
  } catch (error) {
    return err(unreadable({ path }, error));
  }
  const forced = options.format === undefined ? {} : { format: options.format };
  const { store, format } = options;
  const stored = store === undefined ? undefined : await storedIndex(store, path, format);
  const index = stored ?? (await gather(readTranscript(file, ports, forced, cancel), options, cancel));
  if (index === undefined) return undefined;
  if (index.header === undefined) return err(whyNot(index, path));
  let held: ReturnType<typeof holdOpen>;
  try {
    held = holdOpen(file);
  } catch (error) {
    // Removed since it was read.
    return err(unreadable({ path }, error));
  }
  const opened = await openedSource(held.source, ports);
  if (!opened.ok) {
    held.close();
    return opened;
  }
  const reader = new SourceReader(opened.value.source, nodeUtf8);
  const record = async ({ start, end }: RecordPlace): Promise<string | undefined> => {
    const bytes = await opened.value.source.read(start, end);
    return bytes.length < end - start ? undefined : nodeUtf8.decode(bytes).text;
  };
  const args = new CallArguments(index, record);
  return ok({
    header: index.header,
    index,
    bodies: {
      result: async ({ body }: ToolResult) => {
        const read = body === undefined ? undefined : await reader.read(body);
        return read?.ok === true ? read.value.text : undefined;
      },
      args: (result) => args.of(result),
    },
    file,
    record,
    ...(index.header.format === "openmausbot-native" ? { around: aroundIn(opened.value.source, nodeUtf8) } : {}),
    close: held.close,
  });
}

async function loadDatabase(
  path: string,
  options: LoadOptions,
  cancel: Cancel,
): Promise<Result<LoadedTranscript> | undefined> {
  const opened = await openDatabase(path, options, cancel);
  if (!opened.ok) return opened;
  const database: Database | undefined = opened.value;
  if (database === undefined) return undefined;
  const ports = { utf8: nodeUtf8 };
  const index = await gather(readDatabase(database, ports, cancel), options, cancel);
  if (index?.header === undefined) {
    database.close();
    return index === undefined ? undefined : err(whyNot(index, path));
  }
  const records = new WholeRecords(database, ports);
  const record = async (place: RecordPlace): Promise<string | undefined> => records.read(place);
  const args = new CallArguments(index, record);
  return ok({
    header: index.header,
    index,
    bodies: {
      result: async ({ body }: ToolResult) => {
        const read = body === undefined ? undefined : readRowBody(database, body, ports);
        return read?.ok === true ? read.value.text : undefined;
      },
      args: (result) => args.of(result),
    },
    file: undefined,
    record,
    close: () => database.close(),
  });
}

async function gather(
  batches: AsyncIterable<readonly TranscriptEvent[]>,
  { onProgress }: LoadOptions,
  cancel: Cancel,
): Promise<TranscriptIndex | undefined> {
  const collector = new Collector();
  for await (const events of batches) {
    if (cancel.isCancellationRequested) return undefined;
    collector.add(events);
    for (const event of events) if (event.kind === "progress") onProgress(event.doneBytes, event.totalBytes);
  }
  return cancel.isCancellationRequested ? undefined : collector.index();
}

function whyNot(index: TranscriptIndex, path: string): Problem {
  const message = `${path} is no transcript that can be read.`;
  return index.problems[0] ?? { code: "unknown-format", severity: "error", message };
}

/** The same file through one handle that stays open: thousands of short texts are read. This thread may wait for its disk. */
function holdOpen(file: FileSource): { readonly source: FileSource; readonly close: () => void } {
  const handle = blockingReader(file.path);
  return {
    source: {
      path: file.path,
      bytes: file.bytes,
      read: async (start, end) => handle.take(start, Math.min(end, file.bytes)),
    },
    close: () => handle.close(),
  };
}
