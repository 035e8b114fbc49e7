import { describe, expect, it } from "vitest";
import { pythonDumps } from "../../../extension/src/core/compaction/hermes/pythonText";
import type { PythonJson } from "../../../extension/src/core/util/pythonJson";
import { hasCorpus } from "../../corpus";
import { minResultChars, proactivePrune } from "../../oracle/hermes/proactive";
import { pruneOldResults } from "../../oracle/hermes/pruneOld";
import { tailTokens } from "../../oracle/hermes/tailTokens";
import { type Dict, dict, get, isNull, isTrue, list, number, readRecorded, string } from "./oracle";

/** What a pass changed: index and the new values, as recorded. */
function changesOf(before: readonly Dict[], after: readonly Dict[]): string[] {
  expect(after).toHaveLength(before.length);
  const changes: string[] = [];
  for (const [index, message] of after.entries()) {
    const old = before[index];
    const members: [string, PythonJson][] = [["i", { kind: "literal", text: String(index) }]];
    for (const [key, value] of message.members) {
      const was = old?.members.get(key);
      if (was === undefined || pythonDumps(was) !== pythonDumps(value)) members.push([key, value]);
    }
    if (members.length > 1) changes.push(pythonDumps({ kind: "object", members: new Map(members) }));
  }
  return changes;
}

describe.skipIf(!hasCorpus)("Hermes' prune passes", () => {
  const oracle = hasCorpus ? readRecorded("dedupe-demote.json") : undefined;

  it("duplicates, one-line summaries, arguments, images and pressure", () => {
    const cases = list(get(oracle, "cases"));
    expect(cases).toHaveLength(120);
    for (const [index, one] of cases.entries()) {
      const label = `case ${index}, ${string(get(one, "label"))}`;
      const messages = list(get(one, "messages")).map(dict);
      const tokens = get(one, "protect_tail_tokens");
      expect(
        messages.map((message) => tailTokens(message)),
        label,
      ).toEqual(list(get(one, "budget_tokens")).map(number));
      const outcome = pruneOldResults(messages, {
        protectTailCount: number(get(one, "protect_tail_count")),
        protectTailTokens: isNull(tokens) ? undefined : number(tokens),
        minPruneChars: number(get(one, "min_prune_chars")),
      });
      expect(changesOf(messages, outcome.messages), label).toEqual(
        list(get(one, "changes")).map((c) => pythonDumps(c)),
      );
      expect(outcome.pruned, label).toBe(number(get(one, "pruned")));
    }
  });

  it("two proactive prunes in a row", () => {
    const cases = list(get(oracle, "proactive"));
    expect(cases).toHaveLength(30);
    for (const [index, one] of cases.entries()) {
      const config = get(one, "config");
      const options = {
        tokens: number(get(config, "proactive_prune_tokens")),
        minResultChars: number(get(config, "proactive_prune_min_result_chars")),
        minReclaimTokens: number(get(config, "proactive_prune_min_reclaim_tokens")),
        protectFirst: number(get(config, "protect_first_n")),
        protectLast: number(get(config, "protect_last_n")),
      };
      expect(minResultChars(options)).toBe(number(get(get(one, "effective"), "min_result_chars")));
      const current = get(one, "current_tokens");
      let messages: readonly Dict[] = list(get(one, "messages")).map(dict);
      let rearm = 0;
      for (const [call, step] of list(get(one, "steps")).entries()) {
        const label = `case ${index}, call ${call + 1}`;
        const outcome = proactivePrune(messages, options, isNull(current) ? undefined : number(current), rearm);
        expect(outcome.reason === undefined, label).toBe(!isTrue(get(step, "unchanged")));
        expect(outcome.pruned, label).toBe(number(get(step, "pruned")));
        expect(outcome.rearmTokens, label).toBe(number(get(step, "rearm_tokens")));
        const weigh = (all: readonly Dict[]) => all.reduce((sum, message) => sum + tailTokens(message), 0);
        expect(weigh(messages), label).toBe(number(get(step, "before_tokens")));
        expect(weigh(outcome.messages), label).toBe(number(get(step, "after_tokens")));
        expect(changesOf(messages, outcome.messages), label).toEqual(
          list(get(step, "changes")).map((c) => pythonDumps(c)),
        );
        messages = outcome.messages;
        rearm = outcome.rearmTokens;
      }
    }
  });
});
