const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

const MINUTE_MS = 60_000;
/** What a bound that is written less finely leaves open, in milliseconds. */
const SPAN_MS = { day: 86_400_000, minute: MINUTE_MS, second: 1_000, exact: 1 } as const;

/**
 * A bound in milliseconds since the epoch; undefined when it is no moment. Bounds are inclusive, so an end that names a day,
 * a minute or a second takes in all of it.
 * @param utcOffset minutes east of UTC for moments without a zone of their own.
 */
export function readMoment(text: string, isEnd: boolean, utcOffset: number): number | undefined {
  const found = MOMENT.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = found;
  const at = `${year}-${month}-${day}T${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}.${(fraction ?? "").padEnd(3, "0")}Z`;
  const asUtc = Date.parse(at);
  // Date.parse rolls 2026-02-30 over to March.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  const span =
    hour === undefined ? "day" : second === undefined ? "minute" : fraction === undefined ? "second" : "exact";
  return asUtc - zoneMinutes(zone, utcOffset) * MINUTE_MS + (isEnd ? SPAN_MS[span] - 1 : 0);
}

function zoneMinutes(zone: string | undefined, utcOffset: number): number {
  if (zone === undefined) return utcOffset;
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith("-") ? -minutes : minutes;
}
