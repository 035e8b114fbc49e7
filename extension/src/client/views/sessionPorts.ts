import type { Result } from "../../core/model/problem";
import type { BodyRef, ToolResult, TranscriptHeader } from "../../core/model/transcript";
import type { Cancel, Log } from "../../core/ports";
import type { TranscriptEvent } from "../../core/transcript/events";
import type { FileStatus, Header, ThreadRow } from "../../protocol/webview";
import type { Disposable } from "../lifetime";

/** What became of a result's spill file. */
export interface SpillReport {
  readonly status: FileStatus;
  /** Absolute path where the file was found on this machine, links resolved; undefined when it was not. */
  readonly resolvedPath: string | undefined;
  /** True when `resolvedPath` lies inside a known spill folder of the agent that wrote the transcript. */
  readonly inKnownFolder: boolean;
  /** Facts, one sentence each. */
  readonly notes: readonly string[];
}

/** Running numbers of a transcript. */
export interface Totals {
  add(event: TranscriptEvent): void;
  /** The numbers of the header; title and file are the caller's. */
  header(): Omit<Header, "file" | "title"> | null;
  threads(): readonly ThreadRow[];
}

/** Everything that an open transcript needs from the world. */
export interface SessionPorts {
  readonly log: Log;
  /** Reads the transcript from its beginning; `onBatch` hears events in the order of the file. */
  index(
    path: string,
    onBatch: (events: readonly TranscriptEvent[]) => void,
    cancel: CancelWithHook,
  ): Promise<Result<undefined>>;
  /** A text of the transcript, read by byte range. */
  readText(path: string, ref: BodyRef): Promise<Result<{ readonly text: string; readonly images: number }>>;
  checkFile(
    transcript: string,
    header: TranscriptHeader,
    result: ToolResult,
    preview: string | undefined,
    cancel: Cancel,
  ): Promise<SpillReport>;
  totals(): Totals;
  /** Runs once, later; disposing calls it off. */
  after(ms: number, run: () => void): Disposable;
}

/** A cancel token that can also wake somebody who waits. */
export interface CancelWithHook extends Cancel {
  onCancel(listener: () => void): Disposable;
}
