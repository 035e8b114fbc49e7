/** Times as the tree writes them, in the user's locale. */
export interface Moments {
  /** `18:03` of today, else `14 Aug 18:03`, with the year instead of the time when it is not this one. */
  short(ms: number): string;
  /** Date and time in full. */
  long(ms: number): string;
}

/** @param clock milliseconds since the epoch, asked each time: a window stays open over midnight */
export function momentsFor(locale: string, clock: () => number = Date.now): Moments {
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const today = formatter(locale, time);
  const recent = formatter(locale, { day: "numeric", month: "short", ...time });
  const older = formatter(locale, { day: "numeric", month: "short", year: "numeric" });
  const long = formatter(locale, { dateStyle: "full", timeStyle: "medium" });
  return {
    short: (ms) => {
      const [date, now] = [new Date(ms), new Date(clock())];
      if (date.getFullYear() !== now.getFullYear()) return older.format(ms);
      return (date.toDateString() === now.toDateString() ? today : recent).format(ms);
    },
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
