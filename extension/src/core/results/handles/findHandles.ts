import type { HandleKind, ReadPart } from "../../model/resultHandle";
import type { FormatId, RecordPlace, ToolResult } from "../../model/transcript";
import type { Cancel } from "../../ports";
import type { TranscriptIndex } from "../../transcript/events";
import { lastNotAfter } from "../../util/lastNotAfter";
import { measureText } from "../../util/textSize";
import { ownerOf } from "../spillFolders";
import { parseCall, usesOf } from "./callUse";
import { HANDLE_LIMITS, type Handle, type HandleRead, type HandleScan } from "./handle";
import { HandleNames } from "./handleNames";
import { keptSize, learned } from "./keptSize";
import { readPageReply } from "./pageReply";
import { Repeats } from "./repeats";
import { Times } from "./times";
import { toolKind } from "./toolKinds";

/** Texts and records of the transcript; undefined = cannot be read. */
export interface HandleTexts {
  /** Arguments of the tool call that a result answers, as written. */
  args(result: ToolResult): Promise<string | undefined>;
  /** The result as it stands in the transcript. */
  result(result: ToolResult): Promise<string | undefined>;
  /** A whole record as JSON text. */
  record(place: RecordPlace): Promise<string | undefined>;
  /** What stands on the record's line before and behind it, where it is a part of a line. */
  around?(place: RecordPlace): Promise<{ readonly before: string; readonly after: string }>;
}

/** A handle while later calls are looked at. */
interface Draft {
  readonly result: ToolResult;
  readonly kind: HandleKind;
  readonly name: string;
  /** Its number among the results in their order. */
  readonly taken: number;
  copies: number;
  readonly reads: HandleRead[];
  readCount: number;
  readWell: number;
  /** Reads whose answer is not in the transcript. */
  unanswered: number;
  lastReadAt: number | null;
  readonly maybe: number[];
  maybeCount: number;
  readonly savedAt: number | null;
  readonly timeFrom: Handle["timeFrom"];
  kept: Handle["kept"];
}

/** Numbers of calls whose arguments are not known, in their order; `byId`: those that could have taken an id. */
interface UnknownCalls {
  readonly all: number[];
  readonly byId: number[];
}

/** Files that hold sessions which have nothing to do with each other, each as a thread. */
const MANY_SESSIONS: ReadonlySet<string> = new Set<FormatId>([
  "hermes-db",
  "hermes-web-ui-db",
  "hermes-export",
  "hermes-trajectory",
  "opencode-db",
  "openmausbot-db",
]);

/** What tools that remove personal data leave in paths (transcripts.md 2). */
const BLANKED = /REDACTED/;

/** Results between two looks at the cancel token and two words about how far it is. */
const STEP = 256;

/**
 * Finds every handle of a transcript, the calls that read what is behind it, and those that ran its action again; in one pass over
 * the results in their order. Arguments are read of the calls behind the first handle only, and of none when there is no handle.
 * Undefined = cancelled.
 */
export async function findHandles(
  index: TranscriptIndex,
  texts: HandleTexts,
  cancel: Cancel,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<HandleScan | undefined> {
  const scan = new Scan(index, texts);
  const results = inOrder(index.results);
  for (const [at, result] of results.entries()) {
    if (at % STEP === 0) {
      if (cancel.isCancellationRequested) return undefined;
      progress(at, results.length);
    }
    await scan.add(result);
  }
  return scan.end();
}

/**
 * As their records stand in the transcript. A call whose result never came is told at the end; it is taken where it was made. Records
 * of several tables have no common order.
 */
function inOrder(results: readonly ToolResult[]): readonly ToolResult[] {
  // Indexes may have gaps where a reader gave up on a record.
  const all = results.filter((result) => result !== undefined);
  const table = all[0]?.place.row?.table;
  if (!all.some(({ state }) => state === "missing")) return all;
  if (all.some(({ place }) => place.row?.table !== table)) return all;
  const at = ({ place }: ToolResult): number => place.row?.id ?? place.start;
  return all.sort((a, b) => at(a) - at(b) || a.index - b.index);
}

class Scan {
  private readonly drafts: Draft[] = [];
  private readonly names = new HandleNames();
  private readonly repeats = new Repeats();
  /** Tools that left a handle: only their calls can be an action that is repeated. */
  private readonly tools = new Set<string>();
  /** By session. */
  private readonly unknown = new Map<string, UnknownCalls>();
  private readonly times: Times;
  private readonly unit: "codePoints" | "utf16";
  private readonly ownerIsThread: boolean;
  /** Every thread is a session of its own. */
  private readonly manySessions: boolean;
  private omitted = 0;
  /** Results taken so far. */
  private taken = 0;

  constructor(
    private readonly index: TranscriptIndex,
    private readonly texts: HandleTexts,
  ) {
    this.times = new Times(index, texts);
    this.unit = index.header?.unit ?? "codePoints";
    // A log or a page is of one thread; only the database holds several.
    this.ownerIsThread = index.header?.format === "openmausbot-db";
    this.manySessions = MANY_SESSIONS.has(index.header?.format ?? "");
  }

  async add(result: ToolResult): Promise<void> {
    this.taken++;
    const isHandle = nameOf(result) !== undefined;
    if (this.drafts.length > 0 || isHandle) await this.call(result);
    if (isHandle) await this.handle(result);
  }

  /** What the call behind a result does with the handles before it. */
  private async call(result: ToolResult): Promise<void> {
    const { tool } = result;
    const kind = toolKind(tool);
    const isHandle = nameOf(result) !== undefined;
    if (kind === "other" && !isHandle && !this.tools.has(tool ?? "")) return;
    const args = await this.texts.args(result);
    const call = args === undefined ? undefined : parseCall(args);
    if (call === undefined || call.cut) {
      const session = this.sessionOf(result);
      const unknown = this.unknown.get(session) ?? { all: [], byId: [] };
      this.unknown.set(session, unknown);
      if (kind !== "other") unknown.all.push(this.taken);
      if (kind === "byId" || tool === undefined) unknown.byId.push(this.taken);
    }
    if (call === undefined) return;
    if (isHandle) this.tools.add(tool ?? "");
    this.repeats.add(result, call.canonical, isHandle);
    for (const use of usesOf(tool, call, this.names)) {
      const draft = this.drafts[use.handle];
      if (draft === undefined) continue;
      // Somebody has blanked the path, so that one name may stand for many files.
      if (use.reads === "maybe" || (draft.kind === "file" && BLANKED.test(draft.name))) {
        draft.maybeCount++;
        if (draft.maybe.length < HANDLE_LIMITS.listed) draft.maybe.push(result.index);
        continue;
      }
      await this.read(draft, result, use.way, use.part);
    }
  }

  private async read(
    draft: Draft,
    result: ToolResult,
    way: HandleRead["way"],
    part: ReadPart | undefined,
  ): Promise<void> {
    const missing = result.state === "missing";
    const text = way === "id" && draft.kind === "store" && !missing ? await this.texts.result(result) : undefined;
    const reply = text === undefined ? undefined : readPageReply(text);
    const refused = result.isError || (text !== undefined && reply === undefined);
    const outcome = missing ? "no-answer" : refused ? "refused" : "read";
    const at = await this.times.of(result);
    draft.readCount++;
    if (missing) draft.unanswered++;
    if (outcome === "read") {
      draft.readWell++;
      if (at !== undefined) draft.lastReadAt = Math.max(draft.lastReadAt ?? at, at);
    }
    const from = part?.from ?? 0;
    const paged =
      reply !== undefined && outcome === "read" ? ({ unit: "utf16", from, to: from + reply.units } as const) : part;
    if (reply !== undefined && outcome === "read" && draft.kept !== undefined)
      draft.kept = learned(draft.kept, from + reply.units, reply.nextOffset === undefined);
    if (draft.reads.length >= HANDLE_LIMITS.listed) return;
    const chars = missing ? null : (reply?.units ?? result.size[this.unit]);
    draft.reads.push({ row: result.index, way, part: paged ?? null, outcome, chars, at: at ?? null });
  }

  private async handle(result: ToolResult): Promise<void> {
    const name = nameOf(result);
    if (name === undefined) return;
    const known = this.drafts[this.names.get(name) ?? -1];
    if (known !== undefined && isCopy(known, result)) {
      known.copies++;
      return;
    }
    if (this.drafts.length >= HANDLE_LIMITS.handles) {
      this.omitted++;
      return;
    }
    const kind = kindOf(result);
    const at = await this.times.of(result);
    const asked = at === undefined ? this.times.ofCall(result) : undefined;
    this.names.add(name, kind === "file", this.drafts.length);
    this.drafts.push({
      result,
      kind,
      name,
      taken: this.taken,
      copies: 0,
      reads: [],
      readCount: 0,
      readWell: 0,
      unanswered: 0,
      lastReadAt: null,
      maybe: [],
      maybeCount: 0,
      savedAt: at ?? asked ?? null,
      timeFrom: at !== undefined ? "record" : asked !== undefined ? "call" : null,
      kept: kind === "store" ? await this.kept(result) : undefined,
    });
  }

  private async kept(result: ToolResult): Promise<Handle["kept"]> {
    const range = result.persisted?.preview;
    const text = range === undefined ? undefined : (await this.texts.result(result))?.slice(range.start, range.end);
    return keptSize(result, text === undefined ? undefined : measureText(text));
  }

  async end(): Promise<HandleScan> {
    const ends = new Map<string, number>();
    const take = (result: ToolResult, at: number | null): void => {
      const session = this.sessionOf(result);
      if (at !== null) ends.set(session, Math.max(ends.get(session) ?? at, at));
    };
    for (const { result, savedAt, lastReadAt } of this.drafts) {
      take(result, savedAt);
      take(result, lastReadAt);
    }
    const sessions = new Map(this.drafts.map(({ result }) => [this.sessionOf(result), result]));
    for (const result of sessions.values())
      take(result, (await this.times.end(this.manySessions ? result.threadId : undefined)) ?? null);
    const handles = this.drafts.map((draft) => this.finished(draft, ends.get(this.sessionOf(draft.result)) ?? null));
    return { handles, omitted: this.omitted };
  }

  private sessionOf({ threadId }: ToolResult): string {
    return this.manySessions ? threadId : "";
  }

  private finished(draft: Draft, endAt: number | null): Handle {
    const { result, kind } = draft;
    const { persisted } = result;
    const repeats = this.repeats.of(result);
    const unknown = this.unknown.get(this.sessionOf(result))?.[kind === "file" ? "all" : "byId"] ?? [];
    const unknownCalls = unknown.length - 1 - lastNotAfter(unknown, draft.taken);
    const use =
      draft.readWell > 0
        ? "read"
        : repeats.count > 0
          ? "repeated"
          : draft.unanswered > 0 || draft.maybeCount > 0 || unknownCalls > 0
            ? "unknown"
            : "never";
    return {
      row: result.index,
      threadId: result.threadId,
      call: result.call,
      kind,
      name: draft.name,
      owner: this.ownerIsThread ? result.threadId : "",
      agent: ownerOf(persisted?.variant ?? "", this.index.header?.agent ?? "unknown"),
      copies: draft.copies,
      savedAt: draft.savedAt,
      timeFrom: draft.timeFrom,
      endAt,
      kept: draft.kept,
      durable: persisted?.variant === "openmausbot-summary",
      use,
      reads: draft.reads,
      readCount: draft.readCount,
      readWell: draft.readWell,
      lastReadAt: draft.lastReadAt,
      repeats: repeats.rows,
      repeatCount: repeats.count,
      maybe: draft.maybe,
      maybeCount: draft.maybeCount,
      unknownCalls,
    };
  }
}

/** Id or path that a result's notice leaves. */
function nameOf({ persisted, state }: ToolResult): string | undefined {
  return state === "handle" || state === "persisted" ? (persisted?.handle ?? persisted?.path) : undefined;
}

function kindOf({ persisted }: ToolResult): HandleKind {
  if (persisted?.handle === undefined) return "file";
  return persisted.variant.startsWith("openmausbot-") ? "store" : "memory";
}

/** The same notice of the same call: forks, resumes and compactions write history again. An id is never given twice. */
function isCopy(known: Draft, result: ToolResult): boolean {
  if (known.kind !== "file") return true;
  return known.result.callId === undefined || result.callId === undefined || known.result.callId === result.callId;
}
