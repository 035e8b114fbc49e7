import { DEFAULTS } from "../core/config/defaults";

/** How sizes are written for a person, in the person's locale. Unknown locales fall back to English. */
export interface Format {
  /** `39,321`; `never persisted` for Infinity. */
  chars(value: number | bigint): string;
  /** `0.7` with up to three digits after the point. */
  fraction(value: number): string;
  /** `≈ 9.8k tok`: an estimate of 4 characters per token, as Hermes scales its budgets. */
  tokens(chars: number | bigint): string;
}

/** Numbers for a locale; English where the runtime does not know it, or none is given. */
export function createFormat(locale: string | undefined): Format {
  const numbers = numberFormat(locale, 1);
  const fractions = numberFormat(locale, 3);
  return {
    fraction: (value) => fractions.format(value),
    chars: (value) => (value === Number.POSITIVE_INFINITY ? "never persisted" : whole(value, numbers)),
    tokens: (chars) => `≈ ${short(Number(chars) / DEFAULTS.charsPerToken, numbers)} tok`,
  };
}

/** More digits than this say nothing more; Python's integers have no end. */
const MAX_DIGITS = 24;

function whole(value: number | bigint, numbers: Intl.NumberFormat): string {
  const digits = typeof value === "bigint" ? String(value).replace("-", "") : "";
  if (digits.length <= MAX_DIGITS) return numbers.format(value);
  return `${value < 0 ? "-" : ""}${digits.slice(0, 6)}… (${digits.length} digits)`;
}

function numberFormat(locale: string | undefined, maximumFractionDigits: number): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale ?? "en", { maximumFractionDigits });
  } catch (error) {
    // The client's locale is whatever the environment says; RangeError = no such locale.
    if (error instanceof RangeError) return new Intl.NumberFormat("en", { maximumFractionDigits });
    throw error;
  }
}

function short(tokens: number, numbers: Intl.NumberFormat): string {
  if (tokens >= 1e6) return `${numbers.format(tokens / 1e6)}M`;
  if (tokens >= 1e3) return `${numbers.format(tokens / 1e3)}k`;
  return numbers.format(Math.ceil(tokens));
}
