import type {
  HandleKind,
  HandleUse,
  Readable,
  ReadableReason,
  ReadOutcome,
  ReadWay,
} from "../../../extension/src/core/model/resultHandle";

const uses: Readonly<Record<HandleUse, { readonly word: string; readonly tip: string }>> = {
  never: { word: "never read again", tip: "No later call read what is behind it or ran its action again." },
  read: { word: "read", tip: "The agent read at least a part of it later." },
  repeated: { word: "repeated", tip: "The agent ran the same call again instead of reading it." },
  unknown: { word: "not known", tip: "Later calls may have read it, or their arguments are not in the transcript." },
};

const readable: Readonly<Record<Readable, string>> = {
  yes: "readable",
  no: "gone",
  unknown: "not known",
  "not-yet": "not there yet",
};

const reasons: Readonly<Record<ReadableReason, string>> = {
  "not-yet": "The result came only after this moment.",
  kept: "By the store's rules it was kept, as far as this transcript can tell.",
  durable: "Out of the store's memory, but a summarised text also has a copy on the agent's disk for 30 days.",
  "read-later": "The agent read it later, so it was still there.",
  expired: "Its time was over: texts are kept for one hour, whether they are read or not.",
  "pushed-out": "Newer texts pushed it out.",
  sizes:
    "That depends on the sizes of newer texts, which the transcript does not state: the store keeps 2 MiB of one conversation.",
  "no-time": "The transcript states no time for it.",
  "time-ahead": "Its time lies in the future: a clock was wrong.",
  memory: "It was in the agent's memory, which ends with the run.",
  "file-there": "The file is there.",
  "file-changed": "A file is there, but it is not as the notice says: its size or its beginning differs.",
  "file-gone": "The file is not there any more.",
  "file-elsewhere": "The file cannot be looked at from this machine.",
  "file-unchecked": "The file has not been looked at: its path lies outside the known spill folders.",
  "kept-by-rule": "By the rule of its folder the file was kept until then.",
  "past-rule": "By the rule of its folder the file had been removed by then.",
  "no-rule": "The file is not there now, or is newer, and no rule says how long it was kept.",
};

/** Why nothing is known of a file that may be looked at elsewhere. */
const unseen = "The file has not been looked at, because this workspace is not trusted.";

const kinds: Readonly<Record<HandleKind, string>> = {
  store: "OpenMausBot's result store",
  memory: "the agent's memory",
  file: "a spill file",
};

/** A path outside the spill folders can be any file. */
const anyFile = "a file";

const ways: Readonly<Record<ReadWay, string>> = {
  id: "by its id",
  file: "the file",
  command: "in a command",
  code: "in code",
};

const outcomes: Readonly<Record<ReadOutcome, string>> = {
  read: "",
  refused: "refused",
  "no-answer": "no answer in the transcript",
};

/** Texts of the tab of handles. */
export const handleStrings = {
  uses,
  readable,
  reasons,
  unseen,
  kinds,
  anyFile,
  ways,
  outcomes,
  label: "Handles",
  loading: "Looking for handles…",
  progress: { reading: "Reading the transcript…", measuring: "Looking at later calls…" },
  progressOf: (what: string, share: string) => `${what} ${share}`,
  failed: (reason: string) => `The handles could not be found: ${reason}`,
  again: "Try again",
  none: "There are no handles in this transcript.",
  noneHint:
    "A handle is an id or a path that an agent leaves in the place of a large tool result, so that the rest can be read later.",
  noneUsed: "No handle was used in this way.",
  showAll: "Show all handles",
  stale: "The transcript has changed since.",
  lookAgain: "Look again",
  count: (count: string) => (count === "1" ? "1 handle" : `${count} handles`),
  summaryLabel: "How the handles were used",
  useOf: (count: string, word: string) => `${count} ${word}`,
  omitted: (count: string) => `${count} more were not looked at: there are too many.`,
  use: "Used",
  allUses: "all uses",
  moment: "Readable",
  moments: { now: "now", end: "at the end of the transcript", call: "at a call" },
  call: "Call",
  callOf: (count: string) => `of ${count}`,
  thread: "Thread",
  mainThread: "main thread",
  at: (time: string) => `That is ${time}.`,
  noTime: "The transcript states no time for this moment.",
  severalEnds: "Each handle is judged by the end of its own session.",
  storeNote:
    "The store's rules are replayed with the transcript's times. What the transcript does not tell: whether the app was restarted, a turn was stopped, or other conversations pushed texts out.",
  fileNote: "Files are looked at as they are now.",
  readsNote: "Reads by another spelling of a path, or through a script, cannot all be recognised.",
  callAt: (call: string) => `call ${call}`,
  columns: { tool: "Tool", name: "Path or handle", readable: "Readable", use: "Used" },
  saved: "Kept since",
  savedBy: { record: "", call: "time of the request for it" },
  until: "By the rule until",
  full: "Full text",
  fullBetween: (from: string, to: string) => `between ${from} and ${to} chars (UTF-16 units)`,
  fullExact: (count: string) => `${count} chars (UTF-16 units)`,
  chars: (count: string) => `${count} chars`,
  about: (count: string) => `≈ ${count} chars`,
  where: "Kept in",
  inContext: "In context",
  copies: "Written again",
  copiesOf: (count: string) => (count === "1" ? "in 1 later result" : `in ${count} later results`),
  file: "File",
  showResult: "Show the result",
  openTranscript: "Open in transcript",
  reads: (count: string) => `Read ${count === "1" ? "once" : `${count} times`}`,
  repeats: (count: string) => `The same call again, ${count === "1" ? "once" : `${count} times`}`,
  maybe: (count: string) => `${count === "1" ? "1 call" : `${count} calls`} that may have read it`,
  unknownCalls: (count: string) =>
    count === "1"
      ? "1 later call could have read it; its arguments are not known."
      : `${count} later calls could have read it; their arguments are not known.`,
  more: (count: string) => `and ${count} more`,
  readOf: (tool: string, way: string) => `${tool}, ${way}`,
  lines: (from: string, to: string | null) => (to === null ? `from line ${from}` : `lines ${from} to ${to}`),
  units: (from: string, to: string | null) => (to === null ? `from offset ${from}` : `offset ${from} to ${to}`),
  came: (chars: string) => `${chars} chars came back`,
  line: (line: string) => `line ${line}`,
  openLine: (line: string) => `Open line ${line} of the transcript`,
  pages: {
    label: "Pages of handles",
    range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
    words: { first: "First", previous: "Previous", next: "Next", last: "Last" },
  },
};
