/** Guards for what is answered about handles. */

import type { HandleRow, HandlesPage, ReadRow, ResultAt } from "../../extension/src/core/model/handlesPage";
import {
  type HandleUse,
  READABLE_REASONS,
  type Readable,
  type ReadableReason,
  type ReadOutcome,
  type ReadPart,
  type ReadWay,
} from "../../extension/src/core/model/resultHandle";
import type { HandleCalls } from "../../extension/src/protocol/handles";
import {
  type Guard,
  isBoolean,
  isCount,
  isNumber,
  isString,
  listOf,
  type Members,
  oneOf,
  orNull,
  shape,
} from "./guard";
import { isFileStatus } from "./rowGuards";

const USES: Members<HandleUse> = { never: true, read: true, repeated: true, unknown: true };
const READABLE: Members<Readable> = { yes: true, no: true, unknown: true, "not-yet": true };
const KINDS: Members<HandleRow["kind"]> = { store: true, memory: true, file: true };
const WAYS: Members<ReadWay> = { id: true, file: true, command: true, code: true };
const OUTCOMES: Members<ReadOutcome> = { read: true, refused: true, "no-answer": true };
const UNITS: Members<ReadPart["unit"]> = { utf16: true, lines: true };
const TIMES: Members<NonNullable<HandleRow["timeFrom"]>> = { record: true, call: true };

const isReason = (value: unknown): value is ReadableReason => READABLE_REASONS.some((one) => one === value);
const isRange = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isCount);

const resultAt = {
  row: isCount,
  line: isNumber,
  tool: orNull(isString),
  turn: orNull(isNumber),
  call: orNull(isNumber),
};
const isPlaces = listOf(shape<ResultAt>(resultAt));
const isRead = shape<ReadRow>({
  ...resultAt,
  way: oneOf(WAYS),
  part: orNull(shape<ReadPart>({ unit: oneOf(UNITS), from: isCount, to: orNull(isCount) })),
  outcome: oneOf(OUTCOMES),
  chars: orNull(isNumber),
  at: orNull(isNumber),
});
const isHandle = shape<HandleRow>({
  ...resultAt,
  thread: isString,
  kind: oneOf(KINDS),
  name: isString,
  chars: isNumber,
  statedChars: orNull(isNumber),
  statedRounded: isBoolean,
  keptUnits: orNull(isRange),
  copies: isCount,
  savedAt: orNull(isNumber),
  timeFrom: orNull(oneOf(TIMES)),
  endAt: orNull(isNumber),
  readable: oneOf(READABLE),
  why: isReason,
  until: orNull(isNumber),
  file: isFileStatus,
  use: oneOf(USES),
  reads: listOf(isRead),
  readCount: isCount,
  readWell: isCount,
  lastReadAt: orNull(isNumber),
  repeats: isPlaces,
  repeatCount: isCount,
  maybe: isPlaces,
  maybeCount: isCount,
  unknownCalls: isCount,
});

export const handleReplyGuards: { readonly [M in keyof HandleCalls]: Guard<HandleCalls[M]["out"]> } = {
  handles: shape<HandlesPage>({
    counts: shape<HandlesPage["counts"]>({ never: isCount, read: isCount, repeated: isCount, unknown: isCount }),
    total: isCount,
    from: isCount,
    rows: listOf(isHandle),
    omitted: isCount,
    at: orNull(isNumber),
    calls: orNull(shape<NonNullable<HandlesPage["calls"]>>({ thread: isString, count: isCount, call: isCount })),
  }),
};
