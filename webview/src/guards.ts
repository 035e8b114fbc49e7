/** Guards for everything that arrives from the host. A message that fails one is dropped and reported, never half used. */
import type { Severity } from "../../extension/src/core/model/problem";
import type { HitRange, SearchEnd, SearchHit, SearchProgress } from "../../extension/src/core/model/search";
import type { AgentId, CharUnit, CompactionKind, FormatId } from "../../extension/src/core/model/transcript";
import type { NotCountedReason } from "../../extension/src/core/model/usageLedger";
import type {
  CallName,
  Calls,
  CompactionTick,
  Composition,
  ContextWindow,
  Detail,
  DetailMask,
  ErrorCode,
  EventName,
  Events,
  FormatFacts,
  FullState,
  Glance,
  Header,
  HostFrame,
  Ledger,
  LedgerEntry,
  LeftContextBy,
  OutputPage,
  Overview,
  Phase,
  ProblemRow,
  Progress,
  Tells,
  ThreadFacts,
  ThreadRow,
  ThreadWindow,
  TimelinePoint,
  UsageSums,
  WindowSource,
} from "../../extension/src/protocol/webview";
import {
  type Guard,
  isBoolean,
  isCount,
  isNumber,
  isRecord,
  isString,
  listOf,
  type Members,
  oneOf,
  orNull,
  shape,
} from "./guard";
import { handleReplyGuards } from "./handleGuards";
import { isFileStatus, isRowsAnswer, isRowsNews } from "./rowGuards";
import { whatIfEventGuards, whatIfReplyGuards } from "./whatIfGuards";

export type { Guard } from "./guard";

const PHASES: Members<Phase> = { reading: true, done: true, cancelled: true, failed: true };
const SEVERITIES: Members<Severity> = { error: true, warning: true, info: true, hint: true };
const AGENTS: Members<AgentId> = {
  hermes: true,
  "claude-code": true,
  openmausbot: true,
  codex: true,
  "gemini-cli": true,
  opencode: true,
  copilot: true,
  openhuman: true,
  langchain: true,
  "swe-agent": true,
  "mini-swe-agent": true,
  openhands: true,
  unknown: true,
};
const UNITS: Members<CharUnit> = { codePoints: true, utf16: true };
const FORMATS: Members<FormatId> = {
  "hermes-db": true,
  "opencode-db": true,
  "openmausbot-db": true,
  "hermes-web-ui-db": true,
  "hermes-snapshot": true,
  "hermes-gateway": true,
  "hermes-export": true,
  "claude-code": true,
  "openai-chat": true,
  "anthropic-messages": true,
  "openmausbot-thread": true,
  "hermes-trajectory": true,
  "hermes-request": true,
  codex: true,
  "codex-exec": true,
  "openai-responses": true,
  "gemini-cli": true,
  "opencode-export": true,
  "opencode-storage": true,
  "copilot-chat": true,
  "copilot-debug": true,
  "copilot-events": true,
  "openmausbot-native": true,
  "tinyagents-messages": true,
  "tinyagents-run": true,
  openhuman: true,
  langchain: true,
  "swe-agent": true,
  "mini-swe-agent": true,
  openhands: true,
};
const THREAD_KINDS: Members<ThreadRow["kind"]> = { main: true, subagent: true, sidechain: true };
const COMPACTIONS: Members<CompactionKind> = {
  summary: true,
  micro: true,
  clear: true,
  prune: true,
  truncation: true,
  rewind: true,
};
const NOT_COUNTED: Members<NotCountedReason> = {
  "same-message": true,
  "repeated-record": true,
  "agent-progress": true,
  synthetic: true,
  "repeated-total": true,
};
const SEARCH_ENDS: Members<SearchEnd> = { done: true, capped: true, "gave-up": true };
const WINDOW_SOURCES: Members<WindowSource> = { transcript: true, setting: true, model: true };
const TELLS: Members<Tells> = { yes: true, partly: true, no: true };
const ERROR_CODES: Members<ErrorCode> = {
  "bad-message": true,
  "not-found": true,
  "too-large": true,
  failed: true,
  disposed: true,
  cancelled: true,
};

const isProgress = shape<Progress>({ doneBytes: isNumber, totalBytes: isNumber });
const isProblems = listOf(
  shape<ProblemRow>({ code: isString, severity: oneOf(SEVERITIES), message: isString, line: orNull(isCount) }),
);
const figures = {
  calls: isCount,
  messages: isCount,
  results: isCount,
  persisted: isCount,
  chars: isNumber,
  charsKeptOut: isNumber,
  resultsLeft: isCount,
  charsLeft: isNumber,
  composition: shape<Composition>({
    system: isNumber,
    user: isNumber,
    assistant: isNumber,
    inlineResults: isNumber,
    persistedPreviews: isNumber,
  }),
  measuredTokens: orNull(isNumber),
};
const isThreads = listOf(
  shape<ThreadRow>({ ...figures, id: isString, title: isString, kind: oneOf(THREAD_KINDS), model: orNull(isString) }),
);
const isHeader = shape<Header>({
  ...figures,
  file: isString,
  title: isString,
  format: oneOf(FORMATS),
  agent: oneOf(AGENTS),
  unit: oneOf(UNITS),
  model: orNull(isString),
});
const isFullState = shape<FullState>({
  phase: oneOf(PHASES),
  progress: orNull(isProgress),
  header: orNull(isHeader),
  threads: isThreads,
  rows: isRowsNews,
  problems: isProblems,
  problemsOmitted: isCount,
  error: orNull(isString),
  live: isBoolean,
  locale: isString,
});
const isMasks = listOf(
  shape<DetailMask>({ start: isCount, end: isCount, at: isCount, units: isCount, kind: isString }),
);
const isDetail = shape<Detail>({
  index: isCount,
  text: isString,
  textStart: isCount,
  masks: isMasks,
  capped: isBoolean,
  summary: isString,
  path: orNull(isString),
  resolvedPath: orNull(isString),
  handle: orNull(isString),
  nextOffset: orNull(isNumber),
  file: isFileStatus,
  notes: listOf(isString),
  canOpenFull: isBoolean,
  canPage: isBoolean,
  fullInTranscript: isBoolean,
  canRebase: isBoolean,
  left: orNull(shape<LeftContextBy>({ line: isCount, what: oneOf(COMPACTIONS), trigger: orNull(isString) })),
});
const isTokens = orNull(isNumber);
const usageSums = { input: isTokens, cacheRead: isTokens, cacheWrite: isTokens, output: isTokens };
const isUsageSums = shape<UsageSums>(usageSums);
const ledgerEntry = { count: isCount, lines: listOf(isCount) };
const isLedgerEntry = shape<LedgerEntry>(ledgerEntry);
const isTells = oneOf(TELLS);
const isOverview = shape<Overview>({
  thread: isString,
  points: listOf(
    shape<TimelinePoint>({
      ...usageSums,
      call: isCount,
      line: isCount,
      turn: orNull(isNumber),
      at: orNull(isString),
      chars: isNumber,
    }),
  ),
  callsPerPoint: isCount,
  callsOmitted: isCount,
  compactions: listOf(
    shape<CompactionTick>({
      afterCall: isCount,
      line: isCount,
      what: oneOf(COMPACTIONS),
      trigger: orNull(isString),
      tokensBefore: isTokens,
      tokensAfter: isTokens,
      tokensFreed: isTokens,
      measuredBefore: isTokens,
      measuredAfter: isTokens,
      cleared: isCount,
      charsBefore: isNumber,
      charsAfter: isNumber,
    }),
  ),
  compactionsOmitted: isCount,
  threads: listOf(
    shape<ThreadFacts>({
      id: isString,
      title: isString,
      kind: oneOf(THREAD_KINDS),
      model: orNull(isString),
      calls: isCount,
      messages: isCount,
      chars: isNumber,
      measuredTokens: isTokens,
      compactions: isCount,
      callsWithUsage: isCount,
      usage: orNull(isUsageSums),
      stated: orNull(isUsageSums),
    }),
  ),
  threadsOmitted: isCount,
  ledger: orNull(
    shape<Ledger>({
      counted: isLedgerEntry,
      notCounted: listOf(shape<Ledger["notCounted"][number]>({ ...ledgerEntry, reason: oneOf(NOT_COUNTED) })),
      callsWithoutUsage: isLedgerEntry,
    }),
  ),
  tells: orNull(
    shape<FormatFacts>({
      usage: isTells,
      cache: isTells,
      threads: isTells,
      times: isTells,
      compaction: isTells,
      turns: isTells,
      results: isTells,
      note: isString,
    }),
  ),
});
const contextWindow = { tokens: isNumber, from: oneOf(WINDOW_SOURCES) };
const isGlance = shape<Glance>({
  title: orNull(isString),
  window: orNull(shape<ContextWindow>(contextWindow)),
  windows: listOf(shape<ThreadWindow>({ ...contextWindow, thread: isString })),
});
const isRange = (value: unknown): value is HitRange =>
  Array.isArray(value) && value.length === 2 && value.every(isCount);

export const replyGuards: { readonly [M in CallName]: Guard<Calls[M]["out"]> } = {
  ready: isFullState,
  overview: isOverview,
  glance: isGlance,
  search: shape<Calls["search"]["out"]>({ end: oneOf(SEARCH_ENDS) }),
  rows: isRowsAnswer,
  detail: isDetail,
  showSecret: shape<Calls["showSecret"]["out"]>({ text: isString }),
  showOutputSecret: shape<Calls["showOutputSecret"]["out"]>({ text: isString }),
  outputPage: shape<OutputPage>({
    index: isCount,
    text: isString,
    offset: isCount,
    nextOffset: isCount,
    length: isCount,
    page: isCount,
    pages: isCount,
    masked: isBoolean,
    masks: isMasks,
    valid: isBoolean,
  }),
  ...handleReplyGuards,
  openFull: shape<Calls["openFull"]["out"]>({ opened: isBoolean }),
  reveal: shape<Calls["reveal"]["out"]>({ opened: isBoolean }),
  copy: shape<Calls["copy"]["out"]>({ copied: isBoolean }),
  rebase: shape<Calls["rebase"]["out"]>({ changed: isBoolean }),
  cancelReading: shape<Calls["cancelReading"]["out"]>({}),
  reload: shape<Calls["reload"]["out"]>({}),
  ...whatIfReplyGuards,
};

export const eventGuards: { readonly [E in EventName]: Guard<Events[E]> } = {
  "state/full": isFullState,
  "state/append": shape<Events["state/append"]>({
    header: orNull(isHeader),
    threads: isThreads,
    rows: isRowsNews,
    problems: isProblems,
    progress: isProgress,
  }),
  "state/update": shape<Events["state/update"]>({
    header: orNull(isHeader),
    threads: isThreads,
    rows: isRowsNews,
    problems: isProblems,
    problemsOmitted: isCount,
  }),
  "state/live": shape<Events["state/live"]>({ live: isBoolean }),
  "state/phase": shape<Events["state/phase"]>({
    phase: oneOf(PHASES),
    error: orNull(isString),
    header: orNull(isHeader),
    problemsOmitted: isCount,
  }),
  "search/hits": shape<Events["search/hits"]>({
    search: isCount,
    hits: listOf(shape<SearchHit>({ index: isCount, count: isCount, ranges: listOf(isRange) })),
    progress: shape<SearchProgress>({ searched: isCount, total: isCount, slow: isCount, unreadable: isCount }),
  }),
  "rows/changed": isRowsNews,
  "select/row": shape<Events["select/row"]>({ index: isCount }),
  "select/thread": shape<Events["select/thread"]>({ thread: isString }),
  ...whatIfEventGuards,
};

/** The envelope only; bodies are guarded by call or event name. */
export function isHostFrame(value: unknown): value is HostFrame {
  if (!isRecord(value) || value["v"] !== 1) {
    return false;
  }
  switch (value["t"]) {
    case "event":
      return isString(value["e"]) && Object.hasOwn(eventGuards, value["e"]);
    case "ok":
      return isCount(value["id"]);
    case "err":
      return isCount(value["id"]) && oneOf(ERROR_CODES)(value["code"]) && isString(value["message"]);
    default:
      return false;
  }
}
