import type { CompactionKind } from "../../extension/src/core/model/transcript";
import type { NotCountedReason } from "../../extension/src/core/model/usageLedger";
import type { FormatFacts, Tells } from "../../extension/src/protocol/webview";
import { plural } from "./plural";

const compactions: Readonly<Record<CompactionKind, { readonly word: string; readonly tip: string }>> = {
  summary: { word: "summary", tip: "The history was replaced by a summary." },
  micro: { word: "results cleared", tip: "Some results were cleared; the history stayed." },
  clear: { word: "cleared by the provider", tip: "The provider cleared results on its side." },
  prune: { word: "pruned", tip: "Old results were cut or blanked." },
  truncation: { word: "truncated", tip: "The oldest messages were dropped." },
  rewind: { word: "rewound", tip: "The newest messages were taken back." },
};

const reasons: Readonly<Record<NotCountedReason, string>> = {
  "same-message": "streamed duplicates of the same message",
  "repeated-record": "records that stand in the file again (resumed or forked)",
  "agent-progress": "progress copies of a sub-agent's records",
  synthetic: "lines that the program wrote itself (synthetic model)",
  "repeated-total": "repeats with an unchanged running total",
};

const facts: Readonly<Record<Exclude<keyof FormatFacts, "note">, string>> = {
  usage: "Usage per call",
  cache: "Cached tokens",
  threads: "Threads",
  times: "Times",
  compaction: "Compactions",
  turns: "Turns",
  results: "Texts of results",
};

const tells: Readonly<Record<Tells, string>> = { yes: "yes", partly: "partly", no: "no" };

/** Texts of the overview tab. */
export const overviewStrings = {
  compactions,
  reasons,
  facts,
  tells,
  label: "Overview of the transcript",
  loading: "Adding up…",
  failed: (reason: string) => `The overview could not be made: ${reason}`,
  timeline: "Context per call",
  timelineTip:
    "Measured tokens in context of each call: input, cache read and cache write. Where no usage is stated: characters.",
  thread: "Thread",
  asTable: "Show as table",
  asChart: "Show as chart",
  noCalls: "No call to the model is in this thread.",
  cursor: "Context at a call; arrow keys move, Enter opens the record",
  call: (call: string) => `call ${call}`,
  turn: (turn: string) => `turn ${turn}`,
  context: (tokens: string) => `${tokens} tok in context`,
  contextUnknown: "usage not stated",
  cached: (tokens: string, share: string) => `${tokens} cached (${share})`,
  uncached: (tokens: string) => `${tokens} not cached`,
  chars: (count: string) => `${count} chars in context`,
  output: (tokens: string) => `${tokens} output`,
  measured: "measured tokens",
  counted: "characters: no usage is stated",
  window: (tokens: string) => `window ${tokens}`,
  windowAbove: (tokens: string) => `window ${tokens} ↑`,
  perPoint: (count: string) => `Each point stands for ${count} calls and shows the one with the largest context.`,
  callsOmitted: (count: string) => `${plural(count, "further call is", "further calls are")} not drawn.`,
  compactionsTitle: "Compactions",
  afterCall: (call: string) => `after call ${call}`,
  beforeFirst: "before the first call",
  tokens: (before: string, after: string) => `${before} → ${after}`,
  tok: (count: string) => `${count} tok`,
  unknownUntilNext: "unknown until the next call",
  unknownBefore: "unknown",
  lastCall: (tokens: string) => `${tokens} (last call)`,
  nextCall: (tokens: string) => `${tokens} (next call)`,
  freed: (tokens: string) => `${tokens} tok freed`,
  clearedResults: (count: string) => plural(count, "result", "results"),
  charsChange: (before: string, after: string) => `${before} → ${after} chars`,
  compactionsOmitted: (count: string) =>
    `${plural(count, "further compaction is", "further compactions are")} not listed.`,
  threadsTitle: "Threads",
  measuredTip: "Measured tokens in the context of the thread's newest call",
  charsTip: "Characters in the thread's context now",
  threadsOmitted: (count: string) => `${plural(count, "further thread is", "further threads are")} not listed.`,
  heads: {
    thread: "Thread",
    calls: "Calls",
    messages: "Messages",
    input: "Input",
    cacheRead: "Cache read",
    cacheWrite: "Cache write",
    output: "Output",
    compactions: "Compactions",
    call: "Call",
    turn: "Turn",
    context: "Context",
    chars: "Chars",
  },
  kinds: { main: "main", subagent: "sub-agent", sidechain: "sidechain" },
  statedByAgent: "as the agent adds up",
  partly: (stated: string, all: string) => `usage of ${stated} of ${all} calls`,
  ledgerTitle: "Usage records",
  ofThreads: (count: string) => `of all ${plural(count, "thread", "threads")}`,
  ledgerWaits: "The ledger is ready when the transcript has been read to its end.",
  ledger: (all: string, counted: string, not: string) =>
    `${plural(all, "usage record", "usage records")}: ${counted} counted, ${not} not.`,
  ledgerNone: "No record states usage.",
  countedEntry: (count: string) => `${count} counted, one per call`,
  notCountedEntry: (count: string, why: string) => `${count} not counted: ${why}`,
  withoutUsage: (count: string) => `${plural(count, "call", "calls")} for which no usage is stated: unknown, not 0`,
  line: (line: string) => `Ln ${line}`,
  openLine: (line: string) => `Open the record at line ${line}`,
  moreLines: (count: string) => `and ${count} more`,
  tellsTitle: "What this format can tell",
} as const;
