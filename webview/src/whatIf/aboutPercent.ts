import { type Format, UNKNOWN } from "../format";

/** A share of which either number is estimated, with the sign for it; `–` where there is no whole. */
export function aboutPercent(part: number, whole: number, format: Format): string {
  const share = format.percent(part, whole);
  return share === UNKNOWN ? share : `≈\u00a0${share}`;
}
