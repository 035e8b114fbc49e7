import fc from "fast-check";
import { expect, it } from "vitest";
import { linesOf } from "../../../../extension/src/client/agents/pathLines";

it("breaks after separators, and within a long name", () => {
  expect(linesOf("/home/dana/.hermes/sessions/session_20261006_064512_b0a7ed.json")).toEqual([
    "/home/dana/.hermes/sessions/",
    "session_20261006_064512_b0a7ed",
    ".json",
  ]);
  expect(linesOf("/short")).toEqual(["/short"]);
});

it("leaves nothing out, adds nothing, and splits no character", () => {
  const path = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("/", "\\", "\u{1f6a2}")));
  fc.assert(
    fc.property(path, (parts) => {
      const text = parts.join("");
      const lines = linesOf(text);
      expect(lines.join("")).toBe(text);
      for (const line of lines) expect([...line].length).toBeLessThanOrEqual(30);
      expect(lines.every((line) => line.isWellFormed() || !text.isWellFormed())).toBe(true);
    }),
  );
});
