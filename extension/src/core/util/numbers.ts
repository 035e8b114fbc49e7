/** `41203` → `41,203`. Reports always group by commas, whatever the locale. */
export function grouped(value: number | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** A rounded number with its sign: `−1,024`. */
export function signed(value: number): string {
  const whole = Math.round(value);
  return whole < 0 ? `−${grouped(-whole)}` : grouped(whole);
}

/** `10,300` → `10.3k`, `15,000,000` → `15.0M`; small numbers stay exact. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [unit, letter] = tokens < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${grouped(Math.floor(tokens / unit))}.${Math.floor((tokens % unit) / (unit / 10))}${letter}`;
}

/** `1 result`, `2 results`, `1,024 results`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** `12.3 %`; `–` where there is no whole. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
