import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Hover, MarkupContent } from "vscode-languageserver-types";
import { SETTINGS } from "../../../extension/src/core/config/settings/table";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { checkDocument } from "../../../extension/src/service/context";
import { toDiagnostics } from "../../../extension/src/service/diagnostics";
import { explainConfig } from "../../../extension/src/service/explainConfig";
import { createFormat } from "../../../extension/src/service/format";
import { hover } from "../../../extension/src/service/hover";
import { inlayHints } from "../../../extension/src/service/inlayHints";
import { KEY } from "../config/samples";
import { MARKUP, partsOf } from "./markdown";

const FORMAT = createFormat("en");
const COMMAND = "contextBudget.explainConfig";
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function markdownOf(found: Hover | null): string | undefined {
  return found !== null && MarkupContent.is(found.contents) ? found.contents.value : undefined;
}

/** Every Markdown text that the service writes about a config. */
function writtenAbout(text: string, options: Partial<CheckOptions>, name: string): readonly string[] {
  const document = TextDocument.create(`file:///home/${encodeURIComponent(name)}/config.yaml`, "yaml", 1, text);
  const checked = checkDocument(document, { loader: "ruamel", ...options });
  const hovers: string[] = [];
  for (let offset = 0; offset < text.length; offset += 3) {
    const found = markdownOf(hover(checked, document.positionAt(offset), { locale: "en", explainCommand: COMMAND }));
    if (found !== undefined && hovers.at(-1) !== found) hovers.push(found);
  }
  const hints = inlayHints(checked, { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } }, "en");
  const tips = hints.flatMap(({ tooltip }) =>
    tooltip === undefined ? [] : [typeof tooltip === "string" ? "" : tooltip.value],
  );
  const explained = explainConfig(
    checked,
    {
      path: `/home/${name}/config.yaml`,
      profile: name,
      envFile: { path: `/home/${name}/.env`, exists: true },
      managedFile: { path: `/etc/${name}`, exists: true },
      restricted: false,
      backups: [`/home/${name}/backup`],
      others: [
        { name, config: undefined },
        { name: `${name}2`, config: undefined },
      ],
      activeProfile: `${name}3`,
      lockedBy: `/home/${name}/.managed`,
      othersLeftOut: 3,
    },
    FORMAT,
    { model: name },
  );
  return [...hovers, ...tips, explained];
}

const quoted = (text: string): string => JSON.stringify(text);

/** Configs with a text in every place that is shown, as far as YAML allows it there. */
function configsWith(text: string): readonly string[] {
  const plain = /[\n\u0000-\u001f]/.test(text) ? quoted(text) : text.replace(/#.*/, "");
  return [
    `tools:\n  ${KEY}: ${quoted(text)}\n`,
    `tools:\n  ${KEY}: ${plain}\n`,
    `tools:\n  ${KEY}: \${${text.replace(/[}\n]/g, "")}}\n`,
    `tools:\n  ${KEY}: !<tag:${encodeURIComponent(text)}> 5\n`,
    `tools: {${quoted(text)}: 1, ${KEY}: [${quoted(text)}]}\n`,
    `${quoted(text)}: &a 1\n${quoted(text)}: 2\n`,
    `x: *${text}\n`,
    `x: !${text} 1\n`,
    `x: "${text}`,
    `model: ${quoted(text)}\nproviders: {${quoted(text)}: {models: {${quoted(text)}: {context_length: 100000}}}}\n`,
    `model: {default: m, provider: ${quoted(text)}}\ncompression: {model_thresholds: {${quoted(text)}: 0.5, m: ${quoted(text)}}}\nproviders: {${quoted(text)}: {models: {m: {context_length: 5}}}}\n`,
    ...SETTINGS.map(({ name }) => {
      const keys = name.split(".");
      return `${keys.map((key, depth) => `${"  ".repeat(depth)}${key}:`).join("\n")} ${quoted(text)}\n`;
    }),
  ];
}

describe("text of files in Markdown", () => {
  it.each(MARKUP)("%j is text wherever it stands", (text) => {
    const environment = new Map([
      [text.replace(/[}\n]/g, "").trim(), { value: text, source: text }],
      ["LIMIT", { value: text, source: text }],
    ]);
    for (const config of [...configsWith(text), `tools:\n  ${KEY}: \${LIMIT}\n`]) {
      for (const options of [{}, { environment }, { environment, loader: "pyyaml" as const }]) {
        for (const markdown of writtenAbout(config, options, text)) {
          const { active, text: shown } = partsOf(markdown);
          const strangers = active.filter((one) => !one.startsWith(`link command:${COMMAND}?`));
          expect({ strangers, config, markdown: strangers.length > 0 ? markdown : "" }).toMatchObject({
            strangers: [],
          });
          expect(shown, config).not.toMatch(HIDDEN);
        }
      }
    }
  });

  it("the shape of the explanation is the same, whatever a text is", () => {
    const shape = (text: string): readonly string[] => {
      const config = `model: ${quoted(text)}\ncompression:\n  tail_mode: ${quoted(text)}\ntools:\n  ${KEY}: ${quoted(text)}\n`;
      return partsOf(writtenAbout(config, {}, text).at(-1) ?? "").blocks;
    };
    const plain = shape("word");
    expect(plain.filter((block) => block === "table").length).toBeGreaterThan(2);
    for (const text of MARKUP) expect(shape(text), text).toEqual(plain);
  });

  it("a command's arguments cannot leave their link", () => {
    for (const name of ["a) [x](http://h/", 'a"b', "a b%29", "ü"]) {
      const [first = ""] = writtenAbout(`tools:\n  ${KEY}: 1\n`, {}, name);
      expect(partsOf(first).active).toHaveLength(1);
    }
  });

  it("messages of diagnostics are one line without invisible characters", () => {
    for (const text of MARKUP) {
      for (const config of configsWith(text)) {
        const document = TextDocument.create("file:///config.yaml", "yaml", 1, config);
        for (const { message } of toDiagnostics(checkDocument(document, { loader: "ruamel" }), {
          source: "x",
          docs: undefined,
        })) {
          expect(message, config).not.toMatch(HIDDEN);
        }
      }
    }
  });
});
