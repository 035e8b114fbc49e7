import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PRESETS } from "../../../extension/src/core/compaction/policy";
import { POLICY_FIELDS, readPolicyField, withField } from "../../../extension/src/core/compaction/policyFields";
import { csvComments, csvTable } from "../../../extension/src/core/compaction/report/csv";

import { readPolicySpec, writePolicySpec } from "../../../extension/src/core/compaction/report/policySpec";
import { markdownCode, markdownTable, markdownText } from "../../../extension/src/core/util/markdown";

/** A reader of CSV as RFC 4180 states it, for texts that a writer must not break. */
function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at);
      else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "," || (character === "\r" && text.charAt(at + 1) === "\n")) {
      rows.at(-1)?.push(cell);
      cell = "";
      if (character === "\r") {
        at++;
        rows.push([]);
      }
    } else cell += character;
  }
  return rows.slice(0, -1);
}

describe("CSV", () => {
  it("gives every text back, save for an apostrophe before what would run", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 2 })), (rows) => {
        const [, ...read] = readCsv(csvTable(["a", "b"], rows));
        expect(read.map((row) => row.map((cell) => cell.replace(/^'/, "")))).toEqual(
          rows.map((row) => row.map((cell) => cell.replace(/^'/, ""))),
        );
      }),
    );
  });

  it.each([
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1",
    "\u{ff1d}1",
    "\ufeff=1",
    "=cmd|' /C calc'!A0",
  ])("no spreadsheet runs %j", (text) => {
    const [, [cell] = []] = readCsv(csvTable(["a"], [[text]]));
    expect(cell).toBe(`'${text}`);
  });

  it("keeps numbers as numbers and unknown ones empty", () => {
    expect(csvTable(["a", "b", "c", "d"], [[-1.5, 0, null, Number.NaN]])).toBe("a,b,c,d\r\n-1.5,0,,\r\n");
  });

  it("comments stay in their lines", () => {
    expect(csvComments([["file", 'a\r\n"b",\u2028c']])).toBe("# file: a 'b', c\r\n");
  });
});

describe("Markdown", () => {
  it("takes nothing in a text for markup", () => {
    expect(markdownText("<b>*x* [a](b) | `c`\n# d")).toBe("\\<b\\>\\*x\\* \\[a\\](b) \\| \\`c\\`\\\\n# d");
    expect(["# a", "- a", "1. a", "1) a", "a # b", "1.5"].map(markdownText)).toEqual([
      ...["\\# a", "\\- a", "1\\. a", "1\\) a", "a # b", "1\\.5"],
    ]);
    expect(markdownCode("a`b``c")).toBe("```a`b``c```");
    expect(markdownCode("`a|")).toBe("`` `a¦ ``");
  });

  it("writes a table, and none for no rows", () => {
    expect(markdownTable([{ title: "a" }, { title: "n", right: true }], [["x", "1"]])).toBe(
      "| a | n |\n| --- | ---: |\n| x | 1 |\n",
    );
    expect(markdownTable([{ title: "a" }], [])).toBe("");
  });
});

describe("a policy in one line", () => {
  it.each(PRESETS.map((preset) => [preset.id, preset] as const))("%s reads back", (id, preset) => {
    const chosen = { policy: preset.policy, preset };
    expect(writePolicySpec(chosen)).toBe(id);
    expect(readPolicySpec(id)).toEqual({ ok: true, value: chosen });
  });

  it("reads back whatever is set, in presets and kinds", () => {
    const values: Readonly<Record<string, readonly string[]>> = {
      flag: ["true", "false"],
      text: ["", "a,b", "x\\y", "[k=v]"],
      names: ["", "a b", "terminal"],
      thresholds: ["", "terminal=5000 mcp_x=1"],
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...PRESETS),
        fc.boolean(),
        fc.infiniteStream(fc.nat(4_000)),
        (preset, named, numbers) => {
          let { policy } = preset;
          for (const field of POLICY_FIELDS[policy.kind]) {
            const [n = 0, m = 0] = [numbers.next().value, numbers.next().value];
            if (m % 2 === 0) continue;
            const offered = field.type === "choice" ? field.values : (values[field.type] ?? [String(n % 1_999 || 1)]);
            const read = readPolicyField(policy.kind, field, offered[n % offered.length] ?? "");
            if (!read.ok) throw new Error(read.error);
            policy = withField(policy, field, read.value);
          }
          const chosen = { policy, preset: named ? preset : undefined };
          expect(readPolicySpec(writePolicySpec(chosen))).toEqual({ ok: true, value: chosen });
        },
      ),
    );
  });

  it("scales a persist policy with the window, unless it names its own", () => {
    const read = (spec: string) => readPolicySpec(spec, 64_000);
    expect(read("persist")).toMatchObject({ value: { policy: { contextTokens: 64_000, threshold: null } } });
    expect(read("persist:contextTokens=none")).toMatchObject({ value: { policy: { contextTokens: null } } });
  });
});
