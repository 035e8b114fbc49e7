import { describe, expect, it } from "vitest";
import { loadJson } from "../../../extension/src/core/config/json";

const key = (v: string) => ({ t: "str", v }) as const;

describe("loadJson", () => {
  it("gives Python's types", () => {
    const load = loadJson(
      '{"a": 1e4, "b": 20000, "c": "x", "d": null, "e": [true, -0], "f": 9007199254740993}',
      "json",
      "ruamel",
    );
    expect(load.failure).toBeUndefined();
    expect(load.value).toEqual({
      t: "dict",
      v: [
        [key("a"), { t: "float", v: 10000 }],
        [key("b"), { t: "int", v: 20000n }],
        [key("c"), key("x")],
        [key("d"), { t: "NoneType" }],
        [
          key("e"),
          {
            t: "list",
            v: [
              { t: "bool", v: true },
              { t: "int", v: 0n },
            ],
          },
        ],
        [key("f"), { t: "int", v: 9007199254740993n }],
      ],
    });
  });

  it("takes comments and trailing commas in JSONC only", () => {
    const text = '{ // note\n "a": 1, }';
    expect(loadJson(text, "jsonc", "ruamel").failure).toBeUndefined();
    expect(loadJson(text, "json", "ruamel").failure).toMatchObject({ code: "json-syntax", severity: "error" });
  });

  it.each(["", "{", '{"a":', '{"a"', "[1,,2]", "}", "nul", '{"a": "\\q"}', "\u0000"])(
    "reports %j and does not throw",
    (text) => {
      expect(loadJson(text, "json", "ruamel").failure?.range).toBeDefined();
    },
  );

  it("reports the line", () => {
    expect(loadJson('{\n  "a": 1\n  "b": 2\n}', "json", "ruamel").failure?.message).toContain("line 3");
  });

  it("accepts a BOM and keeps positions", () => {
    const load = loadJson('\ufeff{"a": 1}', "json", "ruamel");
    expect(load.failure).toBeUndefined();
    expect(load.root).toMatchObject({ start: 1, end: 9 });
  });

  it("bounds the depth", () => {
    expect(loadJson("[".repeat(100_000), "json", "ruamel").failure?.message).toContain("500 deep");
  });

  it("lets the last duplicate win and takes __proto__ as a key", () => {
    const load = loadJson('{"__proto__": 1, "a": 1, "a": 2}', "json", "ruamel");
    expect(load.value).toEqual({
      t: "dict",
      v: [
        [key("__proto__"), { t: "int", v: 1n }],
        [key("a"), { t: "int", v: 2n }],
      ],
    });
  });
});
