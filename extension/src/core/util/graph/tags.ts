/**
 * First byte of every value in a stored graph. An object stands where it is first met with its kind and size only; what it
 * holds follows when everything that was met before has been written, so that no depth is too deep.
 */
export const TAG = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  /** Variable-length whole number. */
  whole: 4,
  /** The same, negative: the number is -(n + 1). */
  negative: 5,
  float: 6,
  latin: 7,
  wide: 8,
  /** A text that came before, by its number. */
  textAgain: 9,
  /** An object that came before, by its number. */
  again: 10,
  /** An object with keys that come for the first time. */
  shape: 11,
  /** An object with keys that came before, by the shape's number. */
  shaped: 12,
  array: 13,
  hole: 14,
  map: 15,
  set: 16,
  numbers: 17,
  external: 18,
} as const;

/** Kinds of number lists by their place here. */
export const NUMBER_LISTS = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float64Array,
] as const;

// biome-ignore lint/complexity/noBannedTypes: what `constructor` is, and it is only compared
export type Constructor = Function;

/** Classes whose objects may stand in a graph, by the name under which they are stored. Their state is in plain fields. */
export type ClassTable = Readonly<Record<string, Constructor>>;
