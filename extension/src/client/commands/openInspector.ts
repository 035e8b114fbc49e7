import { basename } from "node:path";
import * as vscode from "vscode";
import type { FoundSession } from "../../node/sessions/sessionScan";
import { notOnDisk, type Prompts } from "../prompts";
import type { SessionIndex } from "../sessions/sessionIndex";
import type { InspectorProvider } from "../views/inspectorProvider";
import { sessionChoice, wordsOf } from "./findSession";
import { isCount, transcriptOf } from "./treeArguments";

/** Sessions offered in the picker, newest first; the tree has all of them. */
const MAX_OFFERED = 200;

interface Choice extends vscode.QuickPickItem {
  readonly path?: string;
  readonly other?: true;
}

export interface OpenInspectorParts {
  readonly inspector: InspectorProvider;
  readonly prompts: Prompts;
  readonly index: SessionIndex;
  readonly sessions: () => Promise<readonly FoundSession[]>;
}

/** Opens the transcript that the menu was opened on, at a row or with a thread shown; else asks for one. */
export function openInspector(
  parts: OpenInspectorParts,
): (target?: unknown, row?: unknown, thread?: unknown) => Promise<void> {
  return async (target, row, thread) => {
    const wanted = transcriptOf(target);
    if (wanted && wanted.uri.scheme !== "file") {
      await parts.prompts.info(notOnDisk(wanted.uri.toString(true)));
      return;
    }
    if (wanted) {
      await parts.inspector.open(wanted.uri, {
        row: isCount(row) ? row : wanted.row,
        thread: typeof thread === "string" ? thread : wanted.thread,
      });
      return;
    }
    const chosen = await choose(parts);
    if (chosen !== undefined) await parts.inspector.open(vscode.Uri.file(chosen));
  };
}

async function choose({ prompts, sessions, index }: OpenInspectorParts): Promise<string | undefined> {
  const choice = await prompts.pick(
    sessions().then((found) => choices(found, index)),
    "Transcript to open in the inspector",
  );
  if (!choice) return undefined;
  if (!choice.other) return choice.path;
  return prompts.pickFile("Open transcript in the inspector", ["jsonl", "ndjson", "json", "db", "sqlite"]);
}

function choices(sessions: readonly FoundSession[], index: SessionIndex): readonly Choice[] {
  const active = activeFile();
  const words = wordsOf(vscode.env.language);
  const listed: Choice[] = sessions.slice(0, MAX_OFFERED).map((session) => ({
    ...sessionChoice(session, index, words),
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
