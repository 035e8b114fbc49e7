/** A JSON value as Python's `json` module reads it. Numbers are kept as Python writes them. */
export type PythonJson =
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly PythonJson[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, PythonJson> };

/** Deeper nesting exhausts Python's stack. */
const DEPTH_LIMIT = 900;
const WORDS: Readonly<Record<string, string>> = {
  true: "true",
  false: "false",
  null: "null",
  NaN: "NaN",
  Infinity: "Infinity",
  "-Infinity": "-Infinity",
};

/**
 * Reads JSON as Python's `json.loads` does: `NaN` and the infinities are numbers, the last of equal keys wins, white
 * space is space, tab, CR and LF. Undefined when Python would raise.
 */
export function parsePythonJson(text: string): PythonJson | undefined {
  const reader = new Reader(text);
  const value = reader.value(0);
  return value !== undefined && reader.atEnd() ? value : undefined;
}

/** `json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)`. */
export function dumpPythonJson(value: PythonJson, indent = ""): string {
  switch (value.kind) {
    case "literal":
      return value.text;
    case "string":
      return quote(value.text);
    case "array": {
      if (value.items.length === 0) return "[]";
      const inner = `${indent} `;
      const items = value.items.map((item) => inner + dumpPythonJson(item, inner));
      return `[\n${items.join(",\n")}\n${indent}]`;
    }
    case "object": {
      if (value.members.size === 0) return "{}";
      const inner = `${indent} `;
      const members = [...value.members]
        .sort(([a], [b]) => compareCodePoints(a, b))
        .map(([key, member]) => `${inner}${quote(key)}: ${dumpPythonJson(member, inner)}`);
      return `{\n${members.join(",\n")}\n${indent}}`;
    }
  }
}

/** Python's `repr` of a float. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  // Python writes an exponent below 1e-4 and from 1e16 on.
  if (exponent < -4 || exponent >= 16) {
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const digits = mantissa.replace(/[-.]/g, "");
  const sign = value < 0 ? "-" : "";
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

function quote(text: string): string {
  // Unlike JSON.stringify this leaves lone surrogates alone.
  return `"${text.replace(/[\u0000-\u001f"\\]/g, (character) => JSON.stringify(character).slice(1, -1))}"`;
}

function compareCodePoints(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done || y.done) return Number(y.done ?? false) - Number(x.done ?? false);
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    this.space();
    return this.at === this.text.length;
  }

  value(depth: number): PythonJson | undefined {
    if (depth > DEPTH_LIMIT) return undefined;
    this.space();
    switch (this.text.charAt(this.at)) {
      case "{":
        return this.object(depth);
      case "[":
        return this.array(depth);
      case '"': {
        const text = this.string();
        return text === undefined ? undefined : { kind: "string", text };
      }
      default:
        return this.literal();
    }
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d) return;
      this.at++;
    }
  }

  private take(character: string): boolean {
    this.space();
    if (this.text.charAt(this.at) !== character) return false;
    this.at++;
    return true;
  }

  private object(depth: number): PythonJson | undefined {
    this.at++;
    const members = new Map<string, PythonJson>();
    if (this.take("}")) return { kind: "object", members };
    for (;;) {
      this.space();
      const key = this.text.charAt(this.at) === '"' ? this.string() : undefined;
      if (key === undefined || !this.take(":")) return undefined;
      const member = this.value(depth + 1);
      if (member === undefined) return undefined;
      members.set(key, member);
      if (this.take("}")) return { kind: "object", members };
      if (!this.take(",")) return undefined;
    }
  }

  private array(depth: number): PythonJson | undefined {
    this.at++;
    const items: PythonJson[] = [];
    if (this.take("]")) return { kind: "array", items };
    for (;;) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (this.take("]")) return { kind: "array", items };
      if (!this.take(",")) return undefined;
    }
  }

  private string(): string | undefined {
    const start = this.at;
    for (let i = start + 1; i < this.text.length; i++) {
      const unit = this.text.charCodeAt(i);
      if (unit === 0x5c) i++;
      else if (unit === 0x22) {
        this.at = i + 1;
        return decode(this.text.slice(start, i + 1));
      }
    }
    return undefined;
  }

  private literal(): PythonJson | undefined {
    const start = this.at;
    while (/[-+.\w]/.test(this.text.charAt(this.at))) this.at++;
    const word = this.text.slice(start, this.at);
    const known = WORDS[word];
    if (known !== undefined && Object.hasOwn(WORDS, word)) return { kind: "literal", text: known };
    const number = /^(-?)(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.exec(word);
    if (number === null) return undefined;
    if (number[3] === undefined && number[4] === undefined)
      return { kind: "literal", text: word === "-0" ? "0" : word };
    return { kind: "literal", text: pythonFloat(Number(word)) };
  }
}

/** A quoted string; control characters inside it are an error, as in Python's strict mode. */
function decode(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : undefined;
  } catch {
    // A bad escape or a bare control character: Python raises as well.
    return undefined;
  }
}
