import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { SETTINGS } from "../../../extension/src/core/config/settings/table";
import { checkDocument } from "../../../extension/src/service/context";
import type { AskedWindow } from "../../../extension/src/service/explain/derivedNumbers";
import { type ConfigPlace, explainConfig } from "../../../extension/src/service/explainConfig";
import { createFormat } from "../../../extension/src/service/format";

const PLACE: ConfigPlace = {
  path: "/home/user/.hermes/config.yaml",
  profile: undefined,
  envFile: undefined,
  managedFile: { path: "/etc/hermes/config.yaml", exists: false },
  restricted: false,
  backups: [],
  others: [],
  activeProfile: undefined,
  lockedBy: undefined,
  othersLeftOut: 0,
};

function explained(text: string, asked: AskedWindow = {}): string {
  const document = TextDocument.create("file:///config.yaml", "yaml", 1, text);
  return explainConfig(checkDocument(document, { loader: "ruamel" }), PLACE, createFormat("en"), asked);
}

describe("the explanation", () => {
  const config = [
    "model: {default: m1, provider: mine}",
    "compression: {model_thresholds: {m: 0.6, 'mine:m1': 0.9}}",
    "providers: {mine: {api: http://h, models: {m1: {context_length: 100000}}}}",
  ].join("\n");

  it("takes the window of the provider's entry and says so", () => {
    const text = explained(config);
    expect(text).toContain("The window is stated by `providers.mine.models.m1.context_length`");
    expect(text).toContain("| characters | window 100,000 |");
    // 15 % of 100,000 tokens of 4 characters each.
    expect(text).toMatch(/^\| per result \| 60,000 /m);
    expect(text).toContain("| **compaction starts at** (tokens) | 90,000 |");
  });

  it("names the entry whose share counts", () => {
    expect(explained(config)).toContain("- The share is that of `mine:m1` in `compression.model_thresholds`: 0.9.");
    expect(explained("model: m1\n")).not.toContain("The share is that of");
  });

  it("gives the numbers for a window that is asked about, and says what the config states", () => {
    const text = explained(config, { contextWindow: 400_000, model: "gpt-4" });
    expect(text).toContain(
      "The numbers are for a window of 400,000 tokens, as asked for. The config states 100,000 tokens, which is what applies.",
    );
    expect(text).toMatch(/^\| per result \| 100,000 /m);
    expect(text).not.toContain("is stated by");
  });

  it("knows the window of a model by its name, and says when it does not", () => {
    expect(explained("", { model: "gpt-4o" })).toContain(
      "The numbers are for a window of 128,000 tokens, which the name `gpt-4o` stands for.",
    );
    const unknown = explained(config, { model: "mine `x`" });
    expect(unknown).toContain("says nothing about a context window.");
    expect(unknown).toContain("| characters | window 100,000 |");
  });

  it("lists what other agents have built in", () => {
    const text = explained("");
    expect(text).toContain("| OpenMausBot | whole results | 24,000 UTF-16 units | built in |");
    expect(text).toContain("| OpenMausBot | kept behind a handle | 131,072 UTF-16 units | built in |");
    expect(text).toContain("| OpenMausBot | life of a handle | 60 minutes | built in |");
    expect(text).toContain("| openhuman | newest results | 5 results | built in |");
    expect(text).toContain("| openhuman | offload | 50,000 tokens | built in |");
  });
});

describe("bad input", () => {
  /** A key in the sections that its path names, as flow mappings. */
  const written = (path: readonly string[], value: string): string =>
    path.toReversed().reduce((inner, name) => `{${JSON.stringify(name)}: ${inner}}`, value);

  it.each([
    ["an integer of 4,000 digits", "9".repeat(4_000)],
    ["a negative one", `-${"9".repeat(4_000)}`],
    ["infinity", ".inf"],
    ["no number", ".nan"],
    ["a list", "[1, [2]]"],
    ["a mapping", "{a: {b: 1}}"],
    ["a long text", JSON.stringify("x|`\n".repeat(2_000))],
    ["a date", "2026-08-14"],
  ])("%s at any key is explained", (_, value) => {
    for (const { name, path } of SETTINGS) {
      const text = explained(written(path, value));
      expect(text, name).toContain(`\`${name}\``);
      // One cell is bounded, whatever stands in the file.
      for (const line of text.split("\n")) expect(line.length, name).toBeLessThan(4_000);
    }
  });

  it.each([
    ["a list as root", "- a\n- b\n", "does not load"],
    ["a number as root", "5\n", "does not load"],
    ["sections that are none", "tools: 1\ncompression: [a]\nmodel: 2.5\ntool_output: x\n", "Keys at their default"],
    ["a circle", "tools: &t {a: *t}\n", "cannot start with this file"],
    ["nothing at all", "", "The file holds no settings"],
  ])("%s is said", (_, text, part) => {
    expect(explained(text)).toContain(part);
  });
});
