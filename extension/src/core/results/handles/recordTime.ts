import { isObject, own } from "../../transcript/json";
import { timeText } from "../../transcript/usage";

/** Members under which formats keep the time of a record (transcripts.md 2, 3, 8, 10–12, 15; hermes.md 5). */
const TIMES = ["timestamp", "at", "ts", "created_at_ms", "created_at", "time"];
/** Of a member `time` that holds several: the one at which the text was there. */
const INNER_TIMES = ["end", "completed", "updated", "start", "created"];
/** A text without a zone means another moment on every machine. */
const ZONED = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * When the record was written, milliseconds since the epoch: the time of the innermost object on the way to the text. Undefined
 * where none is stated, or none with a zone.
 */
export function recordTime(record: unknown, path: readonly (string | number)[]): number | undefined {
  let found = timeIn(record);
  let value = record;
  for (const step of path) {
    value = own(value, step);
    if (value === undefined) break;
    found = timeIn(value) ?? found;
  }
  return found;
}

function timeIn(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  for (const key of TIMES) {
    const written = own(value, key);
    const at = isObject(written)
      ? INNER_TIMES.map((one) => own(written, one)).find((one) => one !== undefined)
      : written;
    const moment = momentOf(at);
    if (moment !== undefined) return moment;
  }
  return undefined;
}

/** A number of seconds or milliseconds, or an ISO text with a zone. */
export function momentOf(value: unknown): number | undefined {
  const text = timeText(value);
  if (text === undefined || !ZONED.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

const WRAPPER_AT = /"at"\s*:\s*(\d{9,16}|"[^"\\]{1,40}")/;

/** The time in what stands around a record on its line: OpenMausBot's native log wraps other agents' records (transcripts.md 11). */
export function timeAround(before: string, after: string): number | undefined {
  const [, written] = WRAPPER_AT.exec(before) ?? WRAPPER_AT.exec(after) ?? [];
  if (written === undefined) return undefined;
  return momentOf(written.startsWith('"') ? written.slice(1, -1) : Number(written));
}
