import type { FileStatus } from "../../model/fileStatus";
import { FILE_STATUSES, RESULT_STATES, type ResultRow } from "../../model/rowQuery";
import type { RowColumns, TextColumn } from "../rowColumns";
import { NumberColumn } from "./columns";
import { FLAG, RESULT_STATES as STORED_STATES } from "./resultRows";
import type { TranscriptTable } from "./transcriptTable";

/** UTF-16 units or code points per token in the estimate that the interface marks with ≈. */
const CHARS_PER_TOKEN = 4;

const STATES = STORED_STATES.map((state) => RESULT_STATES.indexOf(state));
const MISSING = STORED_STATES.indexOf("missing");
const INLINE = STORED_STATES.indexOf("inline");
const FILE_IDS = new Map(FILE_STATUSES.map((status, id) => [status, id]));
const NONE = FILE_STATUSES.indexOf("none");
const NOT_CHECKED = FILE_STATUSES.indexOf("not-checked");

/** A table's results as the columns that queries read, with what became of their files beside them. */
export class TableColumns implements RowColumns {
  readonly thread: TextColumn;
  readonly tool: TextColumn;
  /** Place in `FILE_STATUSES` by row, plus 1; 0: nobody has looked. */
  #files = new NumberColumn(0);

  constructor(private readonly table: TranscriptTable) {
    const { names } = table.shared;
    const { columns } = table.results;
    const column = (numbers: NumberColumn): TextColumn => ({
      get texts() {
        return names.all;
      },
      id: (row) => numbers.at(row) - 1,
    });
    this.thread = column(columns.thread);
    this.tool = column(columns.tool);
  }

  get count(): number {
    return this.table.results.rows;
  }

  has(row: number): boolean {
    return this.table.results.has(row);
  }

  turn(row: number): number {
    return this.table.results.columns.turn.get(row) ?? -1;
  }

  call(row: number): number {
    return this.table.results.columns.call.get(row) ?? -1;
  }

  state(row: number): number {
    return STATES[this.table.results.columns.state.at(row)] ?? -1;
  }

  file(row: number): number {
    const { path } = this.table.results.columns;
    if (path.at(row) === 0) return NONE;
    const known = this.#files.at(row);
    return known === 0 ? NOT_CHECKED : known - 1;
  }

  setFile(row: number, status: FileStatus): void {
    if (row < this.count) this.#files.set(row, (FILE_IDS.get(status) ?? NOT_CHECKED) + 1);
  }

  /** True when nobody has looked at the row's file. */
  isUnchecked(row: number): boolean {
    return this.#files.at(row) === 0;
  }

  forgetFile(row: number): void {
    this.#files.set(row, 0);
  }

  /** Nobody has looked at any file. */
  forgetFiles(): void {
    this.#files = new NumberColumn(0);
  }

  /** Takes over what is known of files from the columns of an older reading, where the rows name the same ones. */
  takeFiles(older: TableColumns): void {
    const ours = this.table.results.columns.path;
    const theirs = older.table.results.columns.path;
    for (let row = 0; row < Math.min(this.count, older.count); row++) {
      const known = older.#files.at(row);
      if (known > 0 && ours.at(row) > 0 && this.path(row) === older.path(row) && theirs.at(row) > 0) {
        this.#files.set(row, known);
      }
    }
  }

  chars(row: number): number {
    return this.isMissing(row) ? -1 : this.size(row);
  }

  tokens(row: number): number {
    return this.isMissing(row) ? -1 : Math.ceil(this.size(row) / CHARS_PER_TOKEN);
  }

  full(row: number): number {
    const { columns } = this.table.results;
    return columns.statedChars.get(row) ?? (columns.state.at(row) === INLINE ? this.size(row) : -1);
  }

  left(row: number): boolean {
    return this.table.results.columns.left.at(row) > 0;
  }

  path(row: number): string | null {
    return this.text(this.table.results.columns.path, row);
  }

  handle(row: number): string | null {
    return this.text(this.table.results.columns.handle, row);
  }

  callId(row: number): string | null {
    return this.text(this.table.results.columns.callId, row);
  }

  row(row: number): ResultRow {
    const { columns } = this.table.results;
    const { names } = this.table.shared;
    const flags = columns.flags.at(row);
    const chars = this.size(row);
    return {
      index: row,
      thread: names.get(columns.thread.at(row)) ?? "",
      turn: columns.turn.get(row) ?? null,
      call: columns.call.get(row) ?? null,
      tool: names.get(columns.tool.at(row)) ?? null,
      callId: this.callId(row),
      state: this.table.results.state(row),
      chars,
      statedChars: columns.statedChars.get(row) ?? null,
      statedRounded: (flags & FLAG.statedRounded) !== 0,
      tokens: Math.ceil(chars / CHARS_PER_TOKEN),
      images: columns.images.at(row),
      isError: (flags & FLAG.isError) !== 0,
      orphan: (flags & FLAG.orphan) !== 0,
      path: this.path(row),
      handle: this.handle(row),
      file: FILE_STATUSES[this.file(row)] ?? "none",
      line: columns.line.at(row),
      leftLine: this.table.leftBy(row)?.place.line ?? null,
    };
  }

  private isMissing(row: number): boolean {
    return this.table.results.columns.state.at(row) === MISSING;
  }

  private size(row: number): number {
    const { codePoints, utf16 } = this.table.results.columns;
    return (this.table.header?.unit === "codePoints" ? codePoints : utf16).at(row);
  }

  private text(column: NumberColumn, row: number): string | null {
    return this.table.shared.texts.get(column.at(row)) ?? null;
  }
}
