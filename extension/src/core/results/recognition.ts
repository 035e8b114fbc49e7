import type { AgentId, CharUnit, PersistedInfo, ResultState } from "../model/transcript";
import { MARKERS, type VariantId } from "./markers";

/** What is known about a result before its text is looked at. */
export interface RecogniseContext {
  readonly agent: AgentId;
  readonly tool: string | undefined;
}

/** Which form a result has. `persisted` is set for the states persisted, truncated and handle only. */
export interface Recognition {
  readonly state: ResultState;
  readonly persisted: PersistedInfo | undefined;
  /** Which notice or placeholder it is; undefined when inline. */
  readonly variant: VariantId | undefined;
}

/** Part of a result's text: half-open range of UTF-16 offsets. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** What a notice says; everything left out is unknown. `hasMore` is true unless stated otherwise. */
export interface NoticeFacts {
  readonly unit: CharUnit;
  readonly stated?: number | undefined;
  readonly rounded?: boolean;
  readonly path?: string | undefined;
  readonly handle?: string;
  readonly nextOffset?: number;
  readonly preview?: Region;
  readonly hasMore?: boolean;
}

export const INLINE: Recognition = { state: "inline", persisted: undefined, variant: undefined };

/** A cleared, pruned or duplicate placeholder. */
export function placeholder(variant: VariantId): Recognition {
  return { state: MARKERS[variant].state, persisted: undefined, variant };
}

/** A notice that stands for a longer text. */
export function notice(variant: VariantId, facts: NoticeFacts): Recognition {
  const persisted: PersistedInfo = {
    variant,
    statedChars: facts.stated,
    statedRounded: facts.rounded ?? false,
    statedUnit: facts.unit,
    path: facts.path,
    handle: facts.handle,
    nextOffset: facts.nextOffset,
    preview: facts.preview,
    hasMore: facts.hasMore ?? true,
  };
  return { state: MARKERS[variant].state, persisted, variant };
}
