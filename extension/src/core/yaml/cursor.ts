import { BOM, breakLength, breakValue } from "./chars";
import type { Dialect } from "./dialect";
import { VersionState } from "./dialect";
import { YamlRaise } from "./raise";

/** A place in the text and what scanning a scalar needs to know about its surroundings. */
export class Cursor {
  /** The text with a NUL behind it, so that looking ahead needs no bounds check. */
  readonly text: string;
  pos: number;
  /** Counts line ends passed; only ever compared. */
  line = 0;
  flowLevel = 0;
  /** Column of the innermost block collection, -1 outside all. */
  indent = -1;
  /** May a simple key (one without `?`) start here? In block context this also permits collections. */
  keyAllowed = true;
  readonly pure: boolean;
  /** libyaml 0.2.5, which relaxed flow scalars and tightened tags. */
  readonly modern: boolean;
  readonly version: VersionState;
  private lineStart: number;
  private readonly innerBom: boolean;
  private countedTo = -1;
  private boms = 0;

  constructor(
    text: string,
    /** Where the stream begins, behind the byte order marks that are not part of it. */
    readonly origin: number,
    dialect: Dialect,
  ) {
    this.text = `${text}\0`;
    this.pos = origin;
    this.lineStart = origin;
    this.pure = dialect === "ruamel-pure";
    this.modern = dialect === "libyaml-0.2.5";
    this.version = new VersionState(dialect);
    this.innerBom = this.pure && text.indexOf("\ufeff", origin) >= 0;
  }

  /** Code unit at the cursor plus `ahead`; 0 at the end. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.pos + ahead);
  }

  /**
   * Columns past the line's beginning. UTF-16 units serve, since nothing whose column counts can follow an astral
   * character on its line. The pure parser gives byte order marks no width.
   */
  column(): number {
    const column = this.pos - this.lineStart;
    return this.innerBom ? column - this.bomsBefore() : column;
  }

  /** Byte order marks between the line's beginning and the cursor. */
  private bomsBefore(): number {
    if (this.countedTo < this.lineStart || this.countedTo > this.pos) {
      this.countedTo = this.lineStart;
      this.boms = 0;
    }
    for (; this.countedTo < this.pos; this.countedTo++) if (this.text.charCodeAt(this.countedTo) === BOM) this.boms++;
    return this.boms;
  }

  /** Passes the line end under the cursor and returns its value in a scalar. */
  takeBreak(): string {
    const value = breakValue(this.code());
    if (this.pure && this.code() >= 0x85) {
      // ruamel takes NEL, LS and PS for line ends but goes on counting columns and the same line (reader.py, forward).
      this.pos++;
      return value;
    }
    this.pos += breakLength(this.text, this.pos);
    this.line++;
    this.lineStart = this.pos;
    return value;
  }

  fail(what: string, start = this.pos, end = start + 1, code = "yaml-syntax"): never {
    throw new YamlRaise(code, what, { start, end });
  }
}
