import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { CompletionItem } from "vscode-languageserver-types";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { completion } from "../../../extension/src/service/completion";
import { KEY } from "../config/samples";
import { caret } from "./caret";

function labels(marked: string, options: Partial<CheckOptions> = {}): readonly string[] {
  const { checked, position } = caret(marked, options);
  return completion(checked, position).map((item) => item.label);
}

/** The document after the first proposal was taken. */
function taken(marked: string, options: Partial<CheckOptions> = {}): string {
  const { checked, position } = caret(marked, options);
  const edit = completion(checked, position)[0]?.textEdit;
  return edit === undefined || !("range" in edit) ? "" : TextDocument.applyEdits(checked.document, [edit]);
}

const VALUES = ["20000", "8000", "50000", "100000", "null"];

describe("completion in YAML", () => {
  it("proposes the key inside tools", () => {
    for (const text of [
      "tools:\n  ¶",
      "tools:\n  to¶",
      "tools: # c\n\n  # note\n  a: 1\n  to¶\n",
      "tools: {¶}",
      "tools: {a: 1, to¶}",
    ]) {
      expect(labels(text), text).toEqual([KEY]);
    }
  });

  it("proposes nothing in other sections, in nested ones, or where the key stands", () => {
    for (const text of [
      "display:\n  ¶",
      "tools:\n  x:\n    ¶",
      `tools:\n  ${KEY}: 1\n  ¶`,
      "# tools:\n  ¶",
      "tools:\n  a: b¶",
    ]) {
      expect(labels(text), text).toEqual([]);
    }
  });

  it("proposes the section at the root of an agent config", () => {
    expect(labels("a: 1\n¶")).toEqual([`tools: ${KEY}`]);
    expect(labels("tools:\n  a: 1\n¶")).toEqual([]);
    expect(labels("a: 1\n¶", { isAgentConfig: false })).toEqual([]);
  });

  it("proposes documented values with their meaning", () => {
    expect(labels(`tools:\n  ${KEY}: ¶`)).toEqual(VALUES);
    const { checked, position } = caret(`tools:\n  ${KEY}: 1¶`);
    for (const item of completion(checked, position)) expect(item.detail).toMatch(/\w{4}/);
  });

  it("replaces the whole word at the caret", () => {
    expect(taken(`tools:\n  ${KEY}: 1¶e4 # c\n`)).toBe(`tools:\n  ${KEY}: 20000 # c\n`);
    expect(taken("tools:\n  to¶ol\n")).toBe(`tools:\n  ${KEY}: \${1:20000}\n`);
  });
});

describe("completion in JSON", () => {
  const json = { language: "json" } as const;
  it("proposes key and values", () => {
    expect(labels('{"tools": {"¶"}}', json)).toEqual([KEY]);
    expect(taken('{"tools": {"to¶"}}', json)).toBe(`{"tools": {"${KEY}": \${1:20000}}}`);
    expect(labels(`{"tools": {"${KEY}": ¶}}`, json)).toEqual(VALUES);
    expect(taken(`{"tools": {"${KEY}": 1¶}}`, json)).toBe(`{"tools": {"${KEY}": 20000}}`);
    expect(labels('{"x": {"¶"}}', json)).toEqual([]);
  });
});

describe("completion of the other settings", () => {
  const items = (marked: string, options: Partial<CheckOptions> = {}): readonly CompletionItem[] => {
    const { checked, position } = caret(marked, options);
    return completion(checked, position);
  };
  const labels = (marked: string, options: Partial<CheckOptions> = {}): readonly string[] =>
    items(marked, options).map(({ label }) => label);

  it("proposes the keys of the section that are not there yet", () => {
    const found = labels("tool_output:\n  max_bytes: 1\n  ¶\n  max_lines: 2\n");
    expect(found).toContain("max_line_length");
    expect(found).not.toContain("max_bytes");
    expect(found).not.toContain("max_lines");
    expect(labels("compression:\n  tool_result_prune:\n    ¶\n")).toEqual([
      "enabled",
      "threshold_chars",
      "head_chars",
      "tail_chars",
    ]);
  });

  it("writes the default of the loader's generation", () => {
    const [item] = items("compression:\n  tail_m¶\n").filter(({ label }) => label === "tail_mode");
    expect(item?.insertText).toBe("tail_mode: lean");
  });

  it("proposes values, the default first", () => {
    expect(labels("compression:\n  tail_mode: ¶\n", { loader: "pyyaml" })).toEqual(["legacy", "lean"]);
    expect(labels("compression:\n  micro_compact: ¶\n")).toEqual(["false", "true"]);
    expect(labels('{"compression": {"tail_mode": "¶"}}', { language: "json" })).toEqual(['"lean"', '"legacy"']);
  });

  it("stays out of other sections and documents", () => {
    expect(labels("display:\n  ¶\n")).toEqual([]);
    expect(labels("compression:\n  ¶\n", { isAgentConfig: false })).toEqual([]);
  });
});
