export const QUOTE: u32 = 0x22;
export const BACKSLASH: u32 = 0x5c;
export const COMMA: u32 = 0x2c;
export const COLON: u32 = 0x3a;
export const OPEN_OBJECT: u32 = 0x7b;
export const CLOSE_OBJECT: u32 = 0x7d;
export const OPEN_LIST: u32 = 0x5b;
export const CLOSE_LIST: u32 = 0x5d;
export const NEWLINE: u32 = 0x0a;
export const RETURN: u32 = 0x0d;
export const SPACE: u32 = 0x20;
export const TAB: u32 = 0x09;

/** True when the bytes are the letters of `name`, which has at most 32. */
export function is(at: usize, length: i32, name: string): bool {
  if (length !== name.length) return false;
  const letters = changetype<usize>(name);
  if (length <= 16) return differing(at, letters, length) === 0;
  return differing(at, letters, 16) === 0 && differing(at + length - 16, letters + 2 * (length - 16), 16) === 0;
}

export function differing(at: usize, letters: usize, length: i32): i32 {
  const name = i8x16.narrow_i16x8_u(v128.load(letters), v128.load(letters, 16));
  return ~i8x16.bitmask(i8x16.eq(v128.load(at), name)) & ((1 << length) - 1);
}
