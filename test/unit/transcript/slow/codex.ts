import { type Counts, type Json, linesOf, Tally, textOf } from "./counts";

/** Codex rollouts. A call is a run of model items; token events name it by changing the total. */
export function slowCodex(text: string): Counts {
  const tally = new Tally();
  const lines = linesOf(text);
  const items = lines.filter((line) => line.type === "response_item").map((line) => line.payload);
  const conversation = items.filter(
    (item) => item.role !== undefined || /^(function|custom_tool|web_search|local_shell)_call/.test(item.type),
  );
  for (const item of conversation) {
    tally.message();
    if (/^(function_call|custom_tool_call|local_shell_call)$/.test(item.type)) tally.asked(item.call_id);
    if (/_output$/.test(item.type ?? "")) tally.result(item.call_id, textOf(item.output));
  }
  if (conversation.length === 0) {
    for (const line of lines) if (/^(user|agent)_message$/.test(line.payload.type)) tally.message();
  }
  let total = "";
  let counted = 0;
  for (const line of lines) {
    const info = line.payload?.type === "token_count" ? line.payload.info : null;
    if (!info?.last_token_usage || JSON.stringify(info.total_token_usage) === total) continue;
    total = JSON.stringify(info.total_token_usage);
    tally.usage(info.last_token_usage.input_tokens, info.last_token_usage.output_tokens);
    counted++;
  }
  // Files with token events have one per call; the small ones without count runs of model items.
  tally.counts.calls = counted > 0 ? counted : runs(items);
  return tally.end();
}

function runs(items: Json[]): number {
  let calls = 0;
  let inside = false;
  for (const item of items) {
    const isModel = item.role === "assistant" || item.type === "reasoning" || /_call$/.test(item.type ?? "");
    if (isModel && !inside) calls++;
    if (isModel) inside = true;
    else if (item.role === "user" || /_output$/.test(item.type ?? "")) inside = false;
  }
  return calls;
}
