import type { RecordPlace } from "../../model/transcript";
import type { Cancel, Database, DatabaseTable, Row, RowQuery, SqlValue, Utf8 } from "../../ports";
import { pushAll } from "../../util/pushAll";
import type { TranscriptBuilder } from "../builder";
import type { TranscriptEvent } from "../events";
import { Texts } from "../json";
import { plural } from "../problems";
import { databaseProblem, isDatabaseError } from "./problems";

/** Damaged places of one table that are stepped over before the rest of it is given up. */
const MAX_DAMAGES = 64;

/** One row by column names; columns that the table does not have are undefined. */
export interface RowObject {
  readonly id: number;
  readonly place: RecordPlace;
  readonly value: { readonly [column: string]: string | number | null | undefined };
  /** UTF-8 bytes of its texts, about. */
  readonly bytes: number;
}

export interface DatabaseContext {
  readonly database: Database;
  readonly builder: TranscriptBuilder;
  readonly utf8: Utf8;
  readonly cancel: Cancel;
}

export function rowPlace(table: string, id: number): RecordPlace {
  return { line: id, start: 0, end: 0, row: { table, id } };
}

/**
 * Rows of an agent's database as its readers want them: columns by name whatever the schema's version, damaged places
 * told as problems and stepped over, nothing thrown for what is wrong with the file.
 */
export class TableAccess {
  readonly texts: Texts;
  private readonly tables: ReadonlyMap<string, DatabaseTable>;
  /** What the table has of a list of columns; each list belongs to one table. */
  private readonly there = new WeakMap<readonly string[], readonly string[]>();
  /** Bytes that were handed out. A damaged file may show the same pages in many rows, so their sum is bounded too. */
  private spent = 0;
  private exhausted = false;

  constructor(private readonly context: DatabaseContext) {
    this.texts = new Texts("exact", context.utf8);
    this.tables = new Map(context.database.tables().map((table) => [table.name, table]));
  }

  has(table: string, ...columns: readonly string[]): boolean {
    const known = this.tables.get(table);
    return known !== undefined && columns.every((column) => known.columns.includes(column));
  }

  /** All rows in the order of their ids. */
  *scan(table: string, columns: readonly string[]): Generator<RowObject> {
    const wanted = this.present(table, columns);
    if (wanted === undefined) return;
    let last = Number.MIN_SAFE_INTEGER;
    let step = 0;
    for (let damages = 0; damages <= MAX_DAMAGES && !this.exhausted; damages++) {
      const from = last + step;
      try {
        for (const row of this.context.database.rows({ table, columns: wanted, after: from })) {
          // Ids rise in a sound table; anything else goes round in circles.
          if (row.id <= last) throw corrupt();
          last = row.id;
          step = 0;
          yield this.objectOf(table, wanted, row);
          if (this.exhausted || this.context.cancel.isCancellationRequested) return;
        }
        return;
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        if (last === Number.MIN_SAFE_INTEGER) last = 0;
        this.damaged(error, table, last, "after");
        // The next rows lie on the same page more often than not, so each try skips twice as many.
        step = Math.max(1, step * 2);
      }
    }
  }

  /** The row with an id; undefined when it is not there or cannot be read. */
  row(table: string, id: number, columns: readonly string[]): RowObject | undefined {
    return this.first({ table, columns, where: { rowid: id } }, id);
  }

  /** The first row in which a column has a value. */
  find(table: string, column: string, value: SqlValue, columns: readonly string[]): RowObject | undefined {
    return this.has(table, column)
      ? this.first({ table, columns, where: { [column]: value }, order: "any" }, undefined)
      : undefined;
  }

  private first(query: RowQuery, id: number | undefined): RowObject | undefined {
    const wanted = this.present(query.table, query.columns);
    if (wanted === undefined || this.exhausted) return undefined;
    try {
      for (const row of this.context.database.rows({ ...query, columns: wanted })) {
        return this.objectOf(query.table, wanted, row);
      }
    } catch (error) {
      this.damaged(error, query.table, id);
    }
    return undefined;
  }

  private present(table: string, columns: readonly string[]): readonly string[] | undefined {
    const known = this.tables.get(table);
    if (known === undefined) return undefined;
    let there = this.there.get(columns);
    if (there === undefined) {
      there = columns.filter((column) => known.columns.includes(column));
      this.there.set(columns, there);
    }
    return there;
  }

  private damaged(error: unknown, table: string, id: number | undefined, where: "at" | "after" = "at"): void {
    const part = id === undefined ? `table ${table}` : `table ${table} ${where} row ${id}`;
    const problem = databaseProblem(this.context.database.path, error, part);
    this.context.builder.problems.add(id === undefined ? problem : { ...problem, at: rowPlace(table, id) });
  }

  private objectOf(table: string, columns: readonly string[], row: Row): RowObject {
    const { problems } = this.context.builder;
    const place = rowPlace(table, row.id);
    const value: { [column: string]: string | number | null } = {};
    let bytes = 0;
    columns.forEach((column, i) => {
      const cell = this.cell(row.values[i] ?? null);
      if (typeof cell === "string") bytes += cell.length;
      value[column] = cell;
    });
    if (row.badUtf8.length > 0) {
      const say = (count: number, names: string) =>
        `${plural(count, "value")} with bytes that are not UTF-8 (${names}). Each is read as U+FFFD, so sizes may be off by a few.`;
      for (const column of row.badUtf8) problems.tally("invalid-utf8", "warning", place, say, `${table}.${column}`);
    }
    for (const column of row.tooLong) {
      const message = `Row ${row.id} of table ${table}: its ${column} is longer than ${Math.round(this.context.database.maxValueBytes / 1e6)} MB and is left out.`;
      problems.add({ code: "record-too-long", severity: "error", message, at: place });
    }
    this.spent += bytes;
    // A row is looked at for its ids, for its texts, and once more where a later one may be its copy.
    if (this.spent > 3 * this.context.database.bytes + bytes && !this.exhausted) {
      this.exhausted = true;
      this.damaged(corrupt(), table, row.id);
    }
    return { id: row.id, place, value, bytes };
  }

  /** Some writers store texts as BLOBs. */
  private cell(value: SqlValue): string | number | null {
    if (value instanceof Uint8Array) return this.context.utf8.decode(value).text;
    return typeof value === "bigint" ? Number(value) : value;
  }
}

function corrupt(): Error {
  return Object.assign(new Error("more rows than the file can hold"), { code: "SQLITE_CORRUPT" });
}

/** Events in the order in which they are told, from a reader that also changes what it told before. */
export class Outbox {
  private events: TranscriptEvent[] = [];

  constructor(private readonly builder: TranscriptBuilder) {}

  /** Takes what the builder has to tell by now, as far as it passes. */
  drain(passes: (event: TranscriptEvent) => boolean = () => true): readonly TranscriptEvent[] {
    const fresh = this.builder.take().filter(passes);
    pushAll(this.events, fresh);
    return fresh;
  }

  push(event: TranscriptEvent): void {
    this.drain();
    this.events.push(event);
  }

  get length(): number {
    return this.events.length;
  }

  /** Changes the newest events, as many as were told since `length` had that value. */
  change(from: number, to: (event: TranscriptEvent) => TranscriptEvent): void {
    for (let i = from; i < this.events.length; i++) {
      const event = this.events[i];
      if (event !== undefined) this.events[i] = to(event);
    }
  }

  take(): TranscriptEvent[] {
    this.drain();
    const { events } = this;
    this.events = [];
    return events;
  }
}

export const textOf = (value: string | number | null | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;

export const numberOf = (value: string | number | null | undefined): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
