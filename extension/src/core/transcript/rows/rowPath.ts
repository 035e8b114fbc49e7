import type { Message } from "../../model/transcript";
import { KEPT, type LeavingParts, LivePath, type Path, type PathEntry } from "../readers/livePath";
import { sizeOf } from "./layout";
import type { RowBooks } from "./rowBooks";
import type { RowState } from "./rowState";
import { BYTES, HEAD, LIST } from "./stateLayout";

const ROLES = ["user", "assistant", "tool"] as const;
const KEPT_HERE = 3;

/** `LivePath` whose newest part is kept where rows are folded into; it is made into objects when something leaves. */
export class RowPath implements Path {
  private readonly older = new LivePath();
  private kept: PathEntry[] = [];

  private readonly state: RowState;

  constructor(private readonly books: RowBooks) {
    this.state = books.state;
    this.state.setHead(HEAD.pathRoom, 2 * KEPT);
  }

  add(entry: PathEntry): void {
    const { state } = this;
    if (state.count(LIST.path) >= state.head(HEAD.pathRoom)) {
      this.pull();
      this.older.add(entry);
      this.settle();
      return;
    }
    if (this.kept.length >= 2 * KEPT) this.prune();
    const step = state.at(LIST.path, state.append(LIST.path, BYTES.path), BYTES.path);
    state.setWord(step, entry.order);
    state.setWord(step + 1, this.kept.push(entry) - 1);
    state.setWord(step + 2, KEPT_HERE);
    if (entry.message.role !== "tool") state.setHead(HEAD.newestSaid, entry.order);
  }

  goesOn(parent: number): boolean {
    const { state } = this;
    return parent >= state.head(HEAD.newestSaid) && parent >= state.head(HEAD.branchesEnd);
  }

  continueAt(parent: number, order: number, at: string): LeavingParts | "left" | undefined {
    if (this.goesOn(parent)) return undefined;
    this.pull();
    const gone = this.older.continueAt(parent, order, at);
    this.settle();
    return gone;
  }

  compact(preserved: (order: number) => boolean): LeavingParts | undefined {
    const { state } = this;
    let stays = this.older.size > 0;
    for (let i = 0; i < state.count(LIST.path) && !stays; i++) {
      stays = preserved(state.word(state.at(LIST.path, i, BYTES.path)));
    }
    const cut = state.head(HEAD.pathCut) !== 0;
    if (stays && !cut) this.pull();
    else this.drop();
    const gone = this.older.compact(cut ? () => false : preserved);
    this.settle();
    return gone;
  }

  private drop(): void {
    this.state.setHead(LIST.path + 1, 0);
    this.state.setHead(HEAD.pathCut, 0);
    this.kept = [];
  }

  private settle(): void {
    const { state, older } = this;
    state.setHead(HEAD.newestSaid, older.newestSaid);
    state.setHead(HEAD.branchesEnd, older.branchesEnd);
    state.setHead(HEAD.pathRoom, 2 * KEPT - older.size);
  }

  /** Forgets what is no longer among the newest. */
  private prune(): void {
    const { state } = this;
    const kept: PathEntry[] = [];
    for (let i = 0; i < state.count(LIST.path); i++) {
      const step = state.at(LIST.path, i, BYTES.path);
      const entry = state.word(step + 2) === KEPT_HERE ? this.kept[state.word(step + 1)] : undefined;
      if (entry !== undefined) state.setWord(step + 1, kept.push(entry) - 1);
    }
    this.kept = kept;
  }

  /** Makes objects of what was folded. */
  private pull(): void {
    const { state, kept } = this;
    const cut = state.head(HEAD.pathCut) !== 0;
    if (cut) this.older.forget();
    for (let i = 0; i < state.count(LIST.path); i++) {
      const step = state.at(LIST.path, i, BYTES.path);
      const ours = state.word(step + 2) === KEPT_HERE ? kept[state.word(step + 1)] : undefined;
      this.older.add(ours ?? this.entryOf(step));
    }
    this.drop();
  }

  private entryOf(step: number): PathEntry {
    const { books, state } = this;
    const size = (at: number) => sizeOf(state.word(at), state.word(at + 1), state.word(at + 2));
    const message: Message = {
      index: state.word(step + 1),
      threadId: books.threads[state.head(HEAD.main)]?.id ?? "",
      role: ROLES[state.word(step + 2)] ?? "other",
      turn: state.word(step + 3) || undefined,
      size: size(step + 12),
      args: size(step + 15),
      images: state.word(step + 6),
      place: state.place(step),
    };
    return {
      order: state.word(step),
      at: state.textAtWord(step + 19, state.word(step + 18)),
      message,
      firstResult: state.word(step + 4),
      results: state.word(step + 5),
    };
  }
}
