import * as vscode from "vscode";
import { CANDIDATE_THRESHOLDS } from "../core/compaction/policy";
import { aboutPercent } from "../core/util/numbers";
import { CONFIG_LANGUAGES } from "./configLanguages";
import type { LanguageServer } from "./languageServer";
import { type Disposable, Lifetime } from "./lifetime";
import type { Prompts } from "./prompts";
import { isAgentConfig } from "./relevantDocuments";
import type { SessionEstimate } from "./sessionEstimate";
import { mayScanHomes, SECTION } from "./settings";
import { numbersFor } from "./views/numbers";
import type { WhatIfApply } from "./views/whatIfApply";

/** Stands for a config that names no threshold of its own. Code points. */
const USUAL_THRESHOLD = 20_000;

const SETTING = "config.estimateOnSessions";

export interface ThresholdLensParts {
  readonly estimate: SessionEstimate;
  readonly server: Pick<LanguageServer, "configThreshold">;
  readonly apply: Pick<WhatIfApply, "applyTo">;
  readonly prompts: Prompts;
}

interface Choice extends vscode.QuickPickItem {
  readonly threshold: number;
}

/** Above the threshold of a config: what it would have saved in the user's own sessions. Nothing is read until they ask once. */
export class ThresholdLens implements vscode.CodeLensProvider, Disposable {
  readonly #parts: ThresholdLensParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(parts: ThresholdLensParts) {
    this.#parts = parts;
    this.#lifetime.add(parts.estimate.onChanged(() => this.#changed.fire()));
    this.#lifetime.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(`${SECTION}.${SETTING}`)) return;
        if (!isOn()) parts.estimate.stop();
        this.#changed.fire();
      }),
    );
    const selector = CONFIG_LANGUAGES.map((language) => ({ language, scheme: "file" }));
    this.#lifetime.add(vscode.languages.registerCodeLensProvider(selector, this));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!mayScanHomes() || !isAgentConfig(document)) return [];
    const says = await this.#says(document);
    if (says === undefined || says.line === null) return [];
    if (isOn()) this.#parts.estimate.refresh();
    const range = new vscode.Range(says.line, 0, says.line, 0);
    const words = this.#words(says.threshold ?? USUAL_THRESHOLD);
    const { title } = words;
    const example = `No threshold counts here; ${numbers().count(USUAL_THRESHOLD)} is an example.`;
    const tooltip = says.threshold === null && isOn() ? `${example} ${words.tooltip}` : words.tooltip;
    return [
      new vscode.CodeLens(range, {
        title,
        tooltip,
        command: `${SECTION}.estimateOnSessions`,
        arguments: [document.uri],
      }),
    ];
  }

  /** What a click does: asks for the estimate, stops it, or lets the user choose among its thresholds. */
  readonly clicked = async (address?: unknown): Promise<void> => {
    const { estimate } = this.#parts;
    if (!isOn()) {
      await vscode.workspace.getConfiguration(SECTION).update(SETTING, true, vscode.ConfigurationTarget.Global);
      estimate.refresh();
    } else if (estimate.phase === "running") estimate.stop();
    else if (estimate.phase !== "done") estimate.start();
    else await this.#choose(address instanceof vscode.Uri ? address : vscode.window.activeTextEditor?.document.uri);
  };

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #says(document: vscode.TextDocument) {
    const { uri, languageId } = document;
    return this.#parts.server.configThreshold({ uri: uri.toString(), languageId, text: document.getText() });
  }

  #words(threshold: number): { readonly title: string; readonly tooltip: string } {
    const { estimate } = this.#parts;
    if (!isOn()) {
      return {
        title: "$(graph-line) Context Budget: estimate on my sessions",
        tooltip: "Reads the newest Hermes sessions on this machine to say what this threshold would have saved.",
      };
    }
    const { done, total } = estimate.progress;
    if (estimate.phase === "running") {
      const title = `$(loading~spin) Estimating on your sessions… ${total === 0 ? "" : `${done} of ${total} files`}`;
      return { title, tooltip: "Click to stop." };
    }
    if (estimate.phase === "stopped" || estimate.phase === "idle")
      return { title: "$(debug-start) Estimate on my sessions (stopped)", tooltip: "Click to go on." };
    const found = estimate.shareAt(threshold);
    if (found === undefined) {
      return {
        title: "No Hermes sessions to estimate on were found",
        tooltip: "Homes that are looked at: see the setting contextBudget.hermes.homes.",
      };
    }
    return {
      title: `On your last ${found.sessions} session${found.sessions === 1 ? "" : "s"}: ${numbers().count(threshold)} would have saved ${aboutPercent(found.share, 1)} of input (upper bound)`,
      tooltip: "Estimated: characters not sent, of all characters sent as input. Click to compare thresholds.",
    };
  }

  async #choose(uri: vscode.Uri | undefined): Promise<void> {
    const { estimate, prompts, apply } = this.#parts;
    const items = CANDIDATE_THRESHOLDS.flatMap((threshold): Choice[] => {
      const found = estimate.shareAt(threshold);
      if (found === undefined) return [];
      return [
        {
          label: numbers().count(threshold),
          description: `would have saved ${aboutPercent(found.share, 1)} of input (upper bound)`,
          threshold,
        },
      ];
    });
    if (items.length === 0) return;
    const choice = await prompts.pick(items, "Threshold to write into this config; Escape changes nothing");
    if (choice === undefined || uri === undefined) return;
    const applied = await apply.applyTo(uri, choice.threshold);
    if (!applied.ok) await prompts.error(applied.error.message);
  }
}

function isOn(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get(SETTING) === true;
}

function numbers() {
  return numbersFor(vscode.env.language);
}
