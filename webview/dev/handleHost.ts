import type { HandleRow, HandlesAsked, HandlesPage, ResultAt } from "../../extension/src/core/model/handlesPage";
import { HANDLE_USES, type HandleUse } from "../../extension/src/core/model/resultHandle";
import type { ResultRow } from "../../extension/src/core/model/rowQuery";
import { countUses } from "../../extension/src/core/results/handles/handle";
import { pageAround, pageStarts } from "../../extension/src/core/results/store/pages";
import type { OutputPage } from "../../extension/src/protocol/webview";
import { MASK, MASKED_ROW, SECRET } from "./recordings";

const START = Date.UTC(2026, 7, 14, 8);
const MINUTE = 60_000;

/** The host's side of handles and pages: made up from the rows, the same in every run. */
export class HandleHost {
  readonly #texts = new Map<number, string>();

  /** A long text with characters of two units at the edges of pages. */
  textOf(row: ResultRow): string {
    const known = this.#texts.get(row.index);
    if (known !== undefined) return known;
    const line = `result ${row.index} of ${row.tool ?? "a tool"}, line `;
    const lines = Array.from({ length: 1_400 }, (_, at) => `${line}${at + 1} 😀`);
    if (row.index === MASKED_ROW) lines[2] = `token ${MASK} in a page`;
    const text = lines.join("\n");
    this.#texts.set(row.index, text);
    return text;
  }

  page(row: ResultRow | undefined, offset: number): OutputPage | null {
    if (row === undefined) return null;
    const text = this.textOf(row);
    const page = pageAround(text, pageStarts(text), offset);
    const sign = page.text.indexOf(MASK);
    const mask = { start: sign, end: sign + MASK.length, at: page.offset + sign, units: SECRET.length, kind: "github" };
    const valid = row.index % 2 === 0;
    return {
      index: row.index,
      ...page,
      length: text.length,
      masked: !valid || sign >= 0,
      masks: sign < 0 ? [] : [mask],
      valid,
    };
  }

  handles(rows: readonly ResultRow[], { moment, use, from, count }: HandlesAsked): HandlesPage {
    const left = rows.filter(
      ({ state, path, handle }) => (state === "persisted" || state === "handle") && (path ?? handle) !== null,
    );
    const all = left.map((row, at) => handleRow(rows, row, at, moment.kind === "now"));
    const shown = all.filter((row) => use === null || row.use === use);
    const last = rows.reduce((most, { call }) => Math.max(most, call ?? 0), 1);
    return {
      counts: countUses(all),
      total: shown.length,
      from: Math.min(from, shown.length),
      rows: shown.slice(from, from + count),
      omitted: 0,
      at: moment.kind === "now" ? START + 9 * 24 * 60 * MINUTE : START + 200 * MINUTE,
      calls:
        moment.kind === "call"
          ? { thread: moment.thread ?? "main", count: last, call: Math.min(moment.call, last) }
          : null,
    };
  }
}

function useOf(at: number): HandleUse {
  return HANDLE_USES[[0, 0, 1, 0, 2, 0, 3][at % 7] ?? 0] ?? "never";
}

function handleRow(rows: readonly ResultRow[], row: ResultRow, at: number, now: boolean): HandleRow {
  const use = useOf(at);
  const isFile = row.handle === null;
  const later = rows.slice(row.index + 1, row.index + 3).map(placeOf);
  const there = row.file === "ok";
  return {
    ...placeOf(row),
    thread: row.thread,
    kind: isFile ? "file" : "store",
    name: row.path ?? row.handle ?? "",
    chars: row.chars,
    statedChars: row.statedChars,
    statedRounded: row.statedRounded,
    keptUnits: isFile ? null : [16_000, 131_072],
    copies: at % 5 === 4 ? 2 : 0,
    savedAt: START + at * MINUTE,
    timeFrom: at % 4 === 3 ? "call" : "record",
    endAt: START + 200 * MINUTE,
    readable: now ? (isFile ? (there ? "yes" : "no") : "no") : at % 6 === 5 ? "unknown" : "yes",
    why: now
      ? isFile
        ? there
          ? "file-there"
          : row.file === "outside" || row.file === "not-checked"
            ? "file-unchecked"
            : "file-gone"
        : "expired"
      : at % 6 === 5
        ? "sizes"
        : isFile
          ? "kept-by-rule"
          : "kept",
    until: START + at * MINUTE + (isFile ? 24 : 1) * 60 * MINUTE,
    file: isFile ? row.file : "none",
    use,
    reads:
      use === "read"
        ? later.map((place, one) => ({
            ...place,
            way: isFile ? "file" : "id",
            part: isFile
              ? { unit: "lines", from: 1 + one * 200, to: one === 0 ? 201 : null }
              : { unit: "utf16", from: 16_000 * (one + 1), to: 16_000 * (one + 2) },
            outcome: one === 0 ? "read" : "refused",
            chars: one === 0 ? 12_345 : 80,
            at: START + (at + 5) * MINUTE,
          }))
        : [],
    readCount: use === "read" ? later.length : 0,
    readWell: use === "read" ? 1 : 0,
    lastReadAt: use === "read" ? START + (at + 5) * MINUTE : null,
    repeats: use === "repeated" ? later : [],
    repeatCount: use === "repeated" ? later.length + 3 : 0,
    maybe: use === "unknown" ? later.slice(0, 1) : [],
    maybeCount: use === "unknown" ? Math.min(1, later.length) : 0,
    unknownCalls: use === "unknown" ? 2 : 0,
  };
}

function placeOf({ index, line, tool, turn, call }: ResultRow): ResultAt {
  return { row: index, line, tool, turn, call };
}
