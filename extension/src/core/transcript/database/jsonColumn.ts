import type { BodyRef } from "../../model/transcript";
import { isObject, type JsonObject } from "../json";
import type { ProblemLog } from "../problems";
import { plural } from "../problems";
import type { Outbox, RowObject } from "./access";

/** The object in a JSON column; a row whose column holds none is told and left out. */
export function jsonColumn(row: RowObject, column: string, problems: ProblemLog): JsonObject | undefined {
  const text = row.value[column];
  const value = typeof text === "string" ? parse(text) : undefined;
  if (isObject(value)) return value;
  const say = (count: number, names: string) =>
    `${plural(count, "row")} whose column ${names} holds no JSON object, left out; every other row is read.`;
  problems.tally("bad-record", "error", row.place, say, `${row.place.row?.table ?? ""}.${column}`);
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // SyntaxError for bad JSON, RangeError for nesting that the engine does not bear; the caller says so.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Moves the places of results that were just told to where their text lies in the database. */
export function relocate(out: Outbox, told: number, move: (ref: BodyRef) => BodyRef): void {
  out.change(told, (event) => {
    if (event.kind !== "result") return event;
    const { result } = event;
    const body = result.body === undefined ? undefined : move(result.body);
    const fullText = result.fullText === undefined ? undefined : move(result.fullText);
    return { kind: "result", result: { ...result, body, fullText, place: body?.place ?? result.place } };
  });
}
