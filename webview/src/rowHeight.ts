/** Pixels; the same as in VS Code's lists and tables. */
export const ROW_HEIGHT = 22;
/** Rows that one table can hold: Chromium draws nothing beyond 2^25 pixels. */
export const MAX_LISTED = 1_500_000;
