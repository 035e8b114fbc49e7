import type { ModelCall, Usage } from "../../model/transcript";
import { NumberColumn } from "./columns";
import { placeAt, placeColumns, setPlace } from "./places";
import type { SharedTexts } from "./resultRows";

/** Columns of the requests to the model, in the order in which they were first told. */
export class CallRows {
  readonly columns = {
    ...placeColumns(),
    thread: new NumberColumn(0),
    number: new NumberColumn(),
    turn: new NumberColumn(),
    model: new NumberColumn(0),
    at: new NumberColumn(0),
    /** 1 where usage is stated at all. */
    stated: new NumberColumn(0),
    input: new NumberColumn(),
    cacheRead: new NumberColumn(),
    cacheWrite: new NumberColumn(),
    output: new NumberColumn(),
    /** Characters in context before its answer, in the transcript's unit; undefined until `ContextTimeline` says it. */
    chars: new NumberColumn(),
  };
  /** Row by number of the call, for each number of a thread. */
  readonly #rowOf = new Map<number, NumberColumn>();
  #known = 0;

  constructor(private readonly shared: SharedTexts) {}

  get rows(): number {
    return this.columns.number.rows;
  }

  /** Row of the call with that number in that thread; -1 when there is none. */
  find(threadId: string, number: number): number {
    return this.rowOf(this.shared.names.find(threadId), number);
  }

  /** The same by the number of the thread's name. */
  rowOf(thread: number, number: number): number {
    const { columns } = this;
    // A table that was loaded or cut is looked through only when something is added to it or asked for by number.
    for (; this.#known < this.rows; this.#known++) this.note(columns.thread.at(this.#known), this.#known);
    const row = this.#rowOf.get(thread)?.get(number) ?? -1;
    return row < this.rows && columns.number.get(row) === number && columns.thread.at(row) === thread ? row : -1;
  }

  private note(thread: number, row: number): void {
    let rows = this.#rowOf.get(thread);
    if (rows === undefined) {
      rows = new NumberColumn();
      this.#rowOf.set(thread, rows);
    }
    rows.set(this.columns.number.at(row), row);
  }

  truncate(rows: number): void {
    for (const column of Object.values(this.columns)) column.truncate(rows);
    this.#known = Math.min(this.#known, rows);
  }

  set(row: number, call: ModelCall): void {
    const { columns } = this;
    const { names, texts } = this.shared;
    setPlace(columns, row, call.place, names);
    columns.thread.set(row, names.number(call.threadId));
    columns.number.set(row, call.number);
    columns.turn.set(row, call.turn);
    columns.model.set(row, names.number(call.model));
    const old = columns.at.get(row) ?? 0;
    const isSame = old > 0 && call.at !== undefined && texts.is(old, call.at);
    columns.at.set(row, isSame ? old : call.at === undefined ? 0 : texts.add(call.at));
    this.setUsage(row, call.usage);
  }

  get(row: number): ModelCall | undefined {
    const { columns } = this;
    const number = columns.number.get(row);
    if (number === undefined) return undefined;
    const { names, texts } = this.shared;
    return {
      number,
      threadId: names.get(columns.thread.at(row)) ?? "",
      turn: columns.turn.get(row),
      model: names.get(columns.model.at(row)),
      at: texts.get(columns.at.at(row)),
      usage: this.usage(row),
      place: placeAt(columns, row, names),
    };
  }

  usage(row: number): Usage | undefined {
    const { stated, input, cacheRead, cacheWrite, output } = this.columns;
    if (stated.at(row) === 0) return undefined;
    return {
      input: input.get(row),
      cacheRead: cacheRead.get(row),
      cacheWrite: cacheWrite.get(row),
      output: output.get(row),
    };
  }

  setUsage(row: number, usage: Usage | undefined): void {
    const { columns } = this;
    columns.stated.set(row, usage === undefined ? 0 : 1);
    columns.input.set(row, usage?.input);
    columns.cacheRead.set(row, usage?.cacheRead);
    columns.cacheWrite.set(row, usage?.cacheWrite);
    columns.output.set(row, usage?.output);
  }
}
