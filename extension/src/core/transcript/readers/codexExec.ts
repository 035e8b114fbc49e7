import type { Usage } from "../../model/transcript";
import { type At, below, NO_TEXT, type ThreadState } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { addedUsage, codexUsage, statedUsage } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** `codex exec --json`: items as they begin and end. Usage is stated once per turn, so no call has any. */
export class CodexExecReader extends RecordReader {
  private readonly started = new Set<string>();
  private usage: Usage | undefined;

  record(item: Item): void {
    const { value, texts } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const type = own(value, "type");
    const at = atOf(item);
    switch (type) {
      case "thread.started": {
        const id = texts.name(own(value, "thread_id"));
        if (this.main === undefined) this.thread({ id });
        return;
      }
      case "turn.started":
        this.thread().nextTurn();
        return;
      case "item.started":
      case "item.updated":
      case "item.completed": {
        const inner = own(value, "item");
        if (isObject(inner)) this.item(inner, below(at, "item"), type === "item.completed");
        return;
      }
      case "turn.completed":
        this.usage = addedUsage(this.usage, codexUsage(own(value, "usage")));
        this.builder.updateThread(this.thread(), { usage: statedUsage(this.usage) });
        return;
      case "turn.failed":
      case "error":
        this.thread();
        return;
      default:
        this.builder.unknownRecord(typeof type === "string" ? texts.decode(type) : "no type", item.place);
    }
  }

  private item(value: JsonObject, at: At, done: boolean): void {
    const state = this.thread();
    const { texts, place } = at;
    const type = own(value, "type") ?? own(value, "item_type");
    switch (type) {
      case "agent_message":
      case "assistant_message": {
        if (!done) return;
        const { parts } = flatten(own(value, "text"), texts);
        this.builder.message(state, "assistant", place, { size: measureParts(parts, texts), images: 0 });
        return;
      }
      case "command_execution":
        this.tool(state, value, at, done, "shell", "aggregated_output", own(value, "command"));
        return;
      case "mcp_tool_call": {
        const result = own(value, "result");
        const key = isObject(result) ? ["result", "content"] : own(value, "error") ? ["error", "message"] : ["result"];
        this.tool(state, value, at, done, texts.name(own(value, "tool")) ?? "mcp", key, own(value, "arguments"));
        return;
      }
      case "file_change":
        this.call(state, value, at, "apply_patch", own(value, "changes"), false);
        return;
      case "web_search":
        this.call(state, value, at, "web_search", own(value, "query"), false);
        return;
      case "reasoning":
      case "todo_list":
      case "error":
        return;
      default:
        this.builder.unknownRecord(typeof type === "string" ? `item ${texts.decode(type)}` : "item", place);
    }
  }

  private call(state: ThreadState, value: JsonObject, at: At, tool: string, args: unknown, answered: boolean): void {
    const id = at.texts.name(own(value, "id"));
    if (id === undefined || this.started.has(id)) return;
    this.started.add(id);
    if (answered) this.builder.toolCall(state, { id, tool, call: undefined, turn: state.turn, place: at.place });
    this.builder.message(state, "assistant", at.place, {
      size: NO_TEXT,
      images: 0,
      args: measureArguments([args], at.texts),
    });
  }

  private tool(
    state: ThreadState,
    value: JsonObject,
    at: At,
    done: boolean,
    tool: string,
    key: string | readonly string[],
    args: unknown,
  ): void {
    this.call(state, value, at, tool, args, true);
    if (!done) return;
    const path = typeof key === "string" ? [key] : key;
    const exit = own(value, "exit_code");
    const result = this.builder.result(state, {
      callId: at.texts.name(own(value, "id")),
      tool,
      content: path.reduce<unknown>((inner, step) => own(inner, step), value),
      at: below(at, ...path),
      isError: own(value, "status") === "failed" || (typeof exit === "number" && exit !== 0),
    });
    this.builder.message(state, "tool", at.place, { size: result.size, images: result.images });
  }
}
