import type { TextRange } from "../model/problem";

/** Kind of Python exception: only a `yaml` one makes Hermes' newer loader ask its pure parser. */
export type RaiseKind = "yaml" | "python";

/**
 * Unwinds scanner, parser and constructor when the agent's loader would raise. It never leaves this folder:
 * `loadYaml` turns it into a Problem. A value would have to be passed through some fifty productions instead.
 */
export class YamlRaise extends Error {
  constructor(
    readonly code: string,
    /** What is wrong and what to do, without the line number. */
    readonly what: string,
    readonly range: TextRange,
    readonly kind: RaiseKind = "yaml",
  ) {
    super(what);
    this.name = "YamlRaise";
  }
}
