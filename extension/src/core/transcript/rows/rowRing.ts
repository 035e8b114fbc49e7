import type { ToolResult } from "../../model/transcript";
import type { Ring } from "../readers/resultRing";
import { PATHS, sizeOf } from "./layout";
import type { RowBooks } from "./rowBooks";
import { callOf } from "./rowBooks";
import { BYTES, HEAD, LIST, RING_ROWS } from "./stateLayout";

const OF_ROW = 1;
const KEPT_HERE = 2;

/** What a notice says, and where the full text still lies. */
export type Noticed = Pick<ToolResult, "state" | "persisted" | "fullText">;

/** The newest results, which a later record may change; most of them are only known where rows are folded into. */
export class RowRing implements Ring {
  private readonly kept: ToolResult[] = [];
  /** By index of the result; of the newest ones. */
  private readonly notices = new Map<number, Noticed>();
  /** By the ids of their calls, as long as the ring is as it was then. */
  private slots: ReadonlyMap<string, number> | undefined;
  private slotsAt = 0;

  constructor(private readonly books: RowBooks) {}

  add(result: ToolResult): void {
    const { state } = this.books;
    const count = state.head(HEAD.ringCount);
    state.setHead(HEAD.ringCount, count + 1);
    this.set(count % RING_ROWS, result);
  }

  private set(slot: number, result: ToolResult): void {
    const { state } = this.books;
    this.kept[slot] = result;
    state.setWord(state.at(LIST.ring, slot, BYTES.ring), KEPT_HERE);
  }

  /** Adds to a result of a row what only the reader knows. */
  notice(index: number, noticed: Noticed): void {
    const { notices } = this;
    notices.set(index, noticed);
    if (notices.size <= RING_ROWS) return;
    const oldest = notices.keys().next();
    if (oldest.done !== true) notices.delete(oldest.value);
  }

  find(callId: string): number {
    const count = this.books.state.head(HEAD.ringCount);
    if (this.slots === undefined || this.slotsAt !== count) {
      this.slots = this.slotsById(count);
      this.slotsAt = count;
    }
    return this.slots.get(callId) ?? -1;
  }

  private slotsById(count: number): ReadonlyMap<string, number> {
    const { state } = this.books;
    const slots = new Map<string, number>();
    for (let i = Math.max(0, count - RING_ROWS); i < count; i++) {
      const at = state.at(LIST.ring, i % RING_ROWS, BYTES.ring);
      const id =
        state.word(at) === OF_ROW
          ? state.text(state.word(state.at(LIST.pairs, state.word(at + 3), BYTES.pair) + 1))
          : this.kept[i % RING_ROWS]?.callId;
      if (id !== undefined) slots.set(id, i % RING_ROWS);
    }
    return slots;
  }

  at(slot: number): ToolResult | undefined {
    if (slot < 0) return undefined;
    const { books, kept, notices } = this;
    const { state, threads } = books;
    const at = state.at(LIST.ring, slot, BYTES.ring);
    if (state.word(at) !== OF_ROW) return kept[slot];
    const index = state.word(at + 1);
    const { id, tool, call } = callOf(state, state.word(at + 3));
    const place = state.place(at);
    const noticed = notices.get(index) ?? books.written(index, place);
    return {
      index,
      threadId: threads[state.word(at + 2)]?.id ?? "",
      turn: state.word(at + 4) || undefined,
      call,
      callId: id,
      tool,
      state: noticed?.state ?? "inline",
      size: sizeOf(state.word(at + 12), state.word(at + 13), state.word(at + 14)),
      images: state.word(at + 15),
      isError: (state.word(at + 5) & 1) !== 0,
      persisted: noticed?.persisted,
      body: { place, path: PATHS[state.word(at + 6)] ?? [] },
      place,
      fullText: noticed?.fullText,
      orphan: false,
    };
  }

  replace(slot: number, result: ToolResult): void {
    this.set(slot, result);
  }
}
