import type { Handle } from "../../../../extension/src/core/results/handles/handle";

const SMALL = { minUnits: 20_000, maxUnits: 20_000, minBytes: 20_000, maxBytes: 20_000 };

/** A handle of OpenMausBot's store that nobody read. */
export function storeHandle(row: number, more: Partial<Handle> = {}): Handle {
  return {
    row,
    threadId: "main",
    call: row + 1,
    kind: "store",
    name: `r-00000000-0000-4000-8000-${String(row).padStart(12, "0")}`,
    owner: "",
    agent: "openmausbot",
    copies: 0,
    savedAt: 0,
    timeFrom: "record",
    endAt: null,
    kept: SMALL,
    durable: false,
    use: "never",
    reads: [],
    readCount: 0,
    readWell: 0,
    lastReadAt: null,
    repeats: [],
    repeatCount: 0,
    maybe: [],
    maybeCount: 0,
    unknownCalls: 0,
    ...more,
  };
}
