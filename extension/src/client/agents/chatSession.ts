/** Calls that no chat made: other extensions, by `vscode.lm.invokeTool` without a token. They share what they saved. */
const NO_CHAT = "no chat";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/**
 * Names the chat session that a call of a tool belongs to; equal names, equal sessions. The only thing that VS Code gives every
 * extension is the token of the call, which it calls opaque. What stands in it names the chat and not the request: `sessionId` in
 * 1.100, `sessionResource` in 1.139 (microsoft/vscode `src/vs/workbench/api/common/extHostLanguageModelTools.ts`). A token of another
 * shape counts whole: should it change from call to call, nothing that was saved can be read on, which is the safe side.
 */
export function chatSession(token: unknown): string {
  if (!isRecord(token)) return NO_CHAT;
  const { sessionResource, sessionId } = token;
  if (isRecord(sessionResource) && typeof sessionResource["path"] === "string") {
    const { scheme, authority, path, query } = sessionResource;
    return `chat ${JSON.stringify([scheme, authority, path, query])}`;
  }
  const named = sessionResource ?? sessionId;
  return `chat ${typeof named === "string" ? named : JSON.stringify(token)}`;
}
