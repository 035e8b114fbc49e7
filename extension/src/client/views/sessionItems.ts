import * as vscode from "vscode";
import { labelText } from "../../core/util/labelText";
import type { Found, FoundSession } from "../../node/sessions/sessionScan";
import type { Trouble } from "../../node/sessions/walk";
import type { SearchPhase } from "../sessions/sessionIndex";
import { labelOf, type Place } from "../sessions/sessionPlaces";
import type { Numbers } from "./numbers";
import type { SessionGroup } from "./sessionGroups";
import { FILE_WORDS, isFileLost, resultContext, resultDescription, resultLabel, STATE_ICONS } from "./sessionResults";
import type { ResultNode, ThreadNode, ThreadPlaceNode } from "./sessionsTree";
import { type SessionText, troubleText } from "./sessionWords";

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Opens a transcript in the inspector: at a row, or with a thread selected. */
function opening(path: string, more: { readonly row?: number; readonly thread?: string } = {}): vscode.Command {
  const { row, thread } = more;
  const place = row !== undefined ? [row] : thread !== undefined ? [undefined, thread] : [];
  return {
    command: "contextBudget.openInspector",
    title: "Open in Inspector",
    arguments: [vscode.Uri.file(path), ...place],
  };
}

/** Room for time and gauge in a narrow side bar; the tooltip has the whole title. UTF-16 units. */
const LABEL_UNITS = 34;

function fitted(label: string): string {
  return label.length <= LABEL_UNITS
    ? label
    : `${label
        .slice(0, LABEL_UNITS - 1)
        .replace(/[\uD800-\uDBFF]$/, "")
        .trimEnd()}…`;
}

/** Text of files, which must not be read as Markdown. */
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}

export function groupItem(
  group: SessionGroup,
  found: Found,
  places: number,
  phase: SearchPhase,
  numbers: Numbers,
): vscode.TreeItem {
  const item = new vscode.TreeItem(
    group.label,
    group.id === "hermes" || group.id === "workspace" ? Expanded : Collapsed,
  );
  item.id = group.id;
  item.iconPath = new vscode.ThemeIcon(group.icon);
  const databases =
    group.gather === "place" ? 0 : found.sessions.filter(({ isDatabase }) => isDatabase === true).length;
  const parts = [
    ...(places > 0 ? [numbers.of(places, group.placeNoun)] : []),
    ...(databases > 0 ? [numbers.of(databases, "database")] : []),
  ];
  const count = group.id === "workspace" ? numbers.count(found.sessions.length) : parts.join(", ");
  item.description = phase === "stopped" ? `${count}, stopped` : count;
  item.tooltip = `${group.label}: ${numbers.of(found.sessions.length, "session file")} in ${parts.join(" and ")}`;
  item.contextValue = "group";
  return item;
}

export function placeItem(group: SessionGroup, place: Place, numbers: Numbers): vscode.TreeItem {
  const item = new vscode.TreeItem(labelText(place.label), Collapsed);
  item.id = `place ${group.id} ${place.id}`;
  item.iconPath = new vscode.ThemeIcon("folder");
  const count = numbers.of(place.sessions.length, "session");
  item.description = place.detail === "" ? count : `${place.detail} · ${count}`;
  item.tooltip = plain(`${place.tooltip}\n${count}`);
  item.contextValue = "place";
  return item;
}

export function threadPlaceItem({ found, project, threads }: ThreadPlaceNode, numbers: Numbers): vscode.TreeItem {
  const item = new vscode.TreeItem(labelText(labelOf(project)), Collapsed);
  const count = numbers.of(threads.length, "session");
  item.id = `place ${found.path}\n${project}`;
  item.iconPath = new vscode.ThemeIcon("folder");
  item.description = count;
  item.tooltip = plain(`${labelText(project)}\n${count}`);
  item.contextValue = "place";
  return item;
}

export function olderItem(id: string, label: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, Collapsed);
  item.id = `older ${id}`;
  item.iconPath = new vscode.ThemeIcon("history");
  item.contextValue = "older";
  return item;
}

export function sessionItem(group: string, found: FoundSession, text: SessionText): vscode.TreeItem {
  const item = new vscode.TreeItem(fitted(text.label), Collapsed);
  item.id = `${group} ${found.path}`;
  item.iconPath = new vscode.ThemeIcon(found.isDatabase === true ? "database" : "comment-discussion");
  item.description = text.description;
  item.tooltip = plain(text.tooltip);
  item.contextValue = found.isDatabase === true ? "database" : "session";
  item.command = opening(found.path);
  item.accessibilityInformation = { label: text.spoken };
  return item;
}

export function threadItem({ found, thread }: ThreadNode, text: SessionText): vscode.TreeItem {
  const item = new vscode.TreeItem(fitted(text.label), Collapsed);
  item.id = `thread ${found.path}\n${thread.id}`;
  item.iconPath = new vscode.ThemeIcon("comment-discussion");
  item.description = text.description;
  item.tooltip = plain(text.tooltip);
  item.contextValue = "thread";
  item.command = opening(found.path, { thread: thread.id });
  item.accessibilityInformation = { label: text.spoken };
  return item;
}

export function resultItem({ row, path }: ResultNode, numbers: Numbers): vscode.TreeItem {
  const item = new vscode.TreeItem(resultLabel(row), None);
  const description = resultDescription(row, numbers);
  item.id = `${path}#${row.index}`;
  item.description = description;
  item.iconPath = isFileLost(row.file)
    ? new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"))
    : new vscode.ThemeIcon(STATE_ICONS[row.state]);
  const where = row.path ?? row.handle;
  const word = FILE_WORDS[row.file];
  item.tooltip = plain(
    [
      `${resultLabel(row)}: ${description}`,
      ...(where === null ? [] : [labelText(where)]),
      ...(word === "" ? [] : [word]),
      `${numbers.chars(row.chars)} in context (≈ ${numbers.count(row.tokens)} tok)`,
    ].join("\n"),
  );
  item.contextValue = resultContext(row);
  item.accessibilityInformation = { label: `${resultLabel(row)}, ${description}` };
  item.command = opening(path, { row: row.index });
  return item;
}

export function troublesItem(group: string, count: number, numbers: Numbers): vscode.TreeItem {
  const item = new vscode.TreeItem(`${numbers.of(count, "folder")} not listed in full`, Collapsed);
  item.id = `troubles ${group}`;
  item.iconPath = new vscode.ThemeIcon("warning");
  item.contextValue = "note";
  return item;
}

export function troubleItem(trouble: Trouble): vscode.TreeItem {
  const item = new vscode.TreeItem(labelText(trouble.path), None);
  const text = troubleText(trouble);
  item.description = text;
  item.iconPath = new vscode.ThemeIcon("folder");
  item.tooltip = plain(`${labelText(trouble.path)} ${text}.`);
  item.contextValue = "note";
  return item;
}

export function noteItem(note: {
  readonly text: string;
  readonly icon: string;
  readonly path?: string;
  readonly command?: vscode.Command;
}): vscode.TreeItem {
  const item = new vscode.TreeItem(note.text, None);
  item.iconPath = new vscode.ThemeIcon(note.icon);
  item.tooltip = note.text;
  item.contextValue = "note";
  const command = note.command ?? (note.path === undefined ? undefined : opening(note.path));
  if (command !== undefined) item.command = command;
  return item;
}
