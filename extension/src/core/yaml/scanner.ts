import { BOM, isBlank, isBreak, isBreakOrEnd, isSpaceOrEnd, SPACE, TAB } from "./chars";
import { Cursor } from "./cursor";
import type { Dialect } from "./dialect";
import { scanAnchor, scanDirective, scanTag } from "./scanMarks";
import { atDocumentMarker, scanBlockText, scanPlain, scanQuoted } from "./scanText";
import { type Token, type TokenKind, token } from "./token";

/** A key without `?` is known as a key only when its ':' comes, on the same line and within this many characters. */
const SIMPLE_KEY_CHARS = 1024;

interface SimpleKey {
  possible: boolean;
  /** Nothing but a key can stand here, so a missing ':' is an error. */
  required: boolean;
  tokenNumber: number;
  pos: number;
  line: number;
  column: number;
}

function noKey(): SimpleKey {
  return { possible: false, required: false, tokenNumber: 0, pos: 0, line: 0, column: 0 };
}

/** Text to tokens, as libyaml (two versions) or ruamel's pure parser would; see Dialect. */
export class Scanner {
  readonly cursor: Cursor;
  private readonly queue: Token[] = [];
  private head = 0;
  /** Tokens handed out so far. */
  private taken = 0;
  private ended = false;
  /** One per flow level, the block context first. */
  private readonly keys: SimpleKey[] = [noKey()];
  /** No level below this one holds a possible key. Keys of higher levels are always younger. */
  private oldestKey = 0;
  private readonly indents: number[] = [];
  private readonly flowOpeners: number[] = [];
  private lastPlain: Token | undefined;
  private readonly hasAstral: boolean;

  constructor(text: string, origin: number, dialect: Dialect) {
    this.cursor = new Cursor(text, origin, dialect);
    this.hasAstral = /[\ud800-\udbff]/.test(text);
  }

  peek(): Token {
    for (;;) {
      const next = this.queue[this.head];
      if (next !== undefined && (this.ended || !this.headMayBeKey())) return next;
      this.fetch();
    }
  }

  next(): Token {
    const result = this.peek();
    this.head++;
    this.taken++;
    if (this.head > 64 && this.head === this.queue.length) {
      this.queue.length = 0;
      this.head = 0;
    }
    return result;
  }

  private headMayBeKey(): boolean {
    this.dropStaleKeys();
    const key = this.keys[this.oldestKey];
    return key?.possible === true && key.tokenNumber === this.taken;
  }

  private dropStaleKeys(): void {
    const c = this.cursor;
    for (; this.oldestKey < this.keys.length; this.oldestKey++) {
      const key = this.keys[this.oldestKey];
      if (key?.possible !== true) continue;
      if (key.line === c.line && !this.isTooFar(key.pos)) return;
      this.dropKey(key);
    }
  }

  private isTooFar(from: number): boolean {
    const { text, pos } = this.cursor;
    let distance = pos - from;
    if (distance <= SIMPLE_KEY_CHARS || !this.hasAstral) return distance > SIMPLE_KEY_CHARS;
    for (let i = from; i < pos; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) distance--;
    return distance > SIMPLE_KEY_CHARS;
  }

  private dropKey(key: SimpleKey): void {
    if (key.possible && key.required) this.failMissingColon(key);
    key.possible = false;
  }

  private failMissingColon(key: SimpleKey): never {
    const { text } = this.cursor;
    let end = key.pos;
    while (end < key.pos + SIMPLE_KEY_CHARS && !isBreakOrEnd(text.charCodeAt(end))) end++;
    while (end > key.pos + 1 && isBlank(text.charCodeAt(end - 1))) end--;
    return this.cursor.fail(
      "This line needs a ':' after its key, or it should be indented under the line above.",
      key.pos,
      end,
    );
  }

  private topKey(): SimpleKey {
    return this.keys[this.keys.length - 1] ?? noKey();
  }

  /** The next token might turn out to be a key. */
  private saveKey(): void {
    const c = this.cursor;
    if (!c.keyAllowed) return;
    const key = this.topKey();
    this.dropKey(key);
    const column = c.column();
    this.oldestKey = Math.min(this.oldestKey, this.keys.length - 1);
    key.possible = true;
    key.required = c.flowLevel === 0 && c.indent === column;
    key.tokenNumber = this.taken + this.queue.length - this.head;
    key.pos = c.pos;
    key.line = c.line;
    key.column = column;
  }

  private push(kind: TokenKind, length: number): void {
    const start = this.cursor.pos;
    this.cursor.pos += length;
    this.queue.push(token(kind, start, start + length));
  }

  /** Opens a block collection at `column` unless one is open there; `at` is a token number, -1 for the end. */
  private openBlock(column: number, kind: TokenKind, at: number, pos: number): void {
    const c = this.cursor;
    if (c.flowLevel > 0 || c.indent >= column) return;
    this.indents.push(c.indent);
    c.indent = column;
    const opener = token(kind, pos, pos);
    if (at < 0) this.queue.push(opener);
    else this.queue.splice(this.head + at - this.taken, 0, opener);
  }

  private closeBlocks(column: number): void {
    const c = this.cursor;
    if (c.flowLevel > 0) return;
    while (c.indent > column) {
      this.queue.push(token("block-end", c.pos, c.pos));
      c.indent = this.indents.pop() ?? -1;
    }
  }

  private skipToToken(): void {
    const c = this.cursor;
    if (c.pure && c.pos === c.origin && c.code() === BOM) c.pos++;
    for (;;) {
      if (!c.pure && c.code() === BOM && c.column() === 0) c.pos++;
      let code = c.code();
      while (code === SPACE || (code === TAB && !c.pure && (c.flowLevel > 0 || !c.keyAllowed))) {
        c.pos++;
        code = c.code();
      }
      if (code === 0x23) {
        while (!isBreakOrEnd(c.code())) c.pos++;
        code = c.code();
      }
      if (!isBreak(code)) return;
      c.takeBreak();
      if (c.flowLevel === 0) c.keyAllowed = true;
    }
  }

  private fetch(): void {
    this.skipToToken();
    this.dropStaleKeys();
    const c = this.cursor;
    const column = c.column();
    this.closeBlocks(column);
    const code = c.code();
    if (code === 0) {
      this.fetchEnd();
      return;
    }
    if (column === 0 && this.fetchDocumentSign(code)) return;
    if (this.fetchStructure(code, column) || this.fetchNodeSign(code)) return;
    if (!this.startsPlain(code)) this.failNoToken(code);
    this.saveKey();
    this.lastPlain = scanPlain(c);
    this.queue.push(this.lastPlain);
  }

  /** A directive, or the beginning or end of a document; false when the line begins with neither. */
  private fetchDocumentSign(code: number): boolean {
    if (code === 0x25) {
      this.leaveDocument();
      this.queue.push(scanDirective(this.cursor));
      return true;
    }
    if (!atDocumentMarker(this.cursor)) return false;
    this.leaveDocument();
    this.push(code === 0x2d ? "document-start" : "document-end", 3);
    return true;
  }

  /** What tells how nodes hang together; false for everything else. */
  private fetchStructure(code: number, column: number): boolean {
    const c = this.cursor;
    switch (code) {
      case 0x5b: // [
        this.fetchFlowStart("flow-sequence");
        return true;
      case 0x7b: // {
        this.fetchFlowStart("flow-mapping");
        return true;
      case 0x5d: // ]
        this.fetchFlowEnd("flow-sequence-end");
        return true;
      case 0x7d: // }
        this.fetchFlowEnd("flow-mapping-end");
        return true;
      case 0x2c: // ,
        c.keyAllowed = true;
        this.dropKey(this.topKey());
        this.push("flow-entry", 1);
        return true;
      case 0x2d: // -
        if (!isSpaceOrEnd(c.code(1))) return false;
        this.fetchBlockEntry(column);
        return true;
      case 0x3f: // ?
        if (c.flowLevel === 0 && !isSpaceOrEnd(c.code(1))) return false;
        this.fetchKey(column);
        return true;
      case 0x3a: // :
        if (!this.isValueIndicator()) return false;
        this.fetchValue(column);
        return true;
      default:
        return false;
    }
  }

  /** An anchor, an alias, a tag, or a text that is not plain; false for everything else. */
  private fetchNodeSign(code: number): boolean {
    const c = this.cursor;
    switch (code) {
      case 0x2a: // *
      case 0x26: // &
        this.fetchInLine(scanAnchor);
        return true;
      case 0x21: // !
        this.fetchInLine(scanTag);
        return true;
      case 0x27: // '
      case 0x22: // "
        this.fetchInLine(scanQuoted);
        return true;
      case 0x7c: // |
      case 0x3e: // >
        if (c.flowLevel > 0) return false;
        c.keyAllowed = true;
        this.dropKey(this.topKey());
        this.queue.push(scanBlockText(c));
        return true;
      default:
        return false;
    }
  }

  /** A token that may be the key of a pair and behind which none can begin. */
  private fetchInLine(scan: (cursor: Cursor) => Token): void {
    this.saveKey();
    this.cursor.keyAllowed = false;
    this.queue.push(scan(this.cursor));
  }

  private failNoToken(code: number): never {
    const c = this.cursor;
    if (code === TAB) return c.fail("A tab stands where YAML counts spaces. Use spaces for indentation.");
    const letter = c.text.charAt(c.pos);
    return c.fail(`A plain text cannot begin with '${letter}'. Put the text in quotes.`);
  }

  private startsPlain(code: number): boolean {
    const c = this.cursor;
    if (!isSpaceOrEnd(code) && !"-?:,[]{}#&*!|>'\"%@`".includes(String.fromCharCode(code))) return true;
    const next = c.code(1);
    if (code === 0x2d) return !isSpaceOrEnd(next);
    if (code === 0x3a && c.flowLevel > 0 && c.version.isAfter11()) return !isBlank(next);
    return (code === 0x3f || code === 0x3a) && c.flowLevel === 0 && !isSpaceOrEnd(next);
  }

  private isValueIndicator(): boolean {
    const c = this.cursor;
    const spaced = isSpaceOrEnd(c.code(1));
    if (c.flowLevel === 0 || spaced) return spaced || c.flowLevel > 0;
    if (c.version.is11()) return true;
    if (this.flowOpeners[this.flowOpeners.length - 1] === 0x5b) return false;
    return this.queue.length <= this.head || this.queue[this.queue.length - 1]?.kind !== "value";
  }

  private leaveDocument(): void {
    this.closeBlocks(-1);
    this.dropKey(this.topKey());
    this.cursor.keyAllowed = false;
  }

  private fetchEnd(): void {
    this.leaveDocument();
    for (const key of this.keys) key.possible = false;
    const end = this.cursor.pos;
    this.queue.push(token("stream-end", end, end));
    this.ended = true;
  }

  private fetchFlowStart(kind: TokenKind): void {
    const c = this.cursor;
    this.saveKey();
    this.flowOpeners.push(c.code());
    c.flowLevel++;
    this.keys.push(noKey());
    c.keyAllowed = true;
    this.push(kind, 1);
  }

  private fetchFlowEnd(kind: TokenKind): void {
    const c = this.cursor;
    this.dropKey(this.topKey());
    if (c.flowLevel > 0) {
      c.flowLevel--;
      this.keys.pop();
      this.flowOpeners.pop();
    }
    c.keyAllowed = false;
    this.push(kind, 1);
  }

  private fetchBlockEntry(column: number): void {
    const c = this.cursor;
    if (c.flowLevel === 0) {
      if (!c.keyAllowed) c.fail("A list item cannot begin here. Put '- ' on its own line, or quote the text.");
      this.openBlock(column, "block-sequence", -1, c.pos);
    }
    c.keyAllowed = true;
    this.dropKey(this.topKey());
    this.push("block-entry", 1);
  }

  private fetchKey(column: number): void {
    const c = this.cursor;
    if (c.flowLevel === 0) {
      if (!c.keyAllowed) c.fail("A '? ' key cannot begin here. Put it on its own line, or quote the text.");
      this.openBlock(column, "block-mapping", -1, c.pos);
    }
    this.dropKey(this.topKey());
    c.keyAllowed = c.flowLevel === 0;
    this.push("key", 1);
  }

  private fetchValue(column: number): void {
    const c = this.cursor;
    const key = this.topKey();
    if (key.possible) {
      this.queue.splice(this.head + key.tokenNumber - this.taken, 0, token("key", key.pos, key.pos));
      this.openBlock(key.column, "block-mapping", key.tokenNumber, key.pos);
      key.possible = false;
      c.keyAllowed = false;
    } else {
      if (c.flowLevel === 0) {
        if (!c.keyAllowed) this.failStrayColon();
        this.openBlock(column, "block-mapping", -1, c.pos);
      }
      c.keyAllowed = c.flowLevel === 0;
    }
    this.push("value", 1);
  }

  private failStrayColon(): never {
    const c = this.cursor;
    const above = this.lastPlain;
    if (above === undefined || above.end !== c.pos || !/[\r\n]/.test(c.text.slice(above.start, above.end)))
      return c.fail("A ': ' cannot stand here. Quote the text if it holds ': ', or check the indentation of the line.");
    const shown =
      c.text
        .slice(above.start)
        .split(/[\r\n]/, 1)[0]
        ?.slice(0, 40)
        .trimEnd() ?? "";
    const remedy = shown.includes(":") ? "Write a space behind the ':' above." : "Align it with its neighbours.";
    return c.fail(`This line continues the text '${shown}' above, so its ':' has no key. ${remedy}`);
  }
}
