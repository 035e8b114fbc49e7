/** Host states for the dev page and the tests. Made by a seeded generator, so every run shows the same. */
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import type { ResultState } from "../../extension/src/core/model/transcript";
import type {
  CompactionTick,
  Detail,
  FileStatus,
  FullState,
  Glance,
  Header,
  Overview,
  ThreadRow,
  TimelinePoint,
} from "../../extension/src/protocol/webview";

export const RECORDINGS = [
  "sample",
  "empty",
  "error",
  "empty-file",
  "live",
  "reading",
  "cancelled",
  "huge",
  "hostile",
  "silent",
  "refused",
] as const;
export type RecordingName = (typeof RECORDINGS)[number];

/** Small linear congruential generator; results in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const TOOLS = ["read_file", "terminal", "web_search", "web_extract", "mcp_jira_search", "execute_code", "search_files"];
const STATES: readonly (readonly [ResultState, number])[] = [
  ["inline", 0.55],
  ["persisted", 0.8],
  ["handle", 0.86],
  ["truncated", 0.9],
  ["pruned", 0.94],
  ["cleared", 0.97],
  ["duplicate", 0.99],
  ["missing", 1],
];
const FILES: readonly FileStatus[] = [
  "ok",
  "ok",
  "ok",
  "expired",
  "missing",
  "size-differs",
  "preview-differs",
  "sandbox",
  "other-machine",
  "outside",
  "unreadable",
  "not-checked",
];

/** Rows of the state `huge`. */
export const HUGE = 200_000;
/** Rows that a compaction took out, where there are enough. */
const LEFT = 10;

function pick<T>(list: readonly T[], at: number): T {
  const item = list[Math.floor(at * list.length)];
  if (item === undefined) {
    throw new Error("empty list");
  }
  return item;
}

export function makeRows(count: number, seed = 7): readonly ResultRow[] {
  const random = randomFrom(seed);
  const rows: ResultRow[] = [];
  for (let index = 0; index < count; index++) {
    const at = random();
    const state = STATES.find(([, below]) => at < below)?.[0] ?? "inline";
    const tool = pick(TOOLS, random());
    const kept = state === "persisted" || state === "truncated" || state === "handle";
    const full = kept ? Math.floor(20_000 + random() ** 3 * 400_000) : null;
    const chars =
      state === "missing" ? 0 : kept ? 1500 + Math.floor(random() * 700) : Math.floor(random() ** 2 * 38_000);
    rows.push({
      index,
      thread: index % 9 === 8 ? "sub-1" : "main",
      turn: 1 + Math.floor(index / 4),
      call: index % 31 === 30 ? null : 1 + Math.floor(index / 2),
      tool: index % 29 === 28 ? null : tool,
      callId: `call_${(index + 4096).toString(36)}`,
      state,
      chars,
      statedChars: full,
      statedRounded: full !== null && index % 5 === 0,
      tokens: Math.ceil(chars / 4),
      images: index % 37 === 36 ? 2 : 0,
      isError: index % 13 === 12,
      orphan: index % 41 === 40,
      path:
        state === "persisted"
          ? `/home/ada/.hermes/profiles/research/cache/spillover/session-20260814/${tool}_call_${(index + 4096).toString(36)}.txt`
          : null,
      handle: state === "handle" ? `r-${Math.floor(random() * 2 ** 31).toString(16)}` : null,
      file: state === "persisted" ? pick(FILES, random()) : "none",
      line: 3 + index * 2,
      leftLine: index < LEFT && count > 3 * LEFT ? 3 + LEFT * 2 : null,
    });
  }
  return rows;
}

function headerFor(rows: readonly ResultRow[], change: Partial<Header> = {}): Header {
  const inContext = (states: readonly ResultState[]): number =>
    rows.filter((row) => states.includes(row.state)).reduce((sum, row) => sum + row.chars, 0);
  const persistedPreviews = inContext(["persisted", "handle"]);
  const results = inContext(["inline", "truncated", "pruned", "cleared", "duplicate"]);
  const composition = {
    system: 18_402,
    user: 9_310,
    assistant: 64_112,
    inlineResults: results,
    persistedPreviews,
  };
  return {
    file: "/home/ada/.hermes/sessions/session_20260814_180312.json",
    title: "room-42 · 14 Aug 18:03",
    format: "hermes-snapshot",
    agent: "hermes",
    unit: "codePoints",
    model: "claude-opus-4",
    calls: Math.ceil(rows.length / 2),
    messages: rows.length * 2 + 5,
    results: rows.length,
    persisted: rows.filter((row) => row.state === "persisted").length,
    chars: Object.values(composition).reduce((sum, part) => sum + part, 0),
    charsKeptOut: rows.reduce((sum, row) => sum + Math.max(0, (row.statedChars ?? row.chars) - row.chars), 0),
    composition,
    resultsLeft: 0,
    charsLeft: 0,
    measuredTokens: 193_204,
    ...change,
  };
}

/** Title and window, as far as the recording has them. */
export function glanceFor({ header }: FullState): Glance {
  const known = header?.measuredTokens != null;
  return {
    title: known ? "Which tests fail since yesterday?" : null,
    window: known ? { tokens: 1_000_000, from: "model" } : null,
    windows: known ? [{ thread: "sub-1", tokens: 200_000, from: "model" }] : [],
  };
}

/** A thread with figures that nothing else has. */
export function threadFor(names: Pick<ThreadRow, "id" | "title" | "kind">, change: Partial<ThreadRow> = {}): ThreadRow {
  const composition = {
    system: 18_000,
    user: 2_400,
    assistant: 9_100,
    inlineResults: 41_000,
    persistedPreviews: 6_300,
  };
  return {
    ...names,
    model: "claude-haiku-4",
    calls: 6,
    messages: 22,
    results: 7,
    persisted: 2,
    chars: Object.values(composition).reduce((sum, part) => sum + part, 0),
    charsKeptOut: 51_200,
    composition,
    resultsLeft: 0,
    charsLeft: 0,
    measuredTokens: null,
    ...change,
  };
}

const THREADS = [
  threadFor(
    { id: "main", title: "room-42", kind: "main" },
    { model: null, calls: 64, messages: 118, measuredTokens: 193_204 },
  ),
  threadFor({ id: "sub-1", title: "research agent", kind: "subagent" }, { measuredTokens: 20_480 }),
] as const;

const PROBLEMS = [
  {
    code: "torn-last-line",
    severity: "warning",
    message:
      "session_20260814_180312.json: the last line ends in the middle of a record. It was left out; it may still be being written.",
    line: 412,
  },
  {
    code: "invalid-json",
    severity: "error",
    message:
      "session_20260814_180312.json, line 97: not valid JSON (unexpected end of a string). The line was left out, all others were read.",
    line: 97,
  },
  {
    code: "result-without-call",
    severity: "info",
    message: "A tool result names a call that the transcript does not hold.",
    line: 211,
  },
  {
    code: "capped",
    severity: "hint",
    message: "More than 1,000 threads; further ones are counted but not listed.",
    line: null,
  },
] as const;

/** Spoofing and markup where a transcript can put text. */
export const HOSTILE_TEXT =
  '<img src=x onerror="document.title=\'pwned\'"><script>document.title="pwned"</script>\u001B[31mred\u001B[0m \u202Etxt.exe\u202C zero\u200Bwidth\u0000end';

const BASE: FullState = {
  phase: "done",
  progress: null,
  header: null,
  threads: [],
  rows: { revision: 0, count: 0 },
  problems: [],
  problemsOmitted: 0,
  error: null,
  live: false,
  locale: "en",
};

/** The rows of a state; the page asks for them a few at a time. */
export function recordedRows(name: RecordingName): readonly ResultRow[] {
  switch (name) {
    case "sample":
      return makeRows(64);
    case "live":
    case "reading":
    case "cancelled":
      return makeRows(23);
    case "huge":
      return makeRows(HUGE);
    case "hostile":
      return makeRows(3).map((row) => ({
        ...row,
        tool: HOSTILE_TEXT,
        path: HOSTILE_TEXT,
        handle: HOSTILE_TEXT,
        callId: HOSTILE_TEXT,
        state: "persisted" as const,
        file: "outside" as const,
      }));
    case "empty":
    case "error":
    case "empty-file":
    case "silent":
    case "refused":
      return [];
  }
}

export function recording(name: RecordingName): FullState {
  const rows = recordedRows(name);
  const base = { ...BASE, rows: { revision: 1, count: rows.length } };
  switch (name) {
    case "sample":
      return { ...base, header: headerFor(rows), threads: THREADS, problems: PROBLEMS };
    case "live":
      return { ...base, live: true, header: headerFor(rows), threads: [THREADS[0]] };
    case "empty":
      return {
        ...base,
        header: headerFor([], { title: "short-chat", model: null, measuredTokens: null, calls: 2, messages: 5 }),
        threads: [THREADS[0]],
      };
    case "error":
      return {
        ...base,
        phase: "failed",
        error:
          "/home/ada/downloads/holiday.jpg is not a transcript in a format this extension reads: its first bytes are an image. Open a JSON or JSONL file that an agent wrote.",
      };
    case "empty-file": {
      const message = "/home/ada/.claude/projects/-home-ada/3f2c.jsonl is empty. There is nothing to show.";
      const problems = [{ code: "empty-file", severity: "error" as const, message, line: null }];
      return { ...base, phase: "failed", error: message, problems };
    }
    case "reading":
      return {
        ...base,
        phase: "reading",
        progress: { doneBytes: 31_400_000, totalBytes: 104_857_600 },
        header: headerFor(rows),
        threads: [THREADS[0]],
      };
    case "cancelled":
      return { ...base, phase: "cancelled", header: headerFor(rows), threads: [THREADS[0]] };
    case "huge":
      return { ...base, header: headerFor(rows), threads: THREADS };
    case "hostile":
      return {
        ...base,
        header: headerFor(rows, { title: HOSTILE_TEXT, model: HOSTILE_TEXT, file: HOSTILE_TEXT }),
        threads: THREADS.map((thread) => ({ ...thread, title: HOSTILE_TEXT })),
        problems: [{ code: "hostile", severity: "warning", message: HOSTILE_TEXT, line: 3 }],
      };
    case "silent":
    case "refused":
      return BASE;
  }
}

/** A context that grows call by call and is compacted twice; `measured` false: the transcript states no usage. */
function timeline(count: number, measured: boolean): Pick<Overview, "points" | "compactions"> {
  const random = randomFrom(11);
  const points: TimelinePoint[] = [];
  const compactions: CompactionTick[] = [];
  let context = 18_000;
  for (let call = 1; call <= count; call++) {
    const added = Math.floor(800 + random() ** 3 * 26_000);
    const fresh = call === 1 || random() < 0.06;
    const read = fresh ? 0 : context;
    context += added;
    points.push({
      call,
      line: call * 6,
      turn: 1 + Math.floor(call / 4),
      at: null,
      input: measured ? 12 : null,
      cacheRead: measured ? read : null,
      cacheWrite: measured ? context - read - 12 : null,
      output: measured ? 200 + Math.floor(random() * 900) : null,
      chars: context * 4,
    });
    if (context < 190_000) {
      continue;
    }
    const manual = compactions.length > 0;
    compactions.push({
      afterCall: call,
      line: call * 6 + 3,
      what: manual ? "micro" : "summary",
      trigger: manual ? null : "auto",
      tokensBefore: measured && !manual ? context : null,
      tokensAfter: null,
      tokensFreed: manual ? 64_200 : null,
      measuredBefore: measured ? context : null,
      measuredAfter: null,
      cleared: manual ? 14 : 0,
      charsBefore: context * 4,
      charsAfter: manual ? (context - 64_200) * 4 : 96_000,
    });
    context = manual ? context - 64_200 : 31_000;
  }
  const contextAt = (call: number): number | null => {
    const next = measured ? points.find((point) => point.call === call) : undefined;
    return next === undefined ? null : (next.input ?? 0) + (next.cacheRead ?? 0) + (next.cacheWrite ?? 0);
  };
  return {
    points,
    compactions: compactions.map((tick) => ({ ...tick, measuredAfter: contextAt(tick.afterCall + 1) })),
  };
}

export function overviewFor(state: FullState, thread: string | null): Overview {
  const hostile = state.header?.title === HOSTILE_TEXT;
  const measured = state.header?.measuredTokens !== null;
  const shown = state.threads.find(({ id }) => id === thread) ?? state.threads[0];
  const { points, compactions } = timeline(shown?.calls ?? 0, measured);
  return {
    thread: shown?.id ?? "",
    points,
    callsPerPoint: 1,
    callsOmitted: 0,
    compactions: hostile ? compactions.map((tick) => ({ ...tick, trigger: HOSTILE_TEXT })) : compactions,
    compactionsOmitted: 0,
    threads: state.threads.map((one) => ({
      id: one.id,
      title: one.title,
      kind: one.kind,
      calls: one.calls,
      messages: one.messages,
      chars: one.chars,
      measuredTokens: measured ? one.measuredTokens : null,
      model: state.header?.model ?? null,
      compactions: one.id === shown?.id ? compactions.length : 0,
      callsWithUsage: measured ? one.calls : 0,
      usage: measured ? { input: 372, cacheRead: 3_112_480, cacheWrite: 241_003, output: 19_408 } : null,
      stated: null,
    })),
    threadsOmitted: 0,
    ledger:
      state.phase === "reading" || state.phase === "cancelled"
        ? null
        : {
            counted: { count: measured ? 412 : 0, lines: measured ? [6, 12, 18] : [] },
            notCounted: measured
              ? [
                  { reason: "same-message", count: 790, lines: [7, 8, 13, 14, 15, 19] },
                  { reason: "agent-progress", count: 38, lines: [40, 41] },
                  { reason: "synthetic", count: 3, lines: [77, 120, 301] },
                ]
              : [],
            callsWithoutUsage: { count: measured ? 2 : (shown?.calls ?? 0), lines: [90, 96] },
          },
    tells: {
      usage: measured ? "yes" : "no",
      cache: measured ? "yes" : "no",
      threads: "yes",
      times: "partly",
      compaction: "yes",
      turns: "yes",
      results: "yes",
      note: "results cleared on the way out stay whole in the file",
    },
  };
}

const SUMMARIES: Readonly<Record<ResultState, string>> = {
  inline: "The whole text stands in context.",
  persisted: "Hermes wrote the full text to a spill file and left a preview in context.",
  handle: "A preview stands in context; the agent can read the rest through the handle.",
  truncated: "The text was cut to fit; the rest is lost.",
  pruned: "Head and tail stand in context; the middle was pruned.",
  cleared: "The text was cleared and replaced by a placeholder.",
  duplicate: "The same text stands in a newer result; this copy was replaced by a note.",
  missing: "The tool was called, but the transcript holds no result for the call.",
};

/** The row in whose text a secret is masked; what stands there. */
export const MASKED_ROW = 4;
export const MASK = "[secret: github]";
const MASKED_LINE = `export GITHUB_TOKEN=${MASK} # for the release`;
/** Not one of anybody: the shape is right, the checksum is not. */
export const SECRET = `ghp_${"0123456789abcdef".repeat(3).slice(0, 36)}`;

export function detailFor(rows: readonly ResultRow[], index: number): Detail | null {
  const row = rows[index];
  if (row === undefined) {
    return null;
  }
  const hostile = row.tool === HOSTILE_TEXT;
  const lines = Array.from(
    { length: 40 },
    (_, at) =>
      `${String(at + 1).padStart(4)}  2026-08-14T18:03:${String(at % 60).padStart(2, "0")}Z  INFO  fetched page ${at + 1} of 40`,
  );
  const text = hostile
    ? HOSTILE_TEXT
    : `\u001B[1m${row.tool ?? "tool"}\u001B[0m finished\n${index === MASKED_ROW ? MASKED_LINE : ""}\n${lines.join("\n")}\n\ta line with a tab`;
  const sign = text.indexOf(MASK);
  return {
    index,
    text: row.state === "missing" ? "" : text,
    textStart: 0,
    masks: sign < 0 ? [] : [{ start: sign, end: sign + MASK.length, at: sign, units: SECRET.length, kind: "github" }],
    capped: row.state === "persisted" || row.chars > 2_000,
    summary: hostile ? HOSTILE_TEXT : SUMMARIES[row.state],
    path: row.path,
    resolvedPath: row.file === "ok" || row.file === "size-differs" ? row.path : null,
    handle: row.handle,
    nextOffset: row.handle === null ? null : 16_000,
    file: row.file,
    notes: hostile ? [HOSTILE_TEXT] : notesFor(row),
    canOpenFull: row.file === "ok" || row.file === "size-differs" || row.file === "outside" || row.state === "inline",
    canPage: row.file === "ok" || row.file === "size-differs" || row.state === "inline",
    fullInTranscript: row.state === "inline",
    canRebase: row.file === "other-machine" || row.file === "missing",
    left: row.leftLine === null ? null : { line: row.leftLine, what: "summary", trigger: "auto" },
  };
}

function notesFor(row: ResultRow): readonly string[] {
  switch (row.file) {
    case "ok":
      return [
        "The file holds the stated number of characters.",
        "Written 3 hours ago; spill files are kept for 24 hours.",
      ];
    case "size-differs":
      return ["The file holds 41,203 characters, the notice states 48,120."];
    case "expired":
      return ["The result is 9 days old; spill files are kept for 24 hours, so the file is gone, which is normal."];
    case "missing":
      return ["No file stands at this path. If the home was moved, re-base it."];
    case "other-machine":
      return ["The path begins with a home that does not exist here. Choose the folder that stands for it."];
    default:
      return [];
  }
}
