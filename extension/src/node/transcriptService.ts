import type { FileFormatId } from "../core/model/transcript";
import type { Cancel, Clock, FileSource } from "../core/ports";
import { goesOnFrom } from "../core/transcript/table/sameTranscript";
import type { ShownTable } from "../core/transcript/table/shownTable";
import type { ReadingEnd, ReadingProgress } from "../core/transcript/table/tableReading";
import { tellError } from "../core/util/tellError";
import type { ReadAnswer, ReadEnd, TableNews } from "../protocol/tableWorker";
import { systemClock } from "./clock";
import { indexKey } from "./indexKey";
import type { IndexStore } from "./indexStore";
import { OpenState } from "./openState";
import type { CopyOptions } from "./privateCopy";
import { glanceBytes, viewNow } from "./storedGlance";
import { keptParts, takeKept } from "./storedTable";

/** While reading, questions are heard at least this often, milliseconds. */
const BREATH_MS = 12;
/** News come at most this often; the first rows at once. */
const NEWS_MS = 100;
/** A smaller file is read as fast as its index. Bytes. */
const LEAST_STORED = 256 * 1024;
/** What is added to a file before its index is stored again: so many bytes, or this share of what was stored. */
const STORED_AGAIN = { bytes: 16 * 1024 * 1024, share: 0.25 };

export interface ServiceParts {
  readonly path: string;
  /** Undefined: find out by content. */
  readonly format: FileFormatId | undefined;
  readonly store: IndexStore | undefined;
  readonly copy: CopyOptions;
  readonly news: (news: TableNews) => void;
  /** Takes what went wrong without being anybody's answer. */
  readonly trouble: (message: string) => void;
  /** Opens the transcript's file; by default the one on disk. */
  readonly open?: (path: string) => Promise<FileSource>;
  /** Tells which times lie ahead; by default the machine's. */
  readonly clock?: Clock;
}

/**
 * Keeps the index of one transcript: reads it, or takes it from the store, goes on when the file has grown, reads it anew when it
 * was written otherwise. One reading at a time; questions about rows are answered meanwhile.
 */
export class TranscriptService {
  private state: OpenState;
  private begun = false;
  private work: Promise<unknown> = Promise.resolve();
  private storedBytes = 0;

  constructor(private readonly parts: ServiceParts) {
    this.state = OpenState.empty(parts);
  }

  /** What is shown now; empty before the first reading. */
  get shown(): ShownTable {
    return this.state.shown;
  }

  read(anew: boolean, cancel: Cancel): Promise<ReadAnswer> {
    return this.inTurn(() => this.readNow(anew, cancel));
  }

  look(cancel: Cancel): Promise<ReadAnswer> {
    return this.inTurn(() => (this.begun ? this.lookNow(cancel) : this.readNow(false, cancel)));
  }

  /** Resolves when nothing is being read or stored any more. */
  async idle(): Promise<void> {
    await this.work;
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.work.then(run);
    this.work = turn.catch(ignore);
    return turn;
  }

  private async readNow(anew: boolean, cancel: Cancel): Promise<ReadAnswer> {
    this.begun = true;
    const stored = anew ? undefined : await this.fromStore(cancel);
    if (stored !== undefined) return stored;
    const state = await OpenState.create(this.parts);
    this.state = state;
    const end = await this.drain(state, state.begin(cancel), true);
    if (end === "done") this.storeLater(state);
    return this.answer(end, "file", false, 0);
  }

  private async lookNow(cancel: Cancel): Promise<ReadAnswer> {
    const before = this.state;
    const { rows } = before.shown.table.results;
    const found = await before.compare();
    if (found === "same") return this.answer("same", "file", true, rows);
    const from = before.settledRows;
    const tail = found === "grown" ? await this.goOn(before, cancel, false) : undefined;
    if (tail !== undefined) {
      if (tail === "done" && before.bytes - this.storedBytes > this.worthStoring()) this.storeLater(before);
      return this.answer(tail, "tail", true, from);
    }
    const next = await OpenState.create(this.parts);
    const end = await this.drain(next, next.begin(cancel), false);
    if (end === "cancelled") return this.answer(end, "file", true, rows);
    const { table, columns } = next.shown;
    if (table.header === undefined && before.shown.table.header !== undefined) {
      // Cut to nothing, or in the middle of being replaced: what was read stays, and the reason is told.
      const { view, ...kept } = this.answer("kept", "file", true, rows);
      return { ...kept, view: { ...view, problems: table.problems } };
    }
    const goesOn = goesOnFrom(before.shown.table, table);
    if (goesOn) columns.takeFiles(before.shown.columns);
    this.state = next;
    if (end === "done") this.storeLater(next);
    return this.answer(end, "file", goesOn, 0);
  }

  private worthStoring(): number {
    return Math.max(STORED_AGAIN.bytes, this.storedBytes * STORED_AGAIN.share);
  }

  private answer(end: ReadEnd, source: ReadAnswer["source"], goesOn: boolean, from: number): ReadAnswer {
    const { shown, parts } = this;
    const view = viewNow(shown.view(), shown.table.threads.values(), parts.clock ?? systemClock);
    return { end, goesOn, view, from, source, repathed: shown.takeRepathed() };
  }

  /** Undefined when it cannot go on: then nothing is lost but time. */
  private async goOn(state: OpenState, cancel: Cancel, tell: boolean): Promise<ReadEnd | undefined> {
    const steps = await state.goOn(cancel);
    const end = steps === undefined ? "changed" : await this.drain(state, steps, tell);
    return end === "changed" ? undefined : end;
  }

  private async drain<End extends ReadingEnd>(
    state: OpenState,
    steps: AsyncGenerator<ReadingProgress, End>,
    tell: boolean,
  ): Promise<End> {
    let breath = performance.now();
    let told = Number.NEGATIVE_INFINITY;
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return step.value;
      const now = performance.now();
      const { shown } = state;
      // Rows are worth a look at once; until there are some, the header is.
      const isFirst = told === Number.NEGATIVE_INFINITY && shown.table.header !== undefined;
      if (tell && (isFirst || now - told >= NEWS_MS)) {
        told = now;
        this.parts.news({ view: shown.view(), repathed: shown.takeRepathed(), ...step.value });
      }
      if (now - breath >= BREATH_MS || isFirst) {
        await breathe();
        breath = performance.now();
      }
    }
  }

  // --- stored indexes -----------------------------------------------------------------------------------------------

  private get key(): string {
    return indexKey(this.parts.path, this.parts.format);
  }

  private async fromStore(cancel: Cancel): Promise<ReadAnswer | undefined> {
    const stored = await this.parts.store?.load(this.key);
    const kept = stored && takeKept(stored.parts);
    if (stored === undefined || kept === undefined) return undefined;
    const state = OpenState.stored(this.parts, kept, stored.late);
    const found = await state.compare();
    if (found === "same" || found === "grown") {
      this.storedBytes = state.bytes;
      this.state = state;
      // What is known is shown at once; what was added comes when it is read.
      if (found === "grown") {
        const { bytes, shown } = state;
        this.parts.news({ view: shown.view(), repathed: [], doneBytes: bytes, totalBytes: bytes });
      }
      const end = found === "same" ? "done" : await this.goOn(state, cancel, true);
      if (end !== undefined) {
        if (end === "done" && state.bytes - this.storedBytes > this.worthStoring()) this.storeLater(state);
        return this.answer(end, found === "same" ? "store" : "tail", false, 0);
      }
    }
    await this.parts.store?.drop(this.key);
    return undefined;
  }

  private storeLater(state: OpenState): void {
    const { store } = this.parts;
    if (store === undefined || state.bytes < LEAST_STORED || !state.isStorable) return;
    this.work = this.work
      .then(() => this.storeNow(store, state))
      // What is shown does not need it, and the next reading is not to wait for what failed.
      .catch((error: unknown) => {
        this.parts.trouble(`The index of ${this.parts.path} was not stored: ${tellError(error).stack}`);
      });
  }

  private async storeNow(store: IndexStore, state: OpenState): Promise<void> {
    const { table, timeline } = state.shown;
    const parts = keptParts(table, timeline, { files: state.files, totals: state.totals() });
    if (parts === undefined) return;
    const glance = glanceBytes(state.files, state.shown.view(), table.threads);
    await store.save(this.key, parts, unhurried(state.stating()), glance);
    this.storedBytes = state.bytes;
  }
}

function ignore(): void {}

/** What the steps give, one by one; whoever asks for rows meanwhile comes first. */
async function* unhurried<Piece, End>(steps: Generator<readonly Piece[], End>): AsyncGenerator<Piece, End> {
  for (;;) {
    await breathe();
    const until = performance.now() + BREATH_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
      yield* step.value;
    } while (performance.now() < until);
  }
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
