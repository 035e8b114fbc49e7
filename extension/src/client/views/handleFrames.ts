import type { HandlesAsked, MomentAsked } from "../../core/model/handlesPage";
import { HANDLE_USES } from "../../core/model/resultHandle";
import { HANDLE_PAGE } from "../../protocol/handles";

type Fields = Readonly<Record<string, unknown>>;

/** UTF-16 units of a thread's id. */
const MAX_ID = 4_096;

const count = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The body of the call `handles`, checked; undefined when it does not fit. */
export function handlesAsked(body: Fields): HandlesAsked | undefined {
  const { from, count: wanted } = body;
  const moment = momentOf(body["moment"]);
  const use = body["use"] === null ? null : HANDLE_USES.find((one) => one === body["use"]);
  if (moment === undefined || use === undefined || !count(from) || !count(wanted)) return undefined;
  return wanted <= HANDLE_PAGE.mostRows ? { moment, use, from, count: wanted } : undefined;
}

function momentOf(value: unknown): MomentAsked | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, thread, call } = value as Fields;
  if (kind === "now" || kind === "end") return { kind };
  if (kind !== "call" || !count(call)) return undefined;
  if (thread === null) return { kind, thread, call };
  return typeof thread === "string" && thread.length <= MAX_ID ? { kind, thread, call } : undefined;
}
