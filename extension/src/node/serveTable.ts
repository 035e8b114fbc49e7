import type { MessagePort } from "node:worker_threads";
import { packedTargets } from "../core/transcript/table/searchTargets";
import { tellError } from "../core/util/tellError";
import {
  isTableQuestion,
  TABLE_PROTOCOL,
  type TableCallName,
  type TableCalls,
  type TableFrame,
  type TableRequest,
} from "../protocol/tableWorker";
import { IndexStore } from "./indexStore";
import { toOverview } from "./overview";
import { TranscriptService } from "./transcriptService";

/** Results told at once to whoever looks at their files. */
const SPILLS = 500;

/** Keeps the index of one transcript and answers about it, until the thread is ended. */
export function serveTable(request: TableRequest, port: MessagePort): void {
  const post = (frame: TableFrame, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(frame, transfer);
  const trouble = (message: string): void => post({ v: TABLE_PROTOCOL, t: "trouble", message });
  const { store } = request;
  const service = new TranscriptService({
    path: request.tableOf,
    format: request.format ?? undefined,
    store: store === null ? undefined : new IndexStore({ ...store, trouble }),
    copy: { onFolder: (path) => post({ v: TABLE_PROTOCOL, t: "folder", path }) },
    news: (news) => post({ v: TABLE_PROTOCOL, t: "news", news }),
    trouble,
  });
  /** Readings that run, by the number of the question. */
  const running = new Map<number, { isCancellationRequested: boolean }>();

  const reading = async <T>(id: number, run: (cancel: { readonly isCancellationRequested: boolean }) => Promise<T>) => {
    const cancel = { isCancellationRequested: false };
    running.set(id, cancel);
    try {
      return await run(cancel);
    } finally {
      running.delete(id);
    }
  };

  type Answers = {
    readonly [M in TableCallName]: (
      body: TableCalls[M]["in"],
      id: number,
    ) => TableCalls[M]["out"] | Promise<TableCalls[M]["out"]>;
  };
  const answers: Answers = {
    read: ({ anew }, id) => reading(id, (cancel) => service.read(anew, cancel)),
    look: (_, id) => reading(id, (cancel) => service.look(cancel)),
    rows: (asked) => service.shown.rows(asked),
    result: ({ index }) => service.shown.result(index) ?? null,
    spills: ({ from }) => service.shown.spills(from, SPILLS),
    files: ({ statuses }) => {
      service.shown.setFiles(statuses);
      return null;
    },
    forgetFiles: () => {
      service.shown.forgetFiles();
      return null;
    },
    overview: ({ thread }) => {
      const { shown } = service;
      const { header, ledger, threads } = shown.table;
      const { threads: totals } = shown.view();
      return toOverview(
        { summary: { threads: () => totals }, timeline: shown.timeline, threads, header, ledger },
        thread,
      );
    },
    recordAt: ({ line }) => service.shown.recordAt(line) ?? null,
    targets: () => packedTargets(service.shown.table),
  };

  const answer = async <M extends TableCallName>(id: number, name: M, body: TableCalls[M]["in"]): Promise<void> => {
    const out = await answers[name](body, id);
    post({ v: TABLE_PROTOCOL, t: "answer", id, body: out }, name === "targets" ? buffersOf(out) : []);
  };

  port.on("message", (message: unknown) => {
    if (!isTableQuestion(message)) return;
    if (message.t === "cancel") {
      const cancel = running.get(message.id);
      if (cancel !== undefined) cancel.isCancellationRequested = true;
      return;
    }
    // The other end is this extension's own code; the guard has seen that the name is one of these.
    answer(message.id, message.m, message.body as never).catch((error: unknown) => {
      post({ v: TABLE_PROTOCOL, t: "failed", id: message.id, ...tellError(error) });
    });
  });
}

function buffersOf(value: object | null): readonly ArrayBuffer[] {
  return Object.values(value ?? {}).flatMap((item: unknown) =>
    ArrayBuffer.isView(item) && item.buffer instanceof ArrayBuffer ? [item.buffer] : [],
  );
}
