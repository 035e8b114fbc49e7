import { describe, expect, it } from "vitest";
import { prunedChars, pruneText } from "../../../extension/src/core/compaction/hermes/pruneText";
import { PRUNE_MARKER } from "../../../extension/src/core/config/settings/prune";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { hasCorpus } from "../../corpus";
import { get, isTrue, list, number, readRecorded, string } from "./oracle";

describe("the marker where the middle was", () => {
  it("is 39 code points, each of them one UTF-16 unit", () => {
    expect(countCodePoints(PRUNE_MARKER)).toBe(39);
    expect(PRUNE_MARKER).toHaveLength(39);
  });
});

describe.skipIf(!hasCorpus)("PR #85479", () => {
  const oracle = hasCorpus ? readRecorded("prune85479.json") : undefined;

  it("prunes the middle of texts", () => {
    let texts = 0;
    for (const [index, one] of list(get(oracle, "cases")).entries()) {
      const content = get(one, "content");
      if (content?.kind !== "string") continue;
      texts++;
      const { text } = content;
      const sizes = {
        threshold: number(get(one, "threshold")),
        head: number(get(one, "head")),
        tail: number(get(one, "tail")),
      };
      const pruned = isTrue(get(one, "unchanged")) ? text : string(get(one, "output"));
      expect(pruneText(text, sizes), `case ${index}`).toBe(pruned);
      expect(prunedChars(countCodePoints(text), sizes), `case ${index}`).toBe(countCodePoints(pruned));
      expect(pruneText(pruned, sizes), `case ${index} again`).toBe(pruned);
    }
    expect(texts).toBeGreaterThan(50);
  });
});
