/** Long enough to be left in place while its record is parsed; with characters of one to four bytes and escapes. */
export const LONG = `Zeile „eins“ 🙂 – ${'日本語 text \\ " \t'.repeat(30)}\u0007`;
