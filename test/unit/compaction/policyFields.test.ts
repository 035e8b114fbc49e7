import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, PRESETS } from "../../../extension/src/core/compaction/policy";
import {
  POLICY_FIELDS,
  readPolicyField,
  withField,
  writePolicyField,
} from "../../../extension/src/core/compaction/policyFields";
import { normalizePersistThreshold } from "../../../extension/src/core/config/normalize";
import type { Policy, PolicyKind } from "../../../extension/src/core/model/policy";

const KINDS = Object.keys(POLICY_FIELDS) as PolicyKind[];
const WRITTEN = ["0", "1", "20000", "020000", "1e4", "-5", "1.0", "1_000", " 7 ", "٣", "true", "none", "", "x"];

describe("the table of policy parameters", () => {
  it("names every parameter of every policy once, and no other", () => {
    for (const kind of KINDS) {
      const keys = POLICY_FIELDS[kind].map(({ key }) => key);
      expect([...keys, "kind"].sort()).toEqual(Object.keys(POLICY_DEFAULTS[kind]).sort());
    }
  });

  it("writes every parameter of every preset so that it reads back the same", () => {
    for (const { policy } of PRESETS) {
      let copy: Policy = POLICY_DEFAULTS[policy.kind];
      for (const field of POLICY_FIELDS[policy.kind]) {
        const read = readPolicyField(policy.kind, field, writePolicyField(policy, field));
        if (!read.ok) throw new Error(`${policy.kind}: ${read.error}`);
        copy = withField(copy, field, read.value);
      }
      expect(copy).toEqual(policy);
    }
  });

  it("reads the persist threshold as the shared normaliser reads a text", () => {
    const field = POLICY_FIELDS.persist.find(({ key }) => key === "threshold");
    if (field === undefined) throw new Error("no threshold");
    for (const written of WRITTEN) {
      const ours = readPolicyField("persist", field, written);
      const theirs = normalizePersistThreshold({ t: "str", v: written });
      const none = written.trim() === "" || written === "none";
      expect([written, ours.ok && ours.value]).toEqual([
        written,
        none ? null : theirs.verdict === "accepted" ? Number(theirs.threshold) : false,
      ]);
    }
  });

  it("takes whole numbers within their bounds only, and says what to write", () => {
    for (const kind of KINDS) {
      for (const field of POLICY_FIELDS[kind]) {
        if (field.type !== "whole") continue;
        for (const written of ["-1", "1.5", "1e3", "abc", "9".repeat(40), "0x10", "NaN"]) {
          const read = readPolicyField(kind, field, written);
          expect(read.ok, `${kind}.${field.key} = ${written}`).toBe(false);
          if (!read.ok) expect(read.error).toContain(field.key);
        }
        expect(readPolicyField(kind, field, "none").ok).toBe(field.nullable);
        expect(readPolicyField(kind, field, String(field.min)).ok).toBe(true);
      }
    }
  });

  it("keeps names that mean something to objects as plain names of tools", () => {
    const field = POLICY_FIELDS.persist.find(({ key }) => key === "overrides");
    if (field === undefined) throw new Error("no overrides");
    const read = readPolicyField("persist", field, "__proto__=5 constructor=6");
    expect(read.ok && Object.entries(read.value as object)).toEqual([
      ["__proto__", 5],
      ["constructor", 6],
    ]);
    expect(readPolicyField("persist", field, "a").ok).toBe(false);
    expect(readPolicyField("persist", field, "a=b").ok).toBe(false);
  });
});
