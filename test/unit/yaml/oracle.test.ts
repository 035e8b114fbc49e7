import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LoaderId } from "../../../extension/src/core/model/loader";
import { pyRepr, pyTypeName } from "../../../extension/src/core/model/pyRepr";
import type { PyValue } from "../../../extension/src/core/model/pyValue";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { lookup } from "../../../extension/src/core/yaml/lookup";
import type { YamlLoad } from "../../../extension/src/core/yaml/types";
import { corpusPath, hasCorpus } from "../../corpus";

type Text = string | { readonly parts: readonly (readonly [string, number])[] };

interface Outcome {
  readonly error?: string;
  readonly type?: string;
  readonly repr?: Text;
  readonly value?: Text;
  readonly document?: Text;
  readonly at?: string;
  readonly reason?: string;
  readonly root?: string;
}

interface ScalarCase extends Outcome {
  readonly text: Text;
  readonly hermes?: Outcome;
}

interface DocumentCase {
  readonly name: string;
  readonly text?: Text;
  readonly base64?: string;
  readonly c?: Outcome;
  readonly pure?: Outcome;
  readonly hermes?: Outcome;
}

function cases<T>(file: string): readonly T[] {
  return (JSON.parse(readFileSync(corpusPath("oracle", file), "utf8")) as { cases: T[] }).cases;
}

function plain(text: Text | undefined): string | undefined {
  if (text === undefined || typeof text === "string") return text;
  return text.parts.map(([part, times]) => part.repeat(times)).join("");
}

/** Types whose Python repr is not stable: the order of a set follows randomised hashes. */
function comparable(repr: string, type: string): string {
  return type === "set" ? [...repr].sort().join("") : repr;
}

function describeValue(value: PyValue): Outcome {
  const type = pyTypeName(value);
  return {
    type,
    repr: comparable(pyRepr(value), type),
    ...(value.t === "str" ? { value: value.v } : {}),
  };
}

function describeExpected(outcome: Outcome): Outcome {
  const type = outcome.type ?? "";
  const repr = plain(outcome.repr) ?? "";
  const value = plain(outcome.value);
  return { type, repr: comparable(repr, type), ...(value === undefined ? {} : { value }) };
}

function scalarOutcome(load: YamlLoad): Outcome {
  if (load.value === undefined) return { error: "error" };
  const root = load.value;
  if (root.t !== "dict" || root.v.length !== 1) return { document: pyRepr(root) };
  const [key, value] = root.v[0] ?? [root, root];
  return key.t === "str" && key.v === "k" ? describeValue(value) : { document: pyRepr(root) };
}

const PATH = ["tools", "tool_result_persist_threshold_chars"];

function documentOutcome(load: YamlLoad): Outcome {
  if (load.value === undefined) return { error: "error" };
  const found = lookup(load, PATH);
  if (found.at === "value") return { at: "value", ...describeValue(found.value) };
  if (found.at === "not-mapping" && found.depth === 1) return { at: "absent", reason: "tools is not a mapping" };
  if (load.value.t !== "dict") return { at: "root is not a mapping" };
  return { at: "absent" };
}

function expectedDocument(outcome: Outcome): Outcome {
  if (outcome.error !== undefined) return { error: "error" };
  if (outcome.at === "value") return { at: "value", ...describeExpected(outcome) };
  if (outcome.at === "absent" && /^tools is /.test(outcome.reason ?? ""))
    return { at: "absent", reason: "tools is not a mapping" };
  return { at: outcome.at ?? "" };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file, undefined when it is not UTF-8: then opening it fails before any loader sees it. */
function textOf(one: DocumentCase): string | undefined {
  if (one.base64 === undefined) return plain(one.text);
  try {
    return decoder.decode(Buffer.from(one.base64, "base64"));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

describe.runIf(hasCorpus).each<[LoaderId, string]>([
  ["pyyaml", "pyyaml-scalars.json"],
  ["ruamel", "ruamel-scalars.json"],
])("recorded scalars of %s", (loader, file) => {
  it("agree in every case", () => {
    const wrong: unknown[] = [];
    const all = cases<ScalarCase>(file);
    for (const one of all) {
      const want = one.hermes ?? one;
      const expected: Outcome =
        want.error !== undefined
          ? { error: "error" }
          : want.document !== undefined
            ? { document: plain(want.document) ?? "" }
            : describeExpected(want);
      const actual = scalarOutcome(loadYaml(`k: ${plain(one.text)}\n`, loader));
      if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push({ text: one.text, expected, actual });
    }
    expect(wrong).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(4200);
  });
});

describe.runIf(hasCorpus).each<[LoaderId, string]>([
  ["pyyaml", "pyyaml-documents.json"],
  ["ruamel", "ruamel-documents.json"],
])("recorded documents of %s", (loader, file) => {
  it("agree in every case", () => {
    const wrong: unknown[] = [];
    let tried = 0;
    for (const one of cases<DocumentCase>(file)) {
      const text = textOf(one);
      const want = one.hermes ?? one.c ?? one.pure ?? {};
      tried++;
      if (text === undefined) {
        if (want.error !== "UnicodeDecodeError") wrong.push({ name: one.name, expected: want, actual: "not UTF-8" });
        continue;
      }
      const expected = expectedDocument(want);
      const actual = documentOutcome(loadYaml(text, loader));
      if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push({ name: one.name, text, expected, actual });
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(363);
  });
});
