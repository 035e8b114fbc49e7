/** Times as the tree writes them, in the user's locale. */
export interface Moments {
  /** `14 Aug 18:03`, with the year instead of the time when it is not this one. */
  short(ms: number): string;
  /** Date and time in full. */
  long(ms: number): string;
}

export function momentsFor(locale: string, thisYear = new Date().getFullYear()): Moments {
  const recent = formatter(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  const older = formatter(locale, { day: "numeric", month: "short", year: "numeric" });
  const long = formatter(locale, { dateStyle: "full", timeStyle: "medium" });
  return {
    short: (ms) => (new Date(ms).getFullYear() === thisYear ? recent : older).format(ms),
    long: (ms) => long.format(ms),
  };
}

/** VS Code's display language can be a tag that the runtime does not know (a pseudo-locale); then English. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.DateTimeFormat("en", options);
  }
}
