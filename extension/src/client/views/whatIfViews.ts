import * as vscode from "vscode";
import { ok, type Result } from "../../core/model/problem";
import type { SecretFinder } from "../../core/ports";
import { withoutSecrets } from "../../core/secrets/mask";
import type { WhatIfCalls } from "../../protocol/whatIf";
import { type Disposable, Lifetime } from "../lifetime";
import type { CallFailure } from "./hostRpc";
import type { InspectorSession } from "./inspectorSession";
import { keepInspector } from "./outputOpener";
import { policiesInWords } from "./policyWords";
import { RequestDiffs, type RequestDiffsParts } from "./requestDiffs";
import type { CancelWithHook } from "./sessionPorts";
import type { WhatIfApply } from "./whatIfApply";
import type { WhatIfActions } from "./whatIfHandlers";

/** What simulations show in editors of their own. */
export class WhatIfViews implements WhatIfActions, Disposable {
  readonly #lifetime = new Lifetime();
  readonly #diffs: RequestDiffs;
  readonly #apply: WhatIfApply;

  readonly #secrets: SecretFinder;

  constructor(apply: WhatIfApply, diffs: RequestDiffsParts) {
    this.#apply = apply;
    this.#secrets = diffs.secrets;
    this.#diffs = this.#lifetime.add(new RequestDiffs(diffs));
  }

  async diff(
    session: InspectorSession,
    wanted: WhatIfCalls["whatIfDiff"]["in"],
    cancel: CancelWithHook,
  ): Promise<Result<boolean, CallFailure>> {
    const texts = await session.whatIf.ask("request", wanted, undefined, cancel);
    if (!texts.ok) return texts;
    await keepInspector();
    await this.#diffs.open(texts.value, { call: wanted.call, policies: policiesInWords(wanted.input.policies) });
    return ok(true);
  }

  apply(threshold: number): Promise<Result<boolean, CallFailure>> {
    return this.#apply.apply(threshold);
  }

  /** An untitled document: nothing is written until the user saves it somewhere. */
  async exportRun(
    session: InspectorSession,
    wanted: WhatIfCalls["whatIfExport"]["in"],
    cancel: CancelWithHook,
  ): Promise<Result<boolean, CallFailure>> {
    const run = await session.whatIf.ask("export", wanted, undefined, cancel);
    if (!run.ok) return run;
    const known = await vscode.languages.getLanguages();
    const language = known.includes(wanted.format) ? wanted.format : "plaintext";
    await keepInspector();
    const content = await withoutSecrets(run.value.text, this.#secrets);
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document, { preview: false });
    return ok(true);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
