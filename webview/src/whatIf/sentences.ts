/** What a run says, in plain words. Pure. */
import type { Policy, Reason } from "../../../extension/src/core/model/policy";
import type { WhatIfInput, WhatIfOutcome, WhatIfPolicyReport } from "../../../extension/src/protocol/whatIf";
import type { Format } from "../format";
import { aboutPercent } from "./aboutPercent";
import { whatIfStrings } from "./whatIfStrings";

const words = whatIfStrings.sentence;

/** Share above which rounding would say "all". */
const ALMOST = 0.99;

/** One or two sentences that sum up a run; every estimate in them carries ≈. */
export function summaryOf(input: WhatIfInput, outcome: WhatIfOutcome, threads: number, format: Format): string {
  const { policies } = input;
  if (policies.length === 0) {
    return words.none;
  }
  const where = threads > 1 ? words.thread : words.whole;
  const [first] = policies;
  const who =
    policies.length === 1 && first !== undefined
      ? whatDoes(first, format)
      : words.several(format.count(policies.length));
  const { before, saved } = outcome;
  const all = format.short(before.input);
  if (outcome.affected === 0 && saved.input === 0) {
    return who + words.nothing(where);
  }
  const what =
    saved.input < 0
      ? words.added(format.short(-saved.input), all, where)
      : words.kept(format.short(saved.input), all, where, aboutPercent(saved.input, before.input, format)) +
        cacheShare(saved, format);
  return `${who}${what}${breaksOf(outcome, format)}`;
}

function cacheShare({ input, cached, uncached }: WhatIfOutcome["saved"], format: Format): string {
  if (input <= 0) {
    return words.stop;
  }
  // More cache reads saved than input: what used to be cached has to be sent uncached now.
  return uncached < 0
    ? words.cacheOnly(format.short(cached), format.short(-uncached))
    : words.cacheReads(format.percent(Math.min(Math.max(0, cached), uncached > 0 ? input * ALMOST : input), input));
}

function breaksOf({ breaks }: WhatIfOutcome, format: Format): string {
  if (breaks.count === 0) {
    return "";
  }
  const paid = breaks.paysBackAfter === null ? words.unpaid : words.paid(format.count(breaks.paysBackAfter));
  return ` ${words.breaks(format.count(breaks.count))}${paid}`;
}

function whatDoes(policy: Policy, format: Format): string {
  switch (policy.kind) {
    case "persist":
      return policy.threshold === null ? words.persistScaled : words.persist(format.count(policy.threshold));
    case "prune":
      return words.prune(format.count(policy.threshold));
    case "micro":
      return words.micro(format.count(policy.keepRecent));
    case "clear":
      return words.clear(format.count(policy.triggerTokens));
    case "window":
      return words.window(format.count(policy.protectTokens));
    case "proactive":
      return words.proactive(format.count(policy.triggerTokens));
  }
}

/**
 * Lines below a card: what it replaced, before which calls it did nothing and why, and what it left alone and why.
 * @param others how many calls there are, when other policies ran too: what a later one replaced again counts as the later
 *   one's, so that a policy without a result may still have acted; null = it ran alone
 */
export function reportLines(report: WhatIfPolicyReport, others: number | null, format: Format): readonly string[] {
  const texts = whatIfStrings.report;
  const idle = sorted(report.idle).map(([why, count]) => texts.passes(format.count(count), whatIfStrings.reasons[why]));
  const kept = sorted(report.kept).map(([why, count]) => texts.kept(format.count(count), why));
  const passed = Object.values(report.idle).reduce((sum, count) => sum + count, 0);
  const acted = others !== null && passed < others;
  return [
    report.replaced === 0
      ? acted
        ? texts.nothingLeft
        : texts.nothing
      : `${texts.replaced(format.count(report.replaced))}.`,
    ...(idle.length === 0 ? [] : [`${texts.idleTitle} ${idle.join("; ")}.`]),
    ...(kept.length === 0 ? [] : [`${texts.keptTitle} ${kept.join("; ")}.`]),
  ];
}

/** The most frequent first. */
function sorted(counts: WhatIfPolicyReport["idle"]): readonly (readonly [Reason, number])[] {
  return (Object.entries(counts) as [Reason, number][])
    .filter(([why, count]) => count > 0 && Object.hasOwn(whatIfStrings.reasons, why))
    .sort(([, a], [, b]) => b - a);
}
