import * as vscode from "vscode";
import type { RequestTexts } from "../../protocol/simulation";
import { type Disposable, Lifetime } from "../lifetime";

/** Scheme of the read-only documents that hold one side of a request; an address holds a number, never a text. */
export const REQUEST_SCHEME = "context-budget-request";

/** Comparisons whose texts are kept; the oldest are forgotten first. */
const MAX_REMEMBERED = 4;

const FORGOTTEN = "This comparison was made earlier and is not kept. Open it again from the inspector's What if tab.";

export interface RequestNames {
  /** Number of the request. */
  readonly call: number;
  /** The policies in a few words. */
  readonly policies: string;
}

/** Requests to the model before and after policies, in VS Code's diff editor. */
export class RequestDiffs implements vscode.TextDocumentContentProvider, Disposable {
  readonly #lifetime = new Lifetime();
  readonly #texts = new Map<number, RequestTexts>();
  #next = 1;

  constructor() {
    this.#lifetime.add(vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, this));
  }

  async open(texts: RequestTexts, { call, policies }: RequestNames): Promise<void> {
    const id = this.#next++;
    this.#texts.set(id, texts);
    for (const old of this.#texts.keys()) {
      if (this.#texts.size <= MAX_REMEMBERED) break;
      this.#texts.delete(old);
    }
    const side = (which: "before" | "after"): vscode.Uri =>
      vscode.Uri.from({
        scheme: REQUEST_SCHEME,
        path: `/${id}/request ${call}, ${which === "before" ? "as it was" : "with the policies"}.txt`,
        query: `${id}.${which}`,
      });
    const shortened = texts.capped ? " (long texts shortened)" : "";
    const title = `Request ${call}: as it was ↔ ${policies}${shortened}`;
    await vscode.commands.executeCommand("vscode.diff", side("before"), side("after"), title, { preview: true });
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const match = /^(\d{1,9})\.(before|after)$/.exec(query);
    const texts = this.#texts.get(Number(match?.[1] ?? 0));
    if (texts === undefined) return FORGOTTEN;
    return match?.[2] === "before" ? texts.before : texts.after;
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#texts.clear();
  }
}
