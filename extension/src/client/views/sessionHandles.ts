import type { HandleRow, HandlesAsked, HandlesPage } from "../../core/model/handlesPage";
import { err, ok, type Result } from "../../core/model/problem";
import type { ToolResult } from "../../core/model/transcript";
import type { Clock } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import { momentOfPage, withFoundFile } from "../../core/results/handles/foundFile";
import type { Moment } from "../../core/results/handles/readable";
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
  const moment = momentOfPage(page, asked.moment, clock.now());
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
  return withFoundFile(row, moment, report, clock.now());
}
