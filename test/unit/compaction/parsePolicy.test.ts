import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../extension/src/core/compaction/parsePolicy";
import { POLICY_DEFAULTS, PRESETS } from "../../../extension/src/core/compaction/policy";
import { POLICY_BOUNDS, POLICY_FIELDS } from "../../../extension/src/core/compaction/policyFields";

const DEFAULTS = Object.values(POLICY_DEFAULTS);

describe("a policy from outside", () => {
  it.each(PRESETS)("$id comes through as it is", ({ policy }) => {
    expect(parsePolicy(structuredClone(policy))).toEqual(policy);
  });

  it.each(DEFAULTS)("$kind has exactly the members of its table", (policy) => {
    const members = Object.keys(policy).filter((key) => key !== "kind");
    expect(POLICY_FIELDS[policy.kind].map(({ key }) => key).sort()).toEqual(members.sort());
  });

  it.each(DEFAULTS)("$kind with any one member missing or of another type is refused", (policy) => {
    for (const key of Object.keys(policy)) {
      const { [key]: _, ...rest } = policy as Record<string, unknown>;
      expect(parsePolicy(rest), key).toBeUndefined();
      for (const bad of [undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 60, [1], { a: "1" }, () => 1])
        expect(parsePolicy({ ...policy, [key]: bad }), `${key} ${String(bad)}`).toBeUndefined();
    }
  });

  it("bounds texts, lists and names, and takes nothing along", () => {
    const { micro, clear, persist, window } = POLICY_DEFAULTS;
    const long = "x".repeat(POLICY_BOUNDS.text + 1);
    expect(parsePolicy({ ...micro, placeholder: long })).toBeUndefined();
    expect(parsePolicy({ ...persist, folder: long })).toBeUndefined();
    expect(parsePolicy({ ...window, notice: 1e9 })).toBeUndefined();
    expect(parsePolicy({ ...clear, excludeTools: Array(POLICY_BOUNDS.entries + 1).fill("x") })).toBeUndefined();
    expect(parsePolicy({ ...clear, excludeTools: [long] })).toBeUndefined();
    expect(parsePolicy({ ...persist, overrides: { [long]: 1 } })).toBeUndefined();
    expect(parsePolicy({ ...micro, extra: 1 })).toEqual(micro);
    for (const kind of ["toString", "__proto__", "constructor", undefined])
      expect(parsePolicy({ kind })).toBeUndefined();
  });

  it("takes a tool of any name", () => {
    const overrides = JSON.parse('{"__proto__": 5, "constructor": 6}');
    const parsed = parsePolicy({ ...POLICY_DEFAULTS.persist, overrides });
    expect(parsed?.kind === "persist" && Object.entries(parsed.overrides)).toEqual([
      ["__proto__", 5],
      ["constructor", 6],
    ]);
  });

  it("survives anything", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...DEFAULTS), fc.string(), (value, policy, key) => {
        parsePolicy(value);
        const parsed = parsePolicy({ ...policy, [key]: value });
        if (parsed !== undefined) expect(Object.keys(parsed).sort()).toEqual(Object.keys(policy).sort());
      }),
    );
  });
});
