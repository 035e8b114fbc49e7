import type { ThreadState } from "../builder";
import { below } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, own } from "../json";
import { count, timeText } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** Behind every attribute that was cut, at 500 characters (microsoft/vscode-copilot-chat, debug log). */
const CUT = "[truncated]";

/** VS Code Copilot's debug log: spans, whose attributes are cut, so results are never whole. */
export class CopilotDebugReader extends RecordReader {
  private readonly sessions = new Map<string, ThreadState>();
  private calls = 0;
  private readonly newest = new Map<ThreadState, number>();

  record(item: Item): void {
    const { value, texts, place } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const type = own(value, "type");
    const attrs = own(value, "attrs");
    const time = timeText(own(value, "ts"));
    const state = this.session(texts.name(own(value, "sid")), time);
    const at = below(atOf(item), "attrs");
    switch (type) {
      case "user_message": {
        state.nextTurn();
        const { parts } = flatten(own(attrs, "content"), texts);
        this.builder.message(state, "user", place, { size: measureParts(parts, texts), images: 0 });
        return;
      }
      case "llm_request": {
        const model = texts.name(own(attrs, "model"));
        this.setModel(state, model);
        const input = count(own(attrs, "inputTokens"));
        const output = count(own(attrs, "outputTokens"));
        const usage =
          input === undefined && output === undefined
            ? undefined
            : { input, cacheRead: undefined, cacheWrite: undefined, output };
        this.newest.set(state, this.builder.call(state, `${++this.calls}`, { model, at: time, usage, place }));
        return;
      }
      case "agent_response": {
        const { parts } = flatten(own(attrs, "response") ?? own(attrs, "content"), texts);
        this.builder.message(state, "assistant", place, { size: measureParts(parts, texts), images: 0 });
        return;
      }
      case "tool_call": {
        const id = texts.name(own(value, "spanId"));
        const tool = texts.name(own(value, "name"));
        const call = this.newest.get(state);
        this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
        this.builder.message(state, "assistant", place, {
          size: measureParts([], texts),
          images: 0,
          args: measureArguments([own(attrs, "args")], texts),
        });
        const content = own(attrs, "result");
        if (content === undefined) return;
        const wasCut = typeof content === "string" && texts.decode(content).endsWith(CUT);
        const result = this.builder.result(
          state,
          { callId: id, tool, content, at: below(at, "result"), isError: own(value, "status") === "error" },
          (found) => (wasCut && found.state === "inline" ? { state: "truncated" } : {}),
        );
        this.builder.message(state, "tool", place, { size: result.size, images: 0 });
        return;
      }
      case "subagent":
      case "child_session_ref":
      case "discovery":
      case "error":
      case "generic":
        return;
      default:
        this.builder.unknownRecord(typeof type === "string" ? texts.decode(type) : "no type", place);
    }
  }

  private session(sid: string | undefined, startedAt: string | undefined): ThreadState {
    const id = sid ?? this.context.name;
    let state = this.sessions.get(id);
    if (state === undefined) {
      state =
        this.main === undefined
          ? this.thread({ id: sid, startedAt })
          : this.builder.open({
              id,
              title: id,
              kind: "subagent",
              model: undefined,
              startedAt,
              parent: { id: this.main.thread.id, relation: "delegate" },
            });
      this.sessions.set(id, state);
    }
    return state;
  }
}
