/** Small pseudo-random generator (mulberry32): the same numbers for the same seed everywhere. */
export class Random {
  constructor(private state: number) {}

  /** A whole number below `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

type Value = ReturnType<typeof JSON.parse>;

/** What stands where something else is expected. */
const STRANGE: readonly Value[] = [
  null,
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  "",
  "x",
  "\u0000json:[",
  "\ud800",
  "__proto__",
  "../../etc/passwd",
  "2999-12-31T23:59:59Z",
  4_102_444_800_000_000,
  [],
  {},
  [[]],
  [null],
  { toString: 1, valueOf: 1 },
  { type: "text" },
  { type: "image" },
  { type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: 7 }] },
  "user",
  "assistant",
  "tool",
  "<persisted-output>\nOutput too large (",
];

const BYTES = [0x00, 0x0d, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a, 0x80, 0xc3, 0xe2, 0xf0, 0xff];

function places(value: Value, out: ((to: Value) => void)[] = []): ((to: Value) => void)[] {
  if (typeof value !== "object" || value === null) return out;
  for (const key of Object.keys(value)) {
    out.push((to) => {
      if (to === undefined) delete value[key];
      else value[key] = to;
    });
    places(value[key], out);
  }
  return out;
}

function reshaped(line: Uint8Array, random: Random, other: Uint8Array): Buffer {
  let value: Value;
  try {
    value = JSON.parse(Buffer.from(line).toString("utf8"));
  } catch {
    return Buffer.concat([line, other]);
  }
  for (let edits = 1 + random.below(3); edits > 0; edits--) {
    const all = places(value);
    if (all.length === 0) break;
    const kind = random.below(6);
    const to = kind === 0 ? undefined : kind === 1 ? structuredClone(value) : structuredClone(random.pick(STRANGE));
    random.pick(all)(to);
  }
  return Buffer.from(JSON.stringify(value));
}

/** One line changed as damage, other versions and attackers change lines; never with a line break in it. */
export function mutated(line: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const bytes = Buffer.from(line);
  const at = random.below(bytes.length + 1);
  switch (random.below(9)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return bytes.subarray(at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + random.below(40)))]);
    case 3:
      return Buffer.concat([bytes, bytes]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)]);
    case 5: {
      for (let edits = 1 + random.below(6); edits > 0; edits--) bytes[random.below(bytes.length)] = random.pick(BYTES);
      return bytes;
    }
    case 6: {
      const noise = Uint8Array.from({ length: 1 + random.below(30) }, () => {
        const byte = random.below(256);
        return byte === 0x0a ? 0x20 : byte;
      });
      return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
    }
    default:
      return reshaped(line, random, other);
  }
}
