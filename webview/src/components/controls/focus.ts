/** Whether the element that had the page's focus is gone or disabled: keys then reach nothing. False in a page without focus. */
export const focusIsLost = (): boolean =>
  document.hasFocus() && (document.activeElement === null || document.activeElement === document.body);
