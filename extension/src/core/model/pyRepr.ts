import type { PyValue } from "./pyValue";

/** CPython refuses to write integers with more decimal digits than this. */
const MAX_INT_DIGITS = 4300;
/** Longest repr that is built, in UTF-16 units; shared values would let a small file ask for gigabytes. */
const MAX_REPR = 200_000;

/** Python's type name as `type(v).__name__` gives it. */
export function pyTypeName(value: PyValue): string {
  return value.t === "other" ? value.type : value.t;
}

/**
 * Python's `repr(v)`. Differs where Python has none or an unstable one: an int of more than 4,300 digits is written in
 * hexadecimal, a set in the order of the file, and a text beyond 200,000 UTF-16 units ends in `…`.
 */
export function pyRepr(value: PyValue): string {
  const writer = new ReprWriter();
  writer.write(value);
  return writer.text();
}

class ReprWriter {
  private readonly parts: string[] = [];
  private length = 0;
  private readonly open = new Set<PyValue>();

  text(): string {
    const whole = this.parts.join("");
    return whole.length > MAX_REPR ? `${whole.slice(0, MAX_REPR)}…` : whole;
  }

  private put(part: string): void {
    this.parts.push(part);
    this.length += part.length;
  }

  write(value: PyValue): void {
    if (this.length > MAX_REPR) return;
    switch (value.t) {
      case "list":
        this.sequence(value, value.v, "[", "]");
        break;
      case "tuple":
        this.sequence(value, value.v, "(", value.v.length === 1 ? ",)" : ")");
        break;
      case "set":
        if (value.v.length === 0) this.put("set()");
        else this.sequence(value, value.v, "{", "}");
        break;
      case "dict":
        this.dict(value);
        break;
      default:
        if (value.t === "other" && value.entries !== undefined) this.orderedDict(value, value.entries);
        else this.put(leafRepr(value));
    }
  }

  private orderedDict(owner: PyValue, entries: readonly (readonly [PyValue, PyValue])[]): void {
    if (!this.enter(owner, "...")) return;
    this.put("ordereddict(");
    if (entries.length > 0) this.write({ t: "list", v: entries.map((entry) => ({ t: "tuple", v: entry })) });
    this.put(")");
    this.open.delete(owner);
  }

  private sequence(owner: PyValue, items: readonly PyValue[], opener: string, closer: string): void {
    if (!this.enter(owner, `${opener}...${owner.t === "tuple" ? ")" : closer}`)) return;
    this.put(opener);
    for (const [index, item] of items.entries()) {
      if (this.length > MAX_REPR) break;
      if (index > 0) this.put(", ");
      this.write(item);
    }
    this.put(closer);
    this.open.delete(owner);
  }

  private dict(owner: PyValue & { readonly t: "dict" }): void {
    if (!this.enter(owner, "{...}")) return;
    this.put("{");
    for (const [index, [key, item]] of owner.v.entries()) {
      if (this.length > MAX_REPR) break;
      if (index > 0) this.put(", ");
      this.write(key);
      this.put(": ");
      this.write(item);
    }
    this.put("}");
    this.open.delete(owner);
  }

  /** False when the container is being written already; then only the stand-in is. */
  private enter(owner: PyValue, standIn: string): boolean {
    if (this.open.has(owner)) {
      this.put(standIn);
      return false;
    }
    this.open.add(owner);
    return true;
  }
}

type Leaf = Exclude<PyValue, { readonly t: "list" | "tuple" | "set" | "dict" }>;

function leafRepr(value: Leaf): string {
  switch (value.t) {
    case "NoneType":
      return "None";
    case "bool":
      return value.v ? "True" : "False";
    case "int":
      return intRepr(value.v);
    case "float":
      return floatRepr(value.v);
    case "str":
      return strRepr(value.v, value.apart ?? []);
    case "bytes":
      return bytesRepr(value.v);
    case "date":
    case "datetime":
      return value.v;
    case "other":
      return value.repr;
  }
}

function intRepr(value: bigint): string {
  const magnitude = value < 0n ? -value : value;
  const sign = value < 0n ? "-" : "";
  const hex = magnitude.toString(16);
  // 4,300 decimal digits need 3,572 hexadecimal ones. More are not made decimal, which takes quadratic time.
  if (hex.length > 3572) return `${sign}0x${hex}`;
  if (hex.length < 3500) return sign + magnitude.toString();
  const decimal = magnitude.toString();
  return decimal.length > MAX_INT_DIGITS ? `${sign}0x${hex}` : sign + decimal;
}

/** CPython's float repr: the shortest digits that read back, an exponent below 1e-4 and from 1e16. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const magnitude = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${magnitude}`;
  }
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

const PLAIN_REPR = /^[ -&(-[\]-~]*$/;
const INVISIBLE = /[\p{C}\p{Z}]/u;

/** Python's `repr` of a text, of any length. */
export function strRepr(text: string, apart: readonly number[] = []): string {
  if (PLAIN_REPR.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const letter of characters(text, apart)) {
    if (letter === quote || letter === "\\") out += `\\${letter}`;
    else if (letter === "\n") out += "\\n";
    else if (letter === "\r") out += "\\r";
    else if (letter === "\t") out += "\\t";
    else if (letter === " " || !INVISIBLE.test(letter)) out += letter;
    else out += escapeCode(letter.codePointAt(0) ?? 0);
  }
  return out + quote;
}

/** Python's characters of a text. */
function* characters(text: string, apart: readonly number[]): Generator<string> {
  if (apart.length === 0) {
    yield* text;
    return;
  }
  const offsets = new Set(apart);
  let pos = 0;
  while (pos < text.length) {
    const letter = offsets.has(pos) ? text.charAt(pos) : String.fromCodePoint(text.codePointAt(pos) ?? 0);
    yield letter;
    pos += letter.length;
  }
}

function escapeCode(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function bytesRepr(bytes: Uint8Array): string {
  const quote = bytes.includes(0x27) && !bytes.includes(0x22) ? '"' : "'";
  let out = `b${quote}`;
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    if (letter === quote || letter === "\\") out += `\\${letter}`;
    else if (letter === "\n") out += "\\n";
    else if (letter === "\r") out += "\\r";
    else if (letter === "\t") out += "\\t";
    else out += byte >= 0x20 && byte < 0x7f ? letter : `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return out + quote;
}

/**
 * Python's `a == b` (with `a is b` first, as containers compare): 1, 1.0 and True are equal, text and bytes are not.
 * Deep or shared structures are compared up to 100,000 parts; beyond that the answer is false.
 */
export function pyEquals(a: PyValue, b: PyValue): boolean {
  return equals(a, b, { left: 100_000 });
}

function equals(a: PyValue, b: PyValue, budget: { left: number }): boolean {
  if (a === b) return true;
  if (--budget.left < 0) return false;
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined || y !== undefined) {
    // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint and a number by their exact values, as Python does
    return x !== undefined && y !== undefined && x == y;
  }
  switch (a.t) {
    case "NoneType":
      return b.t === "NoneType";
    case "str":
      return b.t === "str" && b.v === a.v && String(b.apart ?? []) === String(a.apart ?? []);
    case "date":
      return b.t === "date" && b.v === a.v;
    case "datetime":
      return b.t === "datetime" && instant(a.v) === instant(b.v);
    case "bytes":
      return b.t === "bytes" && b.v.length === a.v.length && a.v.every((byte, index) => byte === b.v[index]);
    case "list":
    case "tuple":
      return b.t === a.t && sameItems(a.v, b.v, budget);
    case "set":
      return b.t === "set" && a.v.length === b.v.length && a.v.every((x1) => b.v.some((y1) => equals(x1, y1, budget)));
    case "dict":
      return b.t === "dict" && sameEntries(a.v, b.v, budget);
    default:
      return a.t === "other" && b.t === "other" && a.type === b.type && a.repr === b.repr;
  }
}

function numeric(value: PyValue): bigint | number | undefined {
  if (value.t === "int" || value.t === "float") return value.v;
  return value.t === "bool" ? Number(value.v) : undefined;
}

function sameItems(a: readonly PyValue[], b: readonly PyValue[], budget: { left: number }): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && equals(item, other, budget);
    })
  );
}

type Entries = readonly (readonly [PyValue, PyValue])[];

function sameEntries(a: Entries, b: Entries, budget: { left: number }): boolean {
  if (a.length !== b.length) return false;
  return a.every(([key, item]) => {
    const other = b.find(([key2]) => equals(key, key2, budget));
    return other !== undefined && equals(item, other[1], budget);
  });
}

const DATETIME = /^datetime\.datetime\(([\d, ]+)(?:, tzinfo=(.*))?\)$/;
const OFFSET = /timedelta\((?:days=(-?\d+))?(?:, )?(?:seconds=(\d+))?\)/;

/** The same text for equal datetimes: zones are compared as instants; with and without a zone never agree. */
function instant(repr: string): string {
  const match = DATETIME.exec(repr);
  if (match === null) return repr;
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0, micro = 0] = (match[1] ?? "")
    .split(", ")
    .map(Number);
  if (match[2] === undefined) return repr;
  const offset = OFFSET.exec(match[2]);
  const seconds = offset === null ? 0 : Number(offset[1] ?? 0) * 86_400 + Number(offset[2] ?? 0);
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hour, minute, second - seconds);
  return `${at.getTime()}.${micro}`;
}

/**
 * A text that is equal for keys that are equal in Python, so that a Map can stand in for a dict. Undefined for
 * values that Python cannot hash. `identity` numbers the NaNs, which only equal themselves.
 */
export function pyHashKey(value: PyValue, identity: (value: PyValue) => number): string | undefined {
  switch (value.t) {
    case "str":
      return value.apart === undefined ? `s${value.v}` : `S${value.apart.join(",")}:${value.v}`;
    case "NoneType":
      return "N";
    case "bool":
      return value.v ? "n1" : "n0";
    case "int":
      return `n${value.v.toString(36)}`;
    case "float":
      if (Number.isNaN(value.v)) return `nan${identity(value)}`;
      return Number.isInteger(value.v) ? `n${BigInt(value.v).toString(36)}` : `f${value.v}`;
    case "bytes":
      return `b${value.v.join(",")}`;
    case "date":
      return `d${value.v}`;
    case "datetime":
      return `t${instant(value.v)}`;
    case "tuple": {
      const parts: string[] = [];
      for (const item of value.v) {
        const part = pyHashKey(item, identity);
        if (part === undefined) return undefined;
        parts.push(`${part.length}:${part}`);
      }
      return `(${parts.join("")})`;
    }
    default:
      return undefined;
  }
}
