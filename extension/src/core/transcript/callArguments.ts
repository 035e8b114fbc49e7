import type { RecordPlace, ToolResult } from "../model/transcript";
import { lastNotAfter } from "../util/lastNotAfter";
import { parseJson } from "../util/parseJson";
import type { TranscriptIndex } from "./events";
import { type WrittenCall, writtenCalls } from "./messageText";

/** Messages with tool calls that are looked through backwards from a result; calls of one answer can stand in several. */
const LOOK_BACK = 24;
/** Records whose calls are kept: results of one answer follow each other. */
const KEPT = 32;

interface Asking {
  /** Ascending. */
  readonly orders: readonly number[];
  readonly places: readonly RecordPlace[];
}

/** Arguments of the tool calls that results answer, as written, read from the records that hold them. */
export class CallArguments {
  private readonly threads = new Map<string, Asking>();
  private readonly kept = new Map<string, Promise<readonly WrittenCall[]>>();

  /** @param record the JSON text of a record; undefined = it cannot be read */
  constructor(
    index: Pick<TranscriptIndex, "messages">,
    private readonly record: (place: RecordPlace) => Promise<string | undefined>,
  ) {
    const byThread = new Map<string, Map<string, RecordPlace>>();
    for (const { threadId, args, place } of index.messages) {
      if (args.codePoints === 0) continue;
      const places = byThread.get(threadId) ?? new Map<string, RecordPlace>();
      byThread.set(threadId, places.set(keyOf(place), place));
    }
    for (const [thread, found] of byThread) {
      const places = [...found.values()].sort((a, b) => orderOf(a) - orderOf(b));
      this.threads.set(thread, { places, orders: places.map(orderOf) });
    }
  }

  /** Undefined where the call is not found by its id. */
  async of({ threadId, callId, place }: ToolResult): Promise<string | undefined> {
    const asking = this.threads.get(threadId);
    if (callId === undefined || asking === undefined) return undefined;
    const last = lastNotAfter(asking.orders, orderOf(place));
    for (let at = last; at >= 0 && at > last - LOOK_BACK; at--) {
      const from = asking.places[at];
      const found = from && (await this.callsIn(from)).find(({ id }) => id === callId);
      if (found !== undefined) return found.args;
    }
    return undefined;
  }

  private callsIn(place: RecordPlace): Promise<readonly WrittenCall[]> {
    const key = keyOf(place);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const calls = this.record(place).then((text) => (text === undefined ? [] : writtenCalls(parseJson(text))));
    this.kept.set(key, calls);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(oldest);
    }
    return calls;
  }
}

/** Order of records: byte position in a file, row id in a database. */
function orderOf({ row, start }: RecordPlace): number {
  return row === undefined ? start : row.id;
}

function keyOf({ row, start }: RecordPlace): string {
  return row === undefined ? String(start) : `${row.table} ${row.id}`;
}
