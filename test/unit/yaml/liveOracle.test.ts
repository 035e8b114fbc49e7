import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { LoaderId } from "../../../extension/src/core/model/loader";
import { pyRepr } from "../../../extension/src/core/model/pyRepr";
import type { PyValue } from "../../../extension/src/core/model/pyValue";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { corpusPath, hasCorpus } from "../../corpus";
import { documentText, mutate } from "../../oracle/generateDocument";
import { scalarText } from "../../oracle/generateScalar";
import { PythonOracle } from "../../oracle/python";
import { Random } from "../../oracle/random";

const SEED = Number(process.env["YAML_ORACLE_SEED"] ?? 86171);
const SCALARS = Number(process.env["YAML_ORACLE_SCALARS"] ?? 5000);
const DOCUMENTS = Number(process.env["YAML_ORACLE_DOCUMENTS"] ?? 1500);

const started = await PythonOracle.start();
if (started === undefined || started.hello.pyyaml === null)
  console.warn("live YAML oracle is skipped: /usr/bin/python3 with python3-yaml and its C parser is not installed");
if (started !== undefined && !(started.hello.ruamel !== null && started.hello.clib))
  console.warn("live ruamel oracle is skipped: python3-ruamel.yaml with its C parser is not installed");

afterAll(() => started?.oracle.stop());

/** Sets in the order of their elements' reprs; Python's own order changes from run to run. */
function sortSets(value: PyValue, above: ReadonlySet<PyValue>): PyValue {
  if (above.has(value)) return value;
  const within = new Set([...above, value]);
  switch (value.t) {
    case "list":
    case "tuple":
      return { t: value.t, v: value.v.map((item) => sortSets(item, within)) };
    case "set":
      return { t: "set", v: value.v.toSorted((a, b) => (pyRepr(a) < pyRepr(b) ? -1 : 1)) };
    case "dict":
      return { t: "dict", v: value.v.map(([key, item]) => [key, sortSets(item, within)] as const) };
    case "other":
      return value.entries === undefined
        ? value
        : { ...value, entries: value.entries.map(([key, item]) => [key, sortSets(item, within)] as const) };
    default:
      return value;
  }
}

function ours(text: string, loader: LoaderId): string {
  const load = loadYaml(text, loader);
  if (load.value === undefined) return `error`;
  return pyRepr(load.recursive ? load.value : sortSets(load.value, new Set()));
}

function fixtureTexts(): readonly string[] {
  const own = [
    "tools:\n  tool_result_persist_threshold_chars: 20_000 # c\n  x: &a {b: [1, 'two']}\nm:\n  <<: *a\n  t: |\n    text\n",
  ];
  if (!hasCorpus) return own;
  const recorded = JSON.parse(readFileSync(corpusPath("oracle", "pyyaml-documents.json"), "utf8")) as {
    cases: { text?: unknown }[];
  };
  return [...own, ...recorded.cases.flatMap(({ text }) => (typeof text === "string" ? [text] : []))];
}

async function disagreements(loader: LoaderId, texts: readonly string[]): Promise<readonly unknown[]> {
  if (started === undefined) throw new Error("no oracle");
  const answers = await started.oracle.ask(loader, texts);
  return texts.flatMap((text, index) => {
    const answer = answers[index];
    const expected = answer?.value ?? "error";
    const actual = ours(text, loader);
    return actual === expected ? [] : [{ text, expected, actual, python: answer?.error }];
  });
}

const available: Readonly<Record<LoaderId, boolean>> = {
  pyyaml: started !== undefined && started.hello.pyyaml !== null,
  ruamel: started !== undefined && started.hello.ruamel !== null && started.hello.clib,
};

for (const loader of ["pyyaml", "ruamel"] as const) {
  describe.runIf(available[loader])(`live ${loader}, seed ${SEED}`, () => {
    it(`agrees on ${SCALARS} generated scalars`, { timeout: 300_000 }, async () => {
      const r = new Random(SEED);
      const texts = Array.from({ length: SCALARS }, () => `k: ${scalarText(r)}\n`);
      expect(await disagreements(loader, texts)).toEqual([]);
    });

    it(`agrees on ${DOCUMENTS} generated and mutated documents`, { timeout: 300_000 }, async () => {
      const r = new Random(SEED + 1);
      const fixtures = fixtureTexts();
      const texts = Array.from({ length: DOCUMENTS }, (_, index) =>
        index % 3 === 2 ? mutate(r, r.pick(fixtures)) : documentText(r),
      );
      expect(await disagreements(loader, texts)).toEqual([]);
    });
  });
}
