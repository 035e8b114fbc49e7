/**
 * A message in which nothing is a link. Notifications of VS Code turn `[text](command:…)` into something that runs a command when
 * clicked (microsoft/vscode `src/vs/base/common/linkedText.ts`), and our messages hold paths and words of transcripts.
 */
export function withoutLinks(message: string): string {
  return message.replace(/\](?=\()/g, "] ");
}
