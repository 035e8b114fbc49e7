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

/** `10,300` → `10.3k`, `15,000,000` → `15.00M`, rounded as in the inspector; small numbers stay exact. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_950) return `${(tokens / 1_000).toFixed(1)}k`;
  const [whole = "", decimals = ""] = (tokens / 1_000_000).toFixed(2).split(".");
  return `${grouped(whole)}.${decimals}M`;
}

/** `1 result`, `2 results`, `1,024 results`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** `≈ 12.3 %`: a share of which either number is estimated; `–` where there is no whole. */
export function aboutPercent(part: number, whole: number): string {
  return whole === 0 ? "–" : `≈ ${percent(part, whole)}`;
}

/** `12.3 %`; `–` where there is no whole. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
