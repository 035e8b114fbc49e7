import type { AgentId, ToolResult } from "../model/transcript";
import type { Cancel } from "../ports";
import { PERSISTED_TAG } from "../results/block";
import { unwrap } from "../results/hermesWrapping";
import { unwrapMcpEnvelope } from "../results/mcpEnvelope";
import { cutPreview } from "../results/preview";
import { textHash } from "../util/textHash";
import { countCodePoints } from "../util/textSize";
import { ARGS_KEPT, oneLineSummary, PRUNE_MIN_CHARS, truncateArguments } from "./hermes/oneLine";
import { type CutFacts, plainCut } from "./replacement";
import type { SimThread } from "./simThread";

/** Texts that the policies need. `undefined` = cannot be read; sizes then follow from lengths alone. */
export interface BodyReader {
  /** The whole text of a result as the transcript holds it. */
  result(result: ToolResult): Promise<string | undefined>;
  /** Arguments of the tool call that a result answers, as written. Leave it out where they cannot be had. */
  args?(result: ToolResult): Promise<string | undefined>;
}

/**
 * What the policies must know of the texts; read once per thread. Positions are those of `SimThread.results`, sizes code points.
 * - `whole`: the text as it stands; `raw`: without the wrapper and trailers that Hermes adds after it has decided, which
 *   take `wrapping` code points; `file`: `raw` without an MCP envelope, as it would be saved.
 * - `group`: results with the same text of at least 200 code points share a number; −1 = alone or not read.
 * - `oneLine`: the one-line summary of Hermes. `argsAfter`: arguments of its call once shortened; −1 = unchanged or unknown.
 */
export interface ResultFacts {
  readonly whole: readonly CutFacts[];
  readonly raw: readonly CutFacts[];
  readonly file: readonly CutFacts[];
  /** Length on which Hermes decides: before an MCP envelope is taken off. */
  readonly rawChars: Float64Array;
  readonly wrapping: Int32Array;
  readonly quotesTag: Uint8Array;
  readonly group: Int32Array;
  readonly oneLine: Int32Array;
  readonly argsSaved: Int32Array;
  /** 1 where the text was read; 0 where only its length counts. */
  readonly read: Uint8Array;
}

/** Reads so many texts at a time. */
const PARALLEL = 16;

/** Facts from lengths alone: no line feeds, no envelopes, no duplicates. */
export function plainFacts(thread: SimThread): ResultFacts {
  return new FactsDraft(thread).facts;
}

/**
 * Reads what the policies need of a thread's results, each text once and none kept. Cancelled: the facts read so far, the
 * rest by length.
 */
export async function prepareFacts(
  thread: SimThread,
  results: readonly ToolResult[],
  agent: AgentId,
  reader: BodyReader,
  cancel: Cancel,
): Promise<ResultFacts> {
  const draft = new FactsDraft(thread);
  for (let from = 0; from < thread.results.count && !cancel.isCancellationRequested; from += PARALLEL) {
    const positions = Array.from({ length: Math.min(PARALLEL, thread.results.count - from) }, (_, i) => from + i);
    await Promise.all(
      positions.map(async (position) => {
        const result = results[thread.results.index[position] ?? -1];
        if (result === undefined || result.body === undefined) return;
        const [text, args] = await Promise.all([reader.result(result), reader.args?.(result)]);
        if (text !== undefined) draft.add(position, text, args, result, agent);
      }),
    );
  }
  return draft.facts;
}

class FactsDraft {
  readonly facts: ResultFacts;
  private readonly whole: CutFacts[] = [];
  private readonly raw: CutFacts[] = [];
  private readonly file: CutFacts[] = [];
  private readonly groups = new Map<string, number>();

  constructor(thread: SimThread) {
    const { count, item, tool } = thread.results;
    const rawChars = new Float64Array(count);
    const oneLine = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const chars = thread.items.chars[item[i] ?? 0] ?? 0;
      rawChars[i] = chars;
      const cut = plainCut(chars);
      this.whole.push(cut);
      this.raw.push(cut);
      this.file.push(cut);
      oneLine[i] = plainOneLine(thread.tools[tool[i] ?? 0] ?? "", chars);
    }
    this.facts = {
      whole: this.whole,
      raw: this.raw,
      file: this.file,
      rawChars,
      wrapping: new Int32Array(count),
      quotesTag: new Uint8Array(count),
      group: new Int32Array(count).fill(-1),
      oneLine,
      argsSaved: new Int32Array(count),
      read: new Uint8Array(count),
    };
  }

  add(position: number, text: string, args: string | undefined, result: ToolResult, agent: AgentId): void {
    const { facts } = this;
    const chars = countCodePoints(text);
    facts.read[position] = 1;
    const whole = cutOf(text);
    this.whole[position] = whole;
    facts.quotesTag[position] = Number(text.includes(PERSISTED_TAG));
    const raw = agent === "hermes" ? beforeWrapping(text) : text;
    const rawChars = raw === text ? chars : countCodePoints(raw);
    facts.rawChars[position] = rawChars;
    facts.wrapping[position] = chars - rawChars;
    const rawCut = raw === text ? whole : cutOf(raw);
    this.raw[position] = rawCut;
    const unwrapped = unwrapMcpEnvelope(raw);
    this.file[position] = unwrapped === undefined ? rawCut : cutOf(unwrapped);
    if (chars >= PRUNE_MIN_CHARS) {
      const key = `${chars} ${textHash(text)}`;
      const group = this.groups.get(key) ?? position;
      this.groups.set(key, group);
      facts.group[position] = group;
    }
    facts.oneLine[position] = countCodePoints(oneLineSummary(result.tool ?? "unknown", args ?? "", text));
    if (args !== undefined && countCodePoints(args) > ARGS_KEPT)
      facts.argsSaved[position] = countCodePoints(args) - countCodePoints(truncateArguments(args));
  }
}

const WRAPPER_OPEN = '<untrusted_tool_result source="';
const WRAPPER_CLOSE = "\n</untrusted_tool_result>";

/** The text on which Hermes decided: what it frames or appends afterwards taken off, white space of the text itself kept. */
function beforeWrapping(text: string): string {
  const { start, end } = decidedRegion(text);
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Where that text lies within a result of a Hermes transcript; UTF-16 offsets. */
export function decidedRegion(text: string): { readonly start: number; readonly end: number } {
  const inner = unwrap(text);
  if (text.slice(inner.start, inner.end) === text.trim()) return { start: 0, end: text.length };
  if (!text.startsWith(WRAPPER_OPEN)) return { start: 0, end: inner.end };
  const blank = text.indexOf("\n\n");
  const close = text.lastIndexOf(WRAPPER_CLOSE);
  return blank < 0 || close < blank + 2 ? inner : { start: blank + 2, end: close };
}

function cutOf(text: string): CutFacts {
  const cut = cutPreview(text);
  return { chars: cut.hasMore ? countCodePoints(text) : cut.chars, preview: cut.chars, hasMore: cut.hasMore };
}

/** A line with a short argument: what most tools leave. */
const TYPICAL_ARGUMENT = 24;

function plainOneLine(tool: string, chars: number): number {
  return Math.min(chars, countCodePoints(oneLineSummary(tool || "unknown", "", "x")) + TYPICAL_ARGUMENT);
}
