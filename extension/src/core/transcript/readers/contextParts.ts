import type { Message, RecordPlace } from "../../model/transcript";
import type { CompactionFacts, ThreadState, TranscriptBuilder } from "../builder";

/** Messages and results that came in under one id and may leave the context together. */
export interface ContextPart {
  readonly id: string;
  readonly messages: Message[];
  /** Indexes of results. */
  readonly results: number[];
}

/** What is in context, by the agent's own ids, for formats whose compactions keep a tail or name what they drop. */
export class ContextParts {
  private parts: ContextPart[] = [];

  add(id: string): ContextPart {
    const part: ContextPart = { id, messages: [], results: [] };
    this.parts.push(part);
    return part;
  }

  /** Everything up to the id, that one included; undefined when there is no such id. */
  upTo(id: string): readonly ContextPart[] | undefined {
    const at = this.parts.findLastIndex((part) => part.id === id);
    return at < 0 ? undefined : this.parts.slice(0, at + 1);
  }

  /** Everything before the id; undefined when there is no such id. */
  before(id: string): readonly ContextPart[] | undefined {
    const at = this.parts.findIndex((part) => part.id === id);
    return at < 0 ? undefined : this.parts.slice(0, at);
  }

  /** Everything behind the id, that one included where `whole`; undefined when there is no such id. */
  from(id: string, whole: boolean): readonly ContextPart[] | undefined {
    const at = this.parts.findIndex((part) => part.id === id);
    return at < 0 ? undefined : this.parts.slice(whole ? at : at + 1);
  }

  /** Those whose id passes. */
  where(test: (id: string) => boolean): readonly ContextPart[] {
    return this.parts.filter((part) => test(part.id));
  }

  /** Everything left, and that was told already. */
  clear(): void {
    this.parts = [];
  }

  /** Tells that these parts left the context; undefined: everything did. */
  leave(
    builder: TranscriptBuilder,
    state: ThreadState,
    place: RecordPlace,
    gone: readonly ContextPart[] | undefined,
    facts: Omit<CompactionFacts, "messages" | "results" | "scope">,
  ): void {
    if (gone === undefined) {
      this.parts = [];
      builder.compaction(state, place, { ...facts, scope: "all" });
      return;
    }
    const left = new Set(gone);
    this.parts = this.parts.filter((part) => !left.has(part));
    builder.compaction(state, place, {
      ...facts,
      scope: "listed",
      messages: gone.flatMap((part) => part.messages),
      results: gone.flatMap((part) => part.results),
    });
  }
}
