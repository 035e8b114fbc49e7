import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { DEFAULTS, DOCUMENTED_VALUES } from "../../../extension/src/core/config/defaults";
import { FULL_KEY, KEY } from "../../../extension/src/core/config/keys";
import { PROVIDER_WINDOWS, SETTINGS } from "../../../extension/src/core/config/settings/table";
import { repoPath } from "../../corpus";

interface Property {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly defaultSnippets?: readonly {
    readonly label: string;
    readonly description: string;
    readonly body: unknown;
  }[];
  readonly title?: string;
  readonly properties?: Record<string, Property>;
  readonly items?: Property;
  readonly patternProperties?: { readonly ".*": Property };
}

const schema = JSON.parse(readFileSync(repoPath("schemas", "hermes-config.schema.json"), "utf8")) as Property;
const at = (section: string, key: string): Property | undefined => schema.properties?.[section]?.properties?.[key];

describe("the config schema", () => {
  it("is a schema", () => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validate(schema, { tools: { [KEY]: 20000 } })).toBe(true);
  });

  it("proposes exactly the documented values, with the same words", () => {
    const key = at("tools", KEY);
    const proposals = key?.defaultSnippets?.map(({ label, description }) => ({ value: label, meaning: description }));
    expect(proposals).toEqual(DOCUMENTED_VALUES);
    expect(key?.examples?.map(String)).toEqual(DOCUMENTED_VALUES.map(({ value }) => value));
    expect(key?.defaultSnippets?.map(({ body }) => String(body))).toEqual(DOCUMENTED_VALUES.map(({ value }) => value));
  });

  it("states the defaults of the table", () => {
    expect(at("tools", KEY)?.default).toBeNull();
    expect(at("tool_budget", "mcp_result_size_chars")?.default).toBe(DEFAULTS.mcpResult);
    expect(at("tool_output", "max_bytes")?.default).toBe(DEFAULTS.terminalOutput);
    const numbers = [DEFAULTS.perResultFloor, DEFAULTS.perResult, DEFAULTS.mcpResult];
    for (const number of numbers) expect(at("tools", KEY)?.description).toContain(number.toLocaleString("en"));
    expect(at("tools", KEY)?.description).toContain(`${DEFAULTS.perResultFraction * 100}%`);
    expect(at("model", "context_length")?.description).toContain(DEFAULTS.minContextLength.toLocaleString("en"));
  });

  it("holds exactly the table of settings, with its words and the newer defaults", () => {
    const leaves = (node: Property, path: readonly string[]): readonly (readonly [string, Property])[] => {
      const any = node.patternProperties?.[".*"];
      if (node.items !== undefined) return leaves(node.items, [...path.slice(0, -1), `${path.at(-1)}[]`]);
      if (any !== undefined) return leaves(any, [...path, `<${any.title}>`]);
      return node.properties === undefined
        ? [[path.join("."), node]]
        : Object.entries(node.properties).flatMap(([name, one]) => leaves(one, [...path, name]));
    };
    const found = new Map(leaves(schema, []));
    const all = [...SETTINGS, ...PROVIDER_WINDOWS];
    expect([...found.keys()].sort()).toEqual(all.map(({ name }) => name).sort());
    for (const { name, does, trap, fallback } of all) {
      const value = fallback.ruamel;
      const plain =
        value.t === "NoneType" ? null : value.t === "dict" ? {} : value.t === "int" ? Number(value.v) : value;
      expect([name, found.get(name)?.default]).toEqual([
        name,
        typeof plain === "object" && plain !== null && "v" in plain ? plain.v : plain,
      ]);
      if (name !== FULL_KEY) expect(found.get(name)?.description).toBe(trap === undefined ? does : `${does} ${trap}`);
    }
  });

  it("never contradicts the agent: no types, nothing forbidden", () => {
    expect(JSON.stringify(schema)).not.toMatch(/"(type|enum|additionalProperties|required)":/);
  });
});
