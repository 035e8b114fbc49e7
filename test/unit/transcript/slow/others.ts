import { type Counts, type Json, linesOf, Tally, textOf } from "./counts";

/** OpenAI Responses: one response, which is one call. */
export function slowResponses(text: string): Counts {
  const tally = new Tally();
  const response = JSON.parse(text);
  tally.call(response.usage.input_tokens, response.usage.output_tokens);
  for (const item of response.output) {
    if (item.type === "message" || /_call$/.test(item.type)) tally.message();
    if (/^(function|apply_patch|shell)_call$/.test(item.type)) tally.asked(item.call_id);
    if (item.type === "mcp_call") {
      tally.asked(item.id);
      tally.result(item.id, item.output);
    }
  }
  return tally.end();
}

/** opencode export: every message; a call per step, or per answer where no steps are marked. */
export function slowOpencode(text: string): Counts {
  const tally = new Tally();
  for (const { info, parts } of JSON.parse(text).messages) {
    tally.message();
    if (info.role !== "assistant") continue;
    const steps = parts.filter((part: Json) => part.type === "step-finish");
    for (const { tokens } of steps.length > 0 ? steps : [info]) {
      const { input = 0, output = 0, reasoning = 0, cache = {} } = tokens ?? {};
      tally.call(input + (cache.read ?? 0) + (cache.write ?? 0), output + reasoning);
    }
    for (const part of parts) {
      if (part.type !== "tool") continue;
      tally.asked(part.callID);
      if (part.state.status === "completed") tally.result(part.callID, part.state.output);
    }
  }
  return tally.end();
}

/** VS Code chat, both forms: a question and (here, without rounds) one answer per request. */
export function slowCopilotChat(text: string): Counts {
  const tally = new Tally();
  const session = text.startsWith('{"kind"') ? replay(linesOf(text)) : JSON.parse(text);
  for (const request of session.requests) {
    tally.message();
    if (request.response.length === 0) continue;
    tally.message();
    tally.call(0, request.completionTokens);
  }
  return tally.end();
}

function replay(lines: Json[]): Json {
  let root: Json;
  for (const { kind, k, v, i } of lines) {
    if (kind === 0) {
      root = v;
      continue;
    }
    const parent = k.slice(0, -1).reduce((inner: Json, key: Json) => inner[key], root);
    const last = k[k.length - 1];
    if (kind === 1) parent[last] = v;
    if (kind === 2) parent[last] = [...(parent[last] ?? []).slice(0, i), ...v];
  }
  return root;
}

/** Copilot events: the system prompt counts once, requests by their results. */
export function slowCopilotEvents(text: string): Counts {
  const tally = new Tally();
  let system = false;
  const started = new Set<string>();
  for (const { type, data } of linesOf(text)) {
    if (type === "system.message" && !system) {
      system = true;
      tally.message();
    }
    if (type === "user.message") tally.message();
    if (type === "assistant.message") {
      tally.message();
      tally.call(0, data.outputTokens);
      for (const request of data.toolRequests) started.add(request.toolCallId);
      for (const request of data.toolRequests) tally.asked(request.toolCallId);
    }
    if (type === "tool.execution_start" && !started.has(data.toolCallId)) tally.asked(data.toolCallId);
    if (type === "tool.execution_complete") {
      tally.message();
      tally.result(data.toolCallId, data.result.content);
    }
  }
  return tally.end();
}

/** LangChain: the last state of a dump; of a stream the messages by id. */
export function slowLangchain(text: string): Counts {
  const tally = new Tally();
  const value = JSON.parse(text);
  const byId = new Map<string, Json>();
  const dumps = Array.isArray(value)
    ? value.flatMap(([mode, body]: Json) => (mode === "messages" ? [body[0]] : body.messages))
    : value.messages;
  for (const dump of dumps) {
    const old = byId.get(dump.kwargs.id);
    byId.set(dump.kwargs.id, { ...old, ...dump.kwargs, kind: dump.id[2] });
  }
  for (const message of byId.values()) {
    tally.message();
    if (message.kind.startsWith("AIMessage")) {
      const { input_tokens = 0, output_tokens = 0 } = message.usage_metadata ?? {};
      tally.call(input_tokens, output_tokens);
      for (const call of message.tool_calls ?? []) if (call.id) tally.asked(call.id);
    }
    if (message.kind.startsWith("ToolMessage")) tally.result(message.tool_call_id, textOf(message.content));
  }
  return tally.end();
}

/** SWE-agent: the history; each answer asks for one command, whose output follows it or stands in the last step. */
export function slowSweAgent(text: string): Counts {
  const tally = new Tally();
  const { history, trajectory = [] } = JSON.parse(text);
  let asked = false;
  for (const entry of history) {
    tally.message();
    if (entry.role === "assistant" && !entry.is_demo) {
      tally.call();
      tally.asked("x");
      asked = true;
    } else if (asked) {
      tally.result("x", textOf(entry.content));
      asked = false;
    }
  }
  if (asked) tally.result("x", trajectory[trajectory.length - 1].observation);
  return tally.end();
}

/** mini-SWE-agent: every answer asks, every user message behind it answers. */
export function slowMiniSweAgent(text: string): Counts {
  const tally = new Tally();
  const messages = JSON.parse(text);
  messages.forEach((message: Json, i: number) => {
    tally.message();
    if (message.role === "assistant") {
      tally.call();
      tally.asked("x");
    }
    if (messages[i - 1]?.role === "assistant") tally.result("x", message.content);
  });
  return tally.end();
}

/** OpenHands V0: what the agent did and what came of it; responses by id. */
export function slowOpenhandsV0(text: string): Counts {
  const tally = new Tally();
  const responses = new Set<string>();
  for (const event of JSON.parse(text)) {
    if (/^(null|agent_state_changed)$/.test(event.observation ?? "") || event.action === "change_agent_state") continue;
    tally.message();
    const meta = event.tool_call_metadata;
    if (event.observation) tally.result(meta.tool_call_id, event.content);
    else if (event.source === "agent") {
      const response = meta?.model_response;
      if (response === undefined || !responses.has(response.id))
        tally.call(response?.usage.prompt_tokens, response?.usage.completion_tokens);
      if (response) responses.add(response.id);
      if (meta) tally.asked(meta.tool_call_id);
    }
  }
  return tally.end();
}

/** OpenHands V1. */
export function slowOpenhandsV1(text: string): Counts {
  const tally = new Tally();
  const responses = new Set<string>();
  for (const event of linesOf(text)) {
    if (event.kind === "ActionEvent") {
      tally.message();
      if (!responses.has(event.llm_response_id)) tally.call();
      responses.add(event.llm_response_id);
      tally.asked(event.tool_call_id);
    }
    if (event.kind === "ObservationEvent") {
      tally.message();
      tally.result(event.tool_call_id, textOf(event.observation.content));
    }
  }
  return tally.end();
}

/** Hermes trajectories: tagged JSON in the texts. */
export function slowTrajectory(text: string): Counts {
  const tally = new Tally();
  for (const { conversations } of linesOf(text)) {
    for (const { from, value } of conversations) {
      tally.message();
      if (from === "gpt") {
        tally.call();
        for (const _ of value.matchAll(/<tool_call>/g)) tally.asked("x");
      }
      if (from !== "tool") continue;
      for (const block of value.split(/\n?<\/tool_response>\n?/)) {
        if (block.trim() === "") continue;
        const { content } = JSON.parse(block.replace("<tool_response>\n", ""));
        tally.result("x", textOf(content));
      }
    }
  }
  return tally.end();
}

/** A file that holds no conversation. */
export function slowNothing(): Counts {
  return new Tally().end();
}
