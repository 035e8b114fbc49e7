import type { RecordPlace, TextSize, ThreadParent, ThreadUsage } from "../../model/transcript";
import type { ThreadState } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, own } from "../json";
import { plural } from "../problems";
import { ChatMessages } from "../readers/chatMessages";
import { timeText } from "../usage";
import { type DatabaseContext, numberOf, Outbox, type RowObject, TableAccess, textOf } from "./access";
import { HermesHistory } from "./hermesHistory";
import type { DatabaseReader } from "./reader";

const TOKEN_COLUMNS = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"];
const SESSION_COLUMNS = [
  "id",
  "source",
  "model",
  "model_config",
  "system_prompt",
  "system_prompt_hash",
  "parent_session_id",
  "started_at",
  "end_reason",
  "title",
  "cwd",
  "api_call_count",
  ...TOKEN_COLUMNS,
];
const MESSAGE_COLUMNS = [
  "session_id",
  "role",
  "content",
  "api_content",
  "tool_call_id",
  "tool_calls",
  "tool_name",
  "timestamp",
  "observed",
  "_compressed_summary",
  "active",
  "compacted",
];
const USAGE_COLUMNS = ["session_id", "model", "task", "api_call_count", ...TOKEN_COLUMNS];
/** `_delegate_from` of a session whose parent is gone (hermes_state.py @00025f69). */
const ORPHANED = "__orphaned__";

interface Session {
  readonly state: ThreadState;
  readonly row: RowObject | undefined;
  readonly messages: readonly number[];
}

/** Hermes `state.db`, any schema version: every session is a thread, the oldest first. */
export class HermesDatabaseReader implements DatabaseReader {
  readonly out: Outbox;
  private readonly access: TableAccess;
  private readonly chat: ChatMessages;
  private readonly prompts = new Map<string, { readonly place: RecordPlace; readonly size: TextSize } | undefined>();
  private results = 0;

  constructor(private readonly context: DatabaseContext) {
    this.access = new TableAccess(context);
    this.out = new Outbox(context.builder);
    this.chat = new ChatMessages(context.builder, { hermes: true });
  }

  *read(): Generator<number> {
    const sessions = this.sessions();
    yield 0;
    for (const { state, row, messages } of sessions) {
      if (row !== undefined) this.systemPrompt(state, row);
      const { access, out, chat } = this;
      const history = new HermesHistory({ builder: this.context.builder, access, out, chat, state });
      for (const id of messages) {
        const message = access.row("messages", id, MESSAGE_COLUMNS);
        if (message === undefined) continue;
        if (message.value["role"] === "tool") this.results++;
        if (message.value["role"] !== "session_meta") history.row(message);
        yield message.bytes;
      }
      history.finish();
    }
    if (this.results > 0) this.upperBound();
  }

  /** Opens a thread for each session and finds its messages; no texts are read yet. */
  private sessions(): readonly Session[] {
    const rows = new Map<string, RowObject>();
    for (const row of this.access.scan("sessions", SESSION_COLUMNS)) {
      const id = textOf(row.value["id"]);
      if (id !== undefined) rows.set(id, row);
    }
    const messages = new Map<string, number[]>();
    for (const row of this.access.scan("messages", ["session_id"])) {
      const id = textOf(row.value["session_id"]) ?? "";
      const list = messages.get(id);
      if (list === undefined) messages.set(id, [row.id]);
      else list.push(row.id);
    }
    const unlisted = [...messages.keys()].filter((id) => !rows.has(id));
    if (unlisted.length > 0) {
      this.context.builder.problems.add({
        code: "unlisted-session",
        severity: "info",
        message: `${plural(unlisted.length, "session")} with messages that the table sessions does not list; shown all the same.`,
      });
    }
    const usage = this.usage();
    const listed = [...rows.entries()].sort(([, a], [, b]) => startOf(a) - startOf(b) || a.id - b.id);
    const all = [...listed, ...unlisted.map((id) => [id, undefined] as const)];
    const one = all.length === 1 ? all[0] : undefined;
    if (one !== undefined) this.context.builder.describe({ sessionId: one[0], model: textOf(one[1]?.value["model"]) });
    return all.map(([id, row]) => ({
      state: this.open(
        id,
        row,
        row === undefined ? undefined : rows.get(textOf(row.value["parent_session_id"]) ?? ""),
        usage,
      ),
      row,
      messages: messages.get(id) ?? [],
    }));
  }

  private open(
    id: string,
    row: RowObject | undefined,
    parent: RowObject | undefined,
    usage: ReadonlyMap<string, readonly ThreadUsage[]>,
  ): ThreadState {
    const config = configOf(row);
    const delegate = textOf(config["_delegate_from"]);
    return this.context.builder.open({
      id,
      title: textOf(row?.value["title"]) ?? id,
      kind: delegate === undefined ? "main" : "subagent",
      model: textOf(row?.value["model"]),
      startedAt: timeText(row?.value["started_at"]),
      source: textOf(row?.value["source"]),
      project: textOf(row?.value["cwd"]),
      parent: parentOf(row, parent, config),
      usage: usage.get(id) ?? sums(row),
    });
  }

  private usage(): ReadonlyMap<string, readonly ThreadUsage[]> {
    const bySession = new Map<string, ThreadUsage[]>();
    for (const { value } of this.access.scan("session_model_usage", USAGE_COLUMNS)) {
      const id = textOf(value["session_id"]) ?? "";
      const list = bySession.get(id) ?? [];
      list.push(usageOf(value));
      bySession.set(id, list);
    }
    return bySession;
  }

  /** Since schema 25 equal prompts are kept once, in a table of their own. */
  private systemPrompt(state: ThreadState, session: RowObject): void {
    const { builder } = this.context;
    const measure = (text: unknown): TextSize =>
      measureParts(flatten(text, this.access.texts).parts, this.access.texts);
    const text = textOf(session.value["system_prompt"]);
    if (text !== undefined) {
      builder.systemPrompt(state, session.place, measure(text));
      return;
    }
    const hash = textOf(session.value["system_prompt_hash"]);
    if (hash === undefined) return;
    if (!this.prompts.has(hash)) {
      const row = this.access.find("system_prompts", "hash", hash, ["prompt"]);
      this.prompts.set(hash, row === undefined ? undefined : { place: row.place, size: measure(row.value["prompt"]) });
    }
    const prompt = this.prompts.get(hash);
    if (prompt !== undefined) builder.systemPrompt(state, prompt.place, prompt.size);
  }

  /** hermes-agent PR #84697: rows are written before the turn budget and before a user's steering text. */
  private upperBound(): void {
    this.context.builder.problems.add({
      code: "upper-bound",
      severity: "info",
      message:
        "Sizes of tool results are an upper bound: state.db keeps each result as it was before the turn budget. Where a " +
        "batch of results went over it, the model saw previews of the largest ones, and this database does not say which.",
    });
  }
}

const startOf = (row: RowObject): number => numberOf(row.value["started_at"]) ?? 0;

function configOf(row: RowObject | undefined): { readonly [key: string]: string | undefined } {
  const text = row?.value["model_config"];
  if (typeof text !== "string") return {};
  try {
    const config: unknown = JSON.parse(text);
    const named = (key: string): readonly [string, string | undefined] => {
      const value = isObject(config) ? own(config, key) : undefined;
      return [key, typeof value === "string" ? value : undefined];
    };
    return Object.fromEntries([named("_delegate_from"), named("_branched_from")]);
  } catch (error) {
    // Settings that are no JSON say nothing about where a session came from; its messages are read all the same.
    if (error instanceof SyntaxError || error instanceof RangeError) return {};
    throw error;
  }
}

function parentOf(
  row: RowObject | undefined,
  parent: RowObject | undefined,
  config: { readonly [key: string]: string | undefined },
): ThreadParent | undefined {
  const delegate = config["_delegate_from"];
  if (delegate !== undefined && delegate !== ORPHANED) return { id: delegate, relation: "delegate" };
  const branch = config["_branched_from"];
  if (branch !== undefined) return { id: branch, relation: "branch" };
  const id = textOf(row?.value["parent_session_id"]);
  if (id === undefined) return undefined;
  // A compaction that is not in place ends the session with this reason and begins a child.
  return { id, relation: parent?.value["end_reason"] === "compression" ? "compression" : "child" };
}

function usageOf(value: RowObject["value"]): ThreadUsage {
  const calls = numberOf(value["api_call_count"]);
  return {
    model: textOf(value["model"]),
    task: textOf(value["task"]),
    // Tokens without calls: counted before calls were (migrated from schemas without the column).
    calls: calls === 0 && isUsed(value) ? undefined : calls,
    input: numberOf(value["input_tokens"]),
    cacheRead: numberOf(value["cache_read_tokens"]),
    cacheWrite: numberOf(value["cache_write_tokens"]),
    output: numberOf(value["output_tokens"]),
  };
}

/** A session's own sums. Their columns begin at 0, so nothing but zeros says nothing. */
function sums(row: RowObject | undefined): readonly ThreadUsage[] {
  if (row === undefined) return [];
  return isUsed(row.value) ? [usageOf(row.value)] : [];
}

function isUsed(value: RowObject["value"]): boolean {
  return TOKEN_COLUMNS.some((column) => (numberOf(value[column]) ?? 0) > 0);
}
