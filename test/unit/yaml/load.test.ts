import { describe, expect, it } from "vitest";
import { pyEquals, pyRepr, pyTypeName } from "../../../extension/src/core/model/pyRepr";
import type { PyValue } from "../../../extension/src/core/model/pyValue";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { lookup } from "../../../extension/src/core/yaml/lookup";
import type { YamlScalar } from "../../../extension/src/core/yaml/types";

const PATH = ["tools", "x"];

function repr(text: string, loader: "pyyaml" | "ruamel" = "ruamel"): string {
  const { value, failure } = loadYaml(text, loader);
  return value === undefined ? (failure?.code ?? "no failure") : pyRepr(value);
}

function found(text: string, loader: "pyyaml" | "ruamel" = "ruamel") {
  const load = loadYaml(text, loader);
  return { load, result: lookup(load, PATH) };
}

describe("places", () => {
  it("survive a byte order mark, CR LF, comments, tags and anchors", () => {
    const text = '\ufeff# note\r\ntools: # c\r\n  x: !!str &a "20000" # why\r\n';
    const { result } = found(text);
    expect(result.at).toBe("value");
    if (result.at !== "value") return;
    const node = result.pair.value as YamlScalar;
    expect(text.slice(node.start, node.end)).toBe('"20000"');
    expect(text.slice(node.outerStart, node.end)).toBe('!!str &a "20000"');
    expect([node.tag, node.anchor, node.style, node.text]).toEqual(["!!str", "a", "double", "20000"]);
    expect(text.slice(result.pair.key.start, result.pair.key.end)).toBe("x");
  });

  it("put an empty value behind its colon", () => {
    const text = "tools:\n  x:   # nothing\n";
    const { result } = found(text);
    expect(result.at === "value" && [result.pair.value.start, result.pair.value.end]).toEqual([11, 11]);
  });

  it("end a block text with its last line", () => {
    const text = "tools:\n  x: |\n    one\n    two\n\n# c\n";
    const { result } = found(text);
    expect(result.at === "value" && text.slice(result.pair.value.start, result.pair.value.end)).toBe(
      "|\n    one\n    two",
    );
  });

  it("say when a line continues the text above", () => {
    expect(loadYaml("tools:\n  x:20000\n  y: 1\n", "pyyaml").failure?.message).toBe(
      "Line 3: This line continues the text 'x:20000' above, so its ':' has no key. Write a space behind the ':' above.",
    );
    expect(loadYaml("tools:\n  x: 1\n   y: 2\n", "pyyaml").failure?.message).toBe(
      "Line 3: This line continues the text '1' above, so its ':' has no key. Align it with its neighbours.",
    );
  });

  it("name line, cause and remedy of a failure", () => {
    const { failure } = loadYaml("a: 1\r\ntools:\r\n\tx: 1\r\n", "pyyaml");
    expect(failure).toEqual({
      code: "yaml-syntax",
      severity: "error",
      message: "Line 3: A tab stands where YAML counts spaces. Use spaces for indentation.",
      range: { start: 14, end: 15 },
    });
  });
});

describe("lookup", () => {
  it("takes the last of equal keys and names the others", () => {
    const { result, load } = found("tools: {x: 1}\ntools:\n  x: 2\n  y: 3\n  'x': 4\n", "pyyaml");
    expect(result.at === "value" && pyRepr(result.value)).toBe("4");
    expect(result.at === "value" && result.shadowed.map((pair) => pair.value.start)).toEqual([26]);
    const outer = lookup(load, ["tools"]);
    expect(outer.at === "value" && outer.shadowed.length).toBe(1);
  });

  it("applies merge keys: the mapping's own entry first, then the earlier of a list", () => {
    const base = "a: &a {x: 1}\nb: &b {x: 2, y: 2}\n";
    for (const [body, want] of [
      ["<<: *b\n  x: 3", "3"],
      ["x: 3\n  <<: *b", "3"],
      ["<<: *b", "2"],
      ["<<: [*a, *b]", "1"],
      ["<<: [*b, *a]", "2"],
    ]) {
      for (const loader of ["pyyaml", "ruamel"] as const) {
        const { result } = found(`${base}tools:\n  ${body}\n`, loader);
        expect(result.at === "value" && pyRepr(result.value)).toBe(want);
      }
    }
  });

  it("follows aliases for sections and values", () => {
    const { result } = found("n: &n 20_000\nt: &t {x: *n}\ntools: *t\n");
    expect(result.at === "value" && pyRepr(result.value)).toBe("20000");
    expect(result.at === "value" && result.pair.value.kind).toBe("alias");
  });

  it("tells an empty file, a missing key and a section that is no mapping apart", () => {
    for (const text of ["", "# c\n", "[]", "0", "false", "''", "~", "---\n...\n"])
      expect(found(text).result).toEqual({ at: "absent", reason: "empty-file" });
    expect(found("tools: {y: 1}").result).toEqual({ at: "absent", reason: "no-key" });
    expect(found("{}").result).toEqual({ at: "absent", reason: "no-key" });
    expect(found("[1]").result).toMatchObject({ at: "not-mapping", depth: 0 });
    expect(found("tools: all").result).toMatchObject({ at: "not-mapping", depth: 1, node: { start: 7, end: 10 } });
  });

  it("still shows what a file with duplicate keys says", () => {
    const { load, result } = found("tools:\n  x: 1\n  x: 2\n");
    expect(load.failure).toMatchObject({ code: "yaml-duplicate-key", range: { start: 16, end: 17 } });
    expect(result.at).toBe("value");
  });
});

describe("the two loaders", () => {
  it("differ where they differ", () => {
    const rows: readonly (readonly [string, string, string])[] = [
      ["y", "'y'", "True"],
      ["1e4", "'1e4'", "'1e4'"],
      ["1e+4", "'1e+4'", "10000.0"],
      ["1.0e4", "'1.0e4'", "10000.0"],
      ["0800", "'0800'", "'0800'"],
      ["020000", "8192", "8192"],
      ["5:33:20", "20000", "20000"],
      ["[a?b]", "['a?b']", "yaml-syntax"],
      [
        "2001-12-14 21:59:43 -5",
        "datetime.datetime(2001, 12, 14, 21, 59, 43, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))",
        "datetime.datetime(2001, 12, 15, 2, 59, 43)",
      ],
    ];
    for (const [text, a, b] of rows) {
      const wrap = (inner: string): string => (inner.startsWith("yaml-") ? inner : `{'k': ${inner}}`);
      expect(repr(`k: ${text}\n`, "pyyaml")).toBe(wrap(a));
      expect(repr(`k: ${text}\n`, "ruamel")).toBe(wrap(b));
    }
  });

  it("ruamel falls back to YAML 1.2 when its C parser fails on a file with a document marker", () => {
    expect(repr("---\n- {url: http://h}\n- 010\n- yes\n")).toBe("[{'url': 'http://h'}, 10, 'yes']");
    expect(repr("- {url: http://h}\n- 010\n- yes\n")).toBe("[{'url': 'http://h'}, 8, True]");
    expect(repr("---\n- 010\n- yes\n")).toBe("[8, True]");
  });
});

describe("bombs", () => {
  const nested = (levels: number, link: (name: string) => string): string => {
    let text = "k0: &k0 {a: 1, b: 2}\n";
    for (let i = 1; i <= levels; i++) text += `k${i}: &k${i} ${link(`*k${i - 1}`)}\n`;
    return text;
  };

  it("of aliases, merge keys and depth end in a problem", () => {
    const nine = (name: string): string => Array(9).fill(name).join(", ");
    for (const loader of ["pyyaml", "ruamel"] as const) {
      expect(
        repr(
          nested(12, (name) => `[${nine(name)}]`),
          loader,
        ),
      ).toBe("yaml-limit");
      expect(
        repr(
          nested(12, (name) => `{<<: [${nine(name)}]}`),
          loader,
        ),
      ).toBe("yaml-limit");
      expect(repr("[".repeat(100_000), loader)).toBe("yaml-limit");
      expect(repr("- ".repeat(100_000), loader)).toBe("yaml-limit");
      expect(repr(`${"? ".repeat(100_000)}a`, loader)).toBe("yaml-limit");
    }
  });

  it("of chained aliases end in a problem, too", () => {
    const chain = (link: (name: string) => string): string =>
      `- [[${nested(3000, link)
        .trim()
        .split("\n")
        .map((line) => line.replace(/^k\d+: /, ""))
        .join(", ")}]]\n- `;
    for (const loader of ["pyyaml", "ruamel"] as const) {
      expect(repr(`${chain((name) => `[${name}]`)}*k3000 \n`, loader)).toBe("yaml-limit");
      expect(repr(`${chain((name) => `{<<: ${name} }`)}{<<: *k3000 }\n`, loader)).toBe("yaml-limit");
      expect(repr(`${chain((name) => `[${name}]`)}{? [*k3000 ] : 1}\n`, loader)).toMatch(/^yaml-(limit|construct)$/);
      expect(repr("- !!str &a {=: *a }\n", loader)).toBe("yaml-construct");
    }
  });

  it("leave ordinary nesting and sharing alone", () => {
    expect(repr(nested(3, (name) => `[${name}, ${name}]`))).not.toBe("yaml-limit");
    expect(repr(`${"[".repeat(900)}${"]".repeat(900)}`)).toBe(`${"[".repeat(900)}${"]".repeat(900)}`);
  });

  it("of containers within themselves are loaded and marked", () => {
    const load = loadYaml("tools: &t\n  x: [*t, 1]\n", "pyyaml");
    expect(load.recursive).toBe(true);
    expect(load.value && pyRepr(load.value)).toBe("{'tools': {'x': [{...}, 1]}}");
    expect(loadYaml("a: &a [1]\nb: [*a, *a]\n", "pyyaml").recursive).toBe(false);
  });
});

describe("characters", () => {
  it("that YAML forbids are named with their place", () => {
    for (const [text, code, at] of [
      ["k: a\0b", "U+0000", 4],
      ["k: \x07", "U+0007", 3],
      ["k: \ud800", "U+D800", 3],
      ["k: \uffff", "U+FFFF", 3],
    ] as const) {
      const { failure } = loadYaml(text, "ruamel");
      expect(failure).toMatchObject({ code: "yaml-character", range: { start: at, end: at + 1 } });
      expect(failure?.message).toContain(code);
    }
    expect(repr("k: 😀\n")).toBe("{'k': '😀'}");
  });
});

describe("Python's view of values", () => {
  it("names types and writes reprs as Python does", () => {
    const rows: readonly (readonly [PyValue, string, string])[] = [
      [{ t: "NoneType" }, "NoneType", "None"],
      [{ t: "float", v: 1e16 }, "float", "1e+16"],
      [{ t: "float", v: 123456789012345680 }, "float", "1.2345678901234568e+17"],
      [{ t: "float", v: 0.0001 }, "float", "0.0001"],
      [{ t: "float", v: 0.00001 }, "float", "1e-05"],
      [{ t: "float", v: -0 }, "float", "-0.0"],
      [{ t: "str", v: "it's" }, "str", '"it\'s"'],
      [{ t: "str", v: "\u200b\u00ad\u{1f600}\x7f\u00a0'\"" }, "str", "'\\u200b\\xad😀\\x7f\\xa0\\'\"'"],
      [{ t: "bytes", v: Uint8Array.from([0, 39, 255, 65]) }, "bytes", 'b"\\x00\'\\xffA"'],
      [{ t: "tuple", v: [{ t: "bool", v: true }] }, "tuple", "(True,)"],
      [{ t: "set", v: [] }, "set", "set()"],
    ];
    for (const [value, type, text] of rows) expect([pyTypeName(value), pyRepr(value)]).toEqual([type, text]);
  });

  it("compares numbers across types exactly, and nothing else", () => {
    const int = (v: bigint): PyValue => ({ t: "int", v });
    const float = (v: number): PyValue => ({ t: "float", v });
    expect(pyEquals(int(1n), { t: "bool", v: true })).toBe(true);
    expect(pyEquals(int(1n), float(1))).toBe(true);
    expect(pyEquals(int(2n ** 53n + 1n), float(2 ** 53))).toBe(false);
    expect(pyEquals({ t: "str", v: "1" }, int(1n))).toBe(false);
    expect(pyEquals(float(Number.NaN), float(Number.NaN))).toBe(false);
    expect(pyEquals({ t: "list", v: [int(1n)] }, { t: "list", v: [float(1)] })).toBe(true);
    expect(pyEquals({ t: "list", v: [] }, { t: "tuple", v: [] })).toBe(false);
  });
});
