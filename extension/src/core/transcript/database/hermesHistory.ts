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

/** Two rows with the same value say the same: one was copied from the other (PR #86171 and state-reads of SessionDB). */
export function copyKey(row: RowObject): string {
  const { role, content, timestamp, tool_call_id, tool_calls, tool_name } = row.value;
  return JSON.stringify([role, content, timestamp, tool_call_id, tool_calls, tool_name]);
}

/** Rows with the same value are the same message, though a compaction may have changed its text. */
function identity(row: RowObject): string {
  const { role, timestamp, tool_call_id } = row.value;
  return JSON.stringify([role, timestamp, tool_call_id]);
}

interface Entry {
  message: Message | undefined;
  results: readonly ToolResult[];
  fate: RowFate;
  /** A hash of the copy key: a session's bodies are not kept. */
  print: string;
  place: RecordPlace;
}

/** The rows that a compaction wrote: copies of what it kept, and its summary. */
interface Block {
  readonly place: RecordPlace;
  readonly atMessage: number;
  readonly old: ReadonlyMap<string, Entry[]>;
  readonly all: readonly Entry[];
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
  private inContext: Entry[] = [];
  private byIdentity = new Map<string, Entry[]>();
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
    const key = identity(row);
    if (this.beginsBlock(row, fate, key)) this.beginBlock(row.place);
    this.lastFate = fate;
    if (this.block !== undefined) {
      const copied = this.block.old.get(key)?.find((entry) => this.block?.kept.has(entry) === false);
      if (copied !== undefined) {
        this.block.kept.add(copied);
        this.moved(copied, row, fate, this.block);
        this.keep(copied, key);
        return;
      }
      if (this.isSummary(row)) this.block.summarised = true;
      else this.endBlock();
    }
    this.keep(this.tell(row, fate), key);
  }

  finish(): void {
    this.endUndone();
    this.endBlock();
    const gone = this.inContext.filter((entry) => entry.fate !== "live");
    if (gone.length > 0 && this.lastPlace !== undefined) {
      this.left(gone, this.lastPlace, this.parts.state.messages, "prune", []);
    }
  }

  private beginsBlock(row: RowObject, fate: RowFate, key: string): boolean {
    if (this.lastFate !== "archived" || this.inContext.length === 0) return false;
    if (this.byIdentity.has(key)) return true;
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
      old: this.byIdentity,
      all: this.inContext,
      kept: new Set(),
      changedCallIds: [],
      summarised: false,
    };
    this.byIdentity = new Map();
    this.inContext = [];
  }

  private endBlock(): void {
    const { block } = this;
    if (block === undefined) return;
    this.block = undefined;
    const rest = block.all.filter((entry) => !block.kept.has(entry));
    // A live row stays in context, wherever it stands.
    this.inContext.unshift(...rest.filter((entry) => entry.fate === "live"));
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

  private keep(entry: Entry, key: string): void {
    this.inContext.push(entry);
    const same = this.byIdentity.get(key);
    if (same === undefined) this.byIdentity.set(key, [entry]);
    else same.push(entry);
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
      print: fingerprint(copyKey(row)),
      place: row.place,
    };
  }

  /** The entry lies in another row from now on, maybe with another text. */
  private moved(entry: Entry, row: RowObject, fate: RowFate, block: Block): void {
    const print = fingerprint(copyKey(row));
    const changed = print !== entry.print;
    entry.fate = fate;
    entry.print = print;
    entry.place = row.place;
    if (changed) this.changed(entry, row, block);
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

/** 64 bits of a text and its length: two multiplicative hashes with different factors. Not for hostile collisions. */
function fingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b + unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return `${text.length}:${a >>> 0}:${b >>> 0}`;
}
