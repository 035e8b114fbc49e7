import type { FileAccess, FileSource, Utf8 } from "../../core/ports";
import { SECRET_SLACK_UNITS } from "../../core/secrets/mask";

/** Files up to this many bytes open as one document; above, an editor gets slow and page by page is kinder. */
export const WHOLE_FILE_BYTES = 5 * 1024 * 1024;
/** Nominal bytes of one page of a larger file. */
export const PAGE_BYTES = 2 * 1024 * 1024;
/** How far after the nominal end a line end is looked for, in bytes, so that pages do not cut lines. */
const LINE_SEARCH_BYTES = 64 * 1024;

const LINE_FEED = 0x0a;

/** Part of a text, 0-based page; `start` and `end` are half-open, in the unit of `total`. */
export interface Page {
  readonly text: string;
  /** What stands right before and behind the page, so that a secret across its ends is found. */
  readonly before: string;
  readonly after: string;
  readonly page: number;
  readonly pages: number;
  readonly start: number;
  readonly end: number;
  readonly total: number;
  readonly unit: "bytes" | "chars";
  /** False when bytes were not UTF-8 and stand as U+FFFD. */
  readonly valid: boolean;
}

/** How many pages a text of so many units (bytes or UTF-16) has; the last page is never shorter than half a page. */
export function pageCount(total: number): number {
  return total <= WHOLE_FILE_BYTES ? 1 : Math.round(total / PAGE_BYTES);
}

/** One page of a file. A page number outside is moved to the nearest page. */
export async function filePage(source: FileSource, utf8: Utf8, wanted: number): Promise<Page> {
  const pages = pageCount(source.bytes);
  const page = clamp(wanted, pages);
  const start = await byteBoundary(source, page, pages);
  const end = await byteBoundary(source, page + 1, pages);
  // Secrets are ASCII: a byte is a unit.
  const first = Math.max(0, start - SECRET_SLACK_UNITS);
  const bytes = await source.read(first, Math.min(source.bytes, end + SECRET_SLACK_UNITS));
  const { text, valid } = utf8.decode(bytes.subarray(start - first, end - first));
  const before = utf8.decode(bytes.subarray(0, start - first)).text;
  const after = utf8.decode(bytes.subarray(end - first)).text;
  return { text, before, after, page, pages, start, end, total: source.bytes, unit: "bytes", valid };
}

/** A file as somebody agreed to see it. */
export interface ApprovedFile {
  readonly path: string;
  /** Where the path led then. */
  readonly realPath: string;
  /** `FileStat.identity` then. */
  readonly identity?: string | undefined;
}

/** One page of the very file that was approved; a sentence why not when anything else lies there by now. */
export async function approvedPage(
  { path, realPath, identity }: ApprovedFile,
  { files, utf8 }: { readonly files: FileAccess; readonly utf8: Utf8 },
  wanted: number,
): Promise<Page | string> {
  const stat = await files.stat(path);
  if (stat.kind === "missing") return `${path} is not there any more.`;
  if (stat.kind === "unreadable") return `${path} cannot be read: ${stat.reason}`;
  if (stat.kind !== "file") return `${path} is not a file.`;
  if (stat.realPath !== realPath) {
    return `${path} leads somewhere else now (${stat.realPath}). Open the output again to look at that.`;
  }
  if (identity !== undefined && stat.identity !== identity) {
    return `Another file lies at ${path} now. Open the output again to look at that.`;
  }
  return filePage(await files.open(realPath, { identity }), utf8, wanted);
}

/** The half-open byte range of a source, as a source of its own. */
export function rangeOf(source: FileSource, start: number, end: number): FileSource {
  const from = Math.min(start, source.bytes);
  const bytes = Math.max(0, Math.min(end, source.bytes) - from);
  return {
    path: source.path,
    bytes,
    read: (first, last) => source.read(from + Math.min(first, bytes), from + Math.min(last, bytes)),
  };
}

/** One page of a text that is already in memory; offsets are UTF-16 units. */
export function textPage(text: string, wanted: number): Page {
  const pages = pageCount(text.length);
  const page = clamp(wanted, pages);
  const start = unitBoundary(text, page, pages);
  const end = unitBoundary(text, page + 1, pages);
  const before = text.slice(Math.max(0, start - SECRET_SLACK_UNITS), start);
  const after = text.slice(end, end + SECRET_SLACK_UNITS);
  const part = { text: text.slice(start, end), before, after };
  return { ...part, page, pages, start, end, total: text.length, unit: "chars", valid: true };
}

function clamp(page: number, pages: number): number {
  return Number.isSafeInteger(page) ? Math.min(Math.max(page, 0), pages - 1) : 0;
}

/** Where page `page` begins: after the first line end behind the nominal place, else at the next whole character. */
async function byteBoundary(source: FileSource, page: number, pages: number): Promise<number> {
  if (page <= 0) return 0;
  if (page >= pages) return source.bytes;
  const nominal = page * PAGE_BYTES;
  const bytes = await source.read(nominal, Math.min(source.bytes, nominal + LINE_SEARCH_BYTES));
  const lineEnd = bytes.indexOf(LINE_FEED);
  if (lineEnd >= 0) return nominal + lineEnd + 1;
  let skipped = 0;
  // At most three continuation bytes (10xxxxxx) belong to a character that began before.
  while (skipped < 3 && ((bytes[skipped] ?? 0) & 0xc0) === 0x80) skipped++;
  return nominal + skipped;
}

function unitBoundary(text: string, page: number, pages: number): number {
  if (page <= 0) return 0;
  if (page >= pages) return text.length;
  const nominal = page * PAGE_BYTES;
  const lineEnd = text.indexOf("\n", nominal);
  if (lineEnd >= 0 && lineEnd - nominal < LINE_SEARCH_BYTES) return lineEnd + 1;
  const unit = text.charCodeAt(nominal);
  const splitsPair = unit >= 0xdc00 && unit <= 0xdfff;
  return splitsPair ? nominal + 1 : nominal;
}

/** Title of a page's document: the name, and which page it is when there are several. */
export function pageTitle(name: string, page: number, pages: number): string {
  const safe = plainName(name);
  return pages > 1 ? `${safe} (page ${page + 1} of ${pages})` : safe;
}

/** A name as it may stand in a tab: one line, without separators, bounded. */
export function plainName(name: string): string {
  const cleaned = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029/\\?#]+/gu, "_").slice(0, 100);
  return cleaned.trim() === "" ? "output" : cleaned;
}
