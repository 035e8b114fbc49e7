import type { Message, RecordPlace, ToolResult } from "../../model/transcript";
import { addSizes } from "../../util/textSize";
import { NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { own } from "../json";
import { type ChatMessages, isWrittenByCompaction, toolCallsOf } from "../readers/chatMessages";
import type { Outbox, RowObject, TableAccess } from "./access";

/**
 * What the two flags of a row say together. live: sent with the next call · archived: a compaction put copies in its place,
 * or left it out · undone: the user went back behind it (hermes_state_messages.py @01e8a2d0).
 */
export type RowFate = "live" | "archived" | "undone";

/** Databases from before the flags exist hold live rows only. */
export function fateOf(row: RowObject): RowFate {
  const { active, compacted } = row.value;
  if (active !== 0) return "live";
  return compacted === undefined || compacted === null || compacted === 0 ? "undone" : "archived";
}

/** Columns in which a copy equals the row that it was copied from (state-reads of SessionDB). */
const COPIED: readonly string[] = ["role", "content", "timestamp", "tool_call_id", "tool_calls", "tool_name"];

/** Rows with the same value are the same message, though a compaction may have changed its text. */
function identityOf({ role, timestamp, tool_call_id }: RowObject["value"]): string {
  return JSON.stringify([role, timestamp, tool_call_id]);
}

/** A message of the session and the row that it lies in now. */
interface Entry {
  message: Message | undefined;
  results: readonly ToolResult[];
  fate: RowFate;
  place: RecordPlace;
  /** Role, time and call id. */
  readonly head: RowObject["value"];
}

/** What is in context. Looked up by identity only where a session was compacted at all. */
class Context {
  private byIdentity: Map<string, Entry[]> | undefined;

  constructor(readonly entries: Entry[] = []) {}

  add(entry: Entry): void {
    this.entries.push(entry);
    if (this.byIdentity !== undefined) index(this.byIdentity, entry);
  }

  like(row: RowObject): readonly Entry[] {
    if (this.byIdentity === undefined) {
      this.byIdentity = new Map();
      for (const entry of this.entries) index(this.byIdentity, entry);
    }
    return this.byIdentity.get(identityOf(row.value)) ?? [];
  }
}

function index(byIdentity: Map<string, Entry[]>, entry: Entry): void {
  const key = identityOf(entry.head);
  const same = byIdentity.get(key);
  if (same === undefined) byIdentity.set(key, [entry]);
  else same.push(entry);
}

/** The rows that a compaction wrote: copies of what it kept, and its summary. */
interface Block {
  readonly place: RecordPlace;
  readonly atMessage: number;
  readonly old: Context;
  readonly kept: Set<Entry>;
  readonly changedCallIds: string[];
  summarised: boolean;
}

/**
 * One session's rows as a story: each message once, compactions and undone turns where they happened. Every compaction
 * writes what it keeps again below, so a row that repeats an earlier one is that message, moved; when its text was
 * changed too (pruned results), the message has that text from then on and the old row still holds the full one.
 * When all rows are told, exactly the live rows are in context.
 */
export class HermesHistory {
  private context = new Context();
  private undone: Entry[] = [];
  private block: Block | undefined;
  private lastFate: RowFate = "live";
  private lastPlace: RecordPlace | undefined;

  constructor(
    private readonly parts: {
      readonly builder: TranscriptBuilder;
      readonly access: TableAccess;
      readonly out: Outbox;
      readonly chat: ChatMessages;
      readonly state: ThreadState;
    },
  ) {}

  row(row: RowObject): void {
    const fate = fateOf(row);
    this.lastPlace = row.place;
    if (fate === "undone") {
      this.endBlock();
      this.undone.push(this.tell(row, fate));
      return;
    }
    this.endUndone();
    if (this.beginsBlock(row, fate)) this.beginBlock(row.place);
    this.lastFate = fate;
    if (this.block !== undefined) {
      const { kept, old } = this.block;
      const copied = old.like(row).find((entry) => !kept.has(entry));
      if (copied !== undefined) {
        kept.add(copied);
        this.moved(copied, row, fate, this.block);
        this.context.add(copied);
        return;
      }
      if (this.isSummary(row)) this.block.summarised = true;
      else this.endBlock();
    }
    this.context.add(this.tell(row, fate));
  }

  finish(): void {
    this.endUndone();
    this.endBlock();
    const gone = this.context.entries.filter((entry) => entry.fate !== "live");
    if (gone.length > 0 && this.lastPlace !== undefined) {
      this.left(gone, this.lastPlace, this.parts.state.messages, "prune", []);
    }
  }

  private beginsBlock(row: RowObject, fate: RowFate): boolean {
    if (this.lastFate !== "archived" || this.context.entries.length === 0) return false;
    if (this.context.like(row).length > 0) return true;
    if (this.block !== undefined) return false;
    return fate === "live" || this.isSummary(row);
  }

  private isSummary(row: RowObject): boolean {
    const { role, content } = row.value;
    if (role !== "user" && role !== "assistant") return false;
    const flag = row.value["_compressed_summary"];
    return (typeof flag === "number" && flag !== 0) || (typeof content === "string" && isWrittenByCompaction(content));
  }

  private beginBlock(place: RecordPlace): void {
    this.endBlock();
    this.block = {
      place,
      atMessage: this.parts.state.messages,
      old: this.context,
      kept: new Set(),
      changedCallIds: [],
      summarised: false,
    };
    this.context = new Context();
  }

  private endBlock(): void {
    const { block } = this;
    if (block === undefined) return;
    this.block = undefined;
    const rest = block.old.entries.filter((entry) => !block.kept.has(entry));
    // A live row stays in context, wherever it stands.
    const stays = rest.filter((entry) => entry.fate === "live");
    if (stays.length > 0) this.context = new Context([...stays, ...this.context.entries]);
    const gone = rest.filter((entry) => entry.fate !== "live");
    if (gone.length === 0 && block.changedCallIds.length === 0 && !block.summarised) return;
    const what = block.summarised ? "summary" : "prune";
    this.left(gone, block.place, block.atMessage, what, block.changedCallIds);
  }

  private endUndone(): void {
    const gone = this.undone;
    const first = gone[0];
    if (first === undefined) return;
    this.undone = [];
    this.left(gone, first.place, this.parts.state.messages, "rewind", []);
  }

  private left(
    gone: readonly Entry[],
    place: RecordPlace,
    atMessage: number,
    what: "summary" | "prune" | "rewind",
    clearedCallIds: readonly string[],
  ): void {
    this.parts.builder.compaction(this.parts.state, place, {
      what,
      atMessage,
      scope: "listed",
      clearedCallIds,
      messages: gone.flatMap((entry) => entry.message ?? []),
      results: gone.flatMap((entry) => entry.results.map((result) => result.index)),
    });
    this.parts.out.drain();
  }

  private tell(row: RowObject, fate: RowFate): Entry {
    const { chat, state, access, out } = this.parts;
    out.drain();
    chat.message(state, row.value, { place: row.place, texts: access.texts, path: [] });
    // The summary of a compaction is told as one by itself; here its block says more: what it kept.
    const inBlock = this.block !== undefined;
    const told = out.drain((event) => !(inBlock && event.kind === "compaction"));
    return {
      message: told.flatMap((event) => (event.kind === "message" ? [event.message] : [])).at(-1),
      results: told.flatMap((event) => (event.kind === "result" ? [event.result] : [])),
      fate,
      place: row.place,
      head: { role: row.value["role"], timestamp: row.value["timestamp"], tool_call_id: row.value["tool_call_id"] },
    };
  }

  /** The entry lies in another row from now on, maybe with another text. */
  private moved(entry: Entry, row: RowObject, fate: RowFate, block: Block): void {
    // Looked up again rather than remembered: bodies are not kept, and few sessions have copies.
    const before = this.parts.access.row("messages", entry.place.row?.id ?? entry.place.line, COPIED);
    const isSame = before !== undefined && COPIED.every((column) => before.value[column] === row.value[column]);
    entry.fate = fate;
    entry.place = row.place;
    if (!isSame) this.changed(entry, row, block);
    else this.same(entry, row);
  }

  private same(entry: Entry, row: RowObject): void {
    const { out } = this.parts;
    const { place } = row;
    if (entry.message !== undefined) {
      const message = { ...entry.message, place };
      out.push({ kind: "message", message, replaces: entry.message });
      entry.message = message;
    }
    entry.results = entry.results.map((old) => {
      const result = { ...old, place, body: old.body === undefined ? undefined : { ...old.body, place } };
      out.push({ kind: "result", result });
      return result;
    });
  }

  private changed(entry: Entry, row: RowObject, block: Block): void {
    const { builder, state, access, out } = this.parts;
    const { texts } = access;
    const { place, value } = row;
    entry.results = entry.results.map((old) => {
      const result = builder.result(
        state,
        {
          callId: old.callId,
          tool: old.tool,
          content: value["content"],
          at: { place, texts, path: ["content"] },
          isError: old.isError,
          replaces: old,
        },
        (fresh) => ({ fullText: fresh.size.codePoints < old.size.codePoints ? old.body : old.fullText }),
      );
      if (old.callId !== undefined) block.changedCallIds.push(old.callId);
      return result;
    });
    if (entry.message !== undefined) {
      const isTool = entry.message.role === "tool";
      const sent = isTool ? value["content"] : (value["api_content"] ?? value["content"]);
      const flat = flatten(sent, texts);
      let args = NO_TEXT;
      for (const call of toolCallsOf(value["tool_calls"], texts).list) {
        args = addSizes(args, measureArguments([own(own(call, "function") ?? call, "arguments")], texts));
      }
      const content = { size: measureParts(flat.parts, texts), images: flat.images, args };
      entry.message = builder.message(state, entry.message.role, place, content, entry.message);
    }
    out.drain();
  }
}
