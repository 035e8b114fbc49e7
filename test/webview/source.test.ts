import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import record from "../../webview/dev/themes.json";
import { ICONS } from "../../webview/src/styles/codicons";

const folder = new URL("../../webview/src/", import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(new URL(name, folder), "utf8") }));

/** "file: match" of every match. */
function findings(pattern: RegExp, except: (name: string) => boolean = () => false): string[] {
  return sources
    .filter((source) => !except(source.name))
    .flatMap((source) => [...source.text.matchAll(pattern)].map((match) => `${source.name}: ${match[0]}`));
}

describe("source of the page", () => {
  test("there is some", () => {
    expect(sources.length).toBeGreaterThan(20);
  });

  test("colours come from theme variables only", () => {
    expect(findings(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|color)\(/gi)).toEqual([]);
    expect(
      findings(
        /(?:color|background|border|outline)[\w-]*:\s*[^;`]*(?<![-\w])(?:white|black|red|gr[ae]y|blue|green|yellow|orange)\b/gi,
      ),
    ).toEqual([]);
  });

  test("every theme variable exists in VS Code (else run webview/dev/captureThemes.mjs)", () => {
    const used = new Set(findings(/--vscode-[\w-]+/g).map((finding) => finding.split(": ")[1]));
    expect([...used].filter((token) => !record.used.includes(token ?? "")).sort()).toEqual([]);
    expect(record.used.filter((token) => !used.has(token))).toEqual([]);
  });

  test("no template sets a style attribute, which the security policy would block", () => {
    expect(findings(/[\s"]style=|styleMap/g)).toEqual([]);
  });

  test("nothing is set as markup", () => {
    expect(findings(/innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|unsafeSVG|document\.write/g)).toEqual([]);
    expect(findings(/unsafeCSS/g, (name) => name === "styles/codicons.ts" || name === "styles/table.ts")).toEqual([]);
  });

  test("the toolkit is imported and its tags are written only where they are wrapped", () => {
    expect(findings(/@vscode\/webview-ui-toolkit/g, (name) => name === "components/toolkit.ts")).toEqual([]);
    expect(findings(/<vscode-[\w-]+/g, (name) => name.startsWith("components/controls/"))).toEqual([]);
  });

  test("icons have the code points of the font", () => {
    const css = readFileSync(new URL("../../node_modules/@vscode/codicons/dist/codicon.css", import.meta.url), "utf8");
    const font = Object.fromEntries(
      [...css.matchAll(/\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)"/g)].map((match) => [
        match[1] ?? "",
        Number.parseInt(match[2] ?? "", 16),
      ]),
    );
    expect(ICONS).toEqual(Object.fromEntries(Object.keys(ICONS).map((name) => [name, font[name]])));
  });

  test("files stay readable", () => {
    expect(sources.filter((source) => source.text.split("\n").length > 500).map((source) => source.name)).toEqual([]);
  });
});
