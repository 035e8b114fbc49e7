import type { Message, ModelCall, ToolResult } from "../../model/transcript";
import { callIdentity } from "../callIdentity";
import type { TranscriptEvent } from "../events";
import { NO_TEXT } from "../inputs";
import { withFullText } from "./fullText";
import * as row from "./layout";
import { nameAt, noticeAt, placeOf, sizeAt, usageAt } from "./layout";
import { callOf, modelCallOf } from "./rowBooks";
import type { RowRun } from "./rowFold";
import type { Noticed } from "./rowRing";

/** The events that the reader would have told of a run's records, had it read them. */
export function* rowEvents(run: RowRun): Generator<TranscriptEvent> {
  const { piece, from, to } = run;
  const { rows } = piece;
  for (let at = from; at < to; at += row.rowWords(rows, at)) {
    const head = rows[at] ?? 0;
    const kind = head & row.KIND;
    if (kind !== row.USER && kind !== row.ASSISTANT) continue;
    const results = resultsAt(run, at);
    if (kind === row.ASSISTANT) {
      if ((head & (row.NEW_CALL | row.GROWN)) !== 0) yield callEvent(run, at);
      yield { kind: "message", message: messageAt(run, at, "assistant", results) };
      for (const result of results) yield { kind: "result", result };
    } else {
      for (const result of results) yield { kind: "result", result };
      yield { kind: "message", message: messageAt(run, at, row.isOnlyResults(rows, at) ? "tool" : "user", results) };
    }
  }
}

/** Those of the calls alone. */
export function* callEvents(run: RowRun): Generator<TranscriptEvent> {
  const { piece, from, to } = run;
  const { rows } = piece;
  for (let at = from; at < to; at += row.rowWords(rows, at)) {
    const head = rows[at] ?? 0;
    if ((head & row.KIND) === row.ASSISTANT && (head & (row.NEW_CALL | row.GROWN)) !== 0) yield callEvent(run, at);
  }
}

function callEvent({ piece, books }: RowRun, at: number): TranscriptEvent {
  const { rows, names } = piece;
  const threadId = books.threads[rows[at + 41] ?? 0]?.id ?? "";
  // The state knows what later rows of the run added.
  const call: ModelCall = { ...modelCallOf(books.state, rows[at + 40] ?? 0, threadId), usage: usageAt(rows, at) };
  const identity = callIdentity(nameAt(names, rows, at + 16), nameAt(names, rows, at + 14));
  return identity === undefined ? { kind: "call", call } : { kind: "call", call, identity };
}

function messageAt(
  { piece, line, books }: RowRun,
  at: number,
  role: Message["role"],
  results: readonly ToolResult[],
): Message {
  const { rows } = piece;
  let size = sizeAt(rows, at + 25);
  let images = rows[at + 30] ?? 0;
  if (role === "tool") {
    for (const result of results) {
      const more = result.size;
      size = {
        codePoints: size.codePoints + more.codePoints,
        utf16: size.utf16 + more.utf16,
        bytes: size.bytes + more.bytes,
      };
      images += result.images;
    }
  }
  return {
    index: rows[at + 43] ?? 0,
    threadId: books.threads[rows[at + 41] ?? 0]?.id ?? "",
    role,
    turn: rows[at + 42] || undefined,
    size,
    args: role === "assistant" ? sizeAt(rows, at + 31) : NO_TEXT,
    images,
    place: placeOf(piece, at, line),
  };
}

function resultsAt(run: RowRun, at: number): readonly ToolResult[] {
  const { rows } = run.piece;
  return Array.from({ length: rows[at + 38] ?? 0 }, (_, i) =>
    resultAt(run, at, at + row.HEAD_WORDS + i * row.BLOCK_WORDS),
  );
}

/** The usual notice and the full text beside it. */
function writtenAt({ piece, line }: RowRun, at: number, block: number): Noticed | undefined {
  const { rows } = piece;
  const notice = ((rows[block + 3] ?? 0) & row.WRITTEN) === 0 ? undefined : noticeAt(piece, block);
  return notice && withFullText(notice, rows, at, placeOf(piece, at, line), sizeAt(rows, block + 5));
}

function resultAt(run: RowRun, at: number, block: number): ToolResult {
  const { piece, line, books, notices } = run;
  const { rows, names } = piece;
  const { call, tool } = callOf(books.state, rows[block + 11] ?? 0);
  const notice = notices.get(block) ?? writtenAt(run, at, block);
  const place = placeOf(piece, at, line);
  return {
    index: rows[block + 8] ?? 0,
    threadId: books.threads[rows[at + 41] ?? 0]?.id ?? "",
    turn: rows[at + 42] || undefined,
    call,
    callId: nameAt(names, rows, block),
    tool,
    state: notice?.state ?? "inline",
    size: sizeAt(rows, block + 5),
    images: rows[block + 10] ?? 0,
    isError: ((rows[block + 3] ?? 0) & row.IS_ERROR) !== 0,
    persisted: notice?.persisted,
    body: { place, path: row.PATHS[rows[block + 2] ?? 0] ?? [] },
    place,
    fullText: notice?.fullText,
    orphan: false,
  };
}
