import type { RowState } from "./rowState";
import { HEAD } from "./stateLayout";
import { type RecordIds, wordsOf } from "./uuidSet";

/** `UuidSet` kept where rows are folded into. */
export class RowIds implements RecordIds {
  /** Ids that are no UUIDs, each with its number. */
  private readonly texts = new Map<string, number>();

  constructor(private readonly state: RowState) {}

  get size(): number {
    return this.state.head(HEAD.uuids) + this.texts.size;
  }

  add(id: string): boolean {
    const words = wordsOf(id);
    if (words !== undefined) return this.addWords(...words);
    if (this.texts.has(id)) return false;
    this.texts.set(id, this.size + 1);
    this.state.setHead(HEAD.otherIds, this.texts.size);
    return true;
  }

  addWords(a: number, b: number, c: number, d: number): boolean {
    return this.state.call("putUuidWords", a, b, c, d) !== 0;
  }

  numberOf(id: string): number | undefined {
    const words = wordsOf(id);
    if (words === undefined) return this.state.head(HEAD.uuids) === 0 ? this.texts.get(id) : undefined;
    return this.numberOfWords(...words);
  }

  numberOfWords(a: number, b: number, c: number, d: number): number | undefined {
    return (this.texts.size === 0 ? this.state.call("findUuidWords", a, b, c, d) : 0) || undefined;
  }
}
