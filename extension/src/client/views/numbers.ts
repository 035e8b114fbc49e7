/** Numbers as the interface writes them, in the user's locale. */
export interface Numbers {
  /** `41,203` */
  count(value: number): string;
  /** `41,203 chars`, or `1 char` */
  chars(value: number): string;
  /** `3 results`: the count and its noun; `plural` defaults to the noun with an s */
  of(value: number, noun: string, plural?: string): string;
  /** `12.3 MB`, decimal units */
  bytes(value: number): string;
  /** `25 hours`, `3 days`: a duration in its largest fitting unit, rounded down */
  age(ms: number): string;
}

export function numbersFor(locale: string): Numbers {
  const format = formatter(locale);
  const of = (value: number, noun: string, plural = `${noun}s`): string =>
    `${format.format(value)} ${value === 1 ? noun : plural}`;
  return {
    count: (value) => format.format(value),
    chars: (value) => of(value, "char"),
    of,
    bytes: (value) => {
      if (value < 1_000) return `${format.format(value)} B`;
      const [unit, name] = value < 999_950 ? [1_000, "kB"] : [1_000_000, "MB"];
      return `${format.format(Math.round((value / unit) * 10) / 10)} ${name}`;
    },
    age: (ms) => {
      const minutes = Math.floor(ms / 60_000);
      if (minutes < 120) return of(Math.max(minutes, 0), "minute");
      const hours = Math.floor(minutes / 60);
      return hours < 48 ? of(hours, "hour") : of(Math.floor(hours / 24), "day");
    },
  };
}

/** VS Code's display language can be a tag that the runtime does not know (a pseudo-locale); then English. */
function formatter(locale: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.NumberFormat("en");
  }
}
