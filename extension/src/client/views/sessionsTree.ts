import { basename } from "node:path";
import * as vscode from "vscode";
import { type Log, NEVER_CANCELLED } from "../../core/ports";
import type { ResultRow } from "../../protocol/webview";
import { CancelSource, type Disposable, Lifetime } from "../lifetime";
import type { InspectorSession } from "./inspectorSession";
import { type Numbers, numbersFor } from "./numbers";
import { sessionPage } from "./sessionPages";
import {
  FILE_WORDS,
  isFileLost,
  resultContext,
  resultDescription,
  resultLabel,
  STATE_ICONS,
  shortLabel,
  TAKEN_OUT,
} from "./sessionResults";
import type { Found, FoundSession } from "./sessionsScan";

/** One heading of the tree and how its sessions are found. */
export interface SessionGroup {
  readonly id: "hermes" | "claude-code" | "workspace";
  readonly label: string;
  readonly icon: string;
  /** Noun for what sessions are gathered in, for the count behind the heading. */
  readonly placeNoun: string;
  /** From how many sessions on each place gets a node of its own. */
  readonly byPlaceFrom: number;
  find(cancel: CancelSource): Promise<Found>;
}

export interface SessionsTreeParts {
  readonly groups: readonly SessionGroup[];
  readonly openSession: (path: string) => InspectorSession;
  readonly log: Log;
}

export type TreeNode =
  | { readonly kind: "group"; readonly group: SessionGroup; readonly found: Found }
  | {
      readonly kind: "place";
      readonly group: SessionGroup;
      readonly place: string;
      readonly sessions: readonly FoundSession[];
    }
  | { readonly kind: "older"; readonly sessions: readonly FoundSession[] }
  | SessionNode
  | ResultNode
  | { readonly kind: "note"; readonly text: string; readonly icon: string; readonly path?: string };

export interface SessionNode {
  readonly kind: "session";
  readonly found: FoundSession;
}

export interface ResultNode {
  readonly kind: "result";
  readonly path: string;
  readonly session: InspectorSession;
  readonly row: ResultRow;
}

/** Sessions that stay read at the same time; the one used longest ago is let go of. */
const MAX_READ = 20;

/** The activity-bar tree: sessions by agent, under each what was taken out of its context. Everything is read when it is opened. */
export class SessionsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #parts: SessionsTreeParts;
  readonly #lifetime = new Lifetime();
  readonly #numbers: Numbers = numbersFor(vscode.env.language);
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #read = new Map<string, { readonly session: InspectorSession; readonly listener: Disposable }>();
  #scan: CancelSource | undefined;
  #roots: Promise<readonly TreeNode[]> | undefined;

  constructor(parts: SessionsTreeParts) {
    this.#parts = parts;
  }

  /** Looks for sessions again; what was read of them is forgotten. */
  refresh(): void {
    this.#scan?.cancel();
    this.#scan = undefined;
    this.#roots = undefined;
    this.#forgetAll();
    this.#changed.fire(undefined);
  }

  /** Every session of the last scan, newest first. */
  async sessions(): Promise<readonly FoundSession[]> {
    const roots = await this.#root();
    return roots
      .flatMap((node) => (node.kind === "group" ? node.found.sessions : []))
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return [...(await this.#children(node))];
  }

  async #children(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    if (!node) return this.#root();
    switch (node.kind) {
      case "group":
        return this.#groupChildren(node.group, node.found);
      case "place":
      case "older":
        return sessionNodes(node.sessions);
      case "session":
        return this.#results(node);
      default:
        return [];
    }
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case "group":
        return this.#groupItem(node.group, node.found);
      case "place":
        return placeItem(node.place, this.#numbers.of(node.sessions.length, "session"));
      case "older":
        return olderItem(node.sessions, this.#numbers.of(node.sessions.length, "older session"));
      case "session":
        return this.#sessionItem(node);
      case "result":
        return this.#resultItem(node);
      case "note":
        return noteItem(node.text, node.icon, node.path);
    }
  }

  dispose(): void {
    this.#scan?.cancel();
    this.#forgetAll();
    this.#lifetime.dispose();
  }

  #root(): Promise<readonly TreeNode[]> {
    this.#roots ??= this.#find();
    return this.#roots;
  }

  async #find(): Promise<readonly TreeNode[]> {
    const cancel = new CancelSource();
    this.#scan = cancel;
    const nodes = await Promise.all(
      this.#parts.groups.map(async (group): Promise<TreeNode | undefined> => {
        try {
          const found = await group.find(cancel);
          return found.sessions.length + found.unreadable > 0 ? { kind: "group", group, found } : undefined;
        } catch (error) {
          this.#parts.log.error(`Looking for ${group.label} sessions failed`, error);
          return { kind: "note", text: `${group.label}: looking for sessions failed; see the log`, icon: "error" };
        }
      }),
    );
    return nodes.filter((node) => node !== undefined);
  }

  #groupChildren(group: SessionGroup, found: Found): readonly TreeNode[] {
    const nodes: TreeNode[] = [];
    const places = byPlace(found.sessions);
    if (found.sessions.length >= group.byPlaceFrom && places.size > 1) {
      for (const [place, sessions] of places) nodes.push({ kind: "place", group, place, sessions });
    } else {
      nodes.push(...sessionNodes(found.sessions));
    }
    if (found.omitted > 0) {
      nodes.push({
        kind: "note",
        text: `${this.#numbers.of(found.omitted, "older file")} not listed`,
        icon: "ellipsis",
      });
    }
    if (found.unreadable > 0) {
      nodes.push({
        kind: "note",
        text: `${this.#numbers.of(found.unreadable, "folder")} could not be read`,
        icon: "warning",
      });
    }
    return nodes;
  }

  async #results(node: SessionNode): Promise<readonly TreeNode[]> {
    const { path } = node.found;
    const session = this.#sessionFor(node);
    await session.finished;
    const state = session.full();
    if (state.error !== null) return [{ kind: "note", text: state.error, icon: "error", path }];
    const { rows, total, all } = await session.rows(TAKEN_OUT, NEVER_CANCELLED);
    if (rows.length === 0) {
      const text = `Nothing persisted; ${this.#numbers.of(all, "tool result")} in all`;
      return [{ kind: "note", text, icon: "pass", path }];
    }
    const nodes: TreeNode[] = rows.map((row) => ({ kind: "result", path, session, row }));
    if (total > rows.length) {
      const text = `${this.#numbers.count(total - rows.length)} more in the inspector`;
      nodes.push({ kind: "note", text, icon: "ellipsis", path });
    }
    return nodes;
  }

  /** The session that reads this transcript, started if need be; its file checks redraw the node when they come in. */
  #sessionFor(node: SessionNode): InspectorSession {
    const { path } = node.found;
    const known = this.#read.get(path);
    if (known) {
      this.#read.delete(path);
      this.#read.set(path, known);
      return known.session;
    }
    const session = this.#parts.openSession(path);
    const listener = session.onEvent((event) => {
      if (event.e === "rows/changed" && session.phase !== "reading") this.#changed.fire(node);
    });
    this.#read.set(path, { session, listener });
    for (const [oldest] of this.#read) {
      if (this.#read.size <= MAX_READ) break;
      this.#forget(oldest);
    }
    session.read();
    return session;
  }

  #forget(path: string): void {
    const one = this.#read.get(path);
    this.#read.delete(path);
    one?.listener.dispose();
    one?.session.dispose();
  }

  #forgetAll(): void {
    for (const path of [...this.#read.keys()]) this.#forget(path);
  }

  #groupItem(group: SessionGroup, found: Found): vscode.TreeItem {
    const item = new vscode.TreeItem(
      group.label,
      group.id === "claude-code" ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded,
    );
    item.id = group.id;
    item.iconPath = new vscode.ThemeIcon(group.icon);
    const places = new Set(found.sessions.map((session) => session.place)).size;
    item.description =
      group.id === "workspace" ? this.#numbers.count(found.sessions.length) : this.#numbers.of(places, group.placeNoun);
    item.tooltip = `${group.label}: ${this.#numbers.of(found.sessions.length, "session")} in ${this.#numbers.of(places, group.placeNoun)}`;
    item.contextValue = "group";
    return item;
  }

  #sessionItem({ found }: SessionNode): vscode.TreeItem {
    const item = new vscode.TreeItem(shortLabel(found.label), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = found.path;
    item.iconPath = new vscode.ThemeIcon("comment-discussion");
    item.description = `${when(found.mtimeMs)} · ${this.#numbers.bytes(found.bytes)}`;
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(`${found.path}\n${when(found.mtimeMs)} · ${this.#numbers.of(found.bytes, "byte")}`);
    item.tooltip = tooltip;
    item.contextValue = "session";
    item.command = {
      command: "contextBudget.openInspector",
      title: "Open in Inspector",
      arguments: [vscode.Uri.file(found.path)],
    };
    return item;
  }

  #resultItem(node: ResultNode): vscode.TreeItem {
    const { row, path } = node;
    const item = new vscode.TreeItem(resultLabel(row));
    item.id = `${path}#${row.index}`;
    item.description = resultDescription(row, this.#numbers);
    const lost = isFileLost(row.file);
    item.iconPath = lost
      ? new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"))
      : new vscode.ThemeIcon(STATE_ICONS[row.state]);
    const tooltip = new vscode.MarkdownString();
    const where = row.path ?? row.handle;
    const word = FILE_WORDS[row.file];
    tooltip.appendText(
      [
        `${resultLabel(row)}: ${resultDescription(row, this.#numbers)}`,
        ...(where === null ? [] : [where]),
        ...(word === "" ? [] : [word]),
        `${this.#numbers.chars(row.chars)} in context (≈ ${this.#numbers.count(row.tokens)} tok)`,
      ].join("\n"),
    );
    item.tooltip = tooltip;
    item.contextValue = resultContext(row);
    item.accessibilityInformation = { label: `${resultLabel(row)}, ${resultDescription(row, this.#numbers)}` };
    item.command = {
      command: "contextBudget.openInspector",
      title: "Open in Inspector",
      arguments: [vscode.Uri.file(path), row.index],
    };
    return item;
  }
}

function byPlace(sessions: readonly FoundSession[]): ReadonlyMap<string, readonly FoundSession[]> {
  const places = new Map<string, FoundSession[]>();
  for (const session of sessions) {
    const known = places.get(session.place);
    if (known) known.push(session);
    else places.set(session.place, [session]);
  }
  return places;
}

/** The newest sessions of a level, and a node for the older ones. */
function sessionNodes(sessions: readonly FoundSession[]): readonly TreeNode[] {
  const { shown, older } = sessionPage(sessions);
  const nodes: TreeNode[] = shown.map((found) => ({ kind: "session", found }));
  if (older.length > 0) nodes.push({ kind: "older", sessions: older });
  return nodes;
}

function olderItem(sessions: readonly FoundSession[], label: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `older ${sessions[0]?.path ?? ""}`;
  item.iconPath = new vscode.ThemeIcon("history");
  item.contextValue = "older";
  return item;
}

function placeItem(place: string, description: string): vscode.TreeItem {
  const item = new vscode.TreeItem(basename(place), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `place ${place}`;
  item.iconPath = new vscode.ThemeIcon("folder");
  item.description = description;
  item.tooltip = place;
  item.contextValue = "place";
  return item;
}

function noteItem(text: string, icon: string, path: string | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = text;
  item.contextValue = "note";
  if (path !== undefined) {
    item.command = {
      command: "contextBudget.openInspector",
      title: "Open in Inspector",
      arguments: [vscode.Uri.file(path)],
    };
  }
  return item;
}

/** `14 Aug 18:03`, with the year when it is not this one. */
function when(ms: number): string {
  const date = new Date(ms);
  const sameYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleString(vscode.env.language, {
    day: "numeric",
    month: "short",
    ...(sameYear ? { hour: "2-digit", minute: "2-digit" } : { year: "numeric" }),
  });
}
