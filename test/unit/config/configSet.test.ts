import { describe, expect, it } from "vitest";
import { configSetHint, configSetValue } from "../../../extension/src/core/config/configSet";
import { settingNamed } from "../../../extension/src/core/config/settings/table";
import { pyRepr } from "../../../extension/src/core/model/pyRepr";
import { check, KEY } from "./samples";

function stored(name: string, text: string): string {
  const setting = settingNamed(name);
  if (setting === undefined) throw new Error(`${name} is not in the table`);
  return pyRepr(configSetValue(setting, text));
}

describe("hermes config set", () => {
  it.each([
    ["tool_output.max_lines", "020000", "20000"],
    ["tool_output.max_lines", " +5 ", "5"],
    ["tool_output.max_lines", "20_000", "20000"],
    ["tool_output.max_lines", "1e4", "10000.0"],
    ["tool_output.max_lines", "nan", "'nan'"],
    ["tool_output.max_lines", "ON", "True"],
    ["tool_output.max_lines", "none", "None"],
    ["tool_output.max_lines", "[1, 2]", "[1, 2]"],
    ["tool_output.max_lines", "[1", "'[1'"],
    ["tool_output.max_lines", "256K", "'256K'"],
    ["compression.tail_mode", "off", "'off'"],
  ])("%s %s stores %s", (name, text, value) => {
    expect(stored(name, text)).toBe(value);
  });

  it("is mentioned where it comes to something else", () => {
    const hint = (text: string): string | undefined => {
      const [found] = check(text, { loader: "pyyaml" }).settings;
      const { outerStart = 0, end = 0 } = found?.pair.value ?? {};
      const said = found && configSetHint(found, text.slice(outerStart, end));
      return said && `${said.command}: ${said.effect}`;
    };
    expect(hint(`tools: {${KEY}: 020000}\n`)).toBe(
      `hermes config set tools.${KEY} 020000: stores int 20000, in force: 20000; the same text in the file is int 8192, in force: 8192`,
    );
    expect(hint("compression: {codex_app_server_auto: off}\n")).toMatch(
      /stores str 'off', in force: off; .*bool False/,
    );
    expect(hint(`tools: {${KEY}: 1e4}\n`)).toBeUndefined();
    expect(hint("tool_output: {max_lines: 1e4}\n")).toMatch(/stores float 10000.0, in force: 10000/);
    expect(hint("tool_output: {max_lines: 5}\n")).toBeUndefined();
  });
});
