import * as vscode from "vscode";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { Prompts } from "../prompts";
import type { SessionIndex } from "../sessions/sessionIndex";
import type { InspectorProvider } from "../views/inspectorProvider";
import { momentsFor } from "../views/moments";
import { numbersFor } from "../views/numbers";
import { matching, nothingFound, searchText } from "../views/sessionSearch";
import { sessionText, type Words } from "../views/sessionWords";

export interface SessionChoice extends vscode.QuickPickItem {
  readonly found: FoundSession;
}

export interface FindSessionParts {
  readonly inspector: Pick<InspectorProvider, "open">;
  readonly prompts: Prompts;
  readonly index: SessionIndex;
  readonly sessions: () => Promise<readonly FoundSession[]>;
}

/** Finds a session by words of its title, project, model, id or path, and opens it. */
export function findSession(parts: FindSessionParts): () => Promise<void> {
  return async () => {
    const { prompts, index, sessions, inspector } = parts;
    const words = wordsOf(vscode.env.language);
    const all = sessions().then((found) =>
      found.map((one) => ({ found: one, text: searchText(one, index.details(one.path)) })),
    );
    const choice = await prompts.search(
      async (typed) => matching(await all, typed).map(({ found }) => sessionChoice(found, index, words)),
      "Find a session by its title, project, model, id or path",
      (typed) => nothingFound(typed, vscode.workspace.isTrusted),
    );
    if (choice !== undefined) await inspector.open(vscode.Uri.file(choice.found.path));
  };
}

/** A session as lists of choices show it. */
export function sessionChoice(found: FoundSession, index: SessionIndex, words: Words): SessionChoice {
  const details = index.details(found.path);
  const text = sessionText(found, details, words);
  const project = found.project ?? details?.project;
  return {
    label: text.label,
    description: text.description,
    detail: project === undefined ? found.path : `${project} · ${found.path}`,
    iconPath: new vscode.ThemeIcon(found.isDatabase === true ? "database" : "comment-discussion"),
    found,
  };
}

/** Made once per list: formats of a locale are costly. */
export function wordsOf(locale: string): Words {
  return { numbers: numbersFor(locale), moments: momentsFor(locale) };
}
