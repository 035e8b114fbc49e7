import type { Problem } from "../model/problem";
import type { FileFormatId } from "../model/transcript";
import { type Cancel, type FileSource, OUT_OF_ROOM } from "../ports";
import { TranscriptBuilder } from "./builder";
import type { TranscriptEvent } from "./events";
import { FILE_AGENTS } from "./fileAgents";
import { openedSource, type TextPorts } from "./inflated";
import type { ScanOptions } from "./lines";
import { FORMATS } from "./readers/index";
import type { Reader } from "./readers/reader";
import { feedRecords } from "./records";
import { feedRows, type RowSource, rowSource, rowsOf } from "./rows/feedRows";
import { HELPED_FOLD_BYTES } from "./rows/helped";
import { RowFold, type RowSink } from "./rows/rowFold";
import { type Sniffed, sniffLayout, unreadable } from "./sniff";
import { steadySource } from "./steadySource";

export interface ReadOptions extends ScanOptions {
  /** Read as this format, whatever the content looks like. */
  readonly format?: FileFormatId;
  /** Takes in everything instead of the batches, which then only tell how far it is: rows need not be made into events. */
  readonly sink?: RowSink;
}

/**
 * Reads a transcript as batches of events: a small one at once, then one per chunk. Nothing is thrown for bad input: a
 * file that is no transcript gives one problem of severity `error` and no header; a read that fails on the way gives what
 * was found before it, and a problem. Cancelled, it ends after the batch at hand without the closing events (`missing`
 * results and counts).
 */
export async function* readTranscript(
  file: FileSource,
  ports: TextPorts,
  options: ReadOptions,
  cancel: Cancel,
): AsyncGenerator<readonly TranscriptEvent[]> {
  const opened = await openedSource(steadySource(file), ports);
  if (cancel.isCancellationRequested) return;
  if (!opened.ok) {
    yield [{ kind: "problem", problem: opened.error }];
    return;
  }
  const { source, problems } = opened.value;
  const sniffed = await sniffLayout(source, ports, options.format ?? opened.value.format);
  if (cancel.isCancellationRequested) return;
  if (!sniffed.ok) {
    yield [{ kind: "problem", problem: sniffed.error }];
    return;
  }
  const { format, layout, skip } = sniffed.value;
  const { sink } = options;
  const skims = isSkimmed(sniffed.value);
  const rows =
    skims && sink !== undefined ? rowSource(source, ports.utf8, ports, options, HELPED_FOLD_BYTES) : undefined;
  const fold = rows === undefined || sink === undefined ? undefined : foldFor(rows, sink, source);
  const { builder, reader } = newReader(format, opened.value.name ?? baseName(source.path), fold);
  for (const problem of problems) builder.problems.add(problem);
  const feed = { source, utf8: ports.utf8, reader, problems: builder.problems, cancel, scan: options };
  const folded = rows === undefined ? undefined : feedRows(feed, rows, skip, 1, fold);
  const single = folded === undefined && skims ? rowsOf(feed, ports, skip) : undefined;
  const records = folded ?? single ?? feedRecords(feed, layout, skip);
  const told = (): readonly TranscriptEvent[] => {
    const events = builder.take();
    if (sink === undefined) return events;
    if (fold !== undefined) fold.events(events);
    else sink.events(events);
    return [];
  };
  try {
    for await (const doneBytes of records) {
      if (cancel.isCancellationRequested) return;
      yield [...told(), { kind: "progress", doneBytes, totalBytes: source.bytes }];
    }
  } catch (error) {
    // Only the platform's read errors are expected here; a bug in a reader must not pass for one.
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === OUT_OF_ROOM) {
      // What numbers and pairs the records is not whole any more, so that nothing can be closed.
      builder.problems.add(tooManyRecords(source));
      fold?.tell();
      yield [...told(), { kind: "progress", doneBytes: source.bytes, totalBytes: source.bytes }];
      return;
    }
    builder.problems.add({ ...unreadable(source, error), code: "read-failed" });
  }
  if (cancel.isCancellationRequested) return;
  fold?.tell();
  reader.finish();
  builder.finish();
  yield [...told(), { kind: "progress", doneBytes: source.bytes, totalBytes: source.bytes }];
}

/** Lines that the skimmer makes rows of. */
export function isSkimmed({ format, layout }: Pick<Sniffed, "format" | "layout">): boolean {
  return layout === "lines" && format === "claude-code";
}

/** A reader that has read nothing, and what it tells to. `fold`: what rows go into, where they do. */
export function newReader(
  format: FileFormatId,
  name: string,
  fold: RowFold | undefined,
): { readonly builder: TranscriptBuilder; readonly reader: Reader } {
  const { unit, lateCalls, create } = FORMATS[format];
  const header = { format, agent: FILE_AGENTS[format], unit, sessionId: undefined, model: undefined };
  const builder = new TranscriptBuilder(header, { lateCalls, books: fold?.books });
  fold?.begin(builder);
  return { builder, reader: create({ builder, format, name, fold }) };
}

/** Undefined where there is no room for what rows are folded into: then each is taken in by the reader. */
export function foldFor({ memory }: Pick<RowSource, "memory">, sink: RowSink, source: FileSource): RowFold | undefined {
  try {
    return new RowFold(memory, sink, source.bytes);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === OUT_OF_ROOM) return undefined;
    throw error;
  }
}

/** What was read until then stays, and its totals are of that part. */
export function tooManyRecords({ path }: FileSource): Problem {
  const message = `${path} has more records than there is room for here. What was read of it is told; the rest is missing, and so are calls without a result. Split the file and inspect the parts.`;
  return { code: "too-many-records", severity: "error", message };
}

/** File name without folder and extension; folders of either platform. */
export function baseName(path: string): string {
  const file =
    path
      .split(/[\\/]/)
      .filter((part) => part !== "")
      .at(-1) ?? path;
  const dot = file.lastIndexOf(".");
  return dot > 0 ? file.slice(0, dot) : file;
}
