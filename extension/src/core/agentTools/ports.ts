import type { Policy } from "../model/policy";
import type { Result } from "../model/problem";
import type { ResultState, Thread } from "../model/transcript";
import type { Cancel, Clock, SecretFinder } from "../ports";

/** Who calls. */
export interface AgentCaller {
  /** Chat session, or another name for one conversation: what it saved nobody else can read. */
  readonly session: string;
  /**
   * Full path of a file that the user has seen in a question and agreed to, as `AgentTools.fileOf` gives it. Where it leads elsewhere
   * through a link the call is refused with the path to which it leads, so that people see what is read.
   */
  readonly confirmed?: string;
}

/** Why something cannot be given: one or two sentences that name the file and what to do next. A `Problem` is one. */
export interface Refusal {
  readonly message: string;
}

export type Answered<T> = Result<T, Refusal>;

/** A session as discovery found it. */
export interface ListedSession {
  /** Full path. */
  readonly transcript: string;
  /** Id of the agent that wrote it: by its home, in open folders by its content; null: that does not tell. */
  readonly agent: string | null;
  /** Null: not stated, or not read yet. */
  readonly title: string | null;
  readonly project: string | null;
  readonly model: string | null;
  readonly bytes: number;
  /** When the file was last written, milliseconds since the epoch. */
  readonly modifiedMs: number;
  /** Tokens in context at the newest call, as the transcript states; null: not stated. */
  readonly contextTokens: number | null;
  /** One file that holds many sessions. */
  readonly isDatabase: boolean;
}

export interface SessionsAsked {
  /** Id of an agent; undefined: all. */
  readonly agent: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface SessionsPage {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  /** Sessions that there are, this page or not. */
  readonly total: number;
  /** What keeps this list from being complete, one sentence each: folders that cannot be listed, bounds, a search still under way. */
  readonly notes: readonly string[];
}

export interface ListedResult {
  /** Number of the result, 0-based over the whole transcript. */
  readonly result: number;
  readonly thread: string;
  readonly turn: number | null;
  readonly tool: string | null;
  readonly state: ResultState;
  /** Characters that stand in context, in the transcript's unit; null: no result came. */
  readonly chars: number | null;
  /** Estimate: characters ÷ 4, rounded up. */
  readonly tokens: number | null;
  /** Characters of the full text, as stated or as counted; null: unknown. */
  readonly fullChars: number | null;
  /** `fullChars` was rounded by who stated it. */
  readonly isRounded: boolean;
  readonly isError: boolean;
  /** 1-based line in the transcript. */
  readonly line: number;
  /** A compaction took it out of context. */
  readonly left: boolean;
  /** File that the notice names, as written there. */
  readonly path: string | null;
  readonly handle: string | null;
  /** What `readResult` can give: all of the tool's output, the part that stands in the transcript, or nothing. */
  readonly readable: "all" | "part" | "nothing";
}

export interface ResultsAsked {
  readonly thread: string | undefined;
  readonly states: readonly ResultState[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface ResultsPage {
  /** In the order of the transcript. */
  readonly results: readonly ListedResult[];
  /** Results that pass the filter. */
  readonly total: number;
  /** Results of the transcript. */
  readonly all: number;
  /** How many results of the thread asked for, else of the transcript, are in each state. */
  readonly states: readonly (readonly [ResultState, number])[];
  /** Threads of the transcript. */
  readonly threads: number;
  /** Unit of `chars`: of the transcript's own program. */
  readonly unit: string;
  readonly agent: string;
  /** What is wrong with the transcript, one sentence each, and what keeps the list from being complete. */
  readonly notes: readonly string[];
}

export interface ListedThread {
  readonly thread: string;
  readonly title: string;
  readonly kind: Thread["kind"];
  /** Requests to the model. */
  readonly calls: number;
  readonly messages: number;
}

export interface ThreadsPage {
  /** The last one of the transcript first. */
  readonly threads: readonly ListedThread[];
  readonly total: number;
  readonly agent: string;
  readonly notes: readonly string[];
}

/** The text of a result, or what of it there is. */
export interface FullText {
  /** At most `maxUnits` UTF-16 units of it, from its beginning. */
  readonly text: string;
  /** There is more than `text`: it was longer than what was asked for. */
  readonly isCut: boolean;
  /** transcript: as it stands there · file: the agent's own file of the full text. */
  readonly from: "transcript" | "file";
  /** The file, links resolved; null for `transcript`. */
  readonly path: string | null;
  /**
   * This is all of the tool's output; false: only what is left of it, and `notes` say why and what to do; null: the file is there,
   * but differs from what its notice states.
   */
  readonly isFull: boolean | null;
  readonly tool: string | null;
  readonly state: ResultState;
  readonly isError: boolean;
  /** One sentence each. */
  readonly notes: readonly string[];
}

export interface ConfigAsked {
  /** Full path. */
  readonly config: string;
  readonly model: string | undefined;
  /** Tokens. */
  readonly contextWindow: number | undefined;
}

/** What a policy would have done. Tokens of a simulation are estimates. */
export interface SimulatedPolicy {
  readonly thread: string;
  readonly calls: number;
  readonly results: number;
  /** Results whose text could be read; the others count by their length. */
  readonly resultsRead: number;
  /** What the transcript states over all calls, tokens; null: it states nothing. */
  readonly measured: { readonly calls: number; readonly input: number; readonly cacheRead: number } | null;
  /** The model's window that was assumed, tokens; null: unknown. */
  readonly windowTokens: number | null;
  /** Tokens in every call that the transcript does not show, estimated. */
  readonly baseTokens: number;
  /** Estimated tokens over all calls. */
  readonly before: SimulatedSide;
  readonly after: SimulatedSide;
  /** Times that history was rewritten, so that cached tokens were lost. */
  readonly breaks: number;
  readonly cachedTokensLost: number;
  /** Calls after the first break until the saving outweighs the loss; null: not in this session. */
  readonly paysBackAfterCalls: number | null;
  readonly replaced: number;
  /** Results that were kept, by the reason; times that the policy did nothing, by the reason. */
  readonly kept: Readonly<Record<string, number>>;
  readonly idle: Readonly<Record<string, number>>;
  /** The results with the largest saving, the largest first. */
  readonly largest: readonly LargeSaving[];
  /** It was stopped or bounded on the way. */
  readonly isCapped: boolean;
  readonly notes: readonly string[];
}

/** Tokens. */
export interface SimulatedSide {
  readonly input: number;
  readonly cached: number;
  readonly uncached: number;
  /** Of the largest call. */
  readonly peak: number;
  /** Calls beyond the window; null: it is unknown. */
  readonly overWindow: number | null;
}

/** One result that the policy would have replaced. */
export interface LargeSaving {
  readonly result: number;
  readonly tool: string | null;
  readonly call: number;
  readonly action: string;
  /** Code points. */
  readonly charsBefore: number;
  readonly charsAfter: number;
  /** False: lengths are known, the texts are not. */
  readonly isExact: boolean;
  /** Code points that the calls would not have held, all together. */
  readonly charsSaved: number;
}

export interface SimulationAsked {
  readonly thread: string | undefined;
  readonly policy: Policy;
}

/**
 * What the tools need of the world. Texts are given as they are: secrets are taken out here, before anything is cut. Paths were
 * allowed by `mayRead` before they come back in.
 */
export interface AgentToolPorts {
  /**
   * Whether this caller may have this file read: discovery finds it, it lies in a folder that is open, or the user confirmed it;
   * and it is a regular file. Gives the path to use.
   */
  mayRead(path: string, what: "transcript" | "config", caller: AgentCaller, cancel: Cancel): Promise<Answered<string>>;
  listSessions(asked: SessionsAsked, cancel: Cancel): Promise<Answered<SessionsPage>>;
  listResults(transcript: string, asked: ResultsAsked, cancel: Cancel): Promise<Answered<ResultsPage>>;
  listThreads(
    transcript: string,
    asked: Pick<ResultsAsked, "offset" | "limit">,
    cancel: Cancel,
  ): Promise<Answered<ThreadsPage>>;
  readResult(transcript: string, result: number, maxUnits: number, cancel: Cancel): Promise<Answered<FullText>>;
  /** A Markdown document. */
  explainConfig(asked: ConfigAsked, cancel: Cancel): Promise<Answered<string>>;
  simulate(transcript: string, asked: SimulationAsked, cancel: Cancel): Promise<Answered<SimulatedPolicy>>;
  readonly finder: SecretFinder;
  readonly clock: Clock;
  /** A new id of `r-` and a UUID. */
  newId(): string;
  /** Calls `run` after a time unless disposed before. */
  after(ms: number, run: () => void): { dispose(): void };
  /** Hears of what failed unexpectedly; for a log. Holds no text of a transcript. */
  trouble(message: string, error?: unknown): void;
  dispose(): void;
}
