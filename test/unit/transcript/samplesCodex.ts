import { LONG } from "./longText";
import { jsonLines } from "./support";

export const codexLine = (type: string, payload: unknown, time = "2026-02-03T04:05:06.000Z") => ({
  timestamp: time,
  type,
  payload,
});
export const codexItem = (payload: unknown) => codexLine("response_item", payload);
export const codexEvent = (type: string, rest = {}) => codexLine("event_msg", { type, ...rest });
export const codexText = (role: string, text: string) =>
  codexItem({ type: "message", role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] });
export const codexCall = (id: string, name = "shell", args = '{"command":["ls"]}') =>
  codexItem({ type: "function_call", name, arguments: args, call_id: id });
export const codexOutput = (id: string, output: unknown) =>
  codexItem({ type: "function_call_output", call_id: id, output });
export const codexTokens = (total: number, input: number, cached: number, output: number) =>
  codexEvent("token_count", {
    info: {
      total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: 0, total_tokens: total },
      last_token_usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: output,
        reasoning_output_tokens: 0,
        total_tokens: input + output,
      },
      model_context_window: 258_400,
    },
  });
export const codexMeta = (id: string, rest = {}) =>
  codexLine("session_meta", { id, timestamp: "2026-02-03T04:05:00.000Z", cwd: "/w", cli_version: "0.100.0", ...rest });

export const CODEX = jsonLines(
  codexMeta("s-1", { base_instructions: { text: "You are a coder." } }),
  codexText("user", "<environment_context>\n</environment_context>"),
  codexEvent("task_started", { turn_id: "t-1" }),
  codexText("user", LONG),
  codexEvent("user_message", { message: LONG }),
  codexLine("turn_context", { turn_id: "t-1", model: "gpt-5.3-codex" }),
  codexEvent("token_count", { info: null }),
  codexItem({ type: "reasoning", summary: [], encrypted_content: "xx" }),
  codexEvent("agent_message", { message: "Looking." }),
  codexText("assistant", "Looking."),
  codexCall("c-1"),
  codexCall("c-2", "read_file", '{"path":"a"}'),
  codexTokens(1000, 900, 300, 100),
  codexOutput("c-1", LONG),
  codexOutput("c-2", [
    { type: "input_text", text: "seen" },
    { type: "input_image", image_url: "data:image/png;base64,AAAA" },
  ]),
  codexLine("turn_context", { turn_id: "t-1", model: "gpt-5.3-codex" }),
  codexTokens(1000, 900, 300, 100),
  codexText("assistant", "Done."),
  codexTokens(2300, 1250, 900, 50),
  codexTokens(2300, 1250, 900, 50),
  codexEvent("task_complete", { turn_id: "t-1" }),
);

export const CODEX_EXEC = jsonLines(
  { type: "thread.started", thread_id: "th-1" },
  { type: "turn.started" },
  { type: "item.started", item: { id: "i1", type: "command_execution", command: "ls", status: "in_progress" } },
  {
    type: "item.completed",
    item: {
      id: "i1",
      type: "command_execution",
      command: "ls",
      aggregated_output: LONG,
      exit_code: 1,
      status: "failed",
    },
  },
  { type: "item.completed", item: { id: "i2", type: "agent_message", text: "Done." } },
  { type: "turn.completed", usage: { input_tokens: 10, cached_input_tokens: 5, output_tokens: 3 } },
);
