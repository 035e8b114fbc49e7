import { createHash } from "node:crypto";
import { buildThread } from "../core/compaction/buildThread";
import { type BodyReader, prepareFacts, type ResultFacts } from "../core/compaction/facts";
import type { SimThread } from "../core/compaction/simThread";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import type { FileFormatId, RecordPlace, Thread, ToolResult, TranscriptHeader } from "../core/model/transcript";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { aroundIn } from "../core/results/handles/times";
import { BodyReader as SourceReader } from "../core/transcript/body";
import { CallArguments } from "../core/transcript/callArguments";
import { collect } from "../core/transcript/collect";
import { readDatabase } from "../core/transcript/database/readDatabase";
import { readRowBody } from "../core/transcript/database/rowBody";
import { WholeRecords } from "../core/transcript/database/wholeRecord";
import type { TranscriptIndex } from "../core/transcript/events";
import { openedSource } from "../core/transcript/inflated";
import { readTranscript } from "../core/transcript/read";
import type { CliIo } from "./io";
import { openIfDatabase, openInput, unreadable } from "./readInput";
import { plain } from "./text";

/** Which thread of which transcript. */
export interface ThreadChoice {
  readonly path: string;
  readonly format: FileFormatId | undefined;
  readonly thread: string | undefined;
}

/** One thread in numbers, with what the policies must know of its texts. */
export interface LoadedThread {
  readonly header: TranscriptHeader;
  readonly index: TranscriptIndex;
  readonly thread: Thread;
  readonly sim: SimThread;
  readonly facts: ResultFacts;
  /** SHA-256 of the file, hexadecimal; undefined for a database, which its agent may be writing to. */
  readonly sha256: string | undefined;
}

/** Threads that an error names. */
const NAMED_THREADS = 20;

/** Reads a transcript of any format, picks its thread and reads the texts of its results once. */
export async function loadThread(choice: ThreadChoice, io: CliIo): Promise<Result<LoadedThread>> {
  const source = await openInput(choice.path, io);
  if (!source.ok) return source;
  // A named format means a file of records, whatever it looks like.
  const database = choice.format === undefined ? await openIfDatabase(source.value, io) : ok(undefined);
  if (!database.ok) return database;
  try {
    return await load(choice, source.value, database.value, io);
  } finally {
    database.value?.close();
  }
}

async function load(
  choice: ThreadChoice,
  source: FileSource,
  database: Database | undefined,
  io: CliIo,
): Promise<Result<LoadedThread>> {
  const options = choice.format === undefined ? {} : { format: choice.format };
  const index = await collect(
    database === undefined
      ? readTranscript(source, io, options, NEVER_CANCELLED)
      : readDatabase(database, io, NEVER_CANCELLED),
  );
  const { header } = index;
  if (header === undefined) return err(index.problems[0] ?? failure("unknown-format", "The file is no transcript."));
  const thread = pickThread(index, choice.thread);
  if (!thread.ok) return thread;
  const sim = buildThread(index, thread.value.id);
  if (sim === undefined || sim.calls.count === 0) {
    const message = `The thread ${plain(thread.value.id)} has no requests to the model, so nothing can be simulated. Choose another with --thread: ${threadList(index)}.`;
    return err(failure("no-calls", message));
  }
  const reader = await bodyReader(index, source, database, io);
  if (!reader.ok) return reader;
  const facts = await prepareFacts(sim, index.results, header.agent, reader.value, NEVER_CANCELLED);
  const sha256 = database === undefined ? await digestOf(source) : undefined;
  return ok({ header, index, thread: thread.value, sim, facts, sha256 });
}

/** Bytes that are hashed at a time. */
const HASH_CHUNK_BYTES = 4 * 1024 * 1024;

/** Undefined when the file can no longer be read. */
async function digestOf(source: FileSource): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for (let start = 0; start < source.bytes; start += HASH_CHUNK_BYTES)
      hash.update(await source.read(start, Math.min(source.bytes, start + HASH_CHUNK_BYTES)));
  } catch (error) {
    // Throws on what is no failure of the file; that it can no longer be read has no other consequence here.
    unreadable(error);
    return undefined;
  }
  return hash.digest("hex");
}

/** Texts and records of a transcript. */
export interface TranscriptTexts extends BodyReader {
  args(result: ToolResult): Promise<string | undefined>;
  /** A whole record as JSON text; undefined = it cannot be read. */
  record(place: RecordPlace): Promise<string | undefined>;
  /** What stands on a record's line before and behind it, where lines wrap other agents' records. */
  readonly around?: (place: RecordPlace) => Promise<{ readonly before: string; readonly after: string }>;
}

export async function bodyReader(
  index: TranscriptIndex,
  source: FileSource,
  database: Database | undefined,
  io: CliIo,
): Promise<Result<TranscriptTexts>> {
  if (database !== undefined) {
    const records = new WholeRecords(database, io);
    const record = async (place: RecordPlace): Promise<string | undefined> => records.read(place);
    const args = new CallArguments(index, record);
    return ok({
      result: async ({ body }: ToolResult) => {
        const read = body === undefined ? undefined : readRowBody(database, body, io);
        return read?.ok === true ? read.value.text : undefined;
      },
      args: (result) => args.of(result),
      record,
    });
  }
  const opened = await openedSource(source, io);
  if (!opened.ok) return opened;
  const reader = new SourceReader(opened.value.source, io.utf8);
  const record = async ({ start, end }: RecordPlace): Promise<string | undefined> => {
    const bytes = await opened.value.source.read(start, end);
    return bytes.length < end - start ? undefined : io.utf8.decode(bytes).text;
  };
  const args = new CallArguments(index, record);
  return ok({
    result: async ({ body }: ToolResult) => {
      const read = body === undefined ? undefined : await reader.read(body);
      return read?.ok === true ? read.value.text : undefined;
    },
    args: (result) => args.of(result),
    record,
    ...(index.header?.format === "openmausbot-native" ? { around: aroundIn(opened.value.source, io.utf8) } : {}),
  });
}

/** The thread asked for; without a name the only main thread with requests, or the only thread that has any. */
function pickThread(index: TranscriptIndex, id: string | undefined): Result<Thread> {
  const busy = new Set(index.calls.map((call) => call.threadId));
  const withCalls = index.threads.filter((thread) => busy.has(thread.id));
  if (id !== undefined) {
    const named = index.threads.find((thread) => thread.id === id);
    if (named !== undefined) return ok(named);
    const message = `There is no thread ${plain(id)}; there are ${threadList(index)}.`;
    return err(failure("unknown-thread", message));
  }
  const mains = withCalls.filter((thread) => thread.kind === "main");
  const [only, ...more] = mains.length > 0 ? mains : withCalls;
  if (only === undefined)
    return err(failure("no-calls", "The transcript has no requests to the model, so nothing can be simulated."));
  if (more.length === 0) return ok(only);
  const message = `The transcript has ${withCalls.length} threads with requests to the model. Choose one with --thread: ${threadList(index)}.`;
  return err(failure("choose-thread", message));
}

function threadList(index: TranscriptIndex): string {
  const busy = new Set(index.calls.map((call) => call.threadId));
  const ids = index.threads.filter((thread) => busy.has(thread.id)).map((thread) => plain(thread.id));
  const more = ids.length - NAMED_THREADS;
  return ids.slice(0, NAMED_THREADS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function failure(code: string, message: string): Problem {
  return { code, severity: "error", message };
}
