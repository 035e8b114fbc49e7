/** What a cell may hold; null is written as nothing, never as 0. */
export type CsvCell = string | number | null;

/**
 * A table as RFC 4180 has it: rows end in CR LF, cells with commas, quotes or line ends stand in quotes. A text that a
 * spreadsheet would run as a formula gets an apostrophe before it (OWASP, "CSV Injection"); numbers stay numbers.
 */
export function csvTable(columns: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [columns.map(csvCell).join(",")];
  for (const row of rows) lines.push(row.map(csvCell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

/**
 * Lines that say where a table comes from: `# name: text`. Nothing in them ends a line or opens a quote, so that readers which
 * know no comments see cells like any other.
 */
export function csvComments(facts: readonly (readonly [string, string])[]): string {
  return facts.map(([name, text]) => `# ${name}: ${inLine(text)}\r\n`).join("");
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  const safe = RUNS_AS_FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** Also after blanks, which spreadsheets drop, and in the wide forms that East Asian ones take for the same. */
const RUNS_AS_FORMULA = /^[\s\u0000-\u001f\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function inLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").replace(/"/g, "'");
}
