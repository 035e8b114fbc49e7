import type { MessagePort } from "node:worker_threads";
import { err, ok, type Result } from "../core/model/problem";
import { type Database, NEVER_CANCELLED } from "../core/ports";
import { listThreads } from "../core/transcript/database/readDatabase";
import { describeRow, readRowBody } from "../core/transcript/database/rowBody";
import { tellError } from "../core/util/tellError";
import {
  isRowQuestion,
  isThreadsQuestion,
  type RowAnswer,
  type RowQuestion,
  type ThreadsAnswer,
  WORKER_PROTOCOL,
  type WorkerFrame,
} from "../protocol/worker";
import { openDatabase } from "./sqlite";
import { nodeUtf8 } from "./utf8";

/**
 * Answers for rows and sessions of a database, one question after the other, from one private copy. A row that the copy does not have
 * was written later: then the copy is taken again, once per question.
 */
export function serveRows(path: string, port: MessagePort): void {
  const post = (frame: WorkerFrame) => port.postMessage(frame);
  const onFolder = (folder: string) => post({ v: WORKER_PROTOCOL, t: "folder", path: folder });
  let database: Database | undefined;

  /** Opens the database unless it is open; true when it was opened now. */
  const open = async (): Promise<Result<{ readonly database: Database; readonly fresh: boolean }>> => {
    if (database !== undefined) return ok({ database, fresh: false });
    const opened = await openDatabase(path, { onFolder }, NEVER_CANCELLED);
    if (!opened.ok) return err(opened.error);
    if (opened.value === undefined) throw new Error("opening was cancelled, though nobody can");
    database = opened.value;
    return ok({ database, fresh: true });
  };
  const close = (): void => {
    database?.close();
    database = undefined;
  };

  const row = async (question: RowQuestion): Promise<RowAnswer> => {
    const first = await open();
    if (!first.ok) return first;
    const answer = answerOf(first.value.database, question);
    if (answer.ok || answer.error.code !== "transcript-changed" || first.value.fresh) return answer;
    close();
    const again = await open();
    return again.ok ? answerOf(again.value.database, question) : again;
  };

  const threads = async (): Promise<ThreadsAnswer> => {
    // Asked to learn what is there now.
    close();
    const opened = await open();
    return opened.ok ? listThreads(opened.value.database, { utf8: nodeUtf8 }, NEVER_CANCELLED) : opened;
  };

  const answerTo = async (message: unknown): Promise<void> => {
    if (isRowQuestion(message)) post({ v: WORKER_PROTOCOL, t: "row", id: message.id, answer: await row(message) });
    else if (isThreadsQuestion(message))
      post({ v: WORKER_PROTOCOL, t: "threads", id: message.id, answer: await threads() });
  };

  let work = Promise.resolve();
  port.on("message", (message: unknown) => {
    work = work
      .then(() => answerTo(message))
      .catch((error: unknown) => {
        post({ v: WORKER_PROTOCOL, t: "failed", ...tellError(error) });
      });
  });
}

function answerOf(database: Database, { what, ref }: RowQuestion): RowAnswer {
  if (what === "body") return readRowBody(database, ref, { utf8: nodeUtf8 });
  const described = describeRow(database, ref.place, { utf8: nodeUtf8 });
  return described.ok ? ok({ text: described.value, images: 0 }) : described;
}
