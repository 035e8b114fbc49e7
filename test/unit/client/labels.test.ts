import { describe, expect, it } from "vitest";
import { momentsFor } from "../../../extension/src/client/views/moments";
import { numbersFor } from "../../../extension/src/client/views/numbers";
import { resultLabel } from "../../../extension/src/client/views/sessionResults";
import { matching, nothingFound } from "../../../extension/src/client/views/sessionSearch";
import { sessionText, threadText } from "../../../extension/src/client/views/sessionWords";
import { labelText, withoutIcons } from "../../../extension/src/core/util/labelText";
import { PAYLOADS, TOWER } from "../../safety/hostileTranscripts";

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/u;
const words = { numbers: numbersFor("en"), moments: momentsFor("en") };

describe("names of sessions, threads and results in the editor's own lists", () => {
  it.each([...PAYLOADS, TOWER, "x".repeat(10_000_000), "a\n\nb\r\tc"].map((text) => [text.slice(0, 20), text]))(
    "%j is one short line without anything invisible",
    (_, text) => {
      const found = { path: `/h/${text}`, place: "/h", label: text, mtimeMs: 1, bytes: 5, project: text };
      const details = { title: text, model: text, project: text };
      const thread = { id: text, title: text, kind: "main" as const, model: text, project: text, source: text };
      const texts = [
        ...[sessionText(found as never, details as never, words), sessionText(found as never, undefined, words)],
        threadText(thread as never, words),
      ].flatMap(({ label, description, tooltip, spoken }) => [label, description, spoken, ...tooltip.split("\n")]);
      for (const shown of [...texts, resultLabel({ tool: text, turn: 1 } as never)]) {
        expect(shown).not.toMatch(HIDDEN);
        // What is hidden is written out with up to eight characters each.
        expect(shown.length).toBeLessThan(4_000);
      }
    },
  );

  it("an icon's name is a text where icons could stand", () => {
    expect(withoutIcons(labelText("$(zap) $($(x)) $x"))).toBe("\\$(zap) \\$(\\$(x)) $x");
  });
});

describe("a search for sessions without a hit", () => {
  it.each([true, false])("has a sentence and what to do, whatever was typed; trusted: %s", (isTrusted) => {
    for (const typed of ["", "  ", "harbour desk", ...PAYLOADS]) {
      expect(matching([], typed)).toEqual([]);
      const { label, detail } = nothingFound(typed, isTrusted);
      expect(label).toMatch(/^No session /);
      expect(label).not.toMatch(HIDDEN);
      expect(detail).toMatch(/[.]$/);
    }
    expect(nothingFound(" harbour ", isTrusted).label).toContain("harbour");
    // Where nothing is searched, nothing is said about what is there.
    expect(nothingFound("", isTrusted).label).toBe(isTrusted ? "No session was found" : "No session was looked for");
  });
});
