import type { CancelSource } from "../../../extension/src/client/lifetime";
import type { InspectorSession } from "../../../extension/src/client/views/inspectorSession";
import type { OpenTranscript, SessionPorts } from "../../../extension/src/client/views/sessionPorts";
import type { FileStatus } from "../../../extension/src/core/model/fileStatus";
import { ok, type Result } from "../../../extension/src/core/model/problem";
import { NO_FILTER, type ResultRow, ROW_LIMITS, type RowsRequest } from "../../../extension/src/core/model/rowQuery";
import type { TextSize, ToolResult, TranscriptHeader } from "../../../extension/src/core/model/transcript";
import type { TranscriptEvent } from "../../../extension/src/core/model/transcriptEvent";
import type { Cancel, FileAccess, FileSource, FileStat, Log, Utf8 } from "../../../extension/src/core/ports";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import type { FileReport } from "../../../extension/src/core/results/fileCheck";
import { newObservers, observe, shownTotals } from "../../../extension/src/core/transcript/table/observers";
import { goesOnFrom } from "../../../extension/src/core/transcript/table/sameTranscript";
import { packedTargets } from "../../../extension/src/core/transcript/table/searchTargets";
import { ShownTable } from "../../../extension/src/core/transcript/table/shownTable";
import { TableColumns } from "../../../extension/src/core/transcript/table/tableColumns";
import { TranscriptTable } from "../../../extension/src/core/transcript/table/transcriptTable";
import type { FileNews } from "../../../extension/src/node/followFile";

import { toOverview } from "../../../extension/src/node/overview";
import type { ReadAnswer, TableCallName, TableCalls, TableNews } from "../../../extension/src/protocol/tableWorker";

export const HEADER: TranscriptHeader = {
  format: "hermes-snapshot",
  agent: "hermes",
  unit: "codePoints",
  sessionId: "20260908_090003_1c40de",
  model: "kimi",
};

export function size(codePoints: number, utf16 = codePoints): TextSize {
  return { codePoints, utf16, bytes: utf16 };
}

export function result(index: number, more: Partial<ToolResult> = {}): ToolResult {
  const place = { line: index + 1, start: index * 100, end: index * 100 + 99 };
  return {
    index,
    threadId: "main",
    turn: 1,
    call: 1,
    callId: `call_${index}`,
    tool: "terminal",
    state: "inline",
    size: size(10),
    images: 0,
    isError: false,
    persisted: undefined,
    body: { place, path: ["content"] },
    place,
    fullText: undefined,
    orphan: false,
    ...more,
  };
}

export function persisted(index: number, path: string, more: Partial<ToolResult> = {}): ToolResult {
  return result(index, {
    state: "persisted",
    persisted: {
      variant: "hermes-block",
      statedChars: 46_003,
      statedRounded: false,
      statedUnit: "codePoints",
      path,
      handle: undefined,
      nextOffset: undefined,
      preview: { start: 2, end: 9 },
      hasMore: true,
    },
    ...more,
  });
}

export class MemoryLog implements Log {
  readonly lines: string[] = [];
  info(message: string): void {
    this.lines.push(`info ${message}`);
  }
  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  error(message: string, error?: unknown): void {
    this.lines.push(`error ${message} ${String(error)}`);
  }
}

export const REPORT: FileReport = {
  status: "ok",
  resolvedPath: "/home/a.txt",
  realChars: undefined,
  realBytes: undefined,
  ageMs: undefined,
  inKnownFolder: true,
  canRebase: false,
  notes: [],
};

/** A transcript whose reading the test drives: batches go in by hand, timers fire by hand. */
export class FakeWorld {
  readonly log = new MemoryLog();
  readonly timers = new Set<() => void>();
  readonly checked: number[] = [];
  readonly followers = new Set<(news: FileNews) => void>();
  report: FileReport = REPORT;
  bodies: (path: readonly (string | number)[]) => Result<{ text: string; images: number }> = () =>
    ok({ text: "0123456789", images: 0 });
  /** The thread of the transcript ended for want of questions, and was started again. */
  woken: () => void = () => undefined;
  /** One per reading, newest last. */
  readonly readings: Reading[] = [];

  readonly ports: SessionPorts = {
    log: this.log,
    secrets: undefined,
    transcript: (_path, heard, woken) => {
      const transcript = new FakeTranscript(heard, this.readings);
      this.woken = () => {
        transcript.tell("forgetFiles", {});
        woken();
      };
      return transcript;
    },
    readText: async (_path, ref) => this.bodies(ref.path),
    search: async (_path, targets, _query, onStep) => {
      const [first] = targets.indexes;
      const hits = first === undefined ? [] : [{ index: first, count: 1, ranges: [[0, 1] as const] }];
      const { length } = targets.indexes;
      onStep({ hits, progress: { searched: length, total: length, slow: 0, unreadable: 0 }, end: "done" });
    },
    follow: (_path, heard) => {
      this.followers.add(heard);
      return { dispose: () => this.followers.delete(heard) };
    },
    checkFile: async (_path, _header, one) => {
      this.checked.push(one.index);
      return this.report;
    },
    after: (_ms, run) => {
      this.timers.add(run);
      return { dispose: () => this.timers.delete(run) };
    },
  };

  /** What a follower of the file would say. */
  news(what: FileNews["what"], live = true): void {
    for (const heard of this.followers) heard({ what, live });
  }

  get reading(): Reading {
    const reading = this.readings.at(-1);
    if (!reading) throw new Error("nothing is being read");
    return reading;
  }

  batch(...events: readonly TranscriptEvent[]): void {
    this.reading.onBatch(events);
  }

  end(): void {
    this.reading.done();
  }

  /** Lets every timer that waits fire once. */
  tick(): void {
    const due = [...this.timers];
    this.timers.clear();
    for (const run of due) run();
  }
}

interface Reading {
  readonly onBatch: (events: readonly TranscriptEvent[]) => void;
  readonly cancel: Cancel;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** A table of events and what is worked out beside it. */
function newShown() {
  const table = new TranscriptTable();
  const observers = newObservers(table);
  const shown = new ShownTable(table, {
    totals: () => shownTotals(observers, []),
    timeline: () => observers.timeline,
  });
  return { shown, take: (events: readonly TranscriptEvent[]) => observe(observers, shown.table, events) };
}

/** Answers as the thread does that keeps an index; what it reads the test says. */
class FakeTranscript implements OpenTranscript {
  private state = newShown();
  private disposed = false;

  constructor(
    private readonly heard: (news: TableNews) => void,
    private readonly readings: Reading[],
  ) {}

  async ask<M extends TableCallName>(
    name: M,
    body: TableCalls[M]["in"],
    cancel: Cancel = NEVER_CANCELLED,
  ): Promise<TableCalls[M]["out"]> {
    const out = await this.answer(name, body as never, cancel);
    return out as TableCalls[M]["out"];
  }

  tell<M extends "files" | "forgetFiles">(name: M, body: TableCalls[M]["in"]): void {
    void this.ask(name, body);
  }

  dispose(): void {
    this.disposed = true;
  }

  private answer(name: TableCallName, body: { readonly [key: string]: never }, cancel: Cancel): unknown {
    const { shown } = this.state;
    switch (name) {
      case "read":
        return this.read(cancel);
      case "look":
        return this.look(cancel);
      case "rows":
        return shown.rows(body as unknown as RowsRequest);
      case "result":
        return shown.result(body["index"] as unknown as number) ?? null;
      case "spills":
        return shown.spills(body["from"] as unknown as number, 500);
      case "files":
        shown.setFiles(body["statuses"] as never);
        return null;
      case "forgetFiles":
        shown.forgetFiles();
        return null;
      case "overview": {
        const { header, ledger, threads } = shown.table;
        const summary = { threads: () => shown.view().threads };
        return toOverview({ summary, timeline: shown.timeline, threads, header, ledger }, body["thread"] ?? null);
      }
      case "recordAt":
        return shown.recordAt(body["line"] as unknown as number) ?? null;
      case "targets":
        return packedTargets(shown.table);
    }
  }

  private async read(cancel: Cancel): Promise<ReadAnswer> {
    const state = newShown();
    this.state = state;
    let progress = { doneBytes: 0, totalBytes: 0 };
    await this.reading(cancel, (events) => {
      state.take(events);
      if (this.disposed || state !== this.state) return;
      for (const event of events) if (event.kind === "progress") progress = event;
      const { doneBytes, totalBytes } = progress;
      this.heard({ view: state.shown.view(), repathed: state.shown.takeRepathed(), doneBytes, totalBytes });
    });
    const { shown } = state;
    return { end: "done", source: "file", goesOn: false, from: 0, repathed: shown.takeRepathed(), view: shown.view() };
  }

  /** A reading that ends without a batch found the file as it was. */
  private async look(cancel: Cancel): Promise<ReadAnswer> {
    const before = this.state;
    const next = newShown();
    let isSame = true;
    await this.reading(cancel, (events) => {
      isSame &&= events.length === 0;
      next.take(events);
    });
    if (isSame) {
      const view = before.shown.view();
      return { end: "same", source: "file", goesOn: true, from: view.rows, repathed: [], view };
    }
    const { shown } = next;
    const kept = shown.table.header === undefined;
    const goesOn = kept || goesOnFrom(before.shown.table, shown.table);
    if (goesOn) shown.columns.takeFiles(before.shown.columns);
    if (!kept) this.state = next;
    return { end: kept ? "kept" : "done", source: "file", goesOn, from: 0, repathed: [], view: shown.view() };
  }

  private reading(cancel: Cancel, onBatch: (events: readonly TranscriptEvent[]) => void): Promise<void> {
    return new Promise((done, fail) => {
      this.readings.push({ onBatch, cancel, done, fail });
      (cancel as CancelSource).onCancel?.(done);
    });
  }
}

/** Lets everything that only waits for promises go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export const utf8: Utf8 = {
  decode: (bytes) => {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return { text, valid: !text.includes("\uFFFD") };
  },
};

export function source(bytes: Uint8Array): FileSource {
  return { path: "/t", bytes: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** Files from a literal: path → [bytes, modified (ms)]. Folders follow from the paths. */
export function memoryFiles(tree: Readonly<Record<string, readonly [bytes: number, mtimeMs: number]>>): FileAccess {
  const paths = Object.keys(tree);
  return {
    stat: async (path): Promise<FileStat> => {
      const file = tree[path];
      if (file) return { kind: "file", bytes: file[0], mtimeMs: file[1], realPath: path };
      const isFolder = paths.some((one) => one.startsWith(`${path}/`));
      return isFolder ? { kind: "directory", bytes: 0, mtimeMs: 0, realPath: path } : { kind: "missing" };
    },
    open: async (path) => source(new Uint8Array(tree[path]?.[0] ?? 0)),
    list: async (path) => [
      ...new Set(
        paths.filter((one) => one.startsWith(`${path}/`)).map((one) => one.slice(path.length + 1).split("/")[0] ?? ""),
      ),
    ],
  };
}

/** Asks for the first rows in the transcript's order. */
export const FIRST_ROWS: RowsRequest = {
  query: { filter: NO_FILTER, sort: null, within: null },
  from: 0,
  count: ROW_LIMITS.window,
  around: null,
  find: [],
  summary: false,
};

export async function rowsOf(session: InspectorSession): Promise<readonly ResultRow[]> {
  return (await session.rows(FIRST_ROWS)).rows;
}

/** The row of one result, in code points. */
export function rowOf(one: ToolResult, file?: FileStatus): ResultRow {
  const table = new TranscriptTable();
  table.add([
    { kind: "header", header: HEADER },
    { kind: "result", result: one },
  ]);
  const columns = new TableColumns(table);
  if (file !== undefined) columns.setFile(one.index, file);
  return columns.row(one.index);
}
