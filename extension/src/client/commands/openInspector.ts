import { basename } from "node:path";
import * as vscode from "vscode";
import type { Prompts } from "../prompts";
import type { InspectorProvider } from "../views/inspectorProvider";
import type { FoundSession } from "../views/sessionsScan";
import { transcriptOf } from "./treeArguments";

/** Sessions offered in the picker, newest first; the tree has all of them. */
const MAX_OFFERED = 200;

interface Choice extends vscode.QuickPickItem {
  readonly path?: string;
  readonly other?: true;
}

export interface OpenInspectorParts {
  readonly inspector: InspectorProvider;
  readonly prompts: Prompts;
  readonly sessions: () => Promise<readonly FoundSession[]>;
}

/** Opens the transcript that the menu was opened on, else the one in the active editor, else asks for one. */
export function openInspector(parts: OpenInspectorParts): (target?: unknown, row?: unknown) => Promise<void> {
  return async (target, row) => {
    const wanted = transcriptOf(target);
    if (wanted) {
      const index = typeof row === "number" ? row : wanted.row;
      await parts.inspector.open(wanted.uri, index);
      return;
    }
    const chosen = await choose(parts);
    if (chosen !== undefined) await parts.inspector.open(vscode.Uri.file(chosen));
  };
}

async function choose({ prompts, sessions }: OpenInspectorParts): Promise<string | undefined> {
  const choice = await prompts.pick(sessions().then(choices), "Transcript to open in the inspector");
  if (!choice) return undefined;
  if (!choice.other) return choice.path;
  return prompts.pickFile("Open transcript in the inspector", ["jsonl", "ndjson", "json", "db", "sqlite"]);
}

function choices(sessions: readonly FoundSession[]): readonly Choice[] {
  const active = activeFile();
  const listed: Choice[] = sessions.slice(0, MAX_OFFERED).map((session) => ({
    label: session.label,
    description: new Date(session.mtimeMs).toLocaleString(vscode.env.language, {
      dateStyle: "medium",
      timeStyle: "short",
    }),
    detail: session.path,
    iconPath: new vscode.ThemeIcon("comment-discussion"),
    path: session.path,
  }));
  return [
    ...(active === undefined
      ? []
      : [
          {
            label: basename(active),
            description: "active editor",
            detail: active,
            iconPath: new vscode.ThemeIcon("file"),
            path: active,
          },
        ]),
    { label: "Choose a File…", iconPath: new vscode.ThemeIcon("folder-opened"), other: true as const },
    ...listed,
  ];
}

/** The file of the active text editor, when it may be a transcript. */
function activeFile(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === "file" && /\.(jsonl|ndjson|json)$/.test(uri.fsPath) ? uri.fsPath : undefined;
}
