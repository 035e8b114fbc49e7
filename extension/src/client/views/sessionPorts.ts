import type { PackedTargets } from "../../core/model/openTable";
import type { Result } from "../../core/model/problem";
import type { SearchQuery, SearchStep } from "../../core/model/search";
import type { AgentId, BodyRef, RecordPlace, ToolResult, TranscriptHeader } from "../../core/model/transcript";
import type { Cancel, Log, SecretFinder } from "../../core/ports";
import type { FileReport } from "../../core/results/fileCheck";
import type { FileNews } from "../../node/followFile";
import type { TableCallName, TableCalls, TableNews } from "../../protocol/tableWorker";
import type { WhatIfEvents } from "../../protocol/whatIf";
import type { Disposable } from "../lifetime";
import type { Simulating } from "./whatIf";
import type { ConfigInForce } from "./whatIfConfig";

/** Everything that an open transcript needs from the world. */
export interface SessionPorts {
  readonly log: Log;
  /** Finds the secrets that are masked in what is shown; undefined: none is. */
  readonly secrets: SecretFinder | undefined;
  /**
   * The index of the transcript, wherever it is kept; `heard` gets what was read while a reading runs, `woken` is called when what
   * was told of files has been forgotten there.
   */
  transcript(path: string, heard: (news: TableNews) => void, woken: () => void): OpenTranscript;
  /** A text of the transcript, read by byte range or from its row of a database. */
  readText(path: string, ref: BodyRef): Promise<Result<{ readonly text: string; readonly images: number }>>;
  /** Looks for the query in texts of the transcript; resolves when it is at its end or cancelled. */
  search(
    path: string,
    targets: PackedTargets,
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
  /** The context window that the transcript itself states, tokens; undefined = it does not. */
  statedWindow?(path: string): Promise<number | undefined>;
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

/** Answers about one transcript. Problems with the file are part of the answers; what rejects is a bug, or a thread that died. */
export interface OpenTranscript extends Disposable {
  ask<M extends TableCallName>(name: M, body: TableCalls[M]["in"], cancel?: Cancel): Promise<TableCalls[M]["out"]>;
  /** Says something that has no answer; what goes wrong is in the log. */
  tell<M extends "files" | "forgetFiles">(name: M, body: TableCalls[M]["in"]): void;
}

/** A cancel token that can also wake somebody who waits. */
export interface CancelWithHook extends Cancel {
  onCancel(listener: () => void): Disposable;
}
