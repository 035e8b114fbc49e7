import type { FileStatus } from "../../core/model/fileStatus";
import type { ResultRow, RowsAnswer, RowsRequest } from "../../core/model/rowQuery";
import type { Cancel } from "../../core/ports";
import { RowList } from "../../core/transcript/rowList";

/**
 * The rows of one reading, wherever they are kept: whoever shows them asks for a part at a time and never gets hold of all.
 * Asynchronous, so that they can lie in another thread; `RowQueries` over any `RowColumns` answers the requests there.
 */
export interface RowSource {
  /** Rows, without indexes that no result has. */
  readonly count: number;
  /** What is asked while rows change answers for the rows before or after the change, never for a mixture. */
  query(request: RowsRequest, cancel: Cancel): Promise<RowsAnswer>;
  /** What was found about files, as [row, status] pairs: queries filter and sort by it. */
  setFiles(statuses: readonly (readonly [number, FileStatus])[]): void;
}

/** Rows kept in this thread as objects. */
export class LocalRows implements RowSource {
  readonly #list = new RowList();

  get count(): number {
    return this.#list.there;
  }

  async query(request: RowsRequest, _cancel: Cancel): Promise<RowsAnswer> {
    return this.#list.answer(request);
  }

  setFiles(statuses: readonly (readonly [number, FileStatus])[]): void {
    for (const [index, status] of statuses) this.#list.setFile(index, status);
  }

  get(index: number): ResultRow | undefined {
    return this.#list.get(index);
  }

  set(row: ResultRow): void {
    this.#list.set(row);
  }

  /** Forgets the rows from `count` on. */
  truncate(count: number): void {
    this.#list.truncate(count);
  }
}
