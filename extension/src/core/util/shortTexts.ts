/** Longest name, path or sentence that anybody looks at, UTF-16 units: as long as the longest path of Linux. */
export const SHORT_TEXT = 4_096;

/** A text of at most `most` UTF-16 units; where it was longer, its end says by how many. */
export function shortText(text: string, most = SHORT_TEXT): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return `${text.slice(0, end)}… (+${text.length - end})`;
}

/**
 * Plain data without cycles in which every text is short, but for those under a name in `whole`; the very same where all are. Names of
 * members are left as they are.
 */
export function withShortTexts<T>(value: T, most?: number, whole?: ReadonlySet<string>): T;
export function withShortTexts(value: unknown, most = SHORT_TEXT, whole: ReadonlySet<string> = new Set()): unknown {
  if (typeof value === "string") return shortText(value, most);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  let changed = false;
  const short = (one: unknown): unknown => {
    const next: unknown = withShortTexts(one, most, whole);
    changed ||= next !== one;
    return next;
  };
  if (Array.isArray(value)) {
    const items = value.map(short);
    return changed ? items : value;
  }
  const members = Object.entries(value).map(([name, one]) => [name, whole.has(name) ? one : short(one)] as const);
  return changed ? Object.fromEntries(members) : value;
}
