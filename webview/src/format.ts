import { percent, shortNumber } from "../../extension/src/core/util/numbers";

/** Numbers as the user's locale writes them. Unknown is an en dash, never 0. */
export const UNKNOWN = "–";

export interface Format {
  /** `41,203` */
  count(value: number | null): string;
  /** `999`, `28.1k`, `1.10M`, `4.56G` */
  short(value: number | null): string;
  /** `4.2%` in the locale's way; see `percent`. */
  percent(part: number, whole: number): string;
  /** `12.3 MB`, decimal units as the explorer shows them. */
  bytes(value: number): string;
}

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
  const digits = [whole, oneDigit, twoDigits] as const;
  const percentWhole = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 });
  const percentFine = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 });
  return {
    count: (value) => (value === null ? UNKNOWN : whole.format(value)),
    short: (value) => (value === null ? UNKNOWN : shortNumber(value, (one, decimals) => digits[decimals].format(one))),
    percent: (part, total) =>
      percent(part, total, (share, decimals) => (decimals === 0 ? percentWhole : percentFine).format(share)),
    bytes: (value) => {
      if (value < 1000) {
        return `${whole.format(value)} B`;
      }
      return value < 999_950 ? `${oneDigit.format(value / 1000)} kB` : `${oneDigit.format(value / 1_000_000)} MB`;
    },
  };
}

/** A short number without a fraction that is zero: `200k`, `258.4k`. */
export function roundShort(value: number, format: Format): string {
  return format.short(value).replace(/[.,]0+(?=[kMG])/u, "");
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
