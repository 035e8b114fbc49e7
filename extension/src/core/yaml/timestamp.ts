import type { PyValue } from "../model/pyValue";

/** Timestamps as PyYAML (zones kept) and ruamel.yaml 0.17.21 (zones turned into naive UTC) construct them. */

const PATTERN =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(Z|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?)?\n?$/;
const MAX_MICRO = 999_999;
const DAY = 86_400;
const MS_OF_YEAR_1 = -62_135_596_800_000;
const MS_OF_YEAR_10000 = 253_402_300_800_000;

export type TimestampResult =
  | { readonly ok: true; readonly value: PyValue }
  /** `shape`: not a timestamp at all; `range`: a part is out of range. */
  | { readonly ok: false; readonly why: "shape" | "range"; readonly what: string };

interface Zone {
  readonly sign: string;
  /** Seconds, without the sign. */
  readonly seconds: number;
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
  readonly utc: boolean;
  readonly zone: Zone | undefined;
}

function rangeError(what: string): TimestampResult {
  return { ok: false, why: "range", what };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A date or moment as the loader reads it from a text that looks like one. */
export function parseTimestamp(text: string, dialect: "pyyaml" | "ruamel"): TimestampResult {
  const match = PATTERN.exec(text);
  if (match === null) return { ok: false, why: "shape", what: "This is not a timestamp." };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (year < 1) return rangeError("The year must be 1 to 9999.");
  if (month < 1 || month > 12) return rangeError("The month must be 1 to 12.");
  if (day < 1 || day > daysIn(year, month)) return rangeError("This month has no such day.");
  if (match[4] === undefined) return { ok: true, value: { t: "date", v: `datetime.date(${year}, ${month}, ${day})` } };
  if (hour > 23) return rangeError("The hour must be 0 to 23.");
  if (minute > 59) return rangeError("The minute must be 0 to 59.");
  if (second > 59) return rangeError("The second must be 0 to 59.");
  const sign = match[9];
  const zone =
    sign === undefined ? undefined : { sign, seconds: Number(match[10]) * 3600 + Number(match[11] ?? 0) * 60 };
  const parts: Parts = {
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction: match[7] ?? "",
    utc: match[8] !== undefined,
    zone,
  };
  return dialect === "pyyaml" ? withZone(parts) : naiveUtc(parts);
}

function micros(fraction: string): number {
  return Number(fraction.slice(0, 6).padEnd(6, "0"));
}

function datetimeRepr(fields: readonly number[], zone: string): string {
  const shown = [...fields];
  while (shown.length > 5 && shown[shown.length - 1] === 0) shown.pop();
  return `datetime.datetime(${shown.join(", ")}${zone === "" ? "" : `, tzinfo=${zone}`})`;
}

function zoneRepr(zone: Zone): string {
  const seconds = zone.sign === "-" ? -zone.seconds : zone.seconds;
  if (seconds === 0) return "datetime.timezone.utc";
  const days = Math.floor(seconds / DAY);
  const rest = seconds - days * DAY;
  const parts = [...(days === 0 ? [] : [`days=${days}`]), ...(rest === 0 ? [] : [`seconds=${rest}`])];
  return `datetime.timezone(datetime.timedelta(${parts.join(", ")}))`;
}

function withZone(p: Parts): TimestampResult {
  if (p.zone !== undefined && p.zone.seconds >= DAY) return rangeError("A time zone must be less than 24 hours.");
  const zone = p.zone !== undefined ? zoneRepr(p.zone) : p.utc ? "datetime.timezone.utc" : "";
  const fields = [p.year, p.month, p.day, p.hour, p.minute, p.second, micros(p.fraction)];
  return { ok: true, value: { t: "datetime", v: datetimeRepr(fields, zone) } };
}

/** ruamel rounds to microseconds, and where that carries into the next second it moves the time instead. */
function naiveUtc(p: Parts): TimestampResult {
  let micro = micros(p.fraction);
  if (p.fraction.length > 6 && Number(p.fraction[6]) > 4) micro++;
  const carries = micro > MAX_MICRO;
  let shift = 0;
  if (p.zone !== undefined) {
    shift = p.zone.seconds + (carries ? 1 : 0);
    if (p.zone.sign === "-") shift = -shift;
  } else if (carries) shift = -1;
  const at = new Date(0);
  at.setUTCFullYear(p.year, p.month - 1, p.day);
  at.setUTCHours(p.hour, p.minute, p.second - shift);
  if (at.getTime() < MS_OF_YEAR_1 || at.getTime() >= MS_OF_YEAR_10000)
    return rangeError("The time lies outside the years 1 to 9999 once its zone is applied.");
  const fields = [
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    carries ? 0 : micro,
  ];
  return { ok: true, value: { t: "datetime", v: datetimeRepr(fields, "") } };
}
