import type { BodyRef, RecordPlace, ResultState, ToolResult } from "../../model/transcript";
import type { Noticed } from "../rows/rowRing";
import { NumberColumn } from "./columns";
import { isSamePlace, PathTree, type PlaceColumns, placeAt, placeColumns, setPlace } from "./places";
import { NameList, TextList } from "./strings";

/** States by the number that stands for them in the column `state`. */
export const RESULT_STATES: readonly ResultState[] = [
  "inline",
  "persisted",
  "truncated",
  "handle",
  "cleared",
  "pruned",
  "duplicate",
  "missing",
];
const STATE_NUMBERS = new Map(RESULT_STATES.map((state, number) => [state, number]));

/** Bits of the column `flags`. */
export const FLAG = {
  /** A row without it was skipped: there is no result with that index. */
  there: 1,
  isError: 2,
  orphan: 4,
  statedRounded: 8,
  /** The notice counts code points, else UTF-16 units. */
  codePoints: 16,
  hasMore: 32,
  /** `trustedVerbatim` is stated, and true. */
  trustStated: 64,
  trusted: 128,
} as const;

/** What the columns `body` and `full` say about the record in which a text lies; above: number of another place + 2. */
const NO_BODY = 0;
export const IN_RECORD = 1;

/** Lists that all rows of a table share. */
export interface SharedTexts {
  /** Tools, models, threads, variants, steps of paths: few, each kept once. */
  readonly names: NameList;
  /** Ids, times, files: each kept as often as it comes. */
  readonly texts: TextList;
}

export function sharedTexts(): SharedTexts {
  return { names: new NameList(), texts: new TextList() };
}

/** Columns of the results. The row is the result's index. Undefined and sizes are as in `ToolResult`. */
export class ResultRows {
  readonly columns = {
    ...placeColumns(),
    thread: new NumberColumn(0),
    turn: new NumberColumn(),
    call: new NumberColumn(),
    callId: new NumberColumn(0),
    tool: new NumberColumn(0),
    state: new NumberColumn(0),
    flags: new NumberColumn(0),
    images: new NumberColumn(0),
    codePoints: new NumberColumn(0),
    utf16: new NumberColumn(0),
    bytes: new NumberColumn(0),
    body: new NumberColumn(NO_BODY),
    bodyPath: new NumberColumn(0),
    full: new NumberColumn(NO_BODY),
    fullPath: new NumberColumn(0),
    /** Number of the notice's variant; 0: no notice. */
    variant: new NumberColumn(0),
    statedChars: new NumberColumn(),
    path: new NumberColumn(0),
    handle: new NumberColumn(0),
    nextOffset: new NumberColumn(),
    previewStart: new NumberColumn(),
    previewEnd: new NumberColumn(),
    /** Number of the compaction that took it out of context (`TranscriptTable.exits`); 0: it stands there. */
    left: new NumberColumn(0),
  };
  readonly paths: PathTree;
  /** Records that hold a text of a result whose own record is another one. */
  readonly elsewhere: PlaceColumns = placeColumns();

  constructor(private readonly shared: SharedTexts) {
    this.paths = new PathTree(shared.names);
  }

  get rows(): number {
    return this.columns.flags.rows;
  }

  has(row: number): boolean {
    return (this.columns.flags.at(row) & FLAG.there) !== 0;
  }

  truncate(rows: number): void {
    for (const column of Object.values(this.columns)) column.truncate(rows);
  }

  /** There is no such result any more. */
  remove(row: number): void {
    this.columns.flags.set(row, 0);
  }

  state(row: number): ResultState {
    return RESULT_STATES[this.columns.state.at(row)] ?? "inline";
  }

  set(row: number, result: ToolResult): void {
    const { columns } = this;
    const { names } = this.shared;
    setPlace(columns, row, result.place, names);
    columns.thread.set(row, names.number(result.threadId));
    columns.turn.set(row, result.turn);
    columns.call.set(row, result.call);
    columns.callId.set(row, this.text(columns.callId, row, result.callId));
    columns.tool.set(row, names.number(result.tool));
    columns.state.set(row, STATE_NUMBERS.get(result.state) ?? 0);
    columns.flags.set(row, flagsOf(result));
    columns.images.set(row, result.images);
    columns.codePoints.set(row, result.size.codePoints);
    columns.utf16.set(row, result.size.utf16);
    columns.bytes.set(row, result.size.bytes);
    columns.body.set(row, this.where(result, result.body));
    columns.bodyPath.set(row, this.paths.number(result.body?.path ?? []));
    columns.full.set(row, this.where(result, result.fullText));
    columns.fullPath.set(row, this.paths.number(result.fullText?.path ?? []));
    this.setPersisted(row, result.persisted);
  }

  private setPersisted(row: number, persisted: ToolResult["persisted"]): void {
    const { columns } = this;
    const { names } = this.shared;
    columns.variant.set(row, names.number(persisted?.variant));
    columns.statedChars.set(row, persisted?.statedChars);
    columns.path.set(row, this.text(columns.path, row, persisted?.path));
    columns.handle.set(row, this.text(columns.handle, row, persisted?.handle));
    columns.nextOffset.set(row, persisted?.nextOffset);
    columns.previewStart.set(row, persisted?.preview?.start);
    columns.previewEnd.set(row, persisted?.preview?.end);
  }

  /** The last row's result is no notice. */
  noNotice(row: number): void {
    const { columns } = this;
    columns.full.set(row, NO_BODY);
    columns.fullPath.set(row, 0);
    this.setPersisted(row, undefined);
  }

  /** What a notice says in the last row, whose record holds the full text, if any does. */
  notice(row: number, { state, persisted, fullText }: Noticed): void {
    const { columns } = this;
    columns.state.set(row, STATE_NUMBERS.get(state) ?? 0);
    columns.flags.set(row, columns.flags.at(row) | noticeFlags(persisted));
    columns.full.set(row, fullText === undefined ? NO_BODY : IN_RECORD);
    columns.fullPath.set(row, this.paths.number(fullText?.path ?? []));
    this.setPersisted(row, persisted);
  }

  /** Undefined where there is no such result. */
  get(row: number): ToolResult | undefined {
    if (!this.has(row)) return undefined;
    const { columns } = this;
    const { names, texts } = this.shared;
    const flags = columns.flags.at(row);
    const place = placeAt(columns, row, names);
    return {
      index: row,
      threadId: names.get(columns.thread.at(row)) ?? "",
      turn: columns.turn.get(row),
      call: columns.call.get(row),
      callId: texts.get(columns.callId.at(row)),
      tool: names.get(columns.tool.at(row)),
      state: this.state(row),
      size: { codePoints: columns.codePoints.at(row), utf16: columns.utf16.at(row), bytes: columns.bytes.at(row) },
      images: columns.images.at(row),
      isError: (flags & FLAG.isError) !== 0,
      persisted: this.persisted(row, flags),
      body: this.ref(columns.body.at(row), columns.bodyPath.at(row), place),
      place,
      fullText: this.ref(columns.full.at(row), columns.fullPath.at(row), place),
      orphan: (flags & FLAG.orphan) !== 0,
      ...((flags & FLAG.trustStated) === 0 ? {} : { trustedVerbatim: (flags & FLAG.trusted) !== 0 }),
    };
  }

  private persisted(row: number, flags: number): ToolResult["persisted"] {
    const { columns } = this;
    const { names, texts } = this.shared;
    const variant = names.get(columns.variant.at(row));
    if (variant === undefined) return undefined;
    const start = columns.previewStart.get(row);
    return {
      variant,
      statedChars: columns.statedChars.get(row),
      statedRounded: (flags & FLAG.statedRounded) !== 0,
      statedUnit: (flags & FLAG.codePoints) !== 0 ? "codePoints" : "utf16",
      path: texts.get(columns.path.at(row)),
      handle: texts.get(columns.handle.at(row)),
      nextOffset: columns.nextOffset.get(row),
      preview: start === undefined ? undefined : { start, end: columns.previewEnd.at(row) },
      hasMore: (flags & FLAG.hasMore) !== 0,
    };
  }

  /** The record that holds the text; undefined when there is none. */
  bodyPlace(row: number): RecordPlace | undefined {
    const where = this.columns.body.at(row);
    if (where === NO_BODY || !this.has(row)) return undefined;
    const { names } = this.shared;
    return where === IN_RECORD ? placeAt(this.columns, row, names) : placeAt(this.elsewhere, where - 2, names);
  }

  private ref(where: number, path: number, place: BodyRef["place"]): BodyRef | undefined {
    if (where === NO_BODY) return undefined;
    const at = where === IN_RECORD ? place : placeAt(this.elsewhere, where - 2, this.shared.names);
    return { place: at, path: this.paths.get(path) };
  }

  private where(result: ToolResult, ref: BodyRef | undefined): number {
    if (ref === undefined) return NO_BODY;
    if (isSamePlace(ref.place, result.place)) return IN_RECORD;
    const { elsewhere } = this;
    const number = elsewhere.line.rows;
    setPlace(elsewhere, number, ref.place, this.shared.names);
    return number + 2;
  }

  /** A row that is told again mostly has the text that it had. */
  private text(column: NumberColumn, row: number, text: string | undefined): number {
    if (text === undefined) return 0;
    const { texts } = this.shared;
    const old = column.get(row) ?? 0;
    return old > 0 && texts.is(old, text) ? old : texts.add(text);
  }
}

function flagsOf({ isError, orphan, persisted, trustedVerbatim }: ToolResult): number {
  let flags: number = FLAG.there;
  if (isError) flags |= FLAG.isError;
  if (orphan) flags |= FLAG.orphan;
  flags |= noticeFlags(persisted);
  if (trustedVerbatim !== undefined) flags |= FLAG.trustStated;
  if (trustedVerbatim === true) flags |= FLAG.trusted;
  return flags;
}

function noticeFlags(persisted: ToolResult["persisted"]): number {
  let flags = 0;
  if (persisted?.statedRounded === true) flags |= FLAG.statedRounded;
  if (persisted?.statedUnit === "codePoints") flags |= FLAG.codePoints;
  if (persisted?.hasMore === true) flags |= FLAG.hasMore;
  return flags;
}
