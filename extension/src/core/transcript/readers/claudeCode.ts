import type { BodyRef, Message, RecordPlace, ToolResult, Usage } from "../../model/transcript";
import { type Blocks, readBlocks } from "../blocks";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts, measureResult } from "../flatten";
import { isObject, type JsonObject, own, type Texts } from "../json";
import { plural } from "../problems";
import { fullTextUnits } from "../rows/fullText";
import { hashOf, NameTable } from "../rows/nameTable";
import { type RecordIds, UuidSet } from "../rows/uuidSet";
import { anthropicUsage, count, timeText } from "../usage";
import { attachmentContent } from "./claudeAttachment";
import { isWrittenByPerson, PROMPT_HEAD } from "./claudePrompt";
import { ClaudeRows } from "./claudeRows";
import { sayTrace } from "./hermesTrace";
import { branchResumed, LivePath, type Path } from "./livePath";
import { type Item, NO_KEYS, type Reader, type ReaderContext } from "./reader";
import { ResultRing, type Ring } from "./resultRing";
import { isSilent } from "./silentTypes";

interface RequestFacts {
  readonly key: string | number | undefined;
  readonly model: string | undefined;
  readonly at: string | undefined;
  readonly usage: Usage | undefined;
  readonly place: RecordPlace;
  readonly identity: number | undefined;
}

/** Index of a record's first result, and how many follow one another from there. */
interface ResultSpan {
  readonly first: number;
  readonly count: number;
}

/** Claude Code session files and agent files: one record per line, one content block per assistant line. */
export class ClaudeCodeReader implements Reader {
  readonly arrays = NO_KEYS;
  readonly members = NO_KEYS;
  readonly builder: TranscriptBuilder;
  readonly seen: RecordIds;
  /** Of the main thread. */
  readonly path: Path;
  main: ThreadState | undefined;
  readonly sidechains = new Map<string, ThreadState>();
  readonly rows = new ClaudeRows(this);
  /** Thread of each sidechain record, for versions that name no agent. */
  private readonly sidechainOf = new Map<string, ThreadState>();
  private readonly messageIds = new NameTable();
  /** Request id of the first record of each message, by number of its id. */
  private readonly requests: string[] = [];
  private readonly newest: Ring;

  constructor(private readonly context: ReaderContext) {
    const { builder, fold } = context;
    this.builder = builder;
    this.seen = fold?.ids ?? new UuidSet();
    this.path = fold?.path ?? new LivePath();
    this.newest = fold?.ring ?? new ResultRing();
  }

  record(item: Item): void {
    const { value, place, texts } = item;
    if (!isObject(value)) {
      this.builder.unknownRecord(Array.isArray(value) ? "list" : typeof value, place);
      return;
    }
    const type = own(value, "type");
    const uuid = own(value, "uuid");
    if (typeof uuid === "string" && !this.seen.add(texts.decode(uuid))) {
      this.repeated(value, place);
      return;
    }
    if (type === "user" || type === "assistant") this.message(value, type, place, texts);
    else if (type === "system") this.system(value, place, texts);
    else if (type === "content-replacement") this.replacement(value, place, texts);
    else if (type === "marble-origami-commit") this.collapse(value, place, texts);
    else if (type === "progress") this.progress(value, place);
    else if (type === "attachment") this.attachment(value, place, texts);
    else if (typeof type !== "string" || !isSilent(type)) {
      this.builder.unknownRecord(typeof type === "string" ? texts.decode(type) : "no type", place);
    }
  }

  begin(): void {}
  member(): void {}
  element(): void {}
  end(): void {}

  get settled(): boolean {
    return this.main !== undefined || this.sidechains.size > 0;
  }

  finish(): void {
    // A file with nothing but bookkeeping lines is still an (empty) session.
    if (this.main === undefined && this.sidechains.size === 0) this.mainThread({}, undefined);
  }

  /** Stands in the context like a message of the user; a kind that is not known here is said, its text is not counted. */
  private attachment(value: JsonObject, place: RecordPlace, texts: Texts): void {
    const state = this.threadOf(value, texts);
    this.follow(value, state, place, texts);
    const attachment = own(value, "attachment");
    const flat = flatten(attachmentContent(attachment), texts);
    if (flat.parts.length === 0 && flat.images === 0) {
      const kind = own(attachment, "type");
      this.builder.unknownBlocks([`attachment ${typeof kind === "string" ? texts.decode(kind) : ""}`.trim()], place);
      return;
    }
    const size = measureParts(flat.parts, texts);
    const message = this.builder.message(state, "user", place, { size, images: flat.images });
    this.keep(state, message, { first: 0, count: 0 }, timeText(own(value, "timestamp")));
  }

  /** Copies of what the sub-agent's own file says, its usage included. */
  private progress(value: JsonObject, place: RecordPlace): void {
    const data = own(value, "data");
    if (own(data, "type") !== "agent_progress") return;
    if (statesUsage(own(data, "message"))) this.builder.usage.skip("agent-progress", place);
  }

  private repeated(value: JsonObject, place: RecordPlace): void {
    if (statesUsage(value)) this.builder.usage.skip("repeated-record", place);
    this.builder.problems.tally(
      "repeated-record",
      "info",
      place,
      (count) => `${plural(count, "record")} written more than once with the same uuid; each is counted once.`,
    );
  }

  private message(value: JsonObject, type: "user" | "assistant", place: RecordPlace, texts: Texts): void {
    const state = this.threadOf(value, texts);
    const message = own(value, "message");
    const wrapped = isObject(message);
    const at: At = { place, texts, path: wrapped ? ["message", "content"] : ["message"] };
    const content = wrapped ? own(message, "content") : message;
    const blocks = readBlocks(content, texts);
    this.builder.unknownBlocks(blocks.unknown, place);
    if (type === "assistant") this.assistant(value, wrapped ? message : {}, state, blocks, at);
    else this.user(value, state, blocks, at);
  }

  private assistant(value: JsonObject, message: JsonObject, state: ThreadState, blocks: Blocks, at: At): void {
    const { place, texts } = at;
    const model = texts.name(own(message, "model"));
    // Lines that the program made itself (limits, errors) have this model and never were a request.
    const synthetic = model === "<synthetic>";
    if (synthetic && statesUsage(value)) this.builder.usage.skip("synthetic", place);
    const call = synthetic ? undefined : this.call(value, message, state, model, at);
    for (const use of blocks.uses) {
      const tool = texts.name(use.name);
      this.builder.toolCall(state, { id: texts.name(use.id), tool, call, turn: state.turn, place });
    }
    const told = this.builder.message(state, "assistant", place, {
      size: measureParts(blocks.parts, texts),
      images: blocks.images,
      args: measureArguments(
        blocks.uses.map((use) => use.input),
        texts,
      ),
    });
    this.keep(state, told, this.toolResults(value, state, blocks, at), timeText(own(value, "timestamp")));
  }

  private call(value: JsonObject, message: JsonObject, state: ThreadState, model: string | undefined, at: At): number {
    const { texts } = at;
    const named = own(message, "id");
    const id = typeof named === "string" ? texts.decode(named) : undefined;
    const request = own(value, "requestId");
    const asked = typeof request === "string" ? texts.decode(request) : "";
    return this.request(state, {
      key: id === undefined ? undefined : this.keyOf(id, asked),
      identity: id === undefined ? undefined : callIdentity(id, asked),
      model,
      at: timeText(own(value, "timestamp")),
      usage: anthropicUsage(own(message, "usage")),
      place: at.place,
    });
  }

  /**
   * Records with the same key tell of the same request: message id and request id. All but always a message has one request,
   * and its number is the key.
   */
  keyOf(id: string, request: string, hash = hashOf(id)): string | number {
    // The same bytes as the fold puts together.
    if (this.context.fold !== undefined) return `${id}\n${request}`;
    const known = this.messageIds.find(id, 0, id.length, hash);
    if (known >= 0) return this.requests[known] === request ? known : `${id}\n${request}`;
    this.requests.push(request);
    return this.messageIds.add(id, hash);
  }

  /** Notes a request to the model, and the model as the thread's newest. */
  request(state: ThreadState, facts: RequestFacts): number {
    const { key, model } = facts;
    if (model !== undefined && (state === this.main || this.main === undefined)) this.builder.describe({ model });
    if (state.thread.model !== model && model !== undefined) this.builder.updateThread(state, { model });
    if (model !== undefined) this.context.fold?.settled(state.books, model, this.main === undefined);
    return this.builder.call(state, key, facts);
  }

  private user(value: JsonObject, state: ThreadState, blocks: Blocks, at: At): void {
    const { place, texts } = at;
    if (blocks.results.length === 0) this.follow(value, state, place, texts);
    if (isPrompt(value, blocks, texts)) state.nextTurn();
    const text = measureParts(blocks.parts, texts);
    const total = this.toolResults(value, state, blocks, at);
    const onlyResults = blocks.results.length > 0 && text.utf16 === 0 && blocks.images === 0;
    const message = onlyResults
      ? this.builder.message(state, "tool", place, total)
      : this.builder.message(state, "user", place, { size: text, images: blocks.images });
    this.keep(state, message, total, timeText(own(value, "timestamp")));
  }

  /** Notes a message of the main thread, so that a rewind can take it out. */
  keep(state: ThreadState, message: Message, { first, count }: ResultSpan, at: string | undefined): void {
    if (state !== this.main) return;
    this.path.add({ order: this.seen.size, at: at ?? "", message, firstResult: first, results: count });
  }

  /**
   * A record that follows on an older one than the newest begins a branch (an edited prompt, a rewind): what stands behind
   * the older one is no longer in context.
   */
  private follow(value: JsonObject, state: ThreadState, place: RecordPlace, texts: Texts): void {
    const parent = texts.name(own(value, "parentUuid"));
    const number = parent === undefined || state !== this.main ? undefined : this.seen.numberOf(parent);
    if (number === undefined) return;
    const gone = this.path.continueAt(number, this.seen.size, timeText(own(value, "timestamp")) ?? "");
    if (gone === undefined) return;
    if (gone !== "left") {
      this.builder.compaction(state, place, { what: "rewind", ...gone });
      return;
    }
    branchResumed(this.builder.problems, place);
  }

  private toolResults(value: JsonObject, state: ThreadState, blocks: Blocks, at: At) {
    let size = NO_TEXT;
    let images = 0;
    let first = 0;
    for (const [i, block] of blocks.results.entries()) {
      const result = this.builder.result(
        state,
        {
          callId: at.texts.name(block.id),
          tool: block.tool,
          content: block.content,
          at: below(at, ...block.path),
          isError: block.isError,
        },
        // `toolUseResult` belongs to the record; with several results in it, it is not said to which.
        blocks.results.length === 1 ? (found) => ({ fullText: this.fullText(value, found, at) }) : undefined,
      );
      size = {
        codePoints: size.codePoints + result.size.codePoints,
        utf16: size.utf16 + result.size.utf16,
        bytes: size.bytes + result.size.bytes,
      };
      images += result.images;
      if (i === 0) first = result.index;
      this.remember(result);
    }
    return { size, images, first, count: blocks.results.length };
  }

  /** Keeps a result for records that change it. */
  remember(result: ToolResult): void {
    if (result.callId !== undefined) this.newest.add(result);
  }

  /** The structured copy beside a notice, when it still holds all of the text that the notice speaks of. */
  private fullText(value: JsonObject, result: ToolResult, at: At): BodyRef | undefined {
    const needed = fullTextUnits(result);
    if (needed === undefined) return undefined;
    const copy = own(value, "toolUseResult");
    const candidates: readonly (readonly string[])[] = isObject(copy) ? [["stdout"], ["content"], ["result"]] : [[]];
    for (const path of candidates) {
      const text = path.reduce<unknown>((inner, key) => own(inner, key), copy);
      if (typeof text !== "string" && !Array.isArray(text)) continue;
      const { utf16 } = measureParts(flatten(text, at.texts).parts, at.texts);
      if (utf16 >= needed) return { place: at.place, path: ["toolUseResult", ...path] };
    }
    return undefined;
  }

  private system(value: JsonObject, place: RecordPlace, texts: Texts): void {
    const subtype = own(value, "subtype");
    if (this.main !== undefined && own(value, "isSidechain") !== true) this.follow(value, this.main, place, texts);
    if (subtype === "compact_boundary") {
      const facts = own(value, "compactMetadata");
      const state = this.threadOf(value, texts);
      const gone = state === this.main ? this.path.compact(this.preserved(facts, texts)) : undefined;
      this.builder.compaction(state, place, {
        what: "summary",
        trigger: texts.name(own(facts, "trigger")),
        tokensBefore: count(own(facts, "preTokens")),
        ...(gone === undefined ? {} : { scope: "listed", ...gone }),
      });
    } else if (subtype === "microcompact_boundary") this.microcompact(value, place, texts);
    else if (subtype === "local_command") this.localCommand(value, place, texts);
  }

  /** A command of the program and what it printed are sent like a message of the user; other records of `system` are not. */
  private localCommand(value: JsonObject, place: RecordPlace, texts: Texts): void {
    const { parts } = flatten(own(value, "content"), texts);
    if (parts.length === 0) return;
    const state = this.threadOf(value, texts);
    const message = this.builder.message(state, "user", place, { size: measureParts(parts, texts), images: 0 });
    this.keep(state, message, { first: 0, count: 0 }, timeText(own(value, "timestamp")));
  }

  /** A stretch of records leaves, a summary takes its place (`ContextCollapseCommitEntry`, types of Claude Code's logs). */
  private collapse(value: JsonObject, place: RecordPlace, texts: Texts): void {
    const numberOf = (key: string): number | undefined => {
      const name = texts.name(own(value, key));
      return name === undefined ? undefined : this.seen.numberOf(name);
    };
    const [first, last] = [numberOf("firstArchivedUuid"), numberOf("lastArchivedUuid")];
    const state = this.mainThread(value, texts);
    const isKnown = first !== undefined && last !== undefined && first <= last;
    const gone = isKnown ? this.path.compact((order) => order < first || order > last) : undefined;
    this.builder.compaction(state, place, {
      what: "summary",
      ...(gone === undefined ? { scope: "unstated" } : { scope: "listed", ...gone }),
    });
    const { parts } = flatten(own(value, "summaryContent"), texts);
    this.builder.carried(state, "user", place, { size: measureParts(parts, texts), images: 0 });
  }

  /** Records that a compaction leaves in context: those that it names, or a stretch of them by its ends. */
  private preserved(facts: unknown, texts: Texts): (order: number) => boolean {
    const numberOf = (id: unknown): number | undefined => {
      const name = texts.name(id);
      return name === undefined ? undefined : this.seen.numberOf(name);
    };
    const ids = own(own(facts, "preservedMessages"), "uuids");
    if (Array.isArray(ids)) {
      const numbers = new Set(ids.map(numberOf));
      return (order) => numbers.has(order);
    }
    const segment = own(facts, "preservedSegment");
    const head = numberOf(own(segment, "headUuid"));
    const tail = numberOf(own(segment, "tailUuid"));
    if (head === undefined || tail === undefined) return () => false;
    return (order) => order >= head && order <= tail;
  }

  /** Results that leave while the rest stays. Its `preTokens` is not the size of the context, so it is not told. */
  private microcompact(value: JsonObject, place: RecordPlace, texts: Texts): void {
    const facts = own(value, "microcompactMetadata");
    const ids = own(facts, "compactedToolIds");
    const clearedCallIds = Array.isArray(ids) ? ids.flatMap((id: unknown) => texts.name(id) ?? []) : [];
    this.builder.compaction(this.threadOf(value, texts), place, {
      what: "micro",
      trigger: texts.name(own(facts, "trigger")),
      tokensFreed: count(own(facts, "tokensSaved")),
      clearedCallIds,
      results: clearedCallIds.flatMap((id) => this.newest.at(this.newest.find(id))?.index ?? []),
    });
  }

  /** The exact text that the model got instead of a result that the file keeps whole. */
  private replacement(value: JsonObject, place: RecordPlace, texts: Texts): void {
    const list = own(value, "replacements");
    if (!Array.isArray(list)) return;
    for (let i = 0; i < list.length; i++) {
      const id = texts.name(own(list[i], "toolUseId"));
      const slot = id === undefined ? -1 : this.newest.find(id);
      const result = this.newest.at(slot);
      const text = own(list[i], "replacement");
      if (result === undefined || typeof text !== "string") continue;
      const flat = flatten(text, texts);
      const measured = measureResult(flat, texts, { agent: this.builder.agent, tool: result.tool });
      const changed: ToolResult = {
        ...result,
        state: measured.state,
        size: measured.size,
        images: 0,
        persisted: measured.persisted,
        body: { place, path: ["replacements", i, "replacement"] },
        fullText: result.size.utf16 > measured.size.utf16 ? result.body : undefined,
      };
      this.newest.replace(slot, changed);
      this.builder.replaceResult(changed);
    }
  }

  private threadOf(value: JsonObject, texts: Texts): ThreadState {
    return own(value, "isSidechain") === true ? this.sidechain(value, texts) : this.mainThread(value, texts);
  }

  private mainThread(value: JsonObject, texts: Texts | undefined): ThreadState {
    if (this.main !== undefined) return this.main;
    const sessionId = texts?.name(own(value, "sessionId"));
    if (sessionId !== undefined) this.builder.describe({ sessionId });
    const id = sessionId ?? this.context.name;
    this.main = this.builder.open({
      id,
      title: id,
      kind: "main",
      model: undefined,
      startedAt: timeText(own(value, "timestamp")),
      project: texts?.name(own(value, "cwd")),
    });
    this.context.fold?.opened(this.main.books);
    sayTrace(value, this.builder.problems);
    return this.main;
  }

  private sidechain(value: JsonObject, texts: Texts): ThreadState {
    const agent = texts.name(own(value, "agentId"));
    const uuid = own(value, "uuid");
    const parent = own(value, "parentUuid");
    let state =
      agent !== undefined
        ? this.sidechains.get(agent)
        : typeof parent === "string"
          ? this.sidechainOf.get(parent)
          : undefined;
    if (state === undefined) {
      const id = agent ?? `sidechain-${this.sidechains.size + 1}`;
      const sessionId = texts.name(own(value, "sessionId"));
      if (this.main === undefined && sessionId !== undefined) this.builder.describe({ sessionId });
      state = this.builder.open({
        id,
        title: id,
        kind: agent === undefined ? "sidechain" : "subagent",
        model: undefined,
        startedAt: timeText(own(value, "timestamp")),
        project: texts.name(own(value, "cwd")),
        parent: sessionId === undefined ? undefined : { id: sessionId, relation: "delegate" },
      });
      this.sidechains.set(id, state);
      this.context.fold?.opened(state.books, id);
    }
    if (agent === undefined && typeof uuid === "string") this.sidechainOf.set(uuid, state);
    return state;
  }
}

function statesUsage(record: unknown): boolean {
  return anthropicUsage(own(own(record, "message"), "usage")) !== undefined;
}

/** A person's prompt begins a turn; everything else on user lines was written by the program. */
function isPrompt(value: JsonObject, blocks: Blocks, texts: Texts): boolean {
  if (own(value, "isMeta") === true || own(value, "isCompactSummary") === true) return false;
  if (blocks.results.length > 0) return false;
  if (blocks.parts.length === 0) return blocks.images > 0;
  return isWrittenByPerson(texts.head(blocks.parts[0] ?? "", PROMPT_HEAD));
}
