import type { MessagePort } from "node:worker_threads";
import { ok } from "../core/model/problem";
import { type Database, NEVER_CANCELLED } from "../core/ports";
import { describeRow, readRowBody } from "../core/transcript/database/rowBody";
import { isRowQuestion, type RowAnswer, type RowQuestion, WORKER_PROTOCOL, type WorkerFrame } from "../protocol/worker";
import { openDatabase } from "./sqlite";
import { nodeUtf8 } from "./utf8";

/**
 * Answers for rows of a database, one question after the other, from one private copy. A row that the copy does not have
 * was written later: then the copy is taken again, once per question.
 */
export function serveRows(path: string, port: MessagePort): void {
  const post = (frame: WorkerFrame) => port.postMessage(frame);
  const onFolder = (folder: string) => post({ v: WORKER_PROTOCOL, t: "folder", path: folder });
  let database: Database | undefined;

  const ask = async (question: RowQuestion): Promise<RowAnswer> => {
    for (let fresh = false; ; ) {
      if (database === undefined) {
        const opened = await openDatabase(path, { onFolder }, NEVER_CANCELLED);
        if (!opened.ok) return opened;
        if (opened.value === undefined) throw new Error("opening was cancelled, though nobody can");
        database = opened.value;
        fresh = true;
      }
      const answer = answerOf(database, question);
      if (answer.ok || answer.error.code !== "transcript-changed" || fresh) return answer;
      database.close();
      database = undefined;
    }
  };

  let work = Promise.resolve();
  port.on("message", (message: unknown) => {
    if (!isRowQuestion(message)) return;
    work = work
      .then(() => ask(message))
      .then(
        (answer) => post({ v: WORKER_PROTOCOL, t: "row", id: message.id, answer }),
        (error: unknown) => {
          const { message: why, stack } = error instanceof Error ? error : new Error(String(error));
          post({ v: WORKER_PROTOCOL, t: "failed", message: why, stack: stack ?? "" });
        },
      );
  });
}

function answerOf(database: Database, { what, ref }: RowQuestion): RowAnswer {
  if (what === "body") return readRowBody(database, ref, { utf8: nodeUtf8 });
  const described = describeRow(database, ref.place, { utf8: nodeUtf8 });
  return described.ok ? ok({ text: described.value, images: 0 }) : described;
}
