import { html, type TemplateResult } from "lit";
import { charsOf, fullOf, type ResultRow, type SortKey, tokensOf } from "../../../extension/src/core/model/rowQuery";
import { type Format, UNKNOWN } from "../format";
import { strings } from "../strings";
import type { IconName } from "../styles/codicons";
import { visibleLine } from "../visibleText";
import { icon } from "./icon";
import { fileMarks, stateMarks } from "./marks";
import { middleTruncated } from "./text";

export interface Column {
  readonly key: SortKey;
  readonly numeric: boolean;
  cell(row: ResultRow, format: Format): { readonly content: TemplateResult | string; readonly tip: string };
}

function number(value: string, tip = ""): { readonly content: string; readonly tip: string } {
  return { content: value, tip };
}

/** What no column says of a result; each has a picture and a word. */
function flagsOf(
  row: ResultRow,
): readonly { readonly icon: IconName; readonly tone: string; readonly word: string; readonly tip?: string }[] {
  return [
    ...(row.leftLine === null
      ? []
      : [{ icon: "sign-out", tone: "quiet", word: strings.table.left, tip: strings.table.leftTip } as const]),
    ...(row.isError ? [{ icon: "error", tone: "error", word: strings.table.error } as const] : []),
    ...(row.orphan ? [{ icon: "question", tone: "warning", word: strings.table.orphan } as const] : []),
    ...(row.images > 0
      ? [{ icon: "file-media", tone: "quiet", word: strings.table.images(String(row.images)) } as const]
      : []),
  ];
}

/** In the order shown. The styles drop columns by key where the table is narrow. */
export const columns: readonly Column[] = [
  { key: "turn", numeric: true, cell: (row, format) => number(format.count(row.turn)) },
  { key: "call", numeric: true, cell: (row, format) => number(format.count(row.call)) },
  {
    key: "tool",
    numeric: false,
    cell: (row) => {
      const name = row.tool === null ? strings.table.noTool : visibleLine(row.tool);
      const flags = flagsOf(row);
      return {
        content: html`<span class="ellipsis">${name}</span>${flags.map(
          (flag) => html`${icon(flag.icon, { tone: flag.tone })}<span class="hidden-text">${flag.word}</span>`,
        )}`,
        tip: [name, ...flags.map((flag) => flag.tip ?? flag.word)].join(" · "),
      };
    },
  },
  {
    key: "state",
    numeric: false,
    cell: (row) => {
      const mark = stateMarks[row.state];
      const { word, tip } = strings.states[row.state];
      return {
        content: html`${icon(mark.icon, { tone: mark.tone })}<span class="ellipsis">${word}</span>`,
        tip: `${word}: ${tip}`,
      };
    },
  },
  { key: "chars", numeric: true, cell: (row, format) => number(format.count(charsOf(row))) },
  {
    key: "tokens",
    numeric: true,
    cell: (row, format) => {
      const tokens = tokensOf(row);
      return number(format.short(tokens), tokens === null ? "" : strings.table.tokensTip(format.count(tokens)));
    },
  },
  {
    key: "full",
    numeric: true,
    cell: (row, format) => {
      const rounded = row.statedRounded && row.statedChars !== null;
      return number(`${rounded ? "≈ " : ""}${format.count(fullOf(row))}`, rounded ? strings.table.roundedTip : "");
    },
  },
  {
    key: "where",
    numeric: false,
    cell: (row) => {
      const where = row.path ?? row.handle;
      return where === null ? { content: UNKNOWN, tip: "" } : { content: middleTruncated(where), tip: "" };
    },
  },
  {
    key: "file",
    numeric: false,
    cell: (row) => {
      const { word, tip } = strings.files[row.file];
      if (row.file === "none") {
        return { content: word, tip };
      }
      const mark = fileMarks[row.file];
      return {
        content: html`${icon(mark.icon, { tone: mark.tone })}<span class="ellipsis">${word}</span>`,
        tip: `${word}: ${tip}`,
      };
    },
  },
];
