/** One `${…}` of a text: UTF-16 offsets, braces included, and what stands between them. */
export interface PlaceholderRun {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/**
 * What the agent's expression `\$\{([^}]+)\}` finds, from left to right (`hermes_cli/config.py` @00067189). Found by a walk, because
 * the expression takes quadratic time on a text with many openings and no end.
 */
export function placeholderRuns(text: string): readonly PlaceholderRun[] {
  const runs: PlaceholderRun[] = [];
  for (let start = text.indexOf("${"); start >= 0; ) {
    const close = text.indexOf("}", start + 2);
    if (close < 0) break;
    const isEmpty = close === start + 2;
    if (!isEmpty) runs.push({ start, end: close + 1, body: text.slice(start + 2, close) });
    start = text.indexOf("${", close + 1);
  }
  return runs;
}

/** The text with all of them taken out. */
export function withoutPlaceholders(text: string, runs: readonly PlaceholderRun[]): string {
  let out = "";
  let done = 0;
  for (const { start, end } of runs) {
    out += text.slice(done, start);
    done = end;
  }
  return out + text.slice(done);
}
