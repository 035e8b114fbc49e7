import type { ToolResult, TranscriptHeader } from "../core/model/transcript";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { checkFile } from "../core/results/fileCheck";
import type { KnownPlaces } from "../core/results/spillFolders";
import { readBody } from "../core/transcript/body";
import { readRowBody } from "../core/transcript/database/rowBody";
import type { LeftContext } from "../core/transcript/leftContext";
import type { CliIo } from "./io";
import type { FileFacts, ResultReport } from "./report";

const NO_FILE: FileFacts = {
  status: "none",
  resolvedPath: null,
  realChars: null,
  realBytes: null,
  ageMs: null,
  inKnownFolder: false,
  notes: [],
};

/** What reporting results of one transcript needs besides the results. */
export interface ReportContext {
  readonly source: FileSource;
  /** Open as long as results are reported; undefined for a file of records. */
  readonly database: Database | undefined;
  readonly header: TranscriptHeader;
  readonly places: KnownPlaces;
  readonly left: LeftContext;
  readonly io: CliIo;
}

/** Reads a result's preview and looks at its spill file, inside known spill folders only. */
export async function resultReport(result: ToolResult, context: ReportContext): Promise<ResultReport> {
  const preview = await previewOf(result, context);
  const { persisted } = result;
  const leftBy = context.left.leftBy(result.index);
  return {
    index: result.index,
    tool: result.tool ?? null,
    callId: result.callId ?? null,
    turn: result.turn ?? null,
    call: result.call ?? null,
    line: result.place.line,
    state: result.state,
    chars: result.size[context.header.unit],
    statedChars: persisted?.statedChars ?? null,
    statedUnit: persisted?.statedUnit ?? null,
    statedRounded: persisted?.statedRounded ?? false,
    images: result.images,
    isError: result.isError,
    orphan: result.orphan,
    path: persisted?.path ?? null,
    handle: persisted?.handle ?? null,
    nextOffset: persisted?.nextOffset ?? null,
    preview: preview ?? null,
    leftBy:
      leftBy === undefined ? null : { what: leftBy.what, trigger: leftBy.trigger ?? null, line: leftBy.place.line },
    file: await fileFacts(result, preview, context),
  };
}

/** Undefined where the notice has none, or it cannot be read. */
export async function previewOf(
  result: ToolResult,
  { source, database, io }: ReportContext,
): Promise<string | undefined> {
  const range = result.persisted?.preview;
  if (range === undefined || result.body === undefined) return undefined;
  const body =
    database === undefined ? await readBody(source, result.body, io) : readRowBody(database, result.body, io);
  // Not ok: the file changed while it was read; then there is no preview to show.
  return body.ok ? body.value.text.slice(range.start, range.end) : undefined;
}

/** Looks at the file behind a result, inside known spill folders only. */
export async function fileFacts(
  result: ToolResult,
  preview: string | undefined,
  { source, header, places, io }: ReportContext,
): Promise<FileFacts> {
  if (result.persisted === undefined) return NO_FILE;
  const where = {
    ...places,
    agent: header.agent,
    transcriptPath: source.path,
    sessionId: header.sessionId,
    rebaseRoot: undefined,
  };
  const report = await checkFile(result, preview, where, io, NEVER_CANCELLED);
  return {
    status: report.status,
    resolvedPath: report.resolvedPath ?? null,
    realChars: report.realChars ?? null,
    realBytes: report.realBytes ?? null,
    ageMs: report.ageMs ?? null,
    inKnownFolder: report.inKnownFolder,
    notes: report.notes,
  };
}
