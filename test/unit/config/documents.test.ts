import { describe, expect, it } from "vitest";
import { checkConfig } from "../../../extension/src/core/config/check";
import { hasCorpus } from "../../corpus";
import { type RecordedText, readOracle, textOf } from "../../oracle/tagged";

interface Outcome {
  readonly at?: "value" | "absent";
  readonly type?: string;
  readonly repr?: RecordedText;
  readonly normalized?: string | null;
  readonly error?: string;
}
interface Case {
  readonly name: string;
  readonly text?: RecordedText;
  readonly c?: Outcome;
  readonly pure?: Outcome;
  readonly hermes?: Outcome;
}

function casesOf(name: string): readonly Case[] {
  if (!hasCorpus) return [];
  return readOracle<{ cases: readonly Case[] }>(name).cases.filter((recorded) => recorded.text !== undefined);
}

describe.skipIf(!hasCorpus)("checkConfig comes to the verdict of the real loader and normaliser", () => {
  it.each([
    ["pyyaml", "pyyaml-documents.json"],
    ["ruamel", "ruamel-documents.json"],
  ] as const)("%s, on whole files", (loader, file) => {
    const wrong: string[] = [];
    const cases = casesOf(file);
    for (const recorded of cases) {
      const expected = loader === "pyyaml" ? recorded.c : (recorded.hermes ?? recorded.pure);
      if (expected === undefined) throw new Error(`${recorded.name} has no recorded outcome`);
      const result = checkConfig(textOf(recorded.text ?? ""), { loader });
      const threshold = expected.normalized == null ? null : BigInt(expected.normalized);
      const type = expected.at === "value" ? expected.type : undefined;
      const repr = type === undefined || expected.repr === undefined ? undefined : textOf(expected.repr);
      if (result.threshold !== threshold || result.value?.type !== type || result.value?.repr !== repr) {
        wrong.push(
          `${recorded.name}: ${result.value?.type} ${result.value?.repr} ${result.threshold}, recorded ${JSON.stringify(expected)}`,
        );
      }
      if (expected.error !== undefined && !result.problems.some((problem) => problem.severity === "error")) {
        wrong.push(`${recorded.name}: no error reported`);
      }
    }
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(300);
  });
});
