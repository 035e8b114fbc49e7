import type { Result } from "../../core/model/problem";
import type { SearchQuery, SearchStep, SearchTarget } from "../../core/model/search";
import type { AgentId, BodyRef, RecordPlace, ToolResult, TranscriptHeader } from "../../core/model/transcript";
import type { TranscriptEvent } from "../../core/model/transcriptEvent";
import type { Cancel, Log } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import type { FileNews } from "../../node/followFile";
import type { WhatIfEvents } from "../../protocol/whatIf";
import type { Disposable } from "../lifetime";
import type { Simulating } from "./whatIf";
import type { ConfigInForce } from "./whatIfConfig";

/** Everything that an open transcript needs from the world. */
export interface SessionPorts {
  readonly log: Log;
  /** Reads the transcript from its beginning; `onBatch` hears events in the order of the file. Problems with it are events. */
  index(path: string, onBatch: (events: readonly TranscriptEvent[]) => void, cancel: CancelWithHook): Promise<void>;
  /** A text of the transcript, read by byte range or from its row of a database. */
  readText(path: string, ref: BodyRef): Promise<Result<{ readonly text: string; readonly images: number }>>;
  /** Looks for the query in texts of the transcript; resolves when it is at its end or cancelled. */
  search(
    path: string,
    targets: readonly SearchTarget[],
    query: SearchQuery,
    onStep: (step: SearchStep) => void,
    cancel: Cancel,
  ): Promise<void>;
  /** Follows the file until disposed; see `FileFollower`. */
  follow?(path: string, heard: (news: FileNews) => void): Disposable;
  /** A whole row of a database, as JSON for people. */
  readRow?(path: string, place: RecordPlace): Promise<Result<string>>;
  /** Starts a thread that simulates the transcript. */
  simulate?(path: string, onProgress: (progress: WhatIfEvents["whatIf/progress"]) => void): Simulating;
  /** What the config of the agent that wrote the transcript says about its threshold; undefined = there is none. */
  config?(path: string, agent: AgentId): Promise<ConfigInForce | undefined>;
  /** Lets go of what is kept open for the transcript. */
  dispose?(): void;
  checkFile(
    transcript: string,
    header: TranscriptHeader,
    result: ToolResult,
    preview: string | undefined,
    cancel: Cancel,
  ): Promise<FileReport>;
  /** Runs once, later; disposing calls it off. */
  after(ms: number, run: () => void): Disposable;
}

/** A cancel token that can also wake somebody who waits. */
export interface CancelWithHook extends Cancel {
  onCancel(listener: () => void): Disposable;
}
