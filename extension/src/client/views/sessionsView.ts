import * as vscode from "vscode";
import type { Log } from "../../core/ports";
import { type Disposable, Lifetime } from "../lifetime";
import type { SessionIndex } from "../sessions/sessionIndex";
import type { SessionsTree } from "./sessionsTree";
import { watchSessions } from "./watchSessions";

export const SESSIONS_VIEW = "contextBudget.sessions";
/** Context key: `searching` and `stopped` while sessions are looked for, so that the view's title offers to stop or to go on. */
const KEY = "contextBudget:sessionSearch";

export interface SessionsViewParts {
  readonly tree: SessionsTree;
  readonly index: SessionIndex;
  /** Folders and patterns of files in them that are sessions; undefined where nothing may be watched. */
  readonly watched: () => readonly (readonly [folder: string, pattern: string])[] | undefined;
  readonly log: Log;
}

/** The view in the activity bar: shows that something is looked for, and watches the homes while it is visible. */
export class SessionsView implements Disposable {
  readonly #parts: SessionsViewParts;
  readonly #lifetime = new Lifetime();
  readonly #view: vscode.TreeView<unknown>;
  #activity = "";
  #endProgress: (() => void) | undefined;
  #watch: Disposable | undefined;

  constructor(parts: SessionsViewParts) {
    this.#parts = parts;
    this.#view = this.#lifetime.add(
      vscode.window.createTreeView<unknown>(SESSIONS_VIEW, { treeDataProvider: parts.tree, showCollapseAll: true }),
    );
    this.#lifetime.add(parts.index.onChanged(() => this.#showActivity()));
    this.#lifetime.add(this.#view.onDidChangeVisibility(() => this.#visibilityChanged()));
    this.#visibilityChanged();
  }

  /** Homes moved, or may be looked at now. */
  homesChanged(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
    this.#visibilityChanged();
    this.#parts.tree.refresh();
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#endProgress?.();
    this.#lifetime.dispose();
  }

  #visibilityChanged(): void {
    const { visible } = this.#view;
    const { index, watched } = this.#parts;
    index.setWatched(visible);
    if (!visible) {
      this.#watch?.dispose();
      this.#watch = undefined;
    } else {
      const places = watched();
      if (places !== undefined) this.#watch ??= watchSessions(places, index);
    }
  }

  #showActivity(): void {
    const { activity } = this.#parts.index;
    if (activity === this.#activity) return;
    this.#activity = activity;
    const failed = (error: unknown): void => this.#parts.log.error("Sessions", error);
    vscode.commands.executeCommand("setContext", KEY, activity === "idle" ? "" : activity).then(undefined, failed);
    this.#endProgress?.();
    this.#endProgress = undefined;
    if (activity !== "searching") return;
    const done = new Promise<void>((end) => {
      this.#endProgress = end;
    });
    vscode.window.withProgress({ location: { viewId: SESSIONS_VIEW } }, () => done).then(undefined, failed);
  }
}
