import { type Counts, type Json, linesOf, Tally } from "./counts";

/** Gemini CLI: messages by id, the last one wins; only questions and answers count. */
export function slowGemini(text: string): Counts {
  const tally = new Tally();
  let messages: Json[];
  try {
    messages = JSON.parse(text).messages;
  } catch {
    const byId = new Map<string, Json>();
    for (const line of linesOf(text)) if (line.id && line.type) byId.set(line.id, line);
    messages = [...byId.values()];
  }
  for (const message of messages) {
    if (message.type !== "user" && message.type !== "gemini") continue;
    tally.message();
    if (message.type === "user") continue;
    const { input = 0, output = 0, thoughts = 0 } = message.tokens ?? {};
    tally.call(input, output + thoughts);
    for (const tool of message.toolCalls ?? []) {
      if (!tool.result) continue;
      tally.asked(tool.id);
      const { output: said, error } = tool.result[0].functionResponse.response;
      tally.result(tool.id, said ?? error);
    }
  }
  return tally.end();
}
