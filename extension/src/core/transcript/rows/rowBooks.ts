import type { ModelCall, RecordPlace, TextSize, ToolResult, Usage } from "../../model/transcript";
import type { Books, CallPairs, RequestsByKey, ThreadBooks } from "../books";
import type { Match, ToolCall } from "../pairing";
import type { UsageTotals } from "../timeline";
import { withFullText } from "./fullText";
import { sizeOf, writtenNotice } from "./layout";
import type { Noticed } from "./rowRing";
import type { RowState } from "./rowState";
import { BYTES, EARLY, HEAD, LIST, SPACE } from "./stateLayout";

/** What is known of the text of a result. */
interface ResultText extends Pick<TextSize, "codePoints" | "utf16"> {
  readonly threadId: string;
}

/** Books kept where the skimmer folds rows into, so that parsed records and rows are numbered and paired as one. */
export class RowBooks implements Books {
  /** In the order opened. */
  readonly threads: RowThread[] = [];

  constructor(readonly state: RowState) {}

  get results(): number {
    return this.state.head(HEAD.results);
  }

  set results(count: number) {
    this.state.setHead(HEAD.results, count);
  }

  thread(id: string): RowThread {
    const number = this.state.append(LIST.threads, BYTES.thread);
    const thread = new RowThread(this.state, number, id);
    this.threads.push(thread);
    return thread;
  }

  /** What rows added since it was asked before, by thread. */
  takeSums(): readonly RowSums[] {
    const all: RowSums[] = [];
    let number = this.state.head(HEAD.touched) - 1;
    this.state.setHead(HEAD.touched, 0);
    for (let thread = this.threads[number]; thread !== undefined; thread = this.threads[number]) {
      const { sums, next } = thread.takeSums();
      all.push(sums);
      number = next;
    }
    return all;
  }

  /** Thread of a result by its index, and its size without bytes; undefined unless a row told it and it is no notice but the usual one. */
  textOf(index: number): ResultText | undefined {
    const { state, threads } = this;
    if (index >= state.count(LIST.resultTexts)) return undefined;
    const at = state.at(LIST.resultTexts, index, BYTES.resultText);
    const thread = state.word(at);
    if (thread === 0) return undefined;
    const codePoints = state.word(at + 1);
    return { threadId: threads[thread - 1]?.id ?? "", codePoints, utf16: codePoints + state.word(at + 2) };
  }

  /** What is known of a result by its index that is the usual notice; its record stands at `place`. */
  written(index: number, place = NOWHERE): Noticed | undefined {
    const { state } = this;
    const size = this.textOf(index);
    const kept = size === undefined ? 0 : state.word(state.at(LIST.resultTexts, index, BYTES.resultText) + 3);
    if (size === undefined || kept === 0) return undefined;
    const { words, at, head } = state.kept(kept);
    const notice = writtenNotice(head, size);
    return withFullText(notice, words, at - 34, place, { ...size, bytes: 0 });
  }
}

// Words of a thread (stateLayout.ts).
const NEWEST = 4;
const MESSAGES = 5;
const [USER_SIZE, ASSISTANT_SIZE, INLINE_SIZE] = [6, 9, 12];
const INLINE = 15;
const USAGE = 16;
const USAGE_COUNTS = 24;
const USAGE_CALLS = 28;
const TOUCHED_BEFORE = 29;
const WRITTEN_SIZE = 32;
const WRITTEN = 35;
const KEPT_OUT = 36;

const NOWHERE: RecordPlace = { line: 0, start: 0, end: 0 };

/** What a run of rows adds to a thread. */
export interface RowSums {
  readonly thread: string;
  readonly messages: number;
  /** Highest number of its calls so far. */
  readonly calls: number;
  /** The newest call whose usage a row told. */
  readonly newest: { readonly number: number; readonly usage: Usage | undefined } | undefined;
  readonly user: TextSize;
  /** Arguments of calls are part of it. */
  readonly assistant: TextSize;
  /** Results that are no notices. */
  readonly inline: TextSize;
  readonly inlineResults: number;
  /** Notices of the usual form. */
  readonly written: TextSize;
  readonly writtenResults: number;
  /** Characters that those state beyond their own. */
  readonly keptOut: number;
}

export class RowThread implements ThreadBooks {
  readonly pairing: CallPairs;
  readonly callsByKey: RequestsByKey;

  constructor(
    private readonly state: RowState,
    /** In the order opened. */
    readonly number: number,
    readonly id: string,
  ) {
    this.pairing = new RowPairs(state, number);
    this.callsByKey = new RowRequests(state, number, id);
  }

  private get at(): number {
    return this.state.at(LIST.threads, this.number, BYTES.thread);
  }

  /** Rows with this model have nothing to tell about the thread; undefined: all rows have. */
  settle(model: string | undefined): void {
    const text = model === undefined ? 0 : this.state.intern(SPACE.names, model);
    this.state.setWord(this.at + 3, text);
  }

  /** What rows added since it was asked before, and the number of the next thread that has something to tell. */
  takeSums(): { readonly sums: RowSums; readonly next: number } {
    const { state, at } = this;
    const size = (from: number): TextSize =>
      sizeOf(state.word(at + from), state.word(at + from + 1), state.word(at + from + 2));
    const newest = state.word(at + NEWEST);
    const call = newest === 0 ? 0 : state.at(LIST.calls, newest - 1, BYTES.call);
    const sums: RowSums = {
      thread: this.id,
      messages: state.word(at + MESSAGES),
      calls: this.calls,
      newest: newest === 0 ? undefined : { number: state.word(call + 1), usage: state.usage(call) },
      user: size(USER_SIZE),
      assistant: size(ASSISTANT_SIZE),
      inline: size(INLINE_SIZE),
      inlineResults: state.word(at + INLINE),
      written: size(WRITTEN_SIZE),
      writtenResults: state.word(at + WRITTEN),
      keptOut: state.float(at + KEPT_OUT),
    };
    for (let word = NEWEST; word <= INLINE; word++) state.setWord(at + word, 0);
    for (let word = WRITTEN_SIZE; word < KEPT_OUT; word++) state.setWord(at + word, 0);
    state.setFloat(at + KEPT_OUT, 0);
    return { sums, next: state.word(at + TOUCHED_BEFORE) - 1 };
  }

  /** Usage that rows alone tell; undefined when none does. */
  get usage(): UsageTotals | undefined {
    const { state, at } = this;
    const calls = state.word(at + USAGE_CALLS);
    if (calls === 0) return undefined;
    const part = (number: number): number | undefined =>
      state.word(at + USAGE_COUNTS + number) === 0 ? undefined : state.float(at + USAGE + number * 2);
    return { calls, input: part(0), cacheRead: part(1), cacheWrite: part(2), output: part(3) };
  }

  get turn(): number | undefined {
    const turn = this.state.word(this.at);
    return turn === 0 ? undefined : turn;
  }

  set turn(turn: number | undefined) {
    this.state.setWord(this.at, turn ?? 0);
  }

  get calls(): number {
    return this.state.word(this.at + 1);
  }

  set calls(count: number) {
    this.state.setWord(this.at + 1, count);
  }

  get messages(): number {
    return this.state.word(this.at + 2);
  }

  set messages(count: number) {
    this.state.setWord(this.at + 2, count);
  }
}

/** `Pairing` over the state. Results wait for their calls here, as Claude Code's lines may stand before their cause. */
export class RowPairs implements CallPairs {
  private readonly early = new Map<string, ToolResult>();

  constructor(
    private readonly state: RowState,
    private readonly thread: number,
  ) {}

  private get space(): number {
    return this.thread * 4 + SPACE.ids;
  }

  called(call: ToolCall): ToolResult | undefined {
    const { state } = this;
    const { id, tool } = call;
    const text = id === undefined ? 0 : state.intern(this.space, id);
    const name = tool === undefined ? 0 : state.intern(SPACE.names, tool);
    const before = text === 0 ? 0 : state.value(text);
    const index = state.append(LIST.pairs, BYTES.pair);
    const at = state.at(LIST.pairs, index, BYTES.pair);
    state.setWord(at, this.thread);
    state.setWord(at + 1, text);
    state.setWord(at + 2, name);
    state.setWord(at + 3, call.call ?? 0);
    state.setWord(at + 4, call.turn ?? 0);
    state.setWord(at + 5, before & ~EARLY);
    state.setPlace(at, call.place);
    if (text === 0 || id === undefined) return undefined;
    state.setValue(text, index + 1);
    const early = this.early.get(id);
    if (early === undefined) return undefined;
    this.early.delete(id);
    state.setWord(at + 6, 1);
    return early;
  }

  answered(id: string | undefined): Match {
    if (id === undefined) return { call: undefined, orphan: true };
    const { state } = this;
    const text = state.find(this.space, id);
    const newest = text === 0 ? 0 : state.value(text) & ~EARLY;
    for (let pair = newest; pair > 0; ) {
      const at = state.at(LIST.pairs, pair - 1, BYTES.pair);
      if (state.word(at + 6) === 0) {
        state.setWord(at + 6, 1);
        return { call: callOf(state, pair - 1), orphan: false };
      }
      pair = state.word(at + 5);
    }
    return { call: newest === 0 ? undefined : callOf(state, newest - 1), orphan: true };
  }

  keepEarly(result: ToolResult): void {
    const { callId } = result;
    if (callId === undefined) return;
    const { state } = this;
    const text = state.intern(this.space, callId);
    if ((state.value(text) & ~EARLY) !== 0) return;
    state.setValue(text, EARLY);
    this.early.set(callId, result);
  }

  *missing(): Iterable<ToolCall> {
    const { state, thread } = this;
    for (let pair = 0; pair < state.count(LIST.pairs); pair++) {
      const at = state.at(LIST.pairs, pair, BYTES.pair);
      if (state.word(at) === thread && state.word(at + 6) === 0) yield callOf(state, pair);
    }
  }
}

/** The tool call of a pair. */
export function callOf(state: RowState, pair: number): ToolCall {
  const at = state.at(LIST.pairs, pair, BYTES.pair);
  return {
    id: state.text(state.word(at + 1)),
    tool: state.name(state.word(at + 2)),
    call: state.word(at + 3) || undefined,
    turn: state.word(at + 4) || undefined,
    place: state.place(at),
  };
}

export class RowRequests implements RequestsByKey {
  constructor(
    private readonly state: RowState,
    private readonly thread: number,
    private readonly threadId: string,
  ) {}

  private find(key: string | number): number {
    return this.state.find(this.thread * 4 + SPACE.requests, String(key));
  }

  has(key: string | number): boolean {
    return this.find(key) !== 0;
  }

  get(key: string | number): ModelCall | undefined {
    const text = this.find(key);
    return text === 0 ? undefined : modelCallOf(this.state, this.state.value(text) - 1, this.threadId);
  }

  set(key: string | number, call: ModelCall): void {
    const { state } = this;
    const text = state.intern(this.thread * 4 + SPACE.requests, String(key));
    const known = state.value(text);
    if (known !== 0) {
      const at = state.at(LIST.calls, known - 1, BYTES.call);
      this.takeBack(at);
      state.setUsage(at, call.usage);
      return;
    }
    const model = call.model === undefined ? 0 : state.intern(SPACE.names, call.model);
    const time = call.at === undefined ? 0 : state.intern(SPACE.names, call.at);
    const index = state.append(LIST.calls, BYTES.call);
    const at = state.at(LIST.calls, index, BYTES.call);
    state.setWord(at, this.thread);
    state.setWord(at + 1, call.number);
    state.setWord(at + 2, call.turn ?? 0);
    state.setWord(at + 3, model);
    state.setWord(at + 4, 1);
    state.setWord(at + 5, time);
    state.setWord(at + 6, time === 0 ? -1 : -2);
    state.setPlace(at, call.place);
    state.setUsage(at, call.usage);
    state.setValue(text, index + 1);
  }

  /** From now on the reader tells of the call that begins at `at`: what rows stated leaves the sums of its thread. */
  private takeBack(at: number): void {
    const { state } = this;
    if (state.word(at + 4) !== 0) return;
    state.setWord(at + 4, 1);
    const thread = state.at(LIST.threads, this.thread, BYTES.thread);
    let stated = false;
    for (let part = 0; part < 4; part++) {
      const value = state.float(at + 12 + part * 2);
      if (Number.isNaN(value)) continue;
      stated = true;
      const sum = thread + USAGE + part * 2;
      state.setFloat(sum, state.float(sum) - value);
      state.setWord(thread + USAGE_COUNTS + part, state.word(thread + USAGE_COUNTS + part) - 1);
    }
    if (stated) state.setWord(thread + USAGE_CALLS, state.word(thread + USAGE_CALLS) - 1);
  }
}

/** A call of the model by its index in the state. */
export function modelCallOf(state: RowState, index: number, threadId: string): ModelCall {
  const at = state.at(LIST.calls, index, BYTES.call);
  const [time, length] = [state.word(at + 5), state.word(at + 6)];
  return {
    number: state.word(at + 1),
    threadId,
    turn: state.word(at + 2) || undefined,
    model: state.name(state.word(at + 3)),
    at: length >= 0 ? (length === 0 ? undefined : state.textAt(time, length)) : state.text(time),
    usage: state.usage(at),
    place: state.place(at),
  };
}
