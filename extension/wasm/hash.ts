/** An odd number with its bits all over the word. */
export const MIX: u64 = 0x7f4a7c15 | ((<u64>0x9e3779b9) << 32);

/** A hash of bytes; reads up to seven bytes behind them. */
export function mixBytes(at: usize, length: i32): i32 {
  let hash: u64 = <u64>length * MIX;
  let from = at;
  let left = length;
  for (; left >= 8; left -= 8) {
    hash = (hash ^ load<u64>(from)) * MIX;
    hash ^= hash >> 32;
    from += 8;
  }
  if (left > 0) {
    hash = (hash ^ (load<u64>(from) & (((<u64>1) << (<u64>(left << 3))) - 1))) * MIX;
    hash ^= hash >> 32;
  }
  return <i32>hash ^ <i32>(hash >> 29);
}

/** True when two stretches of bytes are not the same; reads up to 15 bytes behind them. */
export function differs(a: usize, b: usize, length: i32): bool {
  let at: usize = 0;
  const whole = <usize>(length & ~15);
  for (; at < whole; at += 16) if (v128.any_true(v128.xor(v128.load(a + at), v128.load(b + at)))) return true;
  const rest = length & 15;
  if (rest === 0) return false;
  const same = i8x16.bitmask(i8x16.eq(v128.load(a + at), v128.load(b + at)));
  return (~same & ((1 << rest) - 1)) !== 0;
}
