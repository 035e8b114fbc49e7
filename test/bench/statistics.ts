export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Value below which the given share of the sorted values lies (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("no values to take a percentile of");
  return value;
}

export function spread(values: readonly number[]): Spread {
  return {
    min: percentile(values, 0),
    median: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    max: percentile(values, 1),
  };
}

/** Prints rows as an aligned table; the first row is the heading, and all columns but the first are right-aligned. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join("  ")}`.trimEnd());
  }
}

/** One checked goal of the bench. */
export interface Verdict {
  readonly goal: string;
  readonly measured: string;
  readonly met: boolean;
}
