/** What the page itself knows of the rows' order. Which rows there are, the host says. */
import type { RowSort, SortKey } from "../../extension/src/core/model/rowQuery";

const NUMBERS_FIRST_DESCENDING: readonly SortKey[] = ["chars", "tokens", "full"];

/** What a click on a column head does: its natural direction, then the other, then the order of the transcript. */
export function nextSort(sort: RowSort, key: SortKey): RowSort {
  const natural = NUMBERS_FIRST_DESCENDING.includes(key);
  if (sort?.key !== key) {
    return { key, descending: natural };
  }
  return sort.descending === natural ? { key, descending: !natural } : null;
}
