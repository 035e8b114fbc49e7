import type { PyValue } from "../model/pyValue";

export interface Expansion {
  /** The value contains itself, by way of an alias inside the node it names. */
  readonly recursive: boolean;
  /** Values that a walk meets when it does not remember where it has been; meaningless when recursive. */
  readonly walked: number;
  /** Containers inside one another; meaningless when recursive. */
  readonly depth: number;
}

interface Measure {
  readonly walked: number;
  readonly depth: number;
}

interface Frame {
  readonly value: PyValue;
  readonly parts: readonly PyValue[];
  next: number;
  walked: number;
  depth: number;
}

/** Measures what aliases make of a value without walking the same part twice. */
export function measureExpansion(root: PyValue): Expansion {
  const open = new Set<PyValue>([root]);
  const known = new Map<PyValue, Measure>();
  const stack: Frame[] = [{ value: root, parts: partsOf(root), next: 0, walked: 1, depth: 1 }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const part = frame.parts[frame.next++];
    if (part === undefined) {
      open.delete(frame.value);
      known.set(frame.value, frame);
      stack.pop();
      const above = stack.at(-1);
      if (above === undefined) return { recursive: false, walked: frame.walked, depth: frame.depth };
      add(above, frame);
      continue;
    }
    if (open.has(part)) return { recursive: true, walked: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };
    const before = known.get(part);
    const parts = before === undefined ? partsOf(part) : [];
    if (before !== undefined || parts.length === 0) {
      add(frame, before ?? LEAF);
      continue;
    }
    open.add(part);
    stack.push({ value: part, parts, next: 0, walked: 1, depth: 1 });
  }
  return { recursive: false, ...LEAF };
}

const LEAF: Measure = { walked: 1, depth: 1 };

function add(frame: Frame, part: Measure): void {
  frame.walked += part.walked;
  frame.depth = Math.max(frame.depth, part.depth + 1);
}

function partsOf(value: PyValue): readonly PyValue[] {
  if (value.t === "list" || value.t === "tuple" || value.t === "set") return value.v;
  if (value.t === "other") return value.entries?.flat() ?? [];
  return value.t === "dict" ? value.v.flat() : [];
}
