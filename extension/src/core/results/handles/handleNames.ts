/** Where a text names a handle: half-open range of UTF-16 offsets. */
export interface NamedAt {
  /** What stands there: number of the handle. */
  readonly handle: number;
  readonly start: number;
  readonly end: number;
  /** whole: the text is the name and nothing else · inside: the name stands in a longer text · tail: only the last part of a path, in another folder or without one. */
  readonly how: "whole" | "inside" | "tail";
}

const STORE_ID = /r-[0-9a-f-]{36}/g;
/** Shorter last parts of a path are too common to say anything by themselves. UTF-16 units. */
const MIN_TAIL = 8;
/** Paths of one last part that its name alone can stand for: the newest. */
const MAX_SAME_TAIL = 32;
/** Parts of a text that are looked at for names. */
const MAX_FOUND = 200;

/** Characters that can stand before the last part of a path where it begins anew. */
const BEFORE = /[\s"'`()[\]{}<>=:,;|&/\\]/;
const WORD = /[\w-]/;

/** The ids and paths that were left so far, and where texts name them. */
export class HandleNames {
  /** Newest handle of a name. */
  private readonly byName = new Map<string, number>();
  /** Paths by their last part. */
  private readonly byTail = new Map<string, Tail>();
  private readonly tailLengths = new Set<number>();

  /** A later handle of the same name takes the place of the earlier one: the file was written anew. */
  add(name: string, isPath: boolean, handle: number): void {
    this.byName.set(name, handle);
    if (!isPath) return;
    const tail = tailOf(name);
    if (tail.length < MIN_TAIL) return;
    const { paths, lengths } = this.byTail.get(tail) ?? { paths: [], lengths: new Set<number>() };
    this.byTail.set(tail, { paths, lengths: lengths.add(name.length) });
    if (!paths.includes(name)) paths.push(name);
    if (paths.length > MAX_SAME_TAIL) paths.shift();
    this.tailLengths.add(tail.length);
  }

  get(name: string): number | undefined {
    return this.byName.get(name);
  }

  /** Every place, in no order. */
  in(text: string): readonly NamedAt[] {
    const whole = this.byName.get(text.trim());
    if (whole !== undefined) {
      const start = text.indexOf(text.trim());
      return [{ handle: whole, start, end: start + text.trim().length, how: "whole" }];
    }
    const found: NamedAt[] = [];
    for (const match of text.matchAll(STORE_ID)) {
      const handle = this.byName.get(match[0]);
      if (handle !== undefined && found.length < MAX_FOUND)
        found.push({ handle, start: match.index, end: match.index + match[0].length, how: "inside" });
    }
    for (let at = 0; this.tailLengths.size > 0 && at < text.length && found.length < MAX_FOUND; at++) {
      if (at === 0 || BEFORE.test(text.charAt(at - 1))) this.tailsAt(text, at, found);
    }
    return found;
  }

  private tailsAt(text: string, at: number, found: NamedAt[]): void {
    for (const length of this.tailLengths) {
      const end = at + length;
      if (end > text.length || (end < text.length && WORD.test(text.charAt(end)))) continue;
      const tail = this.byTail.get(text.slice(at, end));
      if (tail === undefined) continue;
      const whole = new Set<number>();
      for (const pathLength of tail.lengths) {
        const start = end - pathLength;
        const handle = start < 0 ? undefined : this.byName.get(text.slice(start, end));
        if (handle === undefined || (start > 0 && WORD.test(text.charAt(start - 1)))) continue;
        whole.add(handle);
        found.push({ handle, start, end, how: "inside" });
      }
      for (const path of tail.paths) {
        const handle = this.byName.get(path);
        if (handle !== undefined && !whole.has(handle)) found.push({ handle, start: at, end, how: "tail" });
      }
    }
  }
}

/** Paths with the same last part: the newest of them, and the lengths of all. */
interface Tail {
  readonly paths: string[];
  readonly lengths: Set<number>;
}

function tailOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
