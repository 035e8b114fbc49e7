import * as vscode from "vscode";
import { NO_FILTER, type ResultRow } from "../../core/model/rowQuery";
import type { Thread } from "../../core/model/transcript";
import type { Log } from "../../core/ports";
import { maskStrings } from "../../core/secrets/maskStrings";
import type { Found, FoundSession } from "../../node/sessions/sessionScan";
import type { Trouble } from "../../node/sessions/walk";
import { type Disposable, Lifetime } from "../lifetime";
import { Pace } from "../sessions/pace";
import type { SearchPhase, SessionIndex } from "../sessions/sessionIndex";
import { type Place, threadsByProject } from "../sessions/sessionPlaces";
import type { ThreadLists } from "../sessions/threadLists";
import type { InspectorSession } from "./inspectorSession";
import { type Moments, momentsFor } from "./moments";
import { type Numbers, numbersFor } from "./numbers";
import type { SessionGroup } from "./sessionGroups";
import {
  groupItem,
  noteItem,
  olderItem,
  placeItem,
  resultItem,
  sessionItem,
  threadItem,
  threadPlaceItem,
  troubleItem,
  troublesItem,
} from "./sessionItems";
import { sessionPage } from "./sessionPages";
import { TAKEN_OUT } from "./sessionResults";
import { sessionText, threadText } from "./sessionWords";

export interface SessionsTreeParts {
  readonly groups: readonly SessionGroup[];
  readonly index: SessionIndex;
  readonly threads: ThreadLists;
  readonly openSession: (path: string) => InspectorSession;
  readonly log: Log;
}

export type TreeNode =
  | { readonly kind: "group"; readonly group: SessionGroup }
  | { readonly kind: "place"; readonly group: SessionGroup; readonly place: Place }
  | {
      readonly kind: "older";
      readonly id: string;
      readonly group: SessionGroup;
      readonly sessions: readonly FoundSession[];
    }
  | {
      readonly kind: "olderThreads";
      readonly id: string;
      readonly found: FoundSession;
      readonly threads: readonly Thread[];
    }
  | ThreadPlaceNode
  | SessionNode
  | ThreadNode
  | ResultNode
  | { readonly kind: "troubles"; readonly group: string; readonly found: Found }
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  | NoteNode;

export interface SessionNode {
  readonly kind: "session";
  readonly group: string;
  readonly found: FoundSession;
}

/** Sessions of a database that worked in one folder. */
export interface ThreadPlaceNode {
  readonly kind: "threadPlace";
  readonly found: FoundSession;
  readonly project: string;
  readonly threads: readonly Thread[];
}

/** A session inside a database. */
export interface ThreadNode {
  readonly kind: "thread";
  readonly found: FoundSession;
  readonly thread: Thread;
}

export interface ResultNode {
  readonly kind: "result";
  readonly path: string;
  readonly session: InspectorSession;
  readonly row: ResultRow;
}

interface NoteNode {
  readonly kind: "note";
  readonly text: string;
  readonly icon: string;
  /** Transcript that a click opens. */
  readonly path?: string;
  readonly command?: vscode.Command;
}

interface ReadSession {
  readonly session: InspectorSession;
  readonly listener: Disposable;
  readonly pace: Pace;
}

/** Sessions that stay read at the same time; the one used longest ago is let go of. */
const MAX_READ = 8;
/** From how many sessions on those of a database stand by project. */
const THREADS_BY_PROJECT = 25;
/** Until the tree shows what was found so far, milliseconds. */
const FIRST_LOOK_MS = 400;
/** Until a question for all sessions is answered with what was found so far, milliseconds. */
const ALL_MS = 60_000;

/**
 * The activity-bar tree: sessions by agent and project, under each what was taken out of its context. Names, times and sizes
 * are there at once; the rest comes while it is read, and what is in a session is read when it is opened. Nodes are made anew each
 * time; their ids keep what is open and selected.
 */
export class SessionsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #parts: SessionsTreeParts;
  readonly #lifetime = new Lifetime();
  readonly #numbers: Numbers = numbersFor(vscode.env.language);
  readonly #moments: Moments = momentsFor(vscode.env.language);
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #read = new Map<string, ReadSession>();
  /** State of the file that a session was read in. */
  readonly #readAt = new Map<string, number>();
  #again: NodeJS.Timeout | undefined;

  constructor(parts: SessionsTreeParts) {
    this.#parts = parts;
    this.#lifetime.add(parts.index.onChanged(() => this.#changed.fire(undefined)));
  }

  /** Looks for sessions again; what is shown stays until the new search is through. */
  refresh(): void {
    this.#parts.index.refresh();
  }

  /** Every session that was found, newest first. */
  async sessions(): Promise<readonly FoundSession[]> {
    const { index } = this.#parts;
    await index.firstLook(ALL_MS);
    return index.all();
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return [...(await this.#children(node))];
  }

  async #children(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    if (!node) return this.#roots();
    switch (node.kind) {
      case "group":
        return this.#groupChildren(node.group);
      case "place":
        return this.#sessionNodes(node.group, node.place.id, node.place.sessions);
      case "older":
        return this.#sessionNodes(node.group, node.id, node.sessions);
      case "session":
        return node.found.isDatabase === true ? this.#threads(node.found) : this.#results(node.found, null);
      case "threadPlace":
        return threadNodes(node.found, `${node.found.path} ${node.project}`, node.threads);
      case "olderThreads":
        return threadNodes(node.found, node.id, node.threads);
      case "thread":
        return this.#results(node.found, node.thread.id);
      case "troubles":
        return this.#troubles(node.found);
      default:
        return [];
    }
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const { index } = this.#parts;
    const words = { numbers: this.#numbers, moments: this.#moments };
    switch (node.kind) {
      case "group":
        return groupItem(
          node.group,
          index.found(node.group.id),
          index.places(node.group.id).length,
          index.phase(node.group.id),
          this.#numbers,
        );
      case "place":
        return placeItem(node.group, node.place, this.#numbers);
      case "older":
        return olderItem(node.id, this.#numbers.of(node.sessions.length, "older session"));
      case "threadPlace":
        return threadPlaceItem(node, this.#numbers);
      case "olderThreads":
        return olderItem(node.id, this.#numbers.of(node.threads.length, "older session"));
      case "session":
        return sessionItem(
          node.group,
          node.found,
          sessionText(node.found, index.details(node.found.path), words, node.group === "workspace"),
        );
      case "thread":
        return threadItem(node, threadText(node.thread, words));
      case "result":
        return resultItem(node, this.#numbers);
      case "troubles":
        return troublesItem(node.group, node.found.troubles.length + node.found.troublesOmitted, this.#numbers);
      case "trouble":
        return troubleItem(node.trouble);
      case "note":
        return noteItem(node);
    }
  }

  dispose(): void {
    clearTimeout(this.#again);
    for (const path of [...this.#read.keys()]) this.#forget(path);
    this.#lifetime.dispose();
  }

  async #roots(): Promise<readonly TreeNode[]> {
    const { index, groups } = this.#parts;
    await index.firstLook(FIRST_LOOK_MS);
    const nodes: TreeNode[] = [];
    for (const group of groups) {
      const { sessions, troubles } = index.found(group.id);
      const phase = index.phase(group.id);
      if (phase === "failed") {
        nodes.push({ kind: "note", text: `${group.label}: looking for sessions failed; see the log`, icon: "error" });
      } else if (sessions.length + troubles.length > 0) {
        nodes.push({ kind: "group", group });
      }
    }
    // Nothing found is only said, by the view's welcome, when nothing is looked for any more.
    if (nodes.length === 0 && index.activity !== "idle") nodes.push(this.#progress(index.activity, 0));
    return nodes;
  }

  #groupChildren(group: SessionGroup): readonly TreeNode[] {
    const { index } = this.#parts;
    const found = index.found(group.id);
    const phase = index.phase(group.id);
    const places = index.places(group.id);
    const byPlace = found.sessions.length >= group.byPlaceFrom && places.length > 1;
    const nodes: TreeNode[] = byPlace
      ? places.map((place) => ({ kind: "place", group, place }))
      : [...this.#sessionNodes(group, group.id, found.sessions)];
    // A database belongs to no project.
    if (byPlace && group.gather !== "place") {
      const databases = found.sessions.filter(({ isDatabase }) => isDatabase === true);
      nodes.unshift(...databases.map((one) => sessionNode(group, one)));
    }
    if (phase === "searching" || phase === "stopped") nodes.push(this.#progress(phase, found.sessions.length));
    if (found.omitted > 0) {
      const text = `${this.#numbers.of(found.omitted, "more file")} not listed`;
      nodes.push({ kind: "note", text, icon: "ellipsis" });
    }
    if (found.troubles.length > 0) nodes.push({ kind: "troubles", group: group.id, found });
    return nodes;
  }

  #progress(phase: SearchPhase, found: number): NoteNode {
    const count = this.#numbers.of(found, "session");
    return phase === "stopped"
      ? {
          kind: "note",
          text: `Stopped after ${count}. Click to go on`,
          icon: "debug-continue",
          command: { command: "contextBudget.continueSearch", title: "Continue" },
        }
      : { kind: "note", text: `Looking for more; ${count} so far`, icon: "loading~spin" };
  }

  #troubles({ troubles, troublesOmitted }: Found): readonly TreeNode[] {
    const nodes: TreeNode[] = troubles.map((trouble) => ({ kind: "trouble", trouble }));
    if (troublesOmitted > 0)
      nodes.push({ kind: "note", text: `${this.#numbers.count(troublesOmitted)} more`, icon: "ellipsis" });
    return nodes;
  }

  /** The newest sessions of a level, and a node for the older ones. */
  #sessionNodes(group: SessionGroup, parent: string, sessions: readonly FoundSession[]): readonly TreeNode[] {
    const { shown, older } = sessionPage(sessions);
    this.#parts.index.prefer(shown);
    const nodes: TreeNode[] = shown.map((found) => sessionNode(group, found));
    if (older.length > 0) nodes.push({ kind: "older", id: `${parent} ›`, group, sessions: older });
    return nodes;
  }

  async #threads(found: FoundSession): Promise<readonly TreeNode[]> {
    const { path } = found;
    const threads = await this.#parts.threads.of(found);
    this.#lookAgain(this.#parts.threads.restMs(found));
    if (!threads.ok) return [{ kind: "note", text: threads.error, icon: "error", path }];
    if (threads.value.length === 0) return [{ kind: "note", text: "No sessions in it", icon: "pass", path }];
    const places = threadsByProject(threads.value);
    if (threads.value.length < THREADS_BY_PROJECT || places.size < 2) return threadNodes(found, path, threads.value);
    return [...places].map(([project, of]) => ({ kind: "threadPlace", found, project, threads: of }));
  }

  async #results(found: FoundSession, thread: string | null): Promise<readonly TreeNode[]> {
    const { path } = found;
    const session = this.#sessionFor(found);
    await session.finished;
    const state = session.full();
    if (state.error !== null) return [{ kind: "note", text: state.error, icon: "error", path }];
    const { query } = TAKEN_OUT;
    const threads = thread === null ? null : [thread];
    const taken = await session.rows({ ...TAKEN_OUT, query: { ...query, filter: { ...query.filter, threads } } });
    const { rows, total } = session.secrets === undefined ? taken : await maskStrings(taken, session.secrets);
    if (rows.length === 0) {
      const all = await session.rows({
        ...TAKEN_OUT,
        count: 0,
        query: { ...query, filter: { ...NO_FILTER, threads } },
      });
      const text = `Nothing persisted; ${this.#numbers.of(all.total, "tool result")} in all`;
      return [{ kind: "note", text, icon: "pass", path }];
    }
    const nodes: TreeNode[] = rows.map((row) => ({ kind: "result", path, session, row }));
    if (total > rows.length) {
      const text = `${this.#numbers.count(total - rows.length)} more in the inspector`;
      nodes.push({ kind: "note", text, icon: "ellipsis", path });
    }
    return nodes;
  }

  /**
   * The session that reads this transcript as it is now, started if need be; of one that is written all the time, as it was lately.
   * Its file checks redraw the tree when they come in.
   */
  #sessionFor({ path, mtimeMs }: FoundSession): InspectorSession {
    const known = this.#read.get(path);
    if (known !== undefined && (this.#readAt.get(path) === mtimeMs || known.pace.restMs > 0)) {
      if (this.#readAt.get(path) !== mtimeMs) this.#lookAgain(known.pace.restMs);
      this.#read.delete(path);
      this.#read.set(path, known);
      return known.session;
    }
    if (known !== undefined) this.#forget(path);
    const session = this.#parts.openSession(path);
    const listener = session.onEvent((event) => {
      if (event.e === "rows/changed" && session.phase !== "reading") this.#changed.fire(undefined);
    });
    session.read();
    const pace = new Pace(session.finished, () => performance.now());
    this.#read.set(path, { session, listener, pace });
    this.#readAt.set(path, mtimeMs);
    for (const [oldest] of this.#read) {
      if (this.#read.size <= MAX_READ) break;
      this.#forget(oldest);
    }
    return session;
  }

  /** Draws once more when something can be read that is newer than what is shown; 0 = nothing is. */
  #lookAgain(ms: number): void {
    if (ms === 0 || this.#lifetime.disposed) return;
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      this.#changed.fire(undefined);
    }, ms);
  }

  #forget(path: string): void {
    const one = this.#read.get(path);
    this.#read.delete(path);
    this.#readAt.delete(path);
    one?.listener.dispose();
    one?.session.dispose();
  }
}

function sessionNode(group: SessionGroup, found: FoundSession): SessionNode {
  return { kind: "session", group: group.id, found };
}

function threadNodes(found: FoundSession, parent: string, threads: readonly Thread[]): readonly TreeNode[] {
  const { shown, older } = sessionPage(threads);
  const nodes: TreeNode[] = shown.map((thread) => ({ kind: "thread", found, thread }));
  if (older.length > 0) nodes.push({ kind: "olderThreads", id: `${parent} ›`, found, threads: older });
  return nodes;
}
