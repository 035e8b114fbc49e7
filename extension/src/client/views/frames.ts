import { err, ok, type Result } from "../../core/model/problem";
import { SEARCH_LIMITS } from "../../core/model/search";
import { type CallName, type Calls, type CopyWhat, type PageFrame, PROTOCOL_VERSION } from "../../protocol/webview";
import { handlesAsked } from "./handleFrames";
import { parseRowsAsked } from "./rowFrames";
import { WHATIF_BODIES } from "./whatIfBodies";

/** Why a frame was refused; `id` when the page can still be told which call it was. */
export interface BadFrame {
  readonly id: number | undefined;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Bodies = { readonly [M in CallName]: (body: Fields) => Calls[M]["in"] | undefined };

const COPY_WHAT: readonly CopyWhat[] = ["path", "handle", "preview", "callId"];

/** Longest id of a thread, UTF-16 units. */
const MAX_THREAD = 4_096;

const isThread = (value: unknown): value is string => typeof value === "string" && value.length <= MAX_THREAD;
const count = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** One guard per call: the body in its declared shape, without anything more, or undefined. */
const BODIES: Bodies = {
  ready: (body) => (count(body.version) ? { version: body.version } : undefined),
  overview: ({ thread }) => (thread === null || isThread(thread) ? { thread } : undefined),
  glance: () => ({}),
  search: (body) => {
    const query = isFields(body.query) ? body.query : {};
    const { text, regex, matchCase } = query;
    const flags = typeof regex === "boolean" && typeof matchCase === "boolean" ? { regex, matchCase } : undefined;
    return count(body.search) && flags !== undefined && typeof text === "string" && text.length <= SEARCH_LIMITS.query
      ? { search: body.search, query: { text, ...flags } }
      : undefined;
  },
  rows: parseRowsAsked,
  detail: (body) => (count(body.index) ? { index: body.index } : undefined),
  showSecret: ({ index, at, units }) => (count(index) && count(at) && count(units) ? { index, at, units } : undefined),
  showOutputSecret: ({ index, at }) => (count(index) && count(at) ? { index, at } : undefined),
  outputPage: (body) =>
    count(body.index) && count(body.offset) ? { index: body.index, offset: body.offset } : undefined,
  handles: handlesAsked,
  openFull: (body) => (count(body.index) ? { index: body.index } : undefined),
  reveal: (body) => (count(body.line) ? { line: body.line } : undefined),
  copy: (body) => {
    const what = COPY_WHAT.find((one) => one === body.what);
    return count(body.index) && what ? { index: body.index, what } : undefined;
  },
  rebase: () => ({}),
  cancelReading: () => ({}),
  reload: () => ({}),
  ...WHATIF_BODIES,
};

/** A frame from the page, checked. The page shows text from a transcript, so nothing from it is believed. */
export function parsePageFrame(raw: unknown): Result<PageFrame, BadFrame> {
  if (!isFields(raw)) return err({ id: undefined, message: "The message is not an object." });
  const id = count(raw.id) ? raw.id : undefined;
  if (raw.v !== PROTOCOL_VERSION) {
    return err({ id, message: `The message has version ${shown(raw.v)}; this side speaks ${PROTOCOL_VERSION}.` });
  }
  if (id === undefined) return err({ id, message: "The message has no id." });
  if (raw.t === "cancel") return ok({ v: PROTOCOL_VERSION, id, t: "cancel" });
  if (raw.t !== "call") return err({ id, message: `The message type ${shown(raw.t)} is not known.` });
  const name = raw.m;
  if (!isCallName(name)) return err({ id, message: `The call ${shown(name)} is not known.` });
  return ok({ v: PROTOCOL_VERSION, id, t: "call", m: name, body: raw.body });
}

/** The body of a call, checked. */
export function parseBody<M extends CallName>(name: M, body: unknown): Result<Calls[M]["in"], string> {
  const checked = isFields(body) ? BODIES[name](body) : undefined;
  return checked === undefined ? err(`The call ${name} came with a body of the wrong shape.`) : ok(checked);
}

function isCallName(value: unknown): value is CallName {
  return typeof value === "string" && Object.hasOwn(BODIES, value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as it may stand in a log line: short, and one line. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  // Anything larger would have to be written out first, and some of it cannot be.
  return typeof value === "object" && value !== null ? "[object]" : String(value).slice(0, 60);
}
