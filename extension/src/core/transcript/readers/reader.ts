import type { FormatId, RecordPlace } from "../../model/transcript";
import type { TranscriptBuilder } from "../builder";
import type { Texts } from "../json";
import type { Skimmed } from "../rows/layout";
import type { RowFold } from "../rows/rowFold";

/** One parsed value and where it lies. */
export interface Item {
  readonly value: unknown;
  readonly place: RecordPlace;
  readonly texts: Texts;
}

export interface RowTaker {
  /** Takes in the record whose row begins at `at`; false when the record itself has to be read (nothing was noted then). */
  take(piece: Skimmed, at: number, line: number): boolean;
}

/**
 * One transcript format. A file reaches its reader in one of two ways: as whole records (a line, or an element of a root
 * array), or as a document cut into members (`begin`, then `member` and `element`, then `end`), so that a large document
 * is never in memory as a whole. A reader keeps no bodies and never throws, whatever the values are.
 */
export interface Reader {
  /** Arrays of a root object whose elements come one by one. */
  readonly arrays: ReadonlySet<string>;
  /** Other members of a root object that the reader looks at; the rest is not even parsed. */
  readonly members: ReadonlySet<string>;
  record(item: Item): void;
  /** For formats whose plain records need not be parsed. */
  readonly rows?: RowTaker;
  begin(place: RecordPlace): void;
  member(key: string, item: Item): void;
  element(key: string, item: Item): void;
  /** `place` is the whole root value. Not called for a document that is cut off; then `finish` comes without it. */
  end(place: RecordPlace): void;
  finish(): void;
  /** True while `finish` would change nothing; without it, it might. */
  readonly settled?: boolean;
}

export interface ReaderContext {
  readonly builder: TranscriptBuilder;
  readonly format: FormatId;
  /** File name without folder and extension, for threads that have no id of their own. */
  readonly name: string;
  /** Where rows are folded into, for a reader that shares its books with them. */
  readonly fold?: RowFold | undefined;
}

export const NO_KEYS: ReadonlySet<string> = new Set();
