import type { Compaction, Message, RecordPlace, TextSize, ToolResult } from "../model/transcript";
import type { Texts } from "./json";

export const NO_TEXT: TextSize = { codePoints: 0, utf16: 0, bytes: 0 };

/** Where a value lies: in the record at `place`, under `path`. */
export interface At {
  readonly place: RecordPlace;
  readonly path: readonly (string | number)[];
  readonly texts: Texts;
}

export function below(at: At, ...keys: readonly (string | number)[]): At {
  return { place: at.place, texts: at.texts, path: [...at.path, ...keys] };
}

export interface ResultInput {
  readonly callId: string | undefined;
  /** Tool name that the result itself states; the call's own name wins. */
  readonly tool: string | undefined;
  readonly content: unknown;
  readonly at: At;
  readonly isError: boolean;
  /** Turn that it belongs to, when that is not the one at hand. */
  readonly turn?: number | undefined;
  /** Images beside the content; those inside it are counted anyway. */
  readonly images?: number;
  /** The result that this one takes the place of: the same record, written again as it grows. */
  readonly replaces?: ToolResult | undefined;
}

/** What a reader may change in a result before it is told. */
export type ResultChange = Partial<
  Pick<ToolResult, "callId" | "state" | "size" | "body" | "persisted" | "fullText" | "trustedVerbatim">
>;

export interface MeasuredFacts {
  readonly callId: string | undefined;
  readonly tool: string | undefined;
  readonly place: RecordPlace;
  readonly path: readonly (string | number)[];
  readonly isError: boolean;
  readonly images: number;
  readonly turn?: number | undefined;
  /** Hash of `callId`, where it is known. */
  readonly hash?: number;
}

const UNNAMED = "\u0000";

/** An id for pairing in formats that have none; it is never shown. */
export function unnamedId(key: string | number): string {
  return `${UNNAMED}${key}`;
}

export function shownId(id: string | undefined): string | undefined {
  return id?.startsWith(UNNAMED) === true ? undefined : id;
}

/** What is known about a compaction beyond where it happened; everything left out is not stated. */
export interface CompactionFacts {
  readonly what: Compaction["what"];
  readonly trigger?: string | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly tokensFreed?: number | undefined;
  readonly scope?: Compaction["scope"];
  readonly atMessage?: number;
  readonly clearedCallIds?: readonly string[];
  readonly messages?: readonly Message[];
  readonly results?: readonly number[];
}
