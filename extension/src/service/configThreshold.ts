import { budgetForContextWindow } from "../core/config/budgets";
import { checkConfig } from "../core/config/check";
import { applyEdits } from "../core/config/edits";
import { effectiveConfig } from "../core/config/effective";
import { InForce, statedWindow } from "../core/config/explain";
import { FULL_KEY } from "../core/config/keys";
import { setThreshold } from "../core/config/setThreshold";
import type { CheckedDocument } from "./context";

/** What a config says about the persist threshold; shape of `ConfigThresholdResult`. */
export function configThreshold(checked: CheckedDocument) {
  const { check, document, options } = checked;
  const { environment, managed } = options;
  const inForce = new InForce(effectiveConfig({ user: check.load, environment, managed }));
  const persist = inForce.value(FULL_KEY);
  const windowTokens = statedWindow(inForce)?.tokens ?? options.contextLength ?? null;
  const scaled = (tokens: number | undefined): number => budgetForContextWindow(tokens).perResult;
  return {
    threshold: persist.t === "int" && persist.v <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(persist.v) : null,
    scaled:
      windowTokens === null
        ? { from: scaled(1), to: scaled(undefined) }
        : { from: scaled(windowTokens), to: scaled(windowTokens) },
    windowTokens,
    line: check.pair === undefined ? null : document.positionAt(check.pair.key.start).line,
  };
}

/** The edits that set the threshold, and what else decides; shape of `SetThresholdResult`. */
export function thresholdEdits({ check, document, options, text }: CheckedDocument, threshold: number) {
  const fix = setThreshold(text, check, threshold, options);
  if (fix === undefined) {
    const { failure } = check.load;
    return { edits: null, notes: failure === undefined ? [] : [failure.message] };
  }
  const changed = checkConfig(applyEdits(text, fix.edits), options);
  return {
    edits: fix.edits.map(({ range, newText }) => ({
      start: document.positionAt(range.start),
      end: document.positionAt(range.end),
      newText,
    })),
    notes: changed.problems
      .filter(
        ({ code, range }) => code === "managed-override" && changed.pair !== undefined && within(range, changed.pair),
      )
      .map(({ message }) => message),
  };
}

function within(
  range: { readonly start: number; readonly end: number },
  pair: { readonly key: { readonly start: number }; readonly value: { readonly end: number } },
): boolean {
  return range.start >= pair.key.start && range.end <= pair.value.end;
}
