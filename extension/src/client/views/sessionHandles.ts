import type { HandleRow, HandlesAsked, HandlesPage } from "../../core/model/handlesPage";
import { err, ok, type Result } from "../../core/model/problem";
import type { ToolResult } from "../../core/model/transcript";
import type { Clock } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import { type FileHandle, fileReadable, type Moment } from "../../core/results/handles/readable";
import type { CallFailure } from "./hostRpc";
import type { CancelWithHook } from "./sessionPorts";
import type { WhatIf } from "./whatIf";

/** Files that are looked at at a time. */
const PARALLEL = 4;

/** The parts of a session that handles are shown from. */
export interface HandleSession {
  readonly whatIf: Pick<WhatIf, "ask" | "renew">;
  result(index: number): Promise<ToolResult | undefined>;
  report(result: ToolResult): Promise<FileReport | undefined>;
}

/** A part of a transcript's handles, with what is found of their files now. */
export async function sessionHandles(
  session: HandleSession,
  asked: HandlesAsked,
  lane: unknown,
  clock: Clock,
  cancel: CancelWithHook,
): Promise<Result<HandlesPage, CallFailure>> {
  session.whatIf.renew();
  const answer = await session.whatIf.ask("handles", asked, lane, cancel);
  if (!answer.ok) return answer;
  const page = answer.value;
  const moment = momentOf(asked, page, clock);
  const rows = [...page.rows];
  let next = 0;
  const look = async (): Promise<void> => {
    for (let at = next++; at < rows.length; at = next++) {
      const row = rows[at];
      if (row?.kind !== "file" || cancel.isCancellationRequested) continue;
      rows[at] = await withFile(row, session, moment, clock);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, look));
  return cancel.isCancellationRequested ? err({ code: "cancelled", message: "Cancelled." }) : ok({ ...page, rows });
}

async function withFile(row: HandleRow, session: HandleSession, moment: Moment, clock: Clock): Promise<HandleRow> {
  const result = await session.result(row.row);
  // The transcript was written anew meanwhile, and the row is another one.
  if (result === undefined || result.persisted?.path !== row.name) return row;
  const report = await session.report(result);
  if (report === undefined) return row;
  const writtenAt = report.ageMs === undefined ? undefined : clock.now() - report.ageMs;
  const state = fileReadable(handleOf(row), moment, { status: report.status, writtenAt });
  return { ...row, file: report.status, readable: state.readable, why: state.why, until: state.until ?? null };
}

function handleOf({ name, thread, call, savedAt, lastReadAt, endAt }: HandleRow): FileHandle {
  return {
    name,
    threadId: thread,
    call: call ?? undefined,
    savedAt: savedAt ?? undefined,
    lastReadAt: lastReadAt ?? undefined,
    endAt: endAt ?? undefined,
  };
}

function momentOf({ moment }: HandlesAsked, { at, calls }: HandlesPage, clock: Clock): Moment {
  if (moment.kind === "end") return { kind: "end" };
  if (moment.kind === "now" || calls === null) return { kind: "now", at: at ?? clock.now() };
  return { kind: "call", thread: calls.thread, call: calls.call, at: at ?? undefined };
}
