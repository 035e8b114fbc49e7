/** `41203` → `41,203`; a text is digits only. Reports always group by commas, whatever the locale. */
export function grouped(value: number | bigint | string): string {
  const text = String(value);
  // `1e+21` and `Infinity` have no digits to group.
  const [, sign = "", digits] = /^(-?)(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const groups = [digits.slice(0, digits.length % 3)];
  for (let at = digits.length % 3; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return sign + groups.filter((group) => group !== "").join(",");
}

/** A rounded number with its sign: `−1,024`. */
export function signed(value: number): string {
  const whole = Math.round(value);
  return whole < 0 ? `−${grouped(-whole)}` : grouped(whole);
}

/** Writes a number with exactly so many decimals. */
export type WriteNumber = (value: number, decimals: 0 | 1 | 2) => string;

/** `999`, `10.3k`, `1.10M`, `4.56G`: the same steps in reports and in the page, whose locale writes the digits. */
export function shortNumber(value: number, write: WriteNumber = writeNumber): string {
  if (value < 1_000) return write(value, 0);
  // 999,950 and above would read "1,000.0k", 999,995,000 and above "1,000.00M".
  if (value < 999_950) return `${write(value / 1e3, 1)}k`;
  return value < 999_995_000 ? `${write(value / 1e6, 2)}M` : `${write(value / 1e9, 2)}G`;
}

function writeNumber(value: number, decimals: 0 | 1 | 2): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
}

/** `1 result`, `2 results`, `1,024 results`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** Smallest share, and smallest distance from the whole, that one decimal of a percentage can show. */
const LEAST_SHARE = 0.001;
/** Above it a percentage without decimals could read as the whole. */
const ALMOST_ALL = 0.99;

/** Writes a share of 1 as a percentage with at most so many decimals. */
export type WriteShare = (share: number, decimals: 0 | 1) => string;

/**
 * `4.2%`, `42%`, `99.7%`: one decimal below 10 % and above 99 %, none between. What is not nothing is never `0%`, what is not all is
 * never `100%`, and there is no share of nothing: `–`. The same in reports and in the page, whose locale writes the digits and the sign.
 */
export function percent(part: number, whole: number, write: WriteShare = writeShare): string {
  if (whole <= 0) return "–";
  const share = part / whole;
  const size = Math.abs(share);
  if (size > 0 && size < LEAST_SHARE) return share > 0 ? `< ${write(LEAST_SHARE, 1)}` : `> ${write(-LEAST_SHARE, 1)}`;
  const isAlmostAll = size > ALMOST_ALL && size < 1;
  if (isAlmostAll && size > 1 - LEAST_SHARE)
    return share > 0 ? `> ${write(1 - LEAST_SHARE, 1)}` : `< ${write(LEAST_SHARE - 1, 1)}`;
  return write(share, size < 0.1 || isAlmostAll ? 1 : 0);
}

/** `≈ 4.2%`: a share of which either number is estimated. */
export function aboutPercent(part: number, whole: number): string {
  return whole <= 0 ? percent(part, whole) : `≈ ${percent(part, whole)}`;
}

function writeShare(share: number, decimals: 0 | 1): string {
  const digits = (100 * Math.abs(share)).toFixed(decimals).replace(/\.0$/, "");
  return `${share < 0 ? "−" : ""}${digits}%`;
}
