import { describe, expect, it } from "vitest";
import { normalizePersistThreshold } from "../../../extension/src/core/config/normalize";
import { readPyInt } from "../../../extension/src/core/model/pyNumber";
import type { PyValue } from "../../../extension/src/core/model/pyValue";
import { pyStrip } from "../../../extension/src/core/util/pyStrip";
import { hasCorpus } from "../../corpus";
import { type RecordedText, readOracle, type Tagged, textOf, untag } from "../../oracle/tagged";

interface Case {
  readonly repr: RecordedText;
  readonly input: Tagged;
  readonly result: string | null;
}

describe.skipIf(!hasCorpus)("normalizePersistThreshold agrees with the recorded function", () => {
  const cases = hasCorpus ? readOracle<{ cases: readonly Case[] }>("normalize.json").cases : [];

  it("on all 620 values", () => {
    const wrong: string[] = [];
    for (const { repr, input, result } of cases) {
      const outcome = normalizePersistThreshold(untag(input));
      const threshold = outcome.verdict === "accepted" ? outcome.threshold : null;
      if (threshold !== (result === null ? null : BigInt(result))) {
        wrong.push(
          `${textOf(repr).slice(0, 60)}: ${JSON.stringify(outcome, (_, v) => (typeof v === "bigint" ? `${v}` : v))}`,
        );
      }
    }
    expect(wrong).toEqual([]);
    expect(cases).toHaveLength(620);
  });
});

describe("normalizePersistThreshold names the reason", () => {
  const text = (v: string): PyValue => ({ t: "str", v });
  it.each<[string, PyValue, string]>([
    ["none", { t: "NoneType" }, "none"],
    ["zero", { t: "int", v: 0n }, "zero"],
    ["negative", text("-5"), "negative"],
    ["false", { t: "bool", v: false }, "boolean"],
    ["20000.0", { t: "float", v: 20000 }, "float"],
    ["Decimal", { t: "other", type: "Decimal", repr: "Decimal('2')" }, "other-number"],
    ["bytes", { t: "bytes", v: new Uint8Array() }, "bytes"],
    ["list", { t: "list", v: [] }, "list"],
    ["dict", { t: "dict", v: [] }, "mapping"],
    ["set", { t: "set", v: [] }, "other-type"],
    ["date", { t: "date", v: "datetime.date(2026, 8, 14)" }, "date"],
    ["1e4", text("1e4"), "non-whole-string"],
    ["blank", text(" "), "non-whole-string"],
    ["empty", text(""), "empty-string"],
    ["4,301 digits", text("1".repeat(4301)), "string-too-long"],
  ])("%s", (_name, value, reason) => {
    expect(normalizePersistThreshold(value)).toMatchObject({ reason });
  });
});

describe("Python's own text rules", () => {
  it("skips the white space that int() skips and nothing else", () => {
    expect(pyStrip("\u0085\u00a0\u3000 7 \u2029\t")).toBe("7");
    expect(pyStrip("\ufeff7\u200b")).toBe("\ufeff7\u200b");
    expect(pyStrip("\u001c7\u001f")).toBe("\u001c7\u001f");
  });

  it("strips a long run of white space in linear time", () => {
    expect(pyStrip(`${" ".repeat(200_000)}x${" ".repeat(200_000)}y`)).toHaveLength(200_002);
  });

  it("int() takes single underscores between digits only", () => {
    expect(readPyInt(" 20_000 ")).toEqual({ kind: "whole", value: 20000n });
    expect(readPyInt("2__0").kind).toBe("not-whole");
    expect(readPyInt("_20").kind).toBe("not-whole");
  });
});
