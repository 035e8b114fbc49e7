import { err, ok, type Problem, type Result } from "../../model/problem";
import type { BodyRef, RecordPlace } from "../../model/transcript";
import type { Database, SqlValue, Utf8 } from "../../ports";
import { isVirtualStep, walkPath } from "../bodyPath";
import { flatten } from "../flatten";
import { Texts } from "../json";
import { databaseProblem } from "./problems";

/** Bytes of a BLOB that a description shows. */
const SHOWN_BLOB_BYTES = 64;

/** The text behind a reference into a database: exactly what was measured for it. Images are counted, not returned. */
export function readRowBody(
  database: Database,
  ref: BodyRef,
  ports: { readonly utf8: Utf8 },
): Result<{ readonly text: string; readonly images: number }> {
  const [column, ...rest] = ref.path;
  const texts = new Texts("exact", ports.utf8);
  if (typeof column !== "string") return err(changed(database, ref.place));
  let stored: unknown;
  let path = ref.path;
  if (!isVirtualStep(column)) {
    const row = valuesOf(database, ref.place, [column]);
    if (!row.ok) return row;
    const cell = row.value[0]?.[1] ?? null;
    const text = cell instanceof Uint8Array ? ports.utf8.decode(cell).text : cell;
    // Steps below a column walk into the JSON that its text holds, but for those that work on the text itself.
    const parsed = rest.length === 0 || isVirtualStep(rest[0]) ? { value: text } : parse(text);
    if (parsed === undefined) return err(changed(database, ref.place));
    stored = parsed.value;
    path = rest;
  }
  const walked = walkPath(stored, path, texts);
  const flat = flatten(walked.value, walked.texts);
  return ok({ text: flat.parts.map((part) => walked.texts.decode(part)).join(""), images: flat.images });
}

/**
 * A row for people: JSON with every column in the order of the table; JSON texts unfolded, a BLOB as its beginning in
 * hexadecimal digits.
 */
export function describeRow(database: Database, place: RecordPlace, ports: { readonly utf8: Utf8 }): Result<string> {
  const row = valuesOf(database, place, undefined);
  if (!row.ok) return row;
  const shown = row.value.map(([column, value]) => [column, shownValue(value, ports.utf8)] as const);
  return ok(`${JSON.stringify(Object.fromEntries(shown), undefined, 2)}\n`);
}

function valuesOf(
  database: Database,
  place: RecordPlace,
  columns: readonly string[] | undefined,
): Result<readonly (readonly [string, SqlValue])[]> {
  const table = place.row?.table ?? "";
  try {
    const known = database.tables().find((each) => each.name === table);
    if (known === undefined) return err(changed(database, place));
    const wanted = columns ?? known.columns;
    if (wanted.some((column) => !known.columns.includes(column))) return err(changed(database, place));
    for (const row of database.rows({ table, columns: wanted, where: { rowid: place.row?.id ?? place.line } })) {
      return ok(wanted.map((column, i) => [column, row.values[i] ?? null] as const));
    }
    return err(changed(database, place));
  } catch (error) {
    return err(databaseProblem(database.path, error, `table ${table} at row ${place.line}`));
  }
}

function changed(database: Database, place: RecordPlace): Problem {
  const message = `${database.path} has changed since it was read: row ${place.line} of table ${place.row?.table ?? "?"} is not there any more. Reload it.`;
  return { code: "transcript-changed", severity: "error", message, at: place };
}

/** Structured content in a text column stands behind this prefix (hermes_state_messages.py @01e8a2d0). */
const HERMES_JSON = "\u0000json:";

function shownValue(value: SqlValue, utf8: Utf8): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) {
    const head = [...value.subarray(0, SHOWN_BLOB_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const { text, valid } = utf8.decode(value);
    return valid && !text.includes("\u0000") ? text : { bytes: value.length, hex: head };
  }
  if (typeof value !== "string") return value;
  const json = value.startsWith(HERMES_JSON) ? value.slice(HERMES_JSON.length) : value;
  return /^\s*[[{]/.test(json) ? (parse(json)?.value ?? value) : value;
}

function parse(text: unknown): { readonly value: unknown } | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
