import { type Counts, type Json, linesOf, textOf } from "./counts";

/** Calls and results of one thread by their ids; in whatever order they come. */
class Pairs {
  private readonly calls = new Map<string, number>();
  private readonly results = new Map<string, number>();

  asked(id: string): void {
    this.calls.set(id, (this.calls.get(id) ?? 0) + 1);
  }

  answered(id: string): void {
    this.results.set(id, (this.results.get(id) ?? 0) + 1);
  }

  private static excess(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
    return [...a].reduce((sum, [id, count]) => sum + Math.max(0, count - (b.get(id) ?? 0)), 0);
  }

  get orphans(): number {
    return Pairs.excess(this.results, this.calls);
  }

  get missing(): number {
    return Pairs.excess(this.calls, this.results);
  }
}

class Sheet {
  readonly counts: Counts = {
    messages: 0,
    calls: 0,
    results: {},
    persisted: 0,
    orphans: 0,
    chars: 0,
    input: 0,
    output: 0,
  };
  private readonly threads = new Map<string, Pairs>();

  of(thread: string): Pairs {
    const known = this.threads.get(thread) ?? new Pairs();
    this.threads.set(thread, known);
    return known;
  }

  result(thread: string, id: string, text: string, state: string): void {
    this.of(thread).answered(id);
    this.counts.results[state] = (this.counts.results[state] ?? 0) + 1;
    if (state === "persisted") this.counts.persisted++;
    this.counts.chars += [...text].length;
  }

  end(): Counts {
    let missing = 0;
    for (const pairs of this.threads.values()) {
      this.counts.orphans += pairs.orphans;
      missing += pairs.missing;
    }
    if (missing > 0) this.counts.results["missing"] = missing;
    return this.counts;
  }
}

/** Lines, some of which hold two objects glued together. */
function gluedLines(text: string): Json[] {
  return text
    .replace(/^\ufeff/, "")
    .split("\n")
    .flatMap((line) => {
      const whole = linesOf(line);
      return whole.length > 0
        ? whole
        : line.split(/(?<=\})(?=\{"(?:parentUuid|type)")/).flatMap((half) => linesOf(half));
    });
}

function claudeState(text: string): string {
  const trimmed = text.trim();
  if (/^<persisted-output>\nOutput too large \(/.test(trimmed) && trimmed.endsWith("</persisted-output>"))
    return "persisted";
  return /^Error: result \([\d,]+ characters/.test(trimmed) ? "persisted" : "inline";
}

/** Claude Code: every record once by its uuid; a request is a message id with a request id; threads by agent. */
export function slowClaude(text: string): Counts {
  const sheet = new Sheet();
  const seen = new Set<string>();
  const requests = new Map<string, { input: number; output: number; read: number; write: number }>();
  let unnamed = 0;
  for (const record of gluedLines(text)) {
    if (record.uuid !== undefined && seen.has(record.uuid)) continue;
    seen.add(record.uuid);
    // What a local command printed is sent, too.
    if (record.type === "system" && record.subtype === "local_command" && record.content) sheet.counts.messages++;
    if (record.type !== "user" && record.type !== "assistant") continue;
    sheet.counts.messages++;
    const thread = record.isSidechain === true ? (record.agentId ?? "sidechain") : "main";
    const { message = {} } = record;
    if (record.type === "assistant" && message.model !== "<synthetic>") {
      const usage = message.usage ?? {};
      const key = message.id === undefined ? `#${unnamed++}` : `${message.id} ${record.requestId} ${thread}`;
      const known = requests.get(key) ?? { input: 0, output: 0, read: 0, write: 0 };
      known.input = Math.max(known.input, usage.input_tokens ?? 0);
      known.read = Math.max(known.read, usage.cache_read_input_tokens ?? 0);
      known.write = Math.max(known.write, usage.cache_creation_input_tokens ?? 0);
      known.output = Math.max(known.output, usage.output_tokens ?? 0);
      requests.set(key, known);
    }
    for (const block of Array.isArray(message.content) ? message.content : []) {
      if (block.type === "tool_use") sheet.of(thread).asked(block.id);
      if (block.type !== "tool_result") continue;
      const body = textOf(
        Array.isArray(block.content) ? block.content.filter((part: Json) => part.type === "text") : block.content,
      );
      sheet.result(thread, block.tool_use_id, body, claudeState(body));
    }
  }
  sheet.counts.calls = requests.size;
  for (const { input, output, read, write } of requests.values()) {
    sheet.counts.input += input + read + write;
    sheet.counts.output += output;
  }
  return sheet.end();
}

/** What a server tool answered: typed values, of which only the sizes as JSON are told. */
function structured(content: Json): string {
  const one = (part: Json): string => (part?.type === "text" ? part.text : JSON.stringify(part));
  return Array.isArray(content) ? content.map(one).join("") : one(content);
}

/** An Anthropic response: one call and its message, and one per other pass of the server; server tools answer inside it. */
export function slowAnthropicResponse(text: string): Counts {
  const sheet = new Sheet();
  const { content, usage } = JSON.parse(text);
  sheet.counts.messages = 1;
  const others = (usage.iterations ?? []).filter(({ type }: Json) => type !== "message");
  for (const one of [usage, ...others]) {
    sheet.counts.calls++;
    sheet.counts.input +=
      one.input_tokens + (one.cache_read_input_tokens ?? 0) + (one.cache_creation_input_tokens ?? 0);
    sheet.counts.output += one.output_tokens;
  }
  for (const block of content) {
    if (/tool_use$/.test(block.type)) sheet.of("").asked(block.id);
    if (/tool_result$/.test(block.type)) sheet.result("", block.tool_use_id, structured(block.content), "inline");
  }
  return sheet.end();
}

function chat(messages: Json[], sheet = new Sheet()): Sheet {
  for (const message of messages) {
    if (message.role === "session_meta" || message.active === 0) continue;
    sheet.counts.messages++;
    if (message.role === "assistant") sheet.counts.calls++;
    for (const call of message.tool_calls ?? []) sheet.of("").asked(call.id);
    if (message.role === "tool") {
      const body = textOf(message.content);
      sheet.result("", message.tool_call_id, body, hermesState(body));
    }
  }
  return sheet;
}

function hermesState(text: string): string {
  if (/^\s*<persisted-output>\nThis tool result was too large/.test(text)) return "persisted";
  if (/<untrusted_tool_result/.test(text) && /\n<persisted-output>\nThis tool result was too/.test(text))
    return "persisted";
  if (/\n\n\[Large tool response: [\d,]+ char/.test(text)) return "persisted";
  return /\n\n\[Truncated: tool response was [\d,]+ char/.test(text) ? "truncated" : "inline";
}

/** OpenAI chat: a list of messages, or a request with its response's usage. */
export function slowChat(text: string): Counts {
  const value = JSON.parse(text);
  const sheet = chat(Array.isArray(value) ? value : (value.messages ?? value.traj ?? []));
  for (const choice of (value.response ?? value).choices ?? []) chat([choice.message], sheet);
  const usage = value.usage ?? value.response?.usage;
  sheet.counts.input = usage?.prompt_tokens ?? 0;
  sheet.counts.output = usage?.completion_tokens ?? 0;
  return sheet.end();
}

export function slowSnapshot(text: string): Counts {
  return chat(JSON.parse(text).messages).end();
}

export function slowGateway(text: string): Counts {
  return chat(linesOf(text)).end();
}
