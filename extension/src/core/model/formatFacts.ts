/** yes: the format says it · partly: only in some versions or for some records · no: it cannot say it. */
export type Tells = "yes" | "partly" | "no";

/** What a format can tell. What it cannot is shown as unknown, never as 0. */
export interface FormatFacts {
  /** Input and output tokens of each call. */
  readonly usage: Tells;
  /** Tokens read from the prompt cache (and written to it, where providers have that). */
  readonly cache: Tells;
  /** Several threads: sub-agents, child sessions, runs. */
  readonly threads: Tells;
  /** When each call was made. */
  readonly times: Tells;
  /** Where the context was compacted, cleared or pruned. */
  readonly compaction: Tells;
  /** Turns of the conversation. */
  readonly turns: Tells;
  /** The texts of results, as the model got them. */
  readonly results: Tells;
  /** Why something is only partly or not told, in a few words; empty when there is nothing to explain. */
  readonly note: string;
}
