import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../extension/src/core/config/edits";
import { type ConfigFix, configFixes, unquoteFix } from "../../../extension/src/core/config/fixes";
import { plainlyMeant } from "../../../extension/src/core/config/plainNumber";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { check, KEY, withValue } from "./samples";

function fixesOf(text: string, options: Partial<CheckOptions> = {}): readonly ConfigFix[] {
  const found = check(text, options);
  return found.problems.flatMap((problem) => configFixes(text, found, problem, { loader: "ruamel", ...options }));
}

/** Results by title. */
function results(text: string, options: Partial<CheckOptions> = {}): Record<string, string> {
  return Object.fromEntries(fixesOf(text, options).map((fix) => [fix.title, applyEdits(text, fix.edits)]));
}

describe("the whole number that was plainly meant", () => {
  it.each<[string, bigint | undefined]>([
    ["1e4", 10000n],
    ["1E4", 10000n],
    ["1e+4", 10000n],
    ["2.5e3", 2500n],
    ["20_000", 20000n],
    ["20000.0", 20000n],
    ["20000.", 20000n],
    ["0x4e20", 20000n],
    ["0o47040", 20000n],
    ["20000# chars", 20000n],
    ["20000 # chars", 20000n],
    ["20k", undefined],
    ["20,000", undefined],
    ["20.000.000", undefined],
    ["20 000", undefined],
    ["20000.5", undefined],
    ["-20000", undefined],
    ["twenty", undefined],
    ["", undefined],
    ["1e99", undefined],
    ["0", undefined],
  ])("%j → %s", (v, meant) => {
    expect(plainlyMeant({ t: "str", v })).toBe(meant);
  });

  it("of floats only whole ones", () => {
    expect(plainlyMeant({ t: "float", v: 20000 })).toBe(20000n);
    for (const v of [20000.5, Infinity, Number.NaN, -3, 0, 1e300])
      expect(plainlyMeant({ t: "float", v })).toBeUndefined();
  });
});

describe("replacing the value", () => {
  it.each([
    ['"1e4"', "10000"],
    ["1e4", "10000"],
    ["20000.0", "20000"],
    ['"20_000"', "20000"],
    ["'0x4e20'", "20000"],
    ["!!str 1e4", "10000"],
    ["!!float 20000", "20000"],
    ["&a 1e4", "&a 10000"],
    ["20_000", "20000"],
    ["0x4e20", "20000"],
    ["5:33:20", "20000"],
    ["20000# chars", "20000 # chars"],
  ])("%s → %s", (written, number) => {
    const text = `# head\n${withValue(`${written} # why`)}other: "x"\n`;
    const preferred = fixesOf(text).filter((fix) => fix.isPreferred);
    expect(preferred).toHaveLength(1);
    expect(applyEdits(text, preferred[0]?.edits ?? [])).toBe(`# head\n${withValue(`${number} # why`)}other: "x"\n`);
  });

  it("offers both readings of an octal number and prefers none", () => {
    const fixes = fixesOf(withValue("020000"));
    expect(fixes.map((fix) => fix.title)).toEqual([
      "Write 8192 (what Hermes reads now)",
      "Write 20000 (as it looks)",
      "Remove the key",
    ]);
    expect(fixes.some((fix) => fix.isPreferred)).toBe(false);
  });

  it.each(["20k", "20,000", "true", "[20000]", "-20000", "20000.5", "2026-08-14", '""'])(
    "offers no number for %s",
    (written) => {
      expect(fixesOf(withValue(written)).map((fix) => fix.title)).toEqual(["Remove the key"]);
    },
  );

  it("keeps CRLF", () => {
    const text = withValue("1e4 # c").replaceAll("\n", "\r\n");
    expect(results(text)["Write 10000"]).toBe(withValue("10000 # c").replaceAll("\n", "\r\n"));
  });

  it("works in flow mappings, block scalars and aliases", () => {
    expect(results(`tools: {a: 1, ${KEY}: "1e4", b: 2}\n`)["Write 10000"]).toBe(`tools: {a: 1, ${KEY}: 10000, b: 2}\n`);
    expect(results(`tools:\n  ${KEY}: |\n    1e4\n  b: 2\n`)["Write 10000"]).toBe(`tools:\n  ${KEY}: 10000\n  b: 2\n`);
    expect(results(`x: &t 1e4\ntools:\n  ${KEY}: *t\n`)["Write 10000"]).toBe(`x: &t 1e4\ntools:\n  ${KEY}: 10000\n`);
  });

  it("works in JSON", () => {
    const text = `{\n  "tools": {"a": 1, "${KEY}": 1e4}\n}`;
    expect(results(text, { language: "json" })).toEqual({
      "Write 10000": `{\n  "tools": {"a": 1, "${KEY}": 10000}\n}`,
      "Remove the key": `{\n  "tools": {"a": 1}\n}`,
    });
  });
});

describe("removing the key", () => {
  it("takes the line out", () => {
    expect(results(`tools:\n  a: 1\n  ${KEY}: true\n  b: 2\n`)["Remove the key"]).toBe("tools:\n  a: 1\n  b: 2\n");
  });

  it("keeps a comment on the line and the lines around", () => {
    expect(results(`tools:\n  # above\n  ${KEY}: true # why\n  # below\n`)["Remove the key"]).toBe(
      "tools:\n  # above\n  # why\n  # below\n",
    );
  });

  it("takes a value over several lines out whole", () => {
    expect(results(`tools:\n  ${KEY}:\n    - 1\n    - 2\n  b: 2\n`)["Remove the key"]).toBe("tools:\n  b: 2\n");
  });

  it("works at the end of a file without a line end", () => {
    expect(results(`tools:\n  a: 1\n  ${KEY}: true`)["Remove the key"]).toBe("tools:\n  a: 1\n");
  });

  it("works in flow mappings", () => {
    expect(results(`tools: {${KEY}: true, a: 1}\n`)["Remove the key"]).toBe("tools: {a: 1}\n");
    expect(results(`tools: {a: 1, ${KEY}: true}\n`)["Remove the key"]).toBe("tools: {a: 1}\n");
    expect(results(`tools: {${KEY}: true}\n`)["Remove the key"]).toBe("tools: {}\n");
  });

  it("is not offered where an alias needs the value", () => {
    expect(results(`tools:\n  ${KEY}: &t true\nx: *t\n`)["Remove the key"]).toBeUndefined();
  });
});

describe("moving and renaming", () => {
  it("renames a misspelt key", () => {
    expect(results("tools:\n  persist_threshold: 20000 # c\n")).toEqual({
      [`Rename to ${KEY}`]: `${withValue("20000 # c")}`,
    });
    expect(results('tools:\n  "persist_threshold": 20000\n')).toEqual({
      [`Rename to ${KEY}`]: `tools:\n  "${KEY}": 20000\n`,
    });
  });

  it("does not rename onto a key that exists", () => {
    expect(fixesOf(`tools:\n  persist_threshold: 1\n  ${KEY}: 2\n`)).toEqual([]);
  });

  it("renames a misspelt section", () => {
    expect(results(`tool:\n  ${KEY}: 20000\n`)).toEqual({ "Rename to tools": withValue("20000") });
  });

  it("moves a key into the section, new or present", () => {
    const title = `Move to tools.${KEY}`;
    expect(results(`a: 1\n${KEY}: 20000\n`)[title]).toBe(`a: 1\n${withValue("20000")}`);
    expect(results(`tools:\n  a: 1\n${KEY}: 20000\n`)[title]).toBe(`tools:\n  ${KEY}: 20000\n  a: 1\n`);
    expect(results(`tools:\nx:\n  y: 1\n  ${KEY}: 20000\n`)[title]).toBe(`tools:\n  ${KEY}: 20000\nx:\n  y: 1\n`);
    expect(results(`tools: {a: 1}\n${KEY}: 20000\n`)[title]).toBe(`tools: {${KEY}: 20000, a: 1}\n`);
    expect(results(`a: 1\ntools.${KEY}: 20000\n`)[title]).toBe(`a: 1\n${withValue("20000")}`);
  });

  it("moves a rival key to its own section", () => {
    expect(results("tools:\n  a: 1\n  max_bytes: 7\n")["Move to tool_output.max_bytes"]).toBe(
      "tools:\n  a: 1\ntool_output:\n  max_bytes: 7\n",
    );
  });

  it("inserts the missing space", () => {
    expect(results(`tools:\n  ${KEY}:20000\n`)).toEqual({ "Insert a space after the colon": withValue("20000") });
  });

  it("removes the copy that loses", () => {
    const text = `tools:\n  ${KEY}: 1\n  ${KEY}: 2\n`;
    for (const loader of ["pyyaml", "ruamel"] as const) {
      expect(results(text, { loader })).toEqual({ "Remove the earlier copy": withValue("2") });
    }
  });

  it("merges two sections, comments included", () => {
    const text = `a: 1\ntools: # first\n  # note\n  ${KEY}: 2 # two\nb: 1\ntools:\n  c: 3\n`;
    const merged = `a: 1\nb: 1\ntools:\n  # first\n  # note\n  ${KEY}: 2 # two\n  c: 3\n`;
    for (const loader of ["pyyaml", "ruamel"] as const) {
      expect(results(text, { loader })).toEqual({ "Merge the two sections": merged });
    }
  });

  it("does not merge sections that contradict each other", () => {
    expect(fixesOf(`tools:\n  ${KEY}: 1\ntools:\n  ${KEY}: 2\n`, { loader: "pyyaml" })).toEqual([]);
    expect(fixesOf(`tools:\n  a: 1\ntools:\n    ${KEY}: 2\n`, { loader: "pyyaml" })).toEqual([]);
  });
});

describe("every fix keeps its promise under both loaders", () => {
  const values = ["1e4", '"20_000"', "020000", "0x4e20", "20000.0", "yes", "0", '"~"', "!!str 1e4", "|\n    1e4"];
  it.each(values)("%s", (written) => {
    for (const fix of fixesOf(withValue(written))) {
      const fixed = applyEdits(withValue(written), fix.edits);
      const number = /^Write (\d+)/.exec(fix.title)?.[1];
      for (const loader of ["pyyaml", "ruamel"] as const) {
        const now = check(fixed, { loader });
        expect(now.problems, fix.title).toEqual([]);
        if (number !== undefined) expect(now.threshold).toBe(BigInt(number));
        else expect(["absent", "unset"]).toContain(now.verdict);
      }
    }
  });
});

describe("unquoting an accepted number", () => {
  it.each([
    ['"20000"', "20000"],
    ["' +020000 '", "20000"],
  ])("%s → %s", (written, plain) => {
    const text = withValue(`${written} # c`);
    const fix = unquoteFix(text, check(text), { loader: "ruamel" });
    expect(applyEdits(text, fix?.edits ?? [])).toBe(withValue(`${plain} # c`));
  });

  it("is not offered for plain or rejected values", () => {
    for (const written of ["20000", '"1e4"', "true"]) {
      expect(unquoteFix(withValue(written), check(withValue(written)), { loader: "ruamel" })).toBeUndefined();
    }
  });
});
