import { expect, test } from "vitest";
import { nextSort } from "../../webview/src/rows";

test("a column head goes natural, reversed, transcript order", () => {
  const numbers = nextSort(null, "chars");
  expect(numbers).toEqual({ key: "chars", descending: true });
  expect(nextSort(numbers, "chars")).toEqual({ key: "chars", descending: false });
  expect(nextSort({ key: "chars", descending: false }, "chars")).toBeNull();
  expect(nextSort(numbers, "tool")).toEqual({ key: "tool", descending: false });
});
