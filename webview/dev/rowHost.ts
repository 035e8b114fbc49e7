import type { FileStatus } from "../../extension/src/core/model/fileStatus";
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import type { Calls, RowsAsked, RowsNews } from "../../extension/src/protocol/webview";
import { RowList } from "./rowList";

/** The host's side of the rows: what the dev page and the tests answer from. */
export class RowHost {
  readonly rows: ResultRow[];
  readonly #list: RowList;
  #revision = 1;
  readonly #hits = new Map<number, number[]>();

  constructor(rows: readonly ResultRow[]) {
    this.rows = [...rows];
    this.#list = new RowList(rows);
  }

  get news(): RowsNews {
    return { revision: this.#revision, count: this.rows.length };
  }

  /** Adds rows, or replaces those with their index. */
  set(rows: readonly ResultRow[]): RowsNews {
    for (const row of rows) {
      this.rows[row.index] = row;
      this.#list.set(row);
    }
    this.#revision++;
    return this.news;
  }

  setFile(index: number, file: FileStatus): RowsNews {
    const row = this.rows[index];
    return row === undefined ? this.news : this.set([{ ...row, file }]);
  }

  truncate(count: number): RowsNews {
    this.rows.length = Math.min(count, this.rows.length);
    this.#list.truncate(count);
    this.#revision++;
    return this.news;
  }

  /** Hits of a search, by index of the result. */
  found(search: number, indexes: readonly number[]): void {
    this.#hits.set(search, [...(this.#hits.get(search) ?? []), ...indexes]);
  }

  answer({ filter, sort, search, ...part }: RowsAsked): Calls["rows"]["out"] {
    const within = search === null ? null : (this.#hits.get(search) ?? []);
    return { ...this.#list.answer({ ...part, query: { filter, sort, within } }), revision: this.#revision };
  }
}
