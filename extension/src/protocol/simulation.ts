/** Boundary between a window's main thread and the thread that simulates one transcript. Both ends import this file only. */
import type { Result } from "../core/model/problem";
import type { SecretSpan } from "../core/model/secretSpan";
import type { AgentId, FileFormatId } from "../core/model/transcript";
import type { HandleCalls } from "./handles";
import { isStore, type StoreRequest } from "./tableWorker";
import type { WhatIfCalls, WhatIfEvents, WhatIfExportFormat, WhatIfFacts, WhatIfInput } from "./whatIf";
import { WORKER_PROTOCOL } from "./worker";

/** Starts a worker that answers questions about one transcript, one after the other, until it is ended. */
export interface SimulateRequest {
  readonly v: typeof WORKER_PROTOCOL;
  readonly simulate: string;
  /** Null: find out by content. */
  readonly format: FileFormatId | null;
  /** Where the transcript's index may be stored; null: nowhere. */
  readonly store: StoreRequest | null;
  /** One 32-bit word: the number of a question that nobody waits for any more. Shared, since a run does not hear messages. */
  readonly dropped: SharedArrayBuffer;
}

/** What the transcript tells; config and window are for the main thread to add. */
export interface OpenedThread {
  readonly facts: Omit<WhatIfFacts, "configThreshold">;
  readonly agent: AgentId;
  /** When the conversation began, milliseconds since the epoch; null = not stated. */
  readonly began: number | null;
}

/** One request to the model as text, without and with the policies. */
export interface RequestTexts {
  readonly before: string;
  readonly after: string;
  /** Where secrets, or pieces of them that were cut, stand on each side; in order, not overlapping. */
  readonly secrets: { readonly before: readonly SecretSpan[]; readonly after: readonly SecretSpan[] };
  /** Texts were cut, or left out because they could not be read; each place says so. */
  readonly capped: boolean;
}

export interface ExportedRun {
  readonly text: string;
}

/** What every threshold would have saved in one thread, for the code lens of a config. Code points over all requests. */
export interface SavedByThread {
  readonly thread: string;
  /** Milliseconds since the epoch of its newest request; null = not stated. */
  readonly newest: number | null;
  readonly totalChars: number;
  /** Lengths, ascending: a threshold saves `saved[i]` when it is below `steps[i]` and not below `steps[i − 1]`. */
  readonly steps: readonly number[];
  readonly saved: readonly number[];
  /** Saved by every threshold. */
  readonly always: number;
}

export interface SimulationQuestions {
  open: { in: WhatIfCalls["whatIfOpen"]["in"]; out: OpenedThread };
  run: WhatIfCalls["whatIfRun"];
  affected: WhatIfCalls["whatIfAffected"];
  curve: WhatIfCalls["whatIfCurve"];
  /** `call`: number of the request. */
  request: { in: WhatIfCalls["whatIfDiff"]["in"]; out: RequestTexts };
  export: { in: { readonly input: WhatIfInput; readonly format: WhatIfExportFormat }; out: ExportedRun };
  /** Handles of the whole transcript, as far as it tells; nobody has looked at the files behind them. */
  handles: HandleCalls["handles"];
  /** The newest threads of the file that have requests, at most `threads`. */
  saved: { in: { readonly threads: number }; out: readonly SavedByThread[] };
}

export type SimulationQuestionName = keyof SimulationQuestions;

export type SimulationQuestion = {
  readonly [Q in SimulationQuestionName]: {
    readonly v: typeof WORKER_PROTOCOL;
    readonly id: number;
    readonly ask: Q;
    readonly body: SimulationQuestions[Q]["in"];
  };
}[SimulationQuestionName];

export type SimulationAnswer<Q extends SimulationQuestionName = SimulationQuestionName> = Result<
  SimulationQuestions[Q]["out"]
>;

/** Worker → main thread. Exactly one `answer` or `dropped` per question. */
export type SimulationFrame =
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "folder"; readonly path: string }
  | ({ readonly v: typeof WORKER_PROTOCOL; readonly t: "progress" } & WhatIfEvents["whatIf/progress"])
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "answer"; readonly id: number; readonly answer: SimulationAnswer }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "dropped"; readonly id: number }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "failed"; readonly message: string; readonly stack: string };

const QUESTIONS: { readonly [Q in SimulationQuestionName]: true } = {
  open: true,
  run: true,
  affected: true,
  curve: true,
  request: true,
  export: true,
  handles: true,
  saved: true,
};

function frame(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as Readonly<Record<string, unknown>>;
  return object["v"] === WORKER_PROTOCOL ? object : undefined;
}

export function isSimulateRequest(value: unknown): value is SimulateRequest {
  const object = frame(value);
  return (
    typeof object?.["simulate"] === "string" &&
    (object["format"] === null || typeof object["format"] === "string") &&
    isStore(object["store"]) &&
    object["dropped"] instanceof SharedArrayBuffer
  );
}

/** Bodies were made by the extension itself: what a page sent was checked before it got that far. */
export function isSimulationQuestion(value: unknown): value is SimulationQuestion {
  const object = frame(value);
  const ask = object?.["ask"];
  return (
    typeof object?.["id"] === "number" &&
    typeof ask === "string" &&
    Object.hasOwn(QUESTIONS, ask) &&
    typeof object["body"] === "object" &&
    object["body"] !== null
  );
}

export function isSimulationFrame(value: unknown): value is SimulationFrame {
  const object = frame(value);
  switch (object?.["t"]) {
    case "folder":
      return typeof object["path"] === "string";
    case "progress":
      return typeof object["done"] === "number" && typeof object["total"] === "number";
    case "answer":
      return typeof object["id"] === "number" && typeof object["answer"] === "object" && object["answer"] !== null;
    case "dropped":
      return typeof object["id"] === "number";
    case "failed":
      return typeof object["message"] === "string" && typeof object["stack"] === "string";
    default:
      return false;
  }
}
