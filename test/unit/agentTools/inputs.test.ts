import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_TOOLS } from "../../../extension/src/core/agentTools/agentTool";
import { READ_INPUT } from "../../../extension/src/core/agentTools/inputs";
import { ASK_LIMITS } from "../../../extension/src/core/agentTools/limits";
import { POLICY_DEFAULTS, PRESETS } from "../../../extension/src/core/compaction/policy";
import { POLICY_FIELDS } from "../../../extension/src/core/compaction/policyFields";

const results = READ_INPUT.contextBudget_listResults;
const page = READ_INPUT.contextBudget_readPage;
const simulate = READ_INPUT.contextBudget_simulatePolicy;
const PATH = "/home/dana/session.jsonl";

describe("what an agent asks", () => {
  it("is taken as it is meant", () => {
    expect(
      results({ transcript: PATH, states: ["cleared", "persisted"], offset: 3, limit: 7, thread: "main" }),
    ).toEqual({
      ok: true,
      value: {
        transcript: PATH,
        threads: false,
        asked: { thread: "main", states: ["persisted", "cleared"], offset: 3, limit: 7 },
      },
    });
    expect(READ_INPUT.contextBudget_listSessions(undefined)).toEqual({
      ok: true,
      value: { agent: undefined, offset: 0, limit: ASK_LIMITS.sessionsUnlessTold },
    });
  });

  it("may hold null for what is left out, and no more rows than fit", () => {
    const asked = results({ transcript: PATH, thread: null, states: null, limit: 5_000 });
    expect(asked).toMatchObject({ ok: true, value: { asked: { thread: undefined, limit: ASK_LIMITS.results } } });
  });

  it.each([
    ["no object", "text", "JSON object"],
    ["a list", [PATH], "JSON object"],
    ["nothing", undefined, "`transcript` is missing"],
    ["a number as path", { transcript: 7 }, "`transcript` must be a text"],
    ["an empty path", { transcript: "" }, "`transcript` must be a text"],
    ["NUL in a path", { transcript: "/a\0b" }, "NUL"],
    ["a path without end", { transcript: "/".repeat(ASK_LIMITS.text + 1) }, "too long"],
    ["a negative offset", { transcript: PATH, offset: -1 }, "`offset` must be a whole number"],
    ["half an offset", { transcript: PATH, offset: 0.5 }, "`offset` must be a whole number"],
    ["an offset of 2^53", { transcript: PATH, offset: 2 ** 53 }, "`offset` must be a whole number"],
    ["an infinite offset", { transcript: PATH, offset: Number.POSITIVE_INFINITY }, "`offset` must be a whole number"],
    ["no number at all", { transcript: PATH, offset: Number.NaN }, "`offset` must be a whole number"],
    ["a number as text", { transcript: PATH, offset: "3" }, "`offset` must be a whole number"],
    ["a limit of none", { transcript: PATH, limit: 0 }, "`limit` must be a whole number"],
    ["a word for true", { transcript: PATH, threads: "yes" }, "`threads` must be true or false"],
    ["an unknown state", { transcript: PATH, states: ["gone"] }, "there are inline, persisted"],
    ["no state", { transcript: PATH, states: [] }, "must be a list of states"],
    ["an unknown member", { transcript: PATH, treshold: 1 }, "There is no `treshold` here"],
    ["a member with control characters", { transcript: PATH, "\u001b[2J": 1 }, "\\u{1b}"],
  ])("is refused with a sentence: %s", (_, input, sentence) => {
    const asked = results(input);
    expect(asked.ok).toBe(false);
    if (!asked.ok) expect(asked.error).toContain(sentence);
  });

  it("counts by its own members only", () => {
    expect(page(Object.create({ transcript: PATH, id: "r-1", offset: 0 }))).toMatchObject({ ok: false });
    const poisoned: unknown = JSON.parse(`{"transcript": "${PATH}", "__proto__": {"offset": 5}, "constructor": 1}`);
    expect(results(poisoned)).toMatchObject({ ok: false });
  });

  it("never throws, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...AGENT_TOOLS),
        fc.anything({ withNullPrototype: true, withBigInt: true }),
        (tool, input) => {
          const asked = READ_INPUT[tool.name](input);
          if (!asked.ok) expect(asked.error.length).toBeLessThan(3_000);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("never throws for members of every kind either", () => {
    const member = fc.oneof(fc.jsonValue(), fc.anything(), fc.constant(PATH), fc.maxSafeInteger());
    for (const { name, inputSchema } of AGENT_TOOLS) {
      const shape = Object.fromEntries(Object.keys(inputSchema.properties).map((key) => [key, member]));
      fc.assert(
        fc.property(fc.record(shape, { requiredKeys: [] }), (input) => {
          READ_INPUT[name](input);
        }),
        { numRuns: 300 },
      );
    }
  });

  it("may be anything that its schema allows and names", () => {
    for (const { name, inputSchema } of AGENT_TOOLS) {
      const input = Object.fromEntries(
        Object.entries(inputSchema.properties).map(([key, schema]) => {
          if (key === "policy") return [key, { preset: "tinyagents" }];
          if (schema["type"] === "array") return [key, ["inline"]];
          if (schema["type"] === "boolean") return [key, true];
          return [key, schema["type"] === "integer" ? 1 : "text"];
        }),
      );
      expect(READ_INPUT[name](input), name).toMatchObject({ ok: true });
    }
  });
});

describe("a policy that an agent names", () => {
  const policyOf = (policy: unknown) => {
    const asked = simulate({ transcript: PATH, policy });
    return asked.ok ? asked.value.policy : asked.error;
  };

  it("is a preset, or a kind, with what differs", () => {
    for (const { id, policy } of PRESETS) expect(policyOf({ preset: id })).toEqual(policy);
    for (const [kind, policy] of Object.entries(POLICY_DEFAULTS)) expect(policyOf({ kind })).toEqual(policy);
    expect(policyOf({ preset: "tinyagents", keepRecent: 2 })).toMatchObject({ kind: "micro", keepRecent: 2 });
    expect(policyOf({ kind: "persist", threshold: 9_000, overrides: { terminal: 5 } })).toMatchObject({
      threshold: 9_000,
      overrides: { terminal: 5 },
    });
  });

  it.each([
    [null, "`policy` is missing"],
    [7, "`policy` must be an object"],
    [[], "`policy` must be an object"],
    [{}, "`policy` needs `preset`"],
    [{ preset: "none such" }, "`policy.preset` is unknown"],
    [{ preset: 1 }, "`policy.preset` is unknown"],
    [{ kind: "toString" }, "`policy.kind` is unknown"],
    [{ kind: "constructor" }, "`policy.kind` is unknown"],
    [{ preset: "tinyagents", kind: "persist" }, "does not fit the preset"],
    [{ kind: "micro", keepRecent: 1.5 }, "`policy.keepRecent` must be a whole number"],
    [{ kind: "micro", keepRecent: 2 ** 53 }, "`policy.keepRecent` must be a whole number"],
    [{ kind: "micro", threshold: 5 }, "has no `threshold`; it has keepRecent"],
    [JSON.parse('{"kind":"micro","__proto__":{"keepRecent":1}}'), "has no `__proto__`"],
    [{ kind: "clear", excludeTools: "Bash" }, "must be a list of at most 200 names of tools"],
    [
      { kind: "clear", excludeTools: Array.from({ length: 201 }, String) },
      "must be a list of at most 200 names of tools",
    ],
    [
      { kind: "persist", overrides: { a: -1 } },
      "`policy.overrides` must be at most 200 tools, each with a whole number",
    ],
    [{ kind: "persist", overrides: [] }, "`policy.overrides` must be at most 200 tools"],
    [{ kind: "persist", threshold: Number.NaN }, "must be a whole number from 1 to 1,000,000,000,000, or null"],
    [{ kind: "persist", threshold: 1e308 }, "must be a whole number from 1 to 1,000,000,000,000, or null"],
    [{ kind: "persist", threshold: Number.POSITIVE_INFINITY }, "`policy.threshold` must be"],
    [{ kind: "persist", threshold: "20000" }, "`policy.threshold` must be a whole number"],
    [{ kind: "persist", threshold: {} }, "`policy.threshold` must be a whole number"],
    [{ kind: "persist", constructor: 1 }, "has no `constructor`"],
    [{ kind: "window", notice: 1e12 }, "must be a whole number from 0 to 2,000."],
    [{ kind: "micro", placeholder: "x".repeat(2_001) }, "must be a text of at most 2,000 UTF-16 units"],
    [{ kind: "window", when: "never" }, "must be one of turnEnd, everyCall"],
  ])("is refused with a sentence: %j", (policy, sentence) => {
    expect(policyOf(policy)).toEqual(expect.stringContaining(sentence));
  });

  it("may be nested as deeply as JSON can be", () => {
    for (const at of ["preset", "kind", "overrides", "threshold", "folder", "unknown"]) {
      const deep: unknown = JSON.parse(`{"kind": "persist", "${at}": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
      expect(policyOf(deep)).toEqual(expect.stringMatching(/^`policy/));
    }
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
    expect(policyOf(deep)).toEqual(expect.stringContaining("`policy` needs"));
  });

  it("has no member that its kind does not list, whatever is given", () => {
    const given = fc.dictionary(
      fc.oneof(
        fc.constantFrom(...Object.values(POLICY_FIELDS).flatMap((fields) => fields.map(({ key }) => key))),
        fc.string(),
      ),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(POLICY_FIELDS)), given, (kind, members) => {
        const policy = policyOf({ ...members, preset: undefined, kind });
        if (typeof policy === "string") return;
        const keys = POLICY_FIELDS[policy.kind].map(({ key }) => key);
        expect(Object.keys(policy).sort()).toEqual([...keys, "kind"].sort());
      }),
      { numRuns: 500 },
    );
  });
});
