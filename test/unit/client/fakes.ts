import type { InspectorSession } from "../../../extension/src/client/views/inspectorSession";
import type { CancelWithHook, SessionPorts } from "../../../extension/src/client/views/sessionPorts";
import { ok, type Result } from "../../../extension/src/core/model/problem";
import { NO_FILTER, type ResultRow, ROW_LIMITS, type RowsRequest } from "../../../extension/src/core/model/rowQuery";
import type { TextSize, ToolResult, TranscriptHeader } from "../../../extension/src/core/model/transcript";
import type { TranscriptEvent } from "../../../extension/src/core/model/transcriptEvent";
import type { FileAccess, FileSource, FileStat, Log, Utf8 } from "../../../extension/src/core/ports";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import type { FileReport } from "../../../extension/src/core/results/fileCheck";
import type { FileNews } from "../../../extension/src/node/followFile";

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
  /** One per reading, newest last. */
  readonly readings: Reading[] = [];

  readonly ports: SessionPorts = {
    log: this.log,
    index: (_path, onBatch, cancel) =>
      new Promise((done, fail) => {
        this.readings.push({ onBatch, cancel, done, fail });
        cancel.onCancel(done);
      }),
    readText: async (_path, ref) => this.bodies(ref.path),
    search: async (_path, targets, _query, onStep) => {
      const hits = targets.slice(0, 1).map(({ index }) => ({ index, count: 1, ranges: [[0, 1] as const] }));
      const { length } = targets;
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
  readonly cancel: CancelWithHook;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
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
  return (await session.rows(FIRST_ROWS, NEVER_CANCELLED)).rows;
}
