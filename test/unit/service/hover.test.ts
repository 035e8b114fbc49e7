import { describe, expect, it } from "vitest";
import { MarkupContent } from "vscode-languageserver-types";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { createFormat } from "../../../extension/src/service/format";
import { hover } from "../../../extension/src/service/hover";
import { inlayHints } from "../../../extension/src/service/inlayHints";
import { inlineCode } from "../../../extension/src/service/inlineCode";
import { KEY, variable } from "../config/samples";
import { caret } from "./caret";

function hoverAt(marked: string, options: Partial<CheckOptions> = {}): string {
  const { checked, position } = caret(marked, options);
  const found = hover(checked, position, { locale: "en", explainCommand: undefined });
  if (found === null) return "";
  if (!MarkupContent.is(found.contents)) throw new Error("the hover is no markup");
  return found.contents.value;
}

/** Cells of the table row that starts with `label`. */
function row(text: string, label: string): readonly string[] {
  const line = text.split("\n").find((candidate) => candidate.startsWith(`| ${label} |`));
  return (
    line
      ?.split("|")
      .slice(2, -1)
      .map((cell) => cell.trim()) ?? []
  );
}

describe("hover", () => {
  it("says the verdict first", () => {
    expect(hoverAt(`tools:\n  ${KEY}: 2¶0000\n`)).toMatch(
      /^\*\*✓ 20,000 chars per result\*\* \(≈ 5k tok\) · `20000` → int `20000`/,
    );
    expect(hoverAt(`tools:\n  ${KEY}: 1¶e4\n`)).toMatch(/^\*\*✗ Rejected\.\*\* `1e4` → str `'1e4'`/);
    expect(hoverAt(`tools:\n  ${KEY}: ¶0\n`)).toMatch(/^\*\*⚠ Unset\.\*\* `0` → int `0`/);
    expect(hoverAt(`tools:\n  ${KEY}: ¶~\n`)).toMatch(/^\*\*– Unset\.\*\* `~` → `None`/);
    expect(hoverAt(`tools:\n  ${KEY}: ¶020000\n`)).toContain("octal");
    expect(hoverAt(`tools:\n  ${KEY}: ¶${variable("LIMIT")}\n`)).toMatch(/^\*\*\? Depends on the environment\.\*\*/);
  });

  it("answers on the key and the value only", () => {
    expect(hoverAt(`tools:\n  tool_¶${KEY.slice(5)}: 1\n`)).not.toBe("");
    expect(hoverAt(`too¶ls:\n  ${KEY}: 1\n`)).toBe("");
    expect(hoverAt(`tools:\n  ${KEY}: 1 # com¶ment\n`)).toBe("");
    expect(hoverAt(`tools:\n  ${KEY}:¶\n`)).toContain("nothing is written");
  });

  it("shows the usual windows where the file states none", () => {
    const text = hoverAt(`tools:\n  ${KEY}: ¶1e4\n`);
    expect(row(text, "per result")).toEqual(["19,660", "39,321", "78,643", "100,000", "100,000"]);
    expect(row(text, "per turn")).toEqual(["39,321", "78,643", "157,286", "200,000", "200,000"]);
    expect(row(text, "preview")).toEqual(["1,500", "1,500", "1,500", "1,500", "1,500"]);
    expect(row(text, "`read_file`")).toEqual(["never", "never", "never", "never", "never"]);
    expect(row(text, "`mcp_*`")).toEqual(["19,660", "39,321", "50,000", "50,000", "50,000"]);
    expect(text).toContain("≈ 4.9k tok");
    expect(text).toContain("Read once when an agent starts");
  });

  it.each([
    ["", "The file states no `model.context_length`. "],
    ["model: {context_length: }\n", "The file states no `model.context_length`. "],
    ["model: {context_length: 256K}\n", "The file states no `model.context_length` that gives a window here. "],
    ["context_length: 0\n", "The file states no `model.context_length` that gives a window here. "],
    [`model: {context_length: "${variable("N")}"}\n`, "states no `model.context_length` that gives a window here. "],
    ["model: {context_length: 65536}\n", undefined],
  ])("says of a window that is written, as in %j, not that it is not there", (before, note) => {
    const text = hoverAt(`${before}tools:\n  ${KEY}: ¶1e4\n`);
    if (note === undefined) expect(text).not.toContain("states no");
    else expect(text).toContain(note);
  });

  it("shows the file's own window, with tokens and what holds without the key", () => {
    const text = hoverAt(`model: {context_length: 65536}\ntools:\n  ${KEY}: ¶150000\n`);
    expect(text).toContain("window 65,536");
    expect(row(text, "per result")).toEqual(["150,000 (≈ 37.5k tok)", "39,321 (≈ 9.8k tok)"]);
    expect(row(text, "per turn")[0]).toBe("78,643 (≈ 19.7k tok)");
    expect(row(text, "`terminal` (first cut to 50,000)")[0]).toBe("100,000 (≈ 25k tok)");
    expect(row(text, "`web_search`")[0]).toBe("100,000 (≈ 25k tok)");
    expect(row(text, "`mcp_*`")[0]).toBe("50,000 (≈ 12.5k tok)");
    expect(row(text, "unregistered tool")[0]).toBe("150,000 (≈ 37.5k tok)");
    expect(row(text, "`read_file`")[0]).toBe("never persisted");
  });

  it("takes the MCP size of the file and the window of the settings", () => {
    const text = hoverAt(`tool_budget: {mcp_result_size_chars: 7000}\ntools:\n  ${KEY}: ¶true\n`, {
      contextLength: 200_000,
    });
    expect(row(text, "`mcp_*`")).toEqual(["7,000 (≈ 1.8k tok)"]);
    expect(text).toContain("from your settings");
  });

  it("shows beside an accepted value what holds without it", () => {
    const text = hoverAt(`tools:\n  ${KEY}: ¶20000\n`);
    expect(row(text, "per result")).toEqual(["20,000", "20,000", "20,000", "20,000", "20,000"]);
    expect(row(text, "without the key")).toEqual(["19,660", "39,321", "78,643", "100,000", "100,000"]);
  });

  it("keeps Markdown in a value harmless", () => {
    expect(inlineCode("a`b``c")).toBe("```a`b``c```");
    const text = hoverAt(`tools:\n  ${KEY}: "¶[x](command:y) \`|\` <b>"\n`);
    expect(text.split("\n")[0]).toContain('``"[x](command:y) `¦` <b>"``');
  });

  it("bounds a long value", () => {
    expect(hoverAt(`tools:\n  ${KEY}: "¶${"x".repeat(100_000)}"\n`).length).toBeLessThan(3_000);
  });
});

describe("numbers", () => {
  it("follow the locale, and English where it is unknown", () => {
    expect(createFormat("de").chars(39321)).toBe("39.321");
    expect(createFormat("no such locale").chars(39321)).toBe("39,321");
    expect(createFormat("en").tokens(1)).toBe("≈ 1 tok");
    expect(createFormat("en").tokens(10n ** 18n)).toContain("M tok");
  });
});

describe("inlay hints", () => {
  const hints = (text: string): unknown => {
    const { checked } = caret(`${text}¶`);
    const end = checked.document.positionAt(text.length);
    return inlayHints(checked, { start: { line: 0, character: 0 }, end }, "en").map((hint) => hint.label);
  };
  it("say what an accepted value means", () => {
    expect(hints(`tools:\n  ${KEY}: 20000\n`)).toEqual(["≈ 5k tok"]);
    expect(hints(`tools:\n  ${KEY}: 020000\n`)).toEqual(["= 8,192 chars ≈ 2k tok"]);
    expect(hints(`tools:\n  ${KEY}: 1e4\n`)).toEqual([]);
  });
});

describe("hover on the other settings", () => {
  it("says the verdict, what the key does, its trap and default", () => {
    const text = hoverAt("tool_output:\n  max_bytes: ¶true\n");
    expect(text).toMatch(/^\*\*⚠ Counts as 1 character\*\*: a boolean counts as 1 · `true` → bool `True`/);
    expect(text).toContain("It counts characters, not bytes.");
    expect(text).toContain("default: 50,000 characters");
    expect(hoverAt("model:\n  context_length: ¶256K\n")).toMatch(/^\*\*✗ Ignored\*\*, unset applies/);
    expect(hoverAt("model:\n  context_length: ¶200000\n")).toMatch(/^\*\*✓ 200,000 tokens\*\*/);
    expect(hoverAt("compression:\n  thre¶shold: 0.7\n")).toMatch(/^\*\*✓ 0.7\*\*/);
    expect(hoverAt("compression:\n  protect_last_n: ¶many\n")).toMatch(/^\*\*✗ The agent does not start\*\*/);
  });

  const environment = {
    get: (name: string) =>
      ({ LIMIT: { value: "20000", source: "the profile's .env" }, API_KEY: { value: "hunter2", source: "x" } })[name],
  };

  it("expands variables, says from where, and masks secrets", () => {
    const limit = hoverAt(`tools:\n  ${KEY}: ¶${variable("LIMIT")}\n`, { environment });
    expect(limit).toMatch(/^\*\*✓ 20,000 chars per result\*\*/);
    expect(limit).toContain("→ str `'20000'`");
    expect(limit).toContain("= `20000` from the profile's .env");
    const secret = hoverAt(`model:\n  api_key: "¶${variable("API_KEY")}"\n`, { environment });
    expect(secret).toContain("••••••");
    expect(secret).not.toContain("hunter2");
    expect(hoverAt(`model:\n  # ¶${variable("API_KEY")}\n`, { environment })).toBe("");
    expect(hoverAt(`model:\n  x: ¶${variable("NOPE")}\n`, { environment })).toContain("is not set here");
  });

  it("links to the explanation where the client has one", () => {
    const { checked, position } = caret(`tools:\n  ${KEY}: ¶1\n`);
    const found = hover(checked, position, { locale: "en", explainCommand: "x.explain" });
    expect(JSON.stringify(found?.contents)).toContain("[Explain this config](command:x.explain?%5B");
  });
});
