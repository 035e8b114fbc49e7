import { describe, expect, it } from "vitest";
import {
  isSatisfiable,
  PRUNE_DEFAULTS,
  PRUNE_MARKER,
  PRUNE_MARKER_CHARS,
  pruneContent,
  prunedChars,
  resolvePruneConfig,
} from "../../../extension/src/core/compaction/hermes/pruneContent";
import { pythonDumps } from "../../../extension/src/core/compaction/hermes/pythonText";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { hasCorpus } from "../../corpus";
import { get, isTrue, list, number, readRecorded, string } from "./oracle";
import { untagPy } from "./tagged";

describe("prune of the middle", () => {
  it("the marker is 39 code points and the defaults fit", () => {
    expect(countCodePoints(PRUNE_MARKER)).toBe(PRUNE_MARKER_CHARS);
    expect(isSatisfiable({ threshold: 5159n, head: 4096n, tail: 1024n })).toBe(true);
    expect(isSatisfiable({ threshold: 5158n, head: 4096n, tail: 1024n })).toBe(false);
  });
});

describe.skipIf(!hasCorpus)("PR #85479", () => {
  const oracle = hasCorpus ? readRecorded("prune85479.json") : undefined;

  it("config", () => {
    const configs = list(get(oracle, "configs"));
    expect(configs).toHaveLength(81);
    for (const one of configs) {
      const { enabled, threshold, head, tail } = resolvePruneConfig(untagPy(get(one, "config")));
      // One infinite threshold was recorded without a result; the real code falls back to the defaults there.
      const result = get(one, "result");
      if (result === undefined) {
        expect({ enabled, threshold, head, tail }).toEqual(PRUNE_DEFAULTS);
        continue;
      }
      const [on, ...numbers] = list(result);
      const got = [String(enabled), String(threshold), String(head), String(tail)];
      expect(got, pythonDumps(get(one, "config") ?? { kind: "literal", text: "null" })).toEqual(
        [on, ...numbers].map((value) => (value?.kind === "literal" ? value.text : "?")),
      );
    }
  });

  it("texts and part lists", () => {
    const cases = list(get(oracle, "cases"));
    expect(cases).toHaveLength(110);
    for (const [index, one] of cases.entries()) {
      const recorded = get(one, "content");
      const raw = recorded?.kind === "object" ? recorded.members.get("raw") : undefined;
      const content = raw ?? recorded ?? { kind: "literal", text: "null" };
      const sizes = {
        threshold: number(get(one, "threshold")),
        head: number(get(one, "head")),
        tail: number(get(one, "tail")),
      };
      const output = pruneContent(content, sizes);
      if (isTrue(get(one, "unchanged"))) {
        expect(output, `case ${index}`).toBe(content);
        continue;
      }
      const expected = get(one, "output") ?? { kind: "literal", text: "null" };
      expect(pythonDumps(output, { sortKeys: true }), `case ${index}`).toBe(pythonDumps(expected, { sortKeys: true }));
      if (content.kind === "string") {
        expect(prunedChars(countCodePoints(content.text), sizes)).toBe(countCodePoints(string(output)));
      }
      expect(pruneContent(output, sizes), `case ${index} again`).toBe(output);
    }
  });
});
