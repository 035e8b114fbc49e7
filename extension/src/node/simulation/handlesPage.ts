import type { HandleRow, HandlesAsked, HandlesPage, MomentAsked, ResultAt } from "../../core/model/handlesPage";
import type { Readability } from "../../core/model/resultHandle";
import type { ToolResult } from "../../core/model/transcript";
import type { Cancel } from "../../core/ports";
import { findHandles, type HandleTexts } from "../../core/results/handles/findHandles";
import { countUses, type Handle, type HandleScan } from "../../core/results/handles/handle";
import { type Moment, readableAt } from "../../core/results/handles/readable";
import { momentOf } from "../../core/results/handles/recordTime";
import { Times } from "../../core/results/handles/times";
import type { TranscriptIndex } from "../../core/transcript/events";
import type { LoadedTranscript } from "./loadTranscript";

/** What handles are looked for in. */
export type HandleTranscript = Pick<LoadedTranscript, "index" | "bodies" | "record" | "around">;

/** Handles of a loaded transcript; undefined = cancelled. */
export function scanHandles(
  transcript: HandleTranscript,
  cancel: Cancel,
  progress: (done: number, total: number) => void,
): Promise<HandleScan | undefined> {
  return findHandles(transcript.index, textsOf(transcript), cancel, progress);
}

function textsOf({ bodies, record, around }: HandleTranscript): HandleTexts {
  return {
    args: async (result) => bodies.args?.(result),
    result: (result) => bodies.result(result),
    record,
    ...(around === undefined ? {} : { around }),
  };
}

/** A part of the handles as asked for. Files are judged by their folders' rules; whoever looks at files knows more. */
export async function handlesPage(
  transcript: HandleTranscript,
  scan: HandleScan,
  asked: HandlesAsked,
  now: number,
): Promise<HandlesPage> {
  const { index } = transcript;
  const { moment, calls } = await momentIn(transcript, asked.moment, now);
  const readable = readableAt(scan.handles, moment);
  const wanted = scan.handles.flatMap((handle, at) => (asked.use === null || handle.use === asked.use ? [at] : []));
  const from = Math.min(asked.from, wanted.length);
  return {
    counts: countUses(scan.handles),
    total: wanted.length,
    from,
    rows: wanted.slice(from, from + asked.count).flatMap((at) => {
      const handle = scan.handles[at];
      const state = readable[at];
      const result = handle && index.results[handle.row];
      return handle === undefined || state === undefined || result === undefined
        ? []
        : [handleRow(index, handle, result, state)];
    }),
    omitted: scan.omitted,
    at: moment.kind === "end" ? onlyEnd(scan) : (moment.at ?? null),
    calls,
  };
}

async function momentIn(
  transcript: HandleTranscript,
  asked: MomentAsked,
  now: number,
): Promise<{ readonly moment: Moment; readonly calls: HandlesPage["calls"] }> {
  const { calls, threads } = transcript.index;
  if (asked.kind === "now") return { moment: { kind: "now", at: now }, calls: null };
  if (asked.kind === "end") return { moment: { kind: "end" }, calls: null };
  const counts = new Map<string, number>();
  for (const { threadId } of calls) counts.set(threadId, (counts.get(threadId) ?? 0) + 1);
  const mains = threads.filter(({ kind, id }) => kind === "main" && counts.has(id));
  const busiest = (mains.length > 0 ? mains : threads).reduce<string | undefined>(
    (most, { id }) => (most === undefined || (counts.get(id) ?? 0) > (counts.get(most) ?? 0) ? id : most),
    undefined,
  );
  const thread = asked.thread !== null && counts.has(asked.thread) ? asked.thread : (busiest ?? "");
  const count = counts.get(thread) ?? 0;
  const number = Math.max(1, Math.min(asked.call, count));
  const call = calls.find((one) => one.threadId === thread && one.number === number);
  const at =
    momentOf(call?.at) ??
    (call && (await new Times(transcript.index, textsOf(transcript)).of({ place: call.place, body: undefined })));
  return { moment: { kind: "call", thread, call: number, at }, calls: { thread, count, call: number } };
}

/** Of several sessions none is the end. */
function onlyEnd({ handles }: HandleScan): number | null {
  const ends = new Set(handles.map(({ endAt }) => endAt));
  const [end] = ends;
  return ends.size === 1 && end !== undefined ? end : null;
}

function handleRow(index: TranscriptIndex, handle: Handle, result: ToolResult, state: Readability): HandleRow {
  const { persisted } = result;
  const { row: _row, threadId, call: _call, owner: _owner, agent: _agent, kept, durable: _durable, ...facts } = handle;
  const places = (rows: readonly number[]): readonly ResultAt[] => rows.flatMap((row) => placed(index, row));
  return {
    ...facts,
    ...state,
    ...resultAt(result),
    thread: threadId,
    chars: result.size[index.header?.unit ?? "codePoints"],
    statedChars: persisted?.statedChars ?? null,
    statedRounded: persisted?.statedRounded ?? false,
    keptUnits: kept === undefined ? null : [kept.minUnits, kept.maxUnits],
    file: handle.kind === "file" ? "not-checked" : "none",
    reads: handle.reads.flatMap(({ row, ...read }) => placed(index, row).map((place) => ({ ...place, ...read }))),
    repeats: places(handle.repeats),
    maybe: places(handle.maybe),
  };
}

function placed({ results }: TranscriptIndex, row: number): readonly ResultAt[] {
  const result = results[row];
  return result === undefined ? [] : [resultAt(result)];
}

function resultAt({ index, place, tool, turn, call }: ToolResult): ResultAt {
  return { row: index, line: place.line, tool: tool ?? null, turn: turn ?? null, call: call ?? null };
}
