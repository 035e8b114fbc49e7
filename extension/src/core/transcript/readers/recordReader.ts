import type { Thread } from "../../model/transcript";
import type { At, ThreadState, TranscriptBuilder } from "../builder";
import { plural } from "../problems";
import { type Item, NO_KEYS, type Reader, type ReaderContext } from "./reader";

export function atOf(item: Item): At {
  return { place: item.place, texts: item.texts, path: [] };
}

/** Base of readers whose file is a sequence of records: lines, or the elements of a list. One main thread, opened late. */
export abstract class RecordReader implements Reader {
  readonly arrays: ReadonlySet<string> = NO_KEYS;
  readonly members: ReadonlySet<string> = NO_KEYS;
  protected readonly builder: TranscriptBuilder;
  protected main: ThreadState | undefined;

  constructor(protected readonly context: ReaderContext) {
    this.builder = context.builder;
  }

  abstract record(item: Item): void;

  get settled(): boolean {
    return this.main !== undefined && this.finish === RecordReader.prototype.finish;
  }

  begin(): void {}
  member(_key: string, _item: Item): void {}
  element(_key: string, item: Item): void {
    this.record(item);
  }
  end(): void {}
  finish(): void {
    this.thread();
  }

  /** The main thread; what is known about it when it is first needed names it. */
  protected thread(facts: Partial<Omit<Thread, "id">> & { readonly id?: string | undefined } = {}): ThreadState {
    if (this.main === undefined) {
      const id = facts.id ?? this.context.name;
      const { title = id, kind = "main", model, startedAt, ...rest } = facts;
      this.main = this.builder.open({ ...rest, id, title, kind, model, startedAt });
      if (facts.id !== undefined) this.builder.describe({ sessionId: facts.id });
    }
    return this.main;
  }

  protected setModel(state: ThreadState, model: string | undefined): void {
    if (model === undefined || model === state.thread.model) return;
    if (state === this.main) this.builder.describe({ model });
    this.builder.updateThread(state, { model });
  }

  protected notARecord(item: Item): void {
    const { value } = item;
    this.builder.unknownRecord(Array.isArray(value) ? "list" : value === null ? "null" : typeof value, item.place);
  }

  /** A tool ran, but the format keeps no text of its result. */
  protected resultNotStored(item: { readonly place: Item["place"] }): void {
    this.builder.problems.tally(
      "result-not-stored",
      "info",
      item.place,
      (count) => `${plural(count, "tool result")} whose text this format does not keep; not listed.`,
    );
  }
}
