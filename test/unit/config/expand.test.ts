import { describe, expect, it } from "vitest";
import {
  bareVariable,
  type Environment,
  expandText,
  looksSecret,
  placeholders,
} from "../../../extension/src/core/config/expand";
import { variable } from "./samples";

const environment: Environment = {
  get: (name) =>
    name === "A" ? { value: "1", source: "here" } : name === "E" ? { value: "", source: "here" } : undefined,
};

describe("expandText", () => {
  it.each([
    [variable("A"), "1"],
    [variable("env:A"), "1"],
    [variable(" A "), "1"],
    [`x${variable("A")}y${variable("A")}`, "x1y1"],
    [variable("E"), ""],
    [variable("NOPE"), variable("NOPE")],
    [variable("A:-5"), variable("A:-5")],
    [variable("vault:A"), variable("vault:A")],
    ["$A", "$A"],
    [`$${variable("A")}`, "$1"],
    [variable(""), variable("")],
    [variable(variable("A")), variable(variable("A"))],
  ])("%s → %s", (text, expected) => {
    expect(expandText(text, environment)).toBe(expected);
  });

  it("says what each placeholder is", () => {
    const kinds = placeholders(
      `${variable("A")} ${variable("A:-1")} ${variable("op:x")} ${variable("B")}`,
      environment,
    );
    expect(kinds.map(({ kind, name, found }) => [kind, name, found?.value])).toEqual([
      ["variable", "A", "1"],
      ["default", "A:-1", undefined],
      ["secret", "op:x", undefined],
      ["variable", "B", undefined],
    ]);
    expect(bareVariable("use $HOME/x")).toBe("HOME");
    expect(bareVariable("cost $5")).toBeUndefined();
  });
});

describe("looksSecret", () => {
  it.each([
    ["OPENROUTER_API_KEY", "abc", true],
    ["X", "sk-or-v1-123", true],
    ["URL", "https://me:pw@host/", true],
    ["X", "a1b2c3d4e5f6a1b2c3d4", true],
    ["DB_PASSWORD", "1234", true],
    ["MAX_TOKENS", "20000", false],
    ["AUTH_ENABLED", "true", false],
    ["LIMIT", "many", false],
    ["API_KEY", "", false],
    ["URL", "https://host/path", false],
  ])("%s=%s: %s", (name, value, expected) => {
    expect(looksSecret(name, value)).toBe(expected);
  });
});
