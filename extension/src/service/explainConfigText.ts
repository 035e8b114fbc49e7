import { TextDocument } from "vscode-languageserver-textdocument";
import type { LocalFiles, SurroundingsFinder } from "../core/config/surroundings";
import type { ConfigLanguage } from "../core/config/types";
import type { LoaderId } from "../core/model/loader";
import { configPlace } from "./configPlace";
import { checkDocument } from "./context";
import type { AskedWindow } from "./explain/derivedNumbers";
import { explainConfig } from "./explainConfig";
import { createFormat } from "./format";

/** A config that is known to be an agent's. */
export interface ConfigText {
  /** As the agent writes it: `C:/…` on Windows. */
  readonly path: string;
  readonly text: string;
  readonly language: ConfigLanguage;
}

/** The explanation of a config that is in no editor, as `explainConfig` gives it, in English. */
export function explainConfigText(
  { path, text, language }: ConfigText,
  asked: AskedWindow,
  around: { readonly finder: SurroundingsFinder; readonly local: LocalFiles; readonly loader: LoaderId },
): string {
  const { finder, local, loader } = around;
  const surroundings = finder.of(path, loader);
  const { environment, managed } = surroundings;
  const document = TextDocument.create(`file://${path}`, language, 0, text);
  const checked = checkDocument(document, {
    loader,
    language,
    isAgentConfig: true,
    environment,
    ...(managed === undefined ? {} : { managed }),
  });
  return explainConfig(checked, configPlace(path, surroundings, finder, local, loader), createFormat("en"), asked);
}
