import { describe, expect, it } from "vitest";
import { savedAt, thresholdCurve } from "../../../extension/src/core/compaction/curve";
import { CANDIDATE_THRESHOLDS, POLICY_DEFAULTS } from "../../../extension/src/core/compaction/policy";
import {
  blockChars,
  notSavedChars,
  plainCut,
  spillPathChars,
} from "../../../extension/src/core/compaction/replacement";
import { SIM_OPTIONS, Simulation } from "../../../extension/src/core/compaction/simulate";
import { notSavedText, persistText } from "../../../extension/src/core/results/block";
import { cutPreview } from "../../../extension/src/core/results/preview";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { Random } from "../../oracle/random";
import { makeSteps, makeThread } from "./generate";

const characters = { charsPerToken: 1, itemTokens: 0, imageTokens: 0 };

describe("lengths of notices", () => {
  it("are those of the notices themselves", () => {
    const random = new Random(7);
    const sizes = [1_048_575, 1_048_576, 0, 9, 999, 1000, 1500, 1501, 9_999, 10_000];
    for (let n = 0; n < 200; n++) {
      const size = sizes[n] ?? random.int(0, 12_000);
      const letters = n < 2 ? "x" : random.pick(["x", "é", "😀", "ab\n", "\n"]);
      const sound = letters
        .repeat(size)
        .slice(0, random.chance(0.5) ? size : undefined)
        .toWellFormed();
      const cut = cutPreview(sound);
      const facts = { chars: countCodePoints(sound), preview: cut.chars, hasMore: cut.hasMore };
      const path = `/home/user/.hermes/cache/spillover/call_${random.int(0, 10 ** 9)}.txt`;
      for (const era of ["recovery", "plain"] as const)
        expect(blockChars(facts, path.length, era)).toBe(countCodePoints(persistText(sound, path, era).block));
      expect(notSavedChars(facts)).toBe(countCodePoints(notSavedText(sound)));
    }
  });

  it("a path counts its folder, and an id is cut at the bar", () => {
    expect(spillPathChars("call_1|item_2", 10)).toBe(10 + "/call_1.txt".length);
    expect(spillPathChars("functions.terminal:1", 10)).toBe(10 + "/functions.terminal_1_77b5399b9464.txt".length);
    expect(spillPathChars(undefined, 10)).toBe(10 + "/tool_result.txt".length);
    expect(plainCut(1500)).toEqual({ chars: 1500, preview: 1500, hasMore: false });
  });
});

describe("the threshold curve", () => {
  it("agrees with a simulation of every threshold", async () => {
    const random = new Random(11);
    for (let n = 0; n < 40; n++) {
      const made = await makeThread(makeSteps(random, random.int(1, 14), 4000));
      const rules = {
        ...POLICY_DEFAULTS.persist,
        mcpResult: random.int(100, 3000),
        overrides: random.chance(0.5) ? { terminal: random.int(1, 3000) } : {},
        era: random.pick(["recovery", "plain"] as const),
      };
      const curve = thresholdCurve(made.thread, made.facts, rules);
      const simulation = new Simulation(made.thread, made.facts, { ...SIM_OPTIONS, tokens: characters });
      const around = [...curve.steps].flatMap((step) => [step - 1, step, step + 1]);
      for (const threshold of [...around, 1, 100_000, ...CANDIDATE_THRESHOLDS].filter((t) => t >= 1)) {
        const outcome = simulation.run([{ ...rules, threshold, turnBudget: false }]);
        const point = savedAt(curve, threshold);
        expect(point.saved, `thread ${n}, threshold ${threshold}`).toBe(outcome.totals.saved.input);
        const gone = outcome.affected.filter((one) => one.action === "persisted");
        const sent = gone.filter((one) => {
          const item = made.thread.results.item[one.result] ?? 0;
          return (made.thread.items.endCall[item] ?? 0) > (made.thread.items.firstCall[item] ?? 0);
        });
        expect(point.results).toBe(sent.length);
        expect(point.savedFirst).toBe(sent.reduce((sum, one) => sum + one.before - one.after, 0));
      }
    }
  });
});
