import { err, ok, type Result } from "../../model/problem";
import { pushAll } from "../pushAll";
import { type ClassTable, type Constructor, NUMBER_LISTS, TAG } from "./tags";

const OBJECTS_PER_STEP = 4_000;
/** Bytes that are gathered before they are handed on. */
const PIECE_BYTES = 256 * 1024;

interface Shape {
  readonly number: number;
  readonly type: Constructor | undefined;
  readonly keys: readonly string[];
}

/**
 * Stores a value with everything that it refers to, as bytes that `readGraph` turns back: plain objects, arrays, Map, Set, number
 * lists, objects of the classes in `classes`, shared and circular references. `externals`: objects that the reading side
 * has itself, by name. The error says where something stands that cannot be stored (a function, an unknown class).
 */
export function writeGraph(
  root: unknown,
  classes: ClassTable = {},
  externals: ReadonlyMap<unknown, string> = new Map(),
): Result<Uint8Array, string> {
  return joined(writingGraph(root, classes, externals));
}

/**
 * The same in steps of a few milliseconds at most, each of which gives the bytes that are ready, so that nobody needs room for all of
 * them. Every piece but the last has a multiple of 16 bytes. What is stored must not change between the steps.
 */
export function* writingGraph(
  root: unknown,
  classes: ClassTable = {},
  externals: ReadonlyMap<unknown, string> = new Map(),
): GraphPieces {
  const writer = new GraphWriter(classes, externals);
  writer.begin(root);
  while (writer.step(OBJECTS_PER_STEP)) yield writer.taken();
  if (writer.failure !== undefined) return err(writer.failure);
  yield [...writer.taken(), writer.rest()];
  return ok(undefined);
}

export type GraphPieces = Generator<readonly Uint8Array[], Result<undefined, string>>;

/** The pieces as one. */
export function joined(steps: GraphPieces): Result<Uint8Array, string> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done !== true) pushAll(pieces, step.value);
    else if (!step.value.ok) return step.value;
    else break;
  }
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return ok(bytes);
}

class GraphWriter {
  failure: string | undefined;
  private bytes = new Uint8Array(PIECE_BYTES);
  private used = 0;
  private pieces: Uint8Array[] = [];
  private readonly texts = new Map<string, number>();
  private readonly objects = new Map<object, number>();
  private readonly shapes = new Map<string | undefined, Shape[]>();
  private shapeCount = 0;
  private readonly names: ReadonlyMap<Constructor, string>;
  /** Objects whose contents are to be written. */
  private waiting: { readonly value: object; readonly shape: Shape | undefined }[] = [];
  /** What is being written, for messages. */
  private owner = "";
  private key: string | number = "";

  constructor(
    classes: ClassTable,
    private readonly externals: ReadonlyMap<unknown, string>,
  ) {
    this.names = new Map(Object.entries(classes).map(([name, type]) => [type, name]));
  }

  /** Pieces that were filled since it was asked before. */
  taken(): readonly Uint8Array[] {
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }

  rest(): Uint8Array {
    return this.bytes.slice(0, this.used);
  }

  begin(root: unknown): void {
    this.value(root);
  }

  /** Writes what so many objects hold; false when all is written. */
  step(objects: number): boolean {
    const now = this.waiting.splice(0, objects);
    for (const { value, shape } of now) {
      if (this.failure !== undefined) break;
      this.contents(value, shape);
    }
    return this.failure === undefined && this.waiting.length > 0;
  }

  private value(value: unknown): void {
    switch (typeof value) {
      case "undefined":
        this.byte(TAG.undefined);
        return;
      case "boolean":
        this.byte(value ? TAG.true : TAG.false);
        return;
      case "number":
        this.number(value);
        return;
      case "string":
        this.text(value);
        return;
      case "object":
        if (value === null) this.byte(TAG.null);
        else this.object(value);
        return;
      default:
        this.external(value, `a ${typeof value}`);
    }
  }

  private fail(what: string): void {
    this.failure ??= this.owner === "" ? what : `${what} at ${this.owner}.${this.key}`;
  }

  private external(value: unknown, what: string): void {
    const name = this.externals.get(value);
    if (name === undefined) {
      this.fail(what);
      return;
    }
    this.byte(TAG.external);
    this.text(name);
  }

  private object(value: object): void {
    const known = this.objects.get(value);
    if (known !== undefined) {
      this.byte(TAG.again);
      this.whole(known);
      return;
    }
    if (this.externals.size > 0 && this.externals.has(value)) {
      this.external(value, "");
      return;
    }
    this.objects.set(value, this.objects.size);
    if (ArrayBuffer.isView(value)) {
      this.numbers(value);
      return;
    }
    let shape: Shape | undefined;
    if (Array.isArray(value)) this.sized(TAG.array, value.length);
    else if (value instanceof Map) this.sized(TAG.map, value.size);
    else if (value instanceof Set) this.sized(TAG.set, value.size);
    else shape = this.shapeOf(value);
    this.waiting.push({ value, shape });
  }

  private sized(tag: number, size: number): void {
    this.byte(tag);
    this.whole(size);
  }

  private contents(value: object, shape: Shape | undefined): void {
    if (Array.isArray(value)) {
      this.owner = "Array";
      for (let i = 0; i < value.length; i++) {
        this.key = i;
        if (i in value) this.value(value[i]);
        else this.byte(TAG.hole);
      }
    } else if (value instanceof Map) {
      this.owner = "Map";
      for (const [key, item] of value) {
        this.key = typeof key === "string" ? key : typeof key;
        this.value(key);
        this.value(item);
      }
    } else if (value instanceof Set) {
      this.owner = "Set";
      for (const item of value) this.value(item);
    } else {
      this.owner = shape?.type?.name ?? "Object";
      const record = value as Readonly<Record<string, unknown>>;
      for (const key of shape?.keys ?? []) {
        this.key = key;
        this.value(record[key]);
      }
    }
  }

  private numbers(value: ArrayBufferView): void {
    const kind = NUMBER_LISTS.findIndex((type) => value instanceof type);
    if (kind < 0) {
      this.fail("bytes of an unknown kind");
      return;
    }
    this.byte(TAG.numbers);
    this.byte(kind);
    this.whole(value.byteLength);
    this.room(value.byteLength);
    this.bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.used);
    this.used += value.byteLength;
  }

  private shapeOf(value: object): Shape | undefined {
    const prototype: unknown = Object.getPrototypeOf(value);
    const type = prototype === Object.prototype || prototype === null ? undefined : (value.constructor as Constructor);
    const name = type === undefined ? "" : this.names.get(type);
    if (name === undefined) {
      this.fail(`an object of the class ${type?.name}`);
      return undefined;
    }
    const keys = Object.keys(value);
    const alike = this.shapes.get(keys[0]) ?? [];
    const known = alike.find((one) => one.type === type && sameKeys(one.keys, keys));
    if (known !== undefined) {
      this.byte(TAG.shaped);
      this.whole(known.number);
      return known;
    }
    const shape = { number: this.shapeCount++, type, keys };
    this.shapes.set(keys[0], [...alike, shape]);
    this.byte(TAG.shape);
    this.text(name);
    this.whole(keys.length);
    for (const key of keys) this.text(key);
    return shape;
  }

  private number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      this.byte(value < 0 ? TAG.negative : TAG.whole);
      this.whole(value < 0 ? -(value + 1) : value);
      return;
    }
    this.byte(TAG.float);
    this.room(8);
    new DataView(this.bytes.buffer).setFloat64(this.used, value, true);
    this.used += 8;
  }

  private text(text: string): void {
    const known = this.texts.get(text);
    if (known !== undefined) {
      this.byte(TAG.textAgain);
      this.whole(known);
      return;
    }
    this.texts.set(text, this.texts.size);
    let units = 0;
    for (let i = 0; i < text.length; i++) units |= text.charCodeAt(i);
    const wide = units > 0xff;
    this.byte(wide ? TAG.wide : TAG.latin);
    this.whole(text.length);
    this.room(text.length * 2);
    const { bytes } = this;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      bytes[this.used++] = unit;
      if (wide) bytes[this.used++] = unit >>> 8;
    }
  }

  private byte(value: number): void {
    this.room(1);
    this.bytes[this.used++] = value;
  }

  private whole(value: number): void {
    this.room(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.used++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.used++] = rest;
  }

  private room(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const whole = this.used - (this.used % 16);
    if (whole > 0) this.pieces.push(this.bytes.slice(0, whole));
    const rest = this.bytes.subarray(whole, this.used);
    this.used -= whole;
    const bytes = this.used + more <= this.bytes.length ? this.bytes : new Uint8Array(this.used + more);
    bytes.set(rest);
    this.bytes = bytes;
  }
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
