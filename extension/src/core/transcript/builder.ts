import type { Problem } from "../model/problem";
import type {
  AgentId,
  Message,
  ModelCall,
  RecordPlace,
  Role,
  TextSize,
  Thread,
  ToolResult,
  TranscriptHeader,
  Usage,
} from "../model/transcript";
import type { Books, CallPairs, RequestsByKey, ThreadBooks } from "./books";
import type { TranscriptEvent } from "./events";
import { flatten, type Measured, measureResult } from "./flatten";
import { hasImpossible, possibleThreadUsage, possibleUsage } from "./impossibleCounts";
import {
  type CompactionFacts,
  type MeasuredFacts,
  NO_TEXT,
  type ResultChange,
  type ResultInput,
  shownId,
} from "./inputs";
import { type Match, Pairing, type ToolCall } from "./pairing";
import { ProblemLog, plural } from "./problems";
import { UsageTally } from "./usageTally";

export {
  type At,
  below,
  type CompactionFacts,
  type MeasuredFacts,
  NO_TEXT,
  type ResultChange,
  type ResultInput,
  unnamedId,
} from "./inputs";

/** Counters and pairing of one thread. */
export class ThreadState {
  constructor(
    public thread: Thread,
    readonly books: ThreadBooks,
  ) {}

  get turn(): number | undefined {
    return this.books.turn;
  }

  get calls(): number {
    return this.books.calls;
  }

  get messages(): number {
    return this.books.messages;
  }

  get pairing(): CallPairs {
    return this.books.pairing;
  }

  get callsByKey(): RequestsByKey {
    return this.books.callsByKey;
  }

  nextTurn(): void {
    this.books.turn = (this.books.turn ?? 0) + 1;
  }
}

/** Books in plain objects. */
function plainBooks(lateCalls: boolean): ThreadBooks {
  return { turn: undefined, calls: 0, messages: 0, pairing: new Pairing(lateCalls), callsByKey: new Map() };
}

/** Turns what the readers find into events: numbers messages, calls and results, pairs, measures and recognises. */
export class TranscriptBuilder {
  readonly problems: ProblemLog;
  readonly usage = new UsageTally();
  private events: TranscriptEvent[] = [];
  private readonly results: Pick<Books, "results">;
  private readonly threads = new Map<string, ThreadState>();

  constructor(
    private header: TranscriptHeader,
    private readonly options: { readonly lateCalls: boolean; readonly books?: Books | undefined },
  ) {
    this.results = options.books ?? { results: 0 };
    this.problems = new ProblemLog(this);
    this.events.push({ kind: "header", header });
  }

  get agent(): AgentId {
    return this.header.agent;
  }

  problem(problem: Problem): void {
    this.events.push({ kind: "problem", problem });
  }

  /** Events since the last call. */
  take(): TranscriptEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  /** Adds to the header what a record says; nothing is emitted when nothing is new. */
  describe(facts: Partial<Pick<TranscriptHeader, "sessionId" | "model">>): void {
    const next = { ...this.header, ...facts };
    if (next.sessionId === this.header.sessionId && next.model === this.header.model) return;
    this.header = next;
    this.events.push({ kind: "header", header: next });
  }

  find(id: string): ThreadState | undefined {
    return this.threads.get(id);
  }

  /** Opens a thread; an id that is taken gets a number, because a file may hold the same session twice. */
  open(asked: Thread): ThreadState {
    const thread = { ...asked, ...this.possible(asked.usage) };
    let id = thread.id;
    for (let n = 2; this.threads.has(id); n++) id = `${thread.id}#${n}`;
    const { books, lateCalls } = this.options;
    const state = new ThreadState({ ...thread, id }, books?.thread(id) ?? plainBooks(lateCalls));
    this.threads.set(id, state);
    this.events.push({ kind: "thread", thread: state.thread });
    return state;
  }

  /** Adds to a thread what became known later; says nothing when nothing is new. */
  updateThread(state: ThreadState, facts: Partial<Omit<Thread, "id">>): void {
    const next = { ...state.thread, ...facts, ...this.possible(facts.usage) };
    const old = state.thread;
    const keys = ["title", "kind", "model", "startedAt", "source", "project"] as const;
    const sameParent = next.parent?.id === old.parent?.id && next.parent?.relation === old.parent?.relation;
    if (sameParent && isSameUsage(next.usage, old.usage) && keys.every((key) => next[key] === old[key])) return;
    state.thread = next;
    this.events.push({ kind: "thread", thread: next });
  }

  message(
    state: ThreadState,
    role: Role,
    place: RecordPlace,
    content: { readonly size: TextSize; readonly images: number; readonly args?: TextSize },
    replaces?: Message,
  ): Message {
    return this.pushMessage(state, replaces?.index ?? state.books.messages++, role, place, content, replaces);
  }

  /** A text that a compaction left or put in the place of earlier messages; in context, but no message of its own. */
  carried(
    state: ThreadState,
    role: Role,
    place: RecordPlace,
    content: { readonly size: TextSize; readonly images: number; readonly args?: TextSize },
  ): Message | undefined {
    return content.size.utf16 > 0 || content.images > 0 ? this.pushMessage(state, -1, role, place, content) : undefined;
  }

  /** A system prompt that stands beside the messages and is not one of them. */
  systemPrompt(state: ThreadState, place: RecordPlace, size: TextSize): void {
    if (size.utf16 > 0) this.pushMessage(state, -1, "system", place, { size, images: 0 });
  }

  private pushMessage(
    state: ThreadState,
    index: number,
    role: Role,
    place: RecordPlace,
    content: { readonly size: TextSize; readonly images: number; readonly args?: TextSize },
    replaces?: Message,
  ): Message {
    const { size, images, args = NO_TEXT } = content;
    const turn = replaces === undefined ? state.turn : replaces.turn;
    const message: Message = { index, threadId: state.thread.id, role, turn, size, args, images, place };
    this.events.push(replaces === undefined ? { kind: "message", message } : { kind: "message", message, replaces });
    return message;
  }

  /**
   * Notes a request to the model and returns its number. Records with the same key are the same request: it keeps its
   * number, and each usage figure is the largest that any of them states.
   */
  call(
    state: ThreadState,
    key: string | number | undefined,
    facts: {
      readonly model: string | undefined;
      readonly at: string | undefined;
      readonly usage: Usage | undefined;
      readonly place: RecordPlace;
      readonly identity?: number | undefined;
    },
  ): number {
    const { identity, place } = facts;
    const stated = facts.usage === undefined || !hasImpossible(facts.usage) ? facts.usage : possibleUsage(facts.usage);
    if (stated !== facts.usage) this.impossible(place);
    const known = key === undefined ? undefined : state.callsByKey.get(key);
    if (known !== undefined && key !== undefined) {
      if (stated !== undefined) this.usage.again(place, known.place, known.usage !== undefined);
      const usage = largest(known.usage, stated);
      if (usage === known.usage) return known.number;
      const call: ModelCall = { ...known, usage };
      state.callsByKey.set(key, call);
      this.events.push(identity === undefined ? { kind: "call", call } : { kind: "call", call, identity });
      return known.number;
    }
    const { model, at } = facts;
    this.usage.call(place, stated !== undefined);
    const call: ModelCall = {
      number: ++state.books.calls,
      threadId: state.thread.id,
      turn: state.turn,
      model,
      at,
      usage: stated,
      place,
    };
    if (key !== undefined) state.callsByKey.set(key, call);
    this.events.push(identity === undefined ? { kind: "call", call } : { kind: "call", call, identity });
    return call.number;
  }

  /** `hash`: of the call's id, where it is known. */
  toolCall(state: ThreadState, call: ToolCall, hash?: number): void {
    const early = state.pairing.called(call, hash);
    if (early === undefined) return;
    this.events.push({
      kind: "result",
      result: { ...early, tool: call.tool ?? early.tool, call: call.call, orphan: false },
    });
  }

  /** Measures, recognises and pairs one result. `more` may add to it before it is told. */
  result(state: ThreadState, input: ResultInput, more?: (result: ToolResult) => ResultChange): ToolResult {
    const { at, replaces } = input;
    const match = replaces === undefined ? state.pairing.answered(input.callId) : undefined;
    const tool = match?.call?.tool ?? replaces?.tool ?? input.tool;
    const flat = flatten(input.content, at.texts);
    const measured = measureResult(flat, at.texts, { agent: this.agent, tool });
    if (input.content === undefined || input.content === null) this.missingContent(at.place);
    this.unknownBlocks(flat.unknown, at.place);
    const { callId, isError } = input;
    const images = flat.images + (input.images ?? 0);
    const { turn } = input;
    const facts = { callId, tool, place: at.place, path: at.path, isError, images, turn };
    return this.pushResult(state, facts, tool, measured, match, replaces, more);
  }

  /** A result that was measured when its record was at hand; paired and told now. */
  measured(
    state: ThreadState,
    facts: MeasuredFacts,
    measured: Measured,
    more?: (result: ToolResult) => ResultChange,
  ): ToolResult {
    const match = state.pairing.answered(facts.callId, facts.hash);
    return this.pushResult(state, facts, match.call?.tool ?? facts.tool, measured, match, undefined, more);
  }

  private pushResult(
    state: ThreadState,
    facts: MeasuredFacts,
    tool: string | undefined,
    measured: Measured,
    match: Match | undefined,
    replaces: ToolResult | undefined,
    more: ((result: ToolResult) => ResultChange) | undefined,
  ): ToolResult {
    const { place, path } = facts;
    const result: ToolResult = {
      index: replaces?.index ?? this.results.results++,
      threadId: state.thread.id,
      turn: replaces === undefined ? (facts.turn ?? state.turn) : replaces.turn,
      call: match?.call?.call ?? replaces?.call,
      callId: shownId(facts.callId),
      tool,
      state: measured.state,
      size: measured.size,
      images: facts.images,
      isError: facts.isError,
      persisted: measured.persisted,
      body: { place, path },
      place,
      fullText: undefined,
      orphan: match?.orphan ?? replaces?.orphan ?? false,
    };
    const full = more === undefined ? result : { ...result, ...more(result) };
    if (match?.orphan === true) {
      state.pairing.keepEarly(full);
      if (match.call !== undefined) this.duplicateAnswer(place);
    }
    this.events.push({ kind: "result", result: full });
    return full;
  }

  /** Tells a result again, changed. */
  replaceResult(result: ToolResult): void {
    this.events.push({ kind: "result", result });
  }

  compaction(state: ThreadState, place: RecordPlace, facts: CompactionFacts = { what: "summary" }): void {
    const { messages = [], results = [] } = facts;
    const listed = messages.length > 0 || results.length > 0;
    this.events.push({
      kind: "compaction",
      threadId: state.thread.id,
      place,
      atMessage: facts.atMessage ?? state.messages,
      what: facts.what,
      trigger: facts.trigger,
      tokensBefore: facts.tokensBefore,
      tokensAfter: facts.tokensAfter,
      tokensFreed: facts.tokensFreed,
      scope: facts.scope ?? (facts.what === "summary" ? "all" : listed ? "listed" : "unstated"),
      clearedCallIds: facts.clearedCallIds ?? [],
      gone: { messages, results },
    });
  }

  private possible(usage: Thread["usage"]): Partial<Pick<Thread, "usage">> {
    const possible = usage === undefined ? undefined : possibleThreadUsage(usage);
    if (possible === undefined || possible === usage) return {};
    this.impossible({ line: 1, start: 0, end: 0 });
    return { usage: possible };
  }

  private impossible(place: RecordPlace): void {
    this.problems.tally(
      "impossible-count",
      "warning",
      place,
      (count) =>
        `${plural(count, "record")} with a number of tokens that cannot be: negative, not whole, no number, or 1,000,000,000,000 and more. It counts as unknown.`,
    );
  }

  unknownBlocks(types: readonly string[], place: RecordPlace): void {
    for (const type of types) {
      this.problems.tally(
        "unknown-block",
        "info",
        place,
        (count, names) =>
          `${plural(count, "content block")} of a kind that is not known here: ${names}. Their text is not counted.`,
        type,
      );
    }
  }

  unknownRecord(type: string, place: RecordPlace): void {
    this.problems.tally(
      "unknown-record",
      "info",
      place,
      (count, names) => `${plural(count, "record")} of a kind that is not known here: ${names}. The rest is read.`,
      type,
    );
  }

  private missingContent(place: RecordPlace): void {
    this.problems.tally(
      "missing-content",
      "info",
      place,
      (count) => `${plural(count, "tool result")} without any content.`,
    );
  }

  private duplicateAnswer(place: RecordPlace): void {
    this.problems.tally(
      "repeated-result",
      "info",
      place,
      (count) =>
        `${plural(count, "tool result")} for a call that already had one; each is listed as a result without a call.`,
    );
  }

  /** Ends the transcript: calls without a result become results in state `missing`, and counts are said, the ledger of usage among them. */
  finish(): void {
    for (const event of this.closing()) this.events.push(event);
  }

  /** The events that `finish` would add now; nothing is changed, so that reading can go on where a file ends. */
  closing(): readonly TranscriptEvent[] {
    const events: TranscriptEvent[] = [];
    for (const state of this.threads.values()) {
      for (const call of state.pairing.missing()) {
        events.push({
          kind: "result",
          result: missingResult(this.results.results + events.length, state.thread.id, call),
        });
      }
    }
    events.push({ kind: "ledger", ledger: this.usage.ledger() });
    for (const problem of this.problems.counted()) events.push({ kind: "problem", problem });
    return events;
  }
}

function missingResult(index: number, threadId: string, call: ToolCall): ToolResult {
  return {
    index,
    threadId,
    turn: call.turn,
    call: call.call,
    callId: shownId(call.id),
    tool: call.tool,
    state: "missing",
    size: NO_TEXT,
    images: 0,
    isError: false,
    persisted: undefined,
    body: undefined,
    place: call.place,
    fullText: undefined,
    orphan: false,
  };
}

function isSameUsage(a: Thread["usage"], b: Thread["usage"]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function largest(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const usage: Usage = {
    input: max(a.input, b.input),
    cacheRead: max(a.cacheRead, b.cacheRead),
    cacheWrite: max(a.cacheWrite, b.cacheWrite),
    output: max(a.output, b.output),
  };
  const same =
    usage.input === a.input &&
    usage.cacheRead === a.cacheRead &&
    usage.cacheWrite === a.cacheWrite &&
    usage.output === a.output;
  return same ? a : usage;
}

function max(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}
