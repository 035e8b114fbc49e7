/** Pixels; the same as in VS Code's lists and tables. */
export const ROW_HEIGHT = 22;
