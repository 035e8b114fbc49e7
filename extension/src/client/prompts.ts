import * as vscode from "vscode";
import { inOneLine } from "../core/util/inOneLine";
import { labelText, withoutIcons } from "../core/util/labelText";
import { plain } from "../core/util/plain";
import { visible } from "../node/openRules";
import { withoutLinks } from "./plainMessage";

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  readonly problem: (text: string) => string | undefined;
}

/** Every question and message to the user goes through here, so that tests can answer. */
export interface Prompts {
  /** Resolves to the chosen action, undefined when dismissed. */
  error(message: string, ...actions: readonly string[]): Promise<string | undefined>;
  info(message: string, ...actions: readonly string[]): Promise<string | undefined>;
  /** Modal question; true only when `action` was chosen. `detail` is shown in full, nothing is shortened. */
  confirm(message: string, detail: string, action: string): Promise<boolean>;
  /** Absolute path of a folder that the user chose. */
  pickFolder(title: string, action: string): Promise<string | undefined>;
  /** Absolute path of a file that the user chose. */
  pickFile(title: string, extensions: readonly string[], kind?: string): Promise<string | undefined>;
  /** A line of text; undefined when dismissed. `problem` says what is wrong with it, undefined = nothing. */
  input(asked: TextQuestion): Promise<string | undefined>;
  pick<T extends vscode.QuickPickItem>(
    items: readonly T[] | Promise<readonly T[]>,
    placeholder: string,
  ): Promise<T | undefined>;
  /** Like `pick`, for more items than a list can hold: `matching` gives those that fit what was typed, `none` what to say without any. */
  search<T extends vscode.QuickPickItem>(
    matching: (words: string) => Promise<readonly T[]>,
    placeholder: string,
    none: (words: string) => NothingFound,
  ): Promise<T | undefined>;
}

/** In place of a list without items: what is so, and what to do. */
export interface NothingFound {
  readonly label: string;
  readonly detail: string;
}

export function windowPrompts(): Prompts {
  return {
    error: async (message, ...actions) =>
      vscode.window.showErrorMessage(withoutLinks(plain(inOneLine(message))), ...actions),
    info: async (message, ...actions) =>
      vscode.window.showInformationMessage(withoutLinks(plain(inOneLine(message))), ...actions),
    confirm: async (message, detail, action) =>
      (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action,
    pickFolder: async (title, action) => {
      const chosen = await vscode.window.showOpenDialog({
        title,
        openLabel: action,
        canSelectFiles: false,
        canSelectFolders: true,
        canSelectMany: false,
      });
      return onDisk(chosen?.[0]);
    },
    pickFile: async (title, extensions, kind = "Transcripts") => {
      const chosen = await vscode.window.showOpenDialog({ title, filters: { [kind]: [...extensions] } });
      return onDisk(chosen?.[0]);
    },
    input: async ({ title, prompt, value, problem }) =>
      vscode.window.showInputBox({ title, prompt, value, ignoreFocusOut: true, validateInput: problem }),
    pick: async (items, placeholder) =>
      vscode.window.showQuickPick(shownItems(await items), {
        placeHolder: placeholder,
        matchOnDescription: true,
        matchOnDetail: true,
      }),
    search: (matching, placeholder, none) => searchPick(matching, placeholder, none),
  };
}

/** Items name sessions, profiles and paths: nothing in them is an icon or a second line, or hides. */
function shownItems<T extends vscode.QuickPickItem>(items: readonly T[]): readonly T[] {
  const shown = (text: string): string => withoutIcons(labelText(text));
  return items.map((item) => ({
    ...item,
    label: shown(item.label),
    ...(item.description === undefined ? {} : { description: shown(item.description) }),
    ...(item.detail === undefined ? {} : { detail: shown(item.detail) }),
  }));
}

/** In a virtual workspace the dialog offers what is not on disk as well, and its path would mean another file here. */
async function onDisk(chosen: vscode.Uri | undefined): Promise<string | undefined> {
  if (chosen === undefined || chosen.scheme === "file") return chosen?.fsPath;
  await vscode.window.showInformationMessage(withoutLinks(notOnDisk(chosen.toString(true))));
  return undefined;
}

/** What is said of a transcript that is not on disk. */
export function notOnDisk(address: string): string {
  return `Only what is on disk can be opened here, and ${visible(address)} is not: large files are read piece by piece. Save a copy to disk and open that.`;
}

/** `found`: undefined for the sentence that nothing was found. */
interface SearchItem<T> extends vscode.QuickPickItem {
  readonly found: T | undefined;
}

function searchPick<T extends vscode.QuickPickItem>(
  matching: (words: string) => Promise<readonly T[]>,
  placeholder: string,
  none: (words: string) => NothingFound,
): Promise<T | undefined> {
  const list = vscode.window.createQuickPick<SearchItem<T>>();
  list.placeholder = placeholder;
  // What fits is found here; the list's own filter would look for the typed text as one piece.
  const show = async (words: string): Promise<void> => {
    list.busy = true;
    const items = await matching(words);
    if (words !== list.value) return;
    const shown = shownItems<vscode.QuickPickItem>(items.length === 0 ? [none(words)] : items);
    list.items = shown.map((item, at) => ({ ...item, alwaysShow: true, found: items[at] }));
    list.busy = false;
  };
  return new Promise<T | undefined>((choose, fail) => {
    list.onDidChangeValue((words) => void show(words).catch(fail));
    list.onDidAccept(() => {
      const chosen = list.selectedItems[0]?.found;
      if (chosen === undefined) return;
      choose(chosen);
      list.hide();
    });
    list.onDidHide(() => {
      choose(undefined);
      list.dispose();
    });
    list.show();
    show("").catch(fail);
  });
}
