/** Numbers as the user's locale writes them. Unknown is an en dash, never 0. */
export const UNKNOWN = "–";

export interface Format {
  /** `41,203` */
  count(value: number | null): string;
  /** `999`, `28.1k`, `1.10M`, `4.56G` */
  short(value: number | null): string;
  /** `4.2 %` in the locale's way; one decimal below 10 %; what is not nothing is never `0 %`. */
  percent(part: number, whole: number): string;
  /** `12.3 MB`, decimal units as the explorer shows them. */
  bytes(value: number): string;
}

/** Smallest share that one decimal of a percentage can show. */
const LEAST_SHARE = 0.001;

const cache = new Map<string, Format>();

/** Falls back to the runtime's own locale when `locale` is not a valid tag. */
export function formatFor(locale: string): Format {
  let format = cache.get(locale);
  if (format === undefined) {
    format = createFormat(locale);
    cache.set(locale, format);
  }
  return format;
}

function createFormat(locale: string): Format {
  const tag = supported(locale);
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const oneDigit = new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const twoDigits = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percentWhole = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 });
  const percentFine = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 });
  return {
    count: (value) => (value === null ? UNKNOWN : whole.format(value)),
    short: (value) => {
      if (value === null) {
        return UNKNOWN;
      }
      if (value < 1000) {
        return whole.format(value);
      }
      // 999,950 and above would read "1,000.0k", 999,995,000 and above "1,000.00M"
      if (value < 999_950) {
        return `${oneDigit.format(value / 1000)}k`;
      }
      return value < 999_995_000 ? `${twoDigits.format(value / 1e6)}M` : `${twoDigits.format(value / 1e9)}G`;
    },
    percent: (part, total) => {
      if (total <= 0) {
        return UNKNOWN;
      }
      const share = part / total;
      if (share > 0 && share < LEAST_SHARE) {
        return `< ${percentFine.format(LEAST_SHARE)}`;
      }
      return (share < 0.1 ? percentFine : percentWhole).format(share);
    },
    bytes: (value) => {
      if (value < 1000) {
        return `${whole.format(value)} B`;
      }
      return value < 999_950 ? `${oneDigit.format(value / 1000)} kB` : `${oneDigit.format(value / 1_000_000)} MB`;
    },
  };
}

function supported(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0];
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined; // not a language tag at all
    }
    throw error;
  }
}
