/** Databases in which agents keep all their sessions: Hermes `state.db`, its web UI's, opencode `opencode.db`, OpenMausBot `messages.db`. */
export type DatabaseFormatId = "hermes-db" | "hermes-web-ui-db" | "opencode-db" | "openmausbot-db";

/** The agents' transcript formats; one reader each. `unknown` never reaches a reader. */
export type FormatId =
  | DatabaseFormatId
  | "hermes-snapshot"
  | "hermes-gateway"
  | "hermes-export"
  | "claude-code"
  | "openai-chat"
  | "anthropic-messages"
  | "openmausbot-thread"
  | "hermes-trajectory"
  | "hermes-request"
  | "codex"
  | "codex-exec"
  | "openai-responses"
  | "gemini-cli"
  | "opencode-export"
  | "opencode-storage"
  | "copilot-chat"
  | "copilot-debug"
  | "copilot-events"
  | "openmausbot-native"
  | "tinyagents-messages"
  | "tinyagents-run"
  | "openhuman"
  | "langchain"
  | "swe-agent"
  | "mini-swe-agent"
  | "openhands";

/** Formats of files that are read as bytes. */
export type FileFormatId = Exclude<FormatId, DatabaseFormatId>;

/** The agent that wrote a transcript; decides the unit of its sizes and its known spill folders. */
export type AgentId =
  | "hermes"
  | "claude-code"
  | "openmausbot"
  | "codex"
  | "gemini-cli"
  | "opencode"
  | "copilot"
  | "openhuman"
  | "langchain"
  | "swe-agent"
  | "mini-swe-agent"
  | "openhands"
  | "unknown";

/** Unit in which an agent counts a result's characters: Python code points or JavaScript UTF-16 units. */
export type CharUnit = "codePoints" | "utf16";

/** Exact sizes of one text, in every unit that some agent uses. */
export interface TextSize {
  readonly codePoints: number;
  readonly utf16: number;
  /** UTF-8 bytes after JSON unescaping (a lone surrogate counts 3). */
  readonly bytes: number;
}

/** A row of a database: its table and SQLite's row id (a 64-bit integer; real ones stay far below 2^53). */
export interface RowPlace {
  readonly table: string;
  readonly id: number;
}

/**
 * Where a JSON record lies in its file: 1-based physical line of its first byte, half-open byte range. With `row` it is a
 * row of a database: then `line` is the row id and the byte range is empty.
 */
export interface RecordPlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly row?: RowPlace;
}

/**
 * A text inside a record: parse the bytes of `place` as JSON, walk `path`, flatten the text parts. In a row of a database
 * the first step names a column; further steps walk into the JSON that its text holds.
 */
export interface BodyRef {
  readonly place: RecordPlace;
  readonly path: readonly (string | number)[];
}

export type Role = "system" | "user" | "assistant" | "tool" | "other";

export interface Thread {
  readonly id: string;
  /** Display title: session id, agent id, or the file's base name. */
  readonly title: string;
  readonly kind: "main" | "subagent" | "sidechain";
  readonly model: string | undefined;
  readonly startedAt: string | undefined;
  /** Where the session came from, as the agent names it (cli, telegram, cron, …). */
  readonly source?: string | undefined;
  /** Folder that the agent worked in, as the record has it. */
  readonly project?: string | undefined;
  /** The session that this one came out of, which may not be in the file. */
  readonly parent?: ThreadParent | undefined;
  /** What the agent says the whole session used; several where it counts by model and task. Not per call. */
  readonly usage?: readonly ThreadUsage[];
}

/**
 * delegate: the parent handed a task to it · branch: it began as a copy of the parent · compression: it goes on where the
 * parent was compacted · child: the file does not say which.
 */
export interface ThreadParent {
  readonly id: string;
  readonly relation: "delegate" | "branch" | "compression" | "child";
}

/** Sums over a session as the agent keeps them. */
export interface ThreadUsage extends Usage {
  readonly model: string | undefined;
  /** Background work has a name of its own (`background_review`). */
  readonly task: string | undefined;
  readonly calls: number | undefined;
}

export interface Message {
  /**
   * 0-based position within its thread; -1 for a text in context that is no message of its own: a system prompt beside
   * the messages, or what a compaction put in the place of earlier ones.
   */
  readonly index: number;
  readonly threadId: string;
  /** `tool` when the record holds nothing but tool results. */
  readonly role: Role;
  readonly turn: number | undefined;
  /** Text of the message, without thinking. For role `tool` the results' text; results inside another message are not in it. */
  readonly size: TextSize;
  /** Arguments of the tool calls in it: as written, or their compact JSON where the format keeps objects. */
  readonly args: TextSize;
  readonly images: number;
  readonly place: RecordPlace;
}

/** Token usage of one request to the model as the transcript states it; undefined = not stated, never 0 for unknown. */
export interface Usage {
  /** Tokens that were neither read from nor written to the prompt cache. */
  readonly input: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly output: number | undefined;
}

export interface ModelCall {
  /** 1-based within its thread. */
  readonly number: number;
  readonly threadId: string;
  readonly turn: number | undefined;
  readonly model: string | undefined;
  readonly at: string | undefined;
  readonly usage: Usage | undefined;
  readonly place: RecordPlace;
}

/**
 * inline: whole text in context · persisted: preview + path · truncated: cut, full text lost ·
 * handle: preview + id to page the rest · cleared: blanked placeholder · pruned: head + marker + tail, or a one-line summary ·
 * duplicate: points at a newer copy · missing: a call whose result never came.
 */
export type ResultState =
  | "inline"
  | "persisted"
  | "truncated"
  | "handle"
  | "cleared"
  | "pruned"
  | "duplicate"
  | "missing";

/** What a persisted, truncated or handle notice says about the full text. */
export interface PersistedInfo {
  /** Which notice this is; see core/results for the table (agent, era, literal, source). */
  readonly variant: string;
  /** Size the notice states, in `statedUnit`; undefined when it states none. */
  readonly statedChars: number | undefined;
  /** True when the notice rounds (Claude Code states KB with one decimal). */
  readonly statedRounded: boolean;
  readonly statedUnit: CharUnit;
  /** Path as written in the notice. Untrusted: see Safety in CONTRIBUTING. */
  readonly path: string | undefined;
  /** Handle id (`r-…`, `res_…`). */
  readonly handle: string | undefined;
  /** Offset at which the handle continues, UTF-16 units. */
  readonly nextOffset: number | undefined;
  /** Half-open UTF-16 range of the preview inside the flattened body; undefined when the notice has none. */
  readonly preview: { readonly start: number; readonly end: number } | undefined;
  /** True when the preview was cut and more text follows in the file. */
  readonly hasMore: boolean;
}

export interface ToolResult {
  /** 0-based over the whole transcript, in the order met. */
  readonly index: number;
  readonly threadId: string;
  readonly turn: number | undefined;
  /** Number of the model call that issued the tool call, 1-based within the thread. */
  readonly call: number | undefined;
  readonly callId: string | undefined;
  readonly tool: string | undefined;
  readonly state: ResultState;
  /** Exact size of what stands in the transcript (the model's view, notice included). */
  readonly size: TextSize;
  readonly images: number;
  readonly isError: boolean;
  readonly persisted: PersistedInfo | undefined;
  /** Where the text lies; undefined for state `missing` (then `place` is the call's record). */
  readonly body: BodyRef | undefined;
  readonly place: RecordPlace;
  /** Where the transcript itself still holds the full text beside the notice (Claude Code `toolUseResult`). */
  readonly fullText: BodyRef | undefined;
  /** Call id of a result that no call asked for, or a result without an id. */
  readonly orphan: boolean;
  /** True when the agent marked it to be kept word for word (tinyagents `trusted_verbatim`). */
  readonly trustedVerbatim?: boolean;
}

export interface TranscriptHeader {
  readonly format: FormatId;
  readonly agent: AgentId;
  readonly unit: CharUnit;
  readonly sessionId: string | undefined;
  readonly model: string | undefined;
}

/**
 * summary: the history was replaced by a summary · micro: some results were cleared, the history stays · clear: the
 * provider cleared results on its side · prune: old results were cut or blanked · truncation: the oldest messages were
 * dropped · rewind: the newest messages were taken back.
 */
export type CompactionKind = "summary" | "micro" | "clear" | "prune" | "truncation" | "rewind";

/** A point at which content left the context, as the transcript tells it. */
export interface Compaction {
  readonly threadId: string;
  readonly place: RecordPlace;
  /** Messages of the thread that came before it. */
  readonly atMessage: number;
  readonly what: CompactionKind;
  /** As the agent names it (auto, manual, …); undefined = not stated. */
  readonly trigger: string | undefined;
  /** Tokens in context before and after; undefined = not stated. After it the next call's usage tells. */
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
  /** Tokens that it took out of the context; undefined = not stated. */
  readonly tokensFreed: number | undefined;
  /** all: every message before it in its thread left, system prompts only if listed · listed: only `gone` did · unstated: the transcript does not say. */
  readonly scope: "all" | "listed" | "unstated";
  /** Ids of the tool calls whose results were cleared, where the transcript names them. */
  readonly clearedCallIds: readonly string[];
  readonly gone: {
    readonly messages: readonly Message[];
    /** Indexes of results. */
    readonly results: readonly number[];
  };
}
