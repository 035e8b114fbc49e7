import { afterAll, describe, expect, it } from "vitest";
import { effectiveConfig, effectiveSetting } from "../../../extension/src/core/config/effective";
import type { Environment } from "../../../extension/src/core/config/expand";
import { InForce, shareOfModel } from "../../../extension/src/core/config/explain";
import { providerWindow } from "../../../extension/src/core/config/providerWindow";
import { SETTINGS } from "../../../extension/src/core/config/settings/table";
import { pyRepr } from "../../../extension/src/core/model/pyRepr";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { type ConfigQuestion, configQuestion, providerQuestion } from "../../oracle/generateConfig";
import { PythonOracle } from "../../oracle/python";
import { Random } from "../../oracle/random";

const SEED = Number(process.env["CONFIG_ORACLE_SEED"] ?? 85479);
const CASES = Number(process.env["CONFIG_ORACLE_CASES"] ?? 2200);

const started = await PythonOracle.start("askConfig.py");
const available =
  started !== undefined && started.hello.pyyaml !== null && started.hello.ruamel !== null && started.hello.clib;
if (!available)
  console.warn(
    "the live config oracle is skipped: /usr/bin/python3 with python3-yaml and python3-ruamel.yaml is not installed",
  );

afterAll(() => started?.oracle.stop());

interface ConfigAnswer {
  readonly outcome: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly window: number | null;
  readonly share: number | null;
}

function environmentOf(values: Readonly<Record<string, string>>): Environment {
  return { get: (name) => (Object.hasOwn(values, name) ? { value: values[name] ?? "", source: "here" } : undefined) };
}

/** What is known of no source is not judged, and so not asked. */
const ASKED = SETTINGS.filter(({ parser }) => parser.kind !== "unknown" && parser.kind !== "text");

function ours(
  { loader, text, environment, managed, process }: ConfigQuestion,
  names: readonly string[],
): Pick<ConfigAnswer, "outcome" | "settings"> {
  const config = effectiveConfig({
    user: loadYaml(text, loader),
    environment: environmentOf(environment),
    managed:
      managed === null
        ? undefined
        : { path: "/etc/hermes/config.yaml", load: loadYaml(managed, loader), environment: environmentOf(process) },
  });
  if (config.outcome === "raises") return { outcome: "raises", settings: {} };
  const settings = ASKED.filter(({ name }) => names.includes(name)).map((setting) => {
    const { parsed } = effectiveSetting(config, setting);
    return [setting.name, parsed.outcome === "fatal" ? "fatal" : pyRepr(parsed.value)] as const;
  });
  return { outcome: config.outcome, settings: Object.fromEntries(settings) };
}

describe.runIf(available)(`what applies, as plain Python states it, seed ${SEED}`, () => {
  it(`agrees on ${CASES} generated layers of config`, { timeout: 300_000 }, async () => {
    if (started === undefined) throw new Error("no oracle");
    const r = new Random(SEED);
    const names = ASKED.map(({ name }) => name);
    const questions = Array.from({ length: CASES }, () => configQuestion(r, names));
    const answers = await started.oracle.askAll<ConfigAnswer>(questions);
    const wrong = questions.flatMap((question, index) => {
      const expected = answers[index];
      const actual = ours(question, Object.keys(expected?.settings ?? {}));
      const differing = Object.keys(expected?.settings ?? {}).filter(
        (name) => expected?.settings[name] !== actual.settings[name],
      );
      return expected?.outcome === actual.outcome && differing.length === 0
        ? []
        : [
            {
              question,
              differing: differing.map((name) => [name, expected?.settings[name], actual.settings[name]]),
              outcomes: [expected?.outcome, actual.outcome],
            },
          ];
    });
    expect(wrong.slice(0, 5)).toEqual([]);
    // The questions must reach the rules they are there for.
    const outcomes = new Set(answers.map(({ outcome }) => outcome));
    expect([...outcomes]).toEqual(expect.arrayContaining(["merged", "empty", "fallback"]));
    expect(answers.filter(({ settings }) => Object.values(settings).includes("fatal")).length).toBeGreaterThan(50);
    expect(Object.keys(answers[0]?.settings ?? {}).length).toBeGreaterThan(30);
  });

  it("agrees on 1,500 generated configs with windows by provider and shares by model", {
    timeout: 300_000,
  }, async () => {
    if (started === undefined) throw new Error("no oracle");
    const r = new Random(SEED + 1);
    const questions = Array.from({ length: 1_500 }, () => providerQuestion(r));
    const answers = await started.oracle.askAll<ConfigAnswer>(questions);
    const wrong = questions.flatMap(({ text, loader, environment }, index) => {
      const config = effectiveConfig({
        user: loadYaml(text, loader),
        environment: environmentOf(environment),
        managed: undefined,
      });
      const mine = {
        outcome: config.outcome,
        window: providerWindow(config.value)?.tokens ?? null,
        share: shareOfModel(new InForce(config))?.share ?? null,
      };
      const { outcome, window = null, share = null } = answers[index] ?? {};
      return JSON.stringify(mine) === JSON.stringify({ outcome, window, share })
        ? []
        : [{ text, loader, mine, window, share }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(answers.filter(({ window }) => window !== null).length).toBeGreaterThan(100);
    expect(answers.filter(({ share }) => share !== null).length).toBeGreaterThan(500);
  });
});
