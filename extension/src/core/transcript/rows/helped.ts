/** Smaller files are read before a second thread has started and paid for itself: when every row makes events, and when none does. Bytes. */
export const HELPED_BYTES = 16 * 1024 * 1024;
export const HELPED_FOLD_BYTES = 128 * 1024 * 1024;
