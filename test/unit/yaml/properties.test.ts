import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LoaderId } from "../../../extension/src/core/model/loader";
import { pyRepr } from "../../../extension/src/core/model/pyRepr";
import type { PyValue } from "../../../extension/src/core/model/pyValue";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import type { YamlLoad, YamlNode } from "../../../extension/src/core/yaml/types";
import { scalarText } from "../../../extension/src/core/yaml/write";
import { documentText } from "../../oracle/generateDocument";
import { Random } from "../../oracle/random";

const LOADERS: readonly LoaderId[] = ["pyyaml", "ruamel"];

/** Every node once; aliases are not followed. */
function* nodes(root: YamlNode | undefined): Generator<YamlNode> {
  if (root === undefined) return;
  yield root;
  if (root.kind === "map")
    for (const pair of root.pairs) {
      yield* nodes(pair.key);
      yield* nodes(pair.value);
    }
  if (root.kind === "seq") for (const item of root.items) yield* nodes(item);
}

/** What is wrong with a load's places; one list, because a call of `expect` per node would take most of the time. */
function unsoundPlaces(text: string, load: YamlLoad): readonly string[] {
  const wrong: string[] = [];
  const check = (sound: boolean, what: string): void => {
    if (!sound) wrong.push(what);
  };
  const { failure } = load;
  check((load.value === undefined) === (failure !== undefined), "value or failure");
  const range = failure?.range ?? { start: 0, end: 0 };
  check(range.start >= 0 && range.end >= range.start && range.end <= text.length, "range of the failure");
  for (const node of nodes(load.root)) {
    const { outerStart, start, end } = node;
    check(outerStart >= 0 && start >= outerStart && end >= start && end <= text.length, `places of ${node.kind}`);
    if (node.kind !== "scalar" || end === start) continue;
    const slice = text.slice(start, end);
    if (node.style === "plain") check(slice === node.text || /[\r\n\x85\u2028\u2029]/.test(slice), `plain ${slice}`);
    if (node.style === "single")
      check(slice.length > 1 && slice.startsWith("'") && slice.endsWith("'"), `single ${slice}`);
    if (node.style === "double")
      check(slice.length > 1 && slice.startsWith('"') && slice.endsWith('"'), `double ${slice}`);
    if (node.style === "literal") check(slice.startsWith("|"), `literal ${slice}`);
    if (node.style === "folded") check(slice.startsWith(">"), `folded ${slice}`);
  }
  return wrong;
}

const yamlish = fc
  .array(
    fc.constantFrom(
      "a",
      "1",
      "k: ",
      ": ",
      ":",
      "- ",
      "-",
      "? ",
      "\n",
      "\n  ",
      "\r\n",
      "\t",
      " ",
      "'",
      '"',
      "[",
      "]",
      "{",
      "}",
      ",",
      "#",
      " # c",
      "&a ",
      "*a",
      "!!int ",
      "!",
      "|",
      ">",
      "|-\n",
      "%YAML 1.2\n",
      "---\n",
      "...\n",
      "<<: ",
      "\\",
      "\u2028",
      "\u0085",
      "\ufeff",
      "😀",
      "\ud800",
      "\0",
      "~",
      "=",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

const seeded = fc.integer().map((seed) => documentText(new Random(seed)));

describe("loadYaml", { timeout: 60_000 }, () => {
  it("never throws, and its places lie within any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), yamlish, seeded), (text) => {
        for (const loader of LOADERS) expect(unsoundPlaces(text, loadYaml(text, loader))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("never throws on arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const text = new TextDecoder().decode(bytes);
        for (const loader of LOADERS) expect(unsoundPlaces(text, loadYaml(text, loader))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("reads CR LF and CR files as it reads LF files", () => {
    fc.assert(
      fc.property(fc.oneof(yamlish, seeded), fc.constantFrom("\r\n", "\r"), (mixed, br) => {
        const lf = mixed.replaceAll("\r", "");
        for (const loader of LOADERS) {
          const a = loadYaml(lf, loader);
          const b = loadYaml(lf.replaceAll("\n", br), loader);
          expect(b.failure?.code).toBe(a.failure?.code);
          expect(b.failure?.message).toBe(a.failure?.message);
          if (a.value !== undefined && b.value !== undefined) expect(pyRepr(b.value)).toBe(pyRepr(a.value));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("takes a byte order mark and only shifts the places", () => {
    fc.assert(
      fc.property(seeded, (text) => {
        if (text.startsWith("\ufeff")) return;
        for (const loader of LOADERS) {
          const plain = loadYaml(text, loader);
          const marked = loadYaml(`\ufeff${text}`, loader);
          expect(marked.failure?.code).toBe(plain.failure?.code);
          const starts = [...nodes(plain.root)].map((node) => node.start + 1);
          expect([...nodes(marked.root)].map((node) => node.start)).toEqual(starts);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("scalarText", { timeout: 60_000 }, () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }).map((v): PyValue => ({ t: "str", v })),
    fc
      .constantFrom(
        "yes",
        "y",
        "1e4",
        "20_000",
        "0o7",
        "1:30",
        "=",
        "<<",
        "~",
        "",
        " ",
        "a: b",
        "- a",
        "#",
        "'",
        '"',
        "a\nb",
        "2026-01-01",
        ".5",
        "0x1",
        "null",
      )
      .map((v): PyValue => ({ t: "str", v })),
    fc.bigInt().map((v): PyValue => ({ t: "int", v })),
    fc.double().map((v): PyValue => ({ t: "float", v })),
    fc.boolean().map((v): PyValue => ({ t: "bool", v })),
    fc.constant<PyValue>({ t: "NoneType" }),
  );

  it("writes every character but half of a surrogate pair", () => {
    const refused: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      // Ideographs and Hangul are all alike to YAML.
      if (code >= 0x3100 && code <= 0xdfff) continue;
      if (scalarText({ t: "str", v: String.fromCharCode(code) }) === undefined) refused.push(code.toString(16));
    }
    expect(refused).toEqual([]);
  });

  it("is one line that both loaders read as the same value", () => {
    fc.assert(
      fc.property(value, (one) => {
        const text = scalarText(one);
        expect(text).toBeDefined();
        expect(text).not.toMatch(/[\r\n]/);
        for (const loader of LOADERS) {
          const read = loadYaml(`k: ${text}\n`, loader).value;
          expect(read === undefined ? "error" : pyRepr(read)).toBe(`{'k': ${pyRepr(one)}}`);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves plain what needs no quotes", () => {
    expect(scalarText({ t: "str", v: "hello world" })).toBe("hello world");
    expect(scalarText({ t: "str", v: "yes" })).toBe("'yes'");
    expect(scalarText({ t: "float", v: 1e22 })).toBe("1.0e+22");
    expect(scalarText({ t: "list", v: [] })).toBeUndefined();
  });
});
