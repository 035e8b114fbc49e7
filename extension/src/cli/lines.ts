import type { TextRange } from "../core/model/problem";
import { lastNotAfter } from "../core/util/lastNotAfter";

/** A place in a text: 1-based line, 1-based column in UTF-16 units, and the UTF-16 offset from the start. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export interface PositionRange {
  readonly start: Position;
  readonly end: Position;
}

/** Turns offsets into lines. CR, LF and CR LF each end a line, as editors and the agent's loader (universal newlines) count them. */
export class LineIndex {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
    this.#starts = starts;
  }

  position(offset: number): Position {
    const line = lastNotAfter(this.#starts, offset);
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1, offset };
  }

  range(range: TextRange): PositionRange {
    return { start: this.position(range.start), end: this.position(range.end) };
  }
}
