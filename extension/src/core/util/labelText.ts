import { inOneLine } from "./inOneLine";
import { plain } from "./plain";
import { shortText } from "./shortTexts";

/** Longest text of a file in a label of the editor, UTF-16 units. */
const MOST = 400;

/** Text from files for the editor's own lists, messages and titles: one line, short, with nothing invisible in it. */
export function labelText(text: string): string {
  return plain(inOneLine(shortText(text, MOST)));
}

/** The same where the editor would take `$(name)` for an icon (lists of choices, the status bar): there it stands as it is written. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\(/g, "\\$(");
}
