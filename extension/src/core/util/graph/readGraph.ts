import { err, ok, type Result } from "../../model/problem";
import { latinText, wideText } from "../unitText";
import { type ClassTable, NUMBER_LISTS, TAG } from "./tags";

interface Shape {
  readonly prototype: object;
  readonly keys: readonly string[];
}

/** Gives back what `writeGraph` stored. Objects of classes are made without their constructors. The error says what is wrong. */
export function readGraph(
  bytes: Uint8Array,
  classes: ClassTable = {},
  externals: ReadonlyMap<string, unknown> = new Map(),
): Result<unknown, string> {
  const reader = new GraphReader(bytes, classes, externals);
  const value = reader.read();
  if (reader.failure === undefined && reader.left > 0) return err("there is more than one value");
  return reader.failure === undefined ? ok(value) : err(reader.failure);
}

class GraphReader {
  failure: string | undefined;
  private at = 0;
  private readonly texts: string[] = [];
  private readonly objects: object[] = [];
  private readonly shapes: Shape[] = [];
  /** Objects that were met and are to be filled, in that order, and what they hold: keys, or so many values. */
  private readonly waiting: object[] = [];
  private readonly holds: (Shape | number)[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly classes: ClassTable,
    private readonly externals: ReadonlyMap<string, unknown>,
  ) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  read(): unknown {
    const root = this.value();
    for (let next = 0; next < this.waiting.length && this.failure === undefined; next++) {
      const value = this.waiting[next];
      const held = this.holds[next];
      if (value !== undefined && held !== undefined) this.fill(value, held);
    }
    return root;
  }

  private fill(value: object, held: Shape | number): void {
    if (typeof held !== "number") this.fillMembers(value as Record<string, unknown>, held.keys);
    else if (Array.isArray(value)) {
      for (let i = 0; i < held && this.failure === undefined; i++) {
        if (this.bytes[this.at] === TAG.hole) this.at++;
        else value[i] = this.value();
      }
    } else if (value instanceof Map) {
      for (let i = 0; i < held && this.failure === undefined; i++) {
        const key = this.value();
        value.set(key, this.value());
      }
    } else if (value instanceof Set) {
      for (let i = 0; i < held && this.failure === undefined; i++) value.add(this.value());
    }
  }

  private fillMembers(value: Record<string, unknown>, keys: readonly string[]): void {
    for (const key of keys) {
      const item = this.value();
      if (key === "__proto__")
        Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true });
      else value[key] = item;
    }
  }

  private wait<T extends object>(value: T, held: Shape | number): T {
    this.objects.push(value);
    this.waiting.push(value);
    this.holds.push(held);
    return value;
  }

  private value(): unknown {
    const tag = this.byte();
    switch (tag) {
      case TAG.undefined:
        return undefined;
      case TAG.null:
        return null;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.whole:
        return this.whole();
      case TAG.negative:
        return -this.whole() - 1;
      case TAG.float:
        return this.float();
      case TAG.latin:
      case TAG.wide:
      case TAG.textAgain:
        return this.text(tag);
      case TAG.again:
        return this.objects[this.whole()] ?? this.fail("a reference leads nowhere");
      case TAG.shape:
        return this.members(this.shape());
      case TAG.shaped:
        return this.members(this.shapes[this.whole()]);
      case TAG.array:
        return this.array();
      case TAG.map:
        return this.wait(new Map(), this.count());
      case TAG.set:
        return this.wait(new Set(), this.count());
      case TAG.numbers:
        return this.numbers();
      case TAG.external: {
        const name = this.name();
        return this.externals.has(name) ? this.externals.get(name) : this.fail(`${name} is not known`);
      }
      default:
        return this.fail(`a value of kind ${tag} is not known`);
    }
  }

  private fail(why: string): undefined {
    this.failure ??= why;
    this.at = this.bytes.length;
    return undefined;
  }

  private kept<T extends object>(value: T): T {
    this.objects.push(value);
    return value;
  }

  /** A number of things that take a byte each at least; 0 when so many cannot be there. */
  private count(): number {
    const count = this.whole();
    if (count <= this.left) return count;
    this.fail("it is cut off");
    return 0;
  }

  private array(): unknown {
    const length = this.count();
    const list: unknown[] = [];
    list.length = length;
    return this.wait(list, length);
  }

  private numbers(): unknown {
    const type = NUMBER_LISTS[this.byte()];
    const length = this.count();
    if (type === undefined || length % type.BYTES_PER_ELEMENT !== 0) return this.fail("a list of numbers is damaged");
    // Copied: what stands here may begin anywhere, and a list begins at a multiple of its width.
    const list = new type(this.bytes.slice(this.at, this.at + length).buffer);
    this.at += length;
    return this.kept(list);
  }

  private shape(): Shape | undefined {
    const name = this.name();
    const keys = Array.from({ length: this.count() }, () => this.name());
    const type = name === "" ? Object : this.classes[name];
    if (type === undefined) return this.fail(`the class ${name} is not known`);
    const shape = { prototype: type.prototype as object, keys };
    this.shapes.push(shape);
    return shape;
  }

  private members(shape: Shape | undefined): unknown {
    if (shape === undefined) return this.fail("an object has no keys");
    const { prototype } = shape;
    return this.wait(prototype === Object.prototype ? {} : (Object.create(prototype) as object), shape);
  }

  private name(): string {
    return this.text(this.byte()) ?? "";
  }

  private text(tag: number): string | undefined {
    if (tag === TAG.textAgain) return this.texts[this.whole()] ?? this.fail("a text leads nowhere");
    if (tag !== TAG.latin && tag !== TAG.wide) return this.fail("a text is missing");
    const width = tag === TAG.wide ? 2 : 1;
    const length = this.whole();
    if (length * width > this.left) return this.fail("it is cut off");
    const text =
      width === 1
        ? latinText(this.bytes, this.at, this.at + length)
        : wideText(this.bytes, this.at, this.at + 2 * length);
    this.at += length * width;
    this.texts.push(text);
    return text;
  }

  private byte(): number {
    if (this.at >= this.bytes.length) {
      this.fail("it is cut off");
      return TAG.undefined;
    }
    return this.bytes[this.at++] ?? 0;
  }

  private whole(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80 || factor > 2 ** 53) return value;
    }
  }

  private float(): number {
    if (this.left < 8) {
      this.fail("it is cut off");
      return 0;
    }
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8);
    this.at += 8;
    return view.getFloat64(0, true);
  }
}
