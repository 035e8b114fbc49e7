import type { Problem } from "../model/problem";

/** One request to the model as `agent.log` tells it. Tokens; undefined = not stated. */
export interface LoggedCall {
  /** Milliseconds since the epoch at which the answer was there. */
  readonly at: number;
  readonly latencyMs: number;
  /** Session: the line's own tag, else that of the turn it belongs to. */
  readonly thread: string | undefined;
  /** Counts per agent object, from 1; not unique. */
  readonly number: number;
  readonly model: string;
  /** Prompt tokens, cached ones included. */
  readonly input: number | undefined;
  /** 0 where the line has no `cache=` part. */
  readonly cached: number;
  readonly written: number | undefined;
  readonly output: number | undefined;
  /** Number of the thread's turn among those the log opens; 0 = before any turn line. */
  readonly turn: number;
  /** True when the log opens and closes turns of this thread and none was open: background work. */
  readonly outsideTurn: boolean;
}

/** A finished tool as `agent.log` tells it: its length is that before any persistence. Failed ones have no length there. */
export interface LoggedTool {
  readonly at: number;
  readonly thread: string | undefined;
  readonly tool: string;
  /** Code points. */
  readonly chars: number;
}

export interface AgentLog {
  readonly calls: readonly LoggedCall[];
  readonly tools: readonly LoggedTool[];
  /** Lines that say nothing about calls, tools or turns are not counted; these, by their times, could not be read. */
  readonly unread: readonly { readonly at: number; readonly problem: Problem }[];
}

/**
 * Local time to milliseconds since the epoch: the log has no zone, so whoever reads it must say what it was.
 * @param localMs the time as if it were UTC.
 */
export type ToEpoch = (localMs: number) => number;

/** A fixed offset from UTC in minutes, east positive. */
export function fixedOffset(minutes: number): ToEpoch {
  return (localMs) => localMs - minutes * 60_000;
}

/** `hermes_logging.py`: time, level, tag where a session is bound, logger, message. */
const LINE = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}),(\d{3}) ([A-Z]+)(?: \[([^\]]*)\])? ([\w.]+): (.*)$/;
/** Loggers of the releases: `run_agent` until spring 2026, then one per module. */
const CALL_LOGGERS: ReadonlySet<string> = new Set(["run_agent", "agent.conversation_loop"]);
const TOOL_LOGGERS: ReadonlySet<string> = new Set(["run_agent", "agent.tool_executor"]);
const CALL =
  /^API call #(\d+): model=(\S*) provider=(\S*) in=(\d+|unknown) out=(\d+|unknown) total=(?:\d+|unknown) latency=([\d.]+)s(.*)$/;
const TOOL = /^tool (\S+) completed \([\d.]+s, (\d+) chars\)$/;
const TURN_OPENS = /^conversation turn: session=(\S+) /;
const TURN_ENDS = /^Turn ended: .* session=(\S+)$/;

interface Turns {
  opened: number;
  open: boolean;
  /** False until the log has closed a turn of this thread. */
  closes: boolean;
}

/**
 * Calls, tools and turns of a Hermes `agent.log`, all its forms: with and without session tag, with `write=`, `id=` and
 * `upstream=` since #104568, with `unknown` figures. Lines of other kinds and the rest of multi-line messages are passed
 * over. Give rotated files oldest first, joined.
 */
export function parseAgentLog(text: string, toEpoch: ToEpoch): AgentLog {
  const calls: LoggedCall[] = [];
  const tools: LoggedTool[] = [];
  const unread: { readonly at: number; readonly problem: Problem }[] = [];
  const turns = new Map<string, Turns>();
  let untagged: string | undefined;
  let number = 0;
  for (const line of lines(text)) {
    number++;
    const head = LINE.exec(line);
    if (head === null) continue;
    const [, day = "", time = "", ms = "", , tag, logger = "", message = ""] = head;
    const at = toEpoch(Date.parse(`${day}T${time}.${ms}Z`));
    if (Number.isNaN(at)) continue;
    const opens = TURN_OPENS.exec(message)?.[1];
    if (opens !== undefined) {
      const turn = turns.get(opens) ?? { opened: 0, open: false, closes: false };
      turns.set(opens, { ...turn, opened: turn.opened + 1, open: true });
      if (tag === undefined) untagged = opens;
      continue;
    }
    const ends = TURN_ENDS.exec(message)?.[1];
    if (ends !== undefined) {
      const turn = turns.get(ends) ?? { opened: 0, open: false, closes: false };
      turns.set(ends, { ...turn, open: false, closes: true });
      if (untagged === ends) untagged = undefined;
      continue;
    }
    const thread = tag ?? untagged;
    if (CALL_LOGGERS.has(logger) && message.startsWith("API call #")) {
      const call = parseCall(message, at, thread, thread === undefined ? undefined : turns.get(thread));
      if (call === undefined) unread.push({ at, problem: badLine(number, message) });
      else calls.push(call);
    } else if (TOOL_LOGGERS.has(logger)) {
      const found = TOOL.exec(message);
      if (found !== null) tools.push({ at, thread, tool: found[1] ?? "", chars: Number(found[2]) });
    }
  }
  return { calls, tools, unread };
}

function* lines(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const at = text.indexOf("\n", from);
    const to = at < 0 ? text.length : at;
    yield text.slice(from, text.charAt(to - 1) === "\r" && to > from ? to - 1 : to);
    from = to + 1;
  }
}

function parseCall(
  message: string,
  at: number,
  thread: string | undefined,
  turn: Turns | undefined,
): LoggedCall | undefined {
  const found = CALL.exec(message);
  if (found === null) return undefined;
  const [, number, model = "", , input, output, latency, rest = ""] = found;
  return {
    at,
    latencyMs: Number(latency) * 1000,
    thread,
    number: Number(number),
    model,
    input: figure(input),
    cached: Number(/ cache=(\d+)\//.exec(rest)?.[1] ?? 0),
    written: figure(/ write=(\d+)/.exec(rest)?.[1]),
    output: figure(output),
    turn: turn?.opened ?? 0,
    outsideTurn: turn?.closes === true && !turn.open,
  };
}

function figure(text: string | undefined): number | undefined {
  return text === undefined || text === "unknown" ? undefined : Number(text);
}

function badLine(line: number, message: string): Problem {
  return {
    code: "log-line-not-read",
    severity: "warning",
    message: `Line ${line} looks like a request to the model but its figures cannot be read; it is not counted: ${message.slice(0, 80)}`,
  };
}
