import { NO_FILTER, type RowsRequest } from "../../core/model/rowQuery";
import type { ResultState } from "../../core/model/transcript";
import { labelText } from "../../core/util/labelText";
import type { FileStatus, ResultRow } from "../../protocol/webview";
import type { Numbers } from "./numbers";

/** Results listed under one session in the tree; the inspector has all of them. */
export const MAX_LISTED = 200;

/** Words for the states, as everywhere else in the interface. */
export const STATE_WORDS: Readonly<Record<ResultState, string>> = {
  inline: "inline",
  persisted: "persisted",
  truncated: "truncated",
  handle: "handle",
  cleared: "cleared",
  pruned: "pruned",
  duplicate: "duplicate",
  missing: "no result",
};

/** Icons of VS Code's own set for the states. */
export const STATE_ICONS: Readonly<Record<ResultState, string>> = {
  inline: "list-selection",
  persisted: "archive",
  truncated: "screen-cut",
  handle: "link",
  cleared: "eraser",
  pruned: "screen-cut",
  duplicate: "copy",
  missing: "question",
};

/** Words for what became of a spill file; empty where there is nothing to say. */
export const FILE_WORDS: Readonly<Record<FileStatus, string>> = {
  none: "",
  "not-checked": "",
  ok: "file there",
  "size-differs": "file differs in size",
  "preview-differs": "file differs from preview",
  expired: "file expired",
  missing: "file gone",
  "other-machine": "file on another machine",
  sandbox: "file in a sandbox",
  outside: "file outside known folders",
  unreadable: "file unreadable",
};

/** True where the file behind a result cannot be shown. */
export function isFileLost(status: FileStatus): boolean {
  return ["expired", "missing", "other-machine", "sandbox", "unreadable"].includes(status);
}

/** Asks for the results whose text was taken out of context: what the tree lists, in the order of the transcript. */
export const TAKEN_OUT: RowsRequest = {
  query: { filter: { ...NO_FILTER, states: ["persisted", "handle", "truncated"] }, sort: null, within: null },
  from: 0,
  count: MAX_LISTED,
  around: null,
  find: [],
  summary: false,
};

/** `terminal · turn 5` */
export function resultLabel(row: ResultRow): string {
  const tool = row.tool === null ? "unknown tool" : labelText(row.tool);
  return row.turn === null ? tool : `${tool} · turn ${row.turn}`;
}

/** `112,480 chars · persisted`, or `· file gone`: the size of the full text where it is stated, else of what is left. */
export function resultDescription(row: ResultRow, numbers: Numbers): string {
  const stated = row.statedChars;
  const size =
    stated === null ? numbers.chars(row.chars) : `${row.statedRounded ? "about " : ""}${numbers.chars(stated)}`;
  const trouble = isFileLost(row.file) || row.file === "outside" || row.file.endsWith("differs");
  return `${size} · ${trouble ? FILE_WORDS[row.file] : STATE_WORDS[row.state]}`;
}

/** A session's name in a narrow tree: ids of random digits are cut to what people tell them apart by. */
export function shortLabel(label: string): string {
  return label.replace(/^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=$|[. ])/, "$1…");
}

/** What the tree's menus test: which things this row can do. */
export function resultContext(row: ResultRow): string {
  const parts = ["result", row.state];
  if (row.path !== null) parts.push("path");
  if (row.handle !== null) parts.push("handle");
  if (row.path !== null && !isFileLost(row.file)) parts.push("full");
  return parts.join(" ");
}
