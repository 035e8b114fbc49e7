import { type AgentLog, fixedOffset, parseAgentLog } from "../core/compaction/agentLog";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import type { CliIo } from "./io";
import { openInput, unreadable } from "./readInput";
import { grouped, plain } from "./text";

/** Bytes of all logs together that are read; Hermes keeps a few rotations of some megabytes. */
const MAX_LOG_BYTES = 256 * 1024 * 1024;

interface LogFile {
  readonly path: string;
  readonly text: string;
  /** Local time of its first line as written; "" when no line has one. Sorts as text. */
  readonly begins: string;
}

/**
 * Rotations of one `agent.log` as one, the oldest first whatever the order given.
 * @param utcOffset minutes east of UTC of the times in the log.
 */
export async function readLogs(paths: readonly string[], utcOffset: number, io: CliIo): Promise<Result<AgentLog>> {
  const files: LogFile[] = [];
  let room = MAX_LOG_BYTES;
  for (const path of new Set(paths)) {
    const source = await openInput(path, io);
    if (!source.ok) return named(path, source.error);
    room -= source.value.bytes;
    if (room < 0) {
      const message = `The logs have more than ${grouped(MAX_LOG_BYTES)} bytes. Name fewer rotations.`;
      return named(path, { code: "too-large", severity: "error", message });
    }
    try {
      const { text } = io.utf8.decode(await source.value.read(0, source.value.bytes));
      files.push({ path, text, begins: /^\d{4}-\d{2}-\d{2} [\d:]{8},\d{3}/m.exec(text)?.[0] ?? "" });
    } catch (error) {
      return named(path, unreadable(error));
    }
  }
  files.sort((a, b) => (a.begins < b.begins ? -1 : a.begins > b.begins ? 1 : rotation(b.path) - rotation(a.path)));
  const joined = files.map(({ text }) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("");
  return ok(parseAgentLog(joined, fixedOffset(utcOffset)));
}

/** `agent.log.2` → 2; the newest has no number. */
function rotation(path: string): number {
  return Number(/\.(\d+)$/.exec(path)?.[1] ?? 0);
}

function named(path: string, problem: Problem): Result<never> {
  return err({ ...problem, message: `${plain(path)}: ${problem.message}` });
}
