import type { RecordPlace, ToolResult } from "../../model/transcript";
import type { FileSource, Utf8 } from "../../ports";
import type { TranscriptIndex } from "../../transcript/events";
import { parseJson } from "../../util/parseJson";
import type { HandleTexts } from "./findHandles";
import { HANDLE_LIMITS } from "./handle";
import { momentOf, recordTime, timeAround } from "./recordTime";

/** When records of a transcript were written, as they state it. Milliseconds since the epoch. */
export class Times {
  private last: { readonly key: string; readonly record: unknown } | undefined;
  private calls: Map<string, number> | undefined;

  constructor(
    private readonly index: TranscriptIndex,
    private readonly texts: Pick<HandleTexts, "record" | "around">,
  ) {}

  /** Of the record that holds a result. */
  async of({ place, body }: Pick<ToolResult, "place" | "body">): Promise<number | undefined> {
    const own = recordTime(await this.record(place), body?.path ?? []);
    if (own !== undefined) return own;
    const around = await this.texts.around?.(place);
    return around === undefined ? undefined : timeAround(around.before, around.after);
  }

  /** Of the request that asked for a result. */
  ofCall({ threadId, call }: Pick<ToolResult, "threadId" | "call">): number | undefined {
    if (call === undefined) return undefined;
    this.calls ??= new Map(
      this.index.calls.flatMap((one) => {
        const at = momentOf(one.at);
        return at === undefined ? [] : [[`${one.number} ${one.threadId}`, at] as const];
      }),
    );
    return this.calls.get(`${call} ${threadId}`);
  }

  /** The latest that a request or the last record states; of one thread, or of all. */
  async end(thread: string | undefined): Promise<number | undefined> {
    const { calls, messages, results } = this.index;
    const isIn = ({ threadId }: { readonly threadId: string }): boolean => thread === undefined || threadId === thread;
    let latest: number | undefined;
    const take = (at: number | undefined): void => {
      if (at !== undefined && (latest === undefined || at > latest)) latest = at;
    };
    for (const call of calls) if (isIn(call)) take(momentOf(call.at));
    const message = messages.findLast(isIn);
    if (message !== undefined) take(await this.of({ place: message.place, body: undefined }));
    // Indexes may have gaps.
    const result = results.findLast((one) => one !== undefined && isIn(one));
    if (result !== undefined) take(await this.of(result));
    return latest;
  }

  /** The parsed record; the last one is kept, since several results can stand in one. */
  private async record(place: RecordPlace): Promise<unknown> {
    if (place.end - place.start > HANDLE_LIMITS.record) return undefined;
    const key = place.row === undefined ? `${place.start} ${place.end}` : `${place.row.table} ${place.row.id}`;
    if (this.last?.key !== key) {
      const text = await this.texts.record(place);
      this.last = { key, record: text === undefined ? undefined : parseJson(text) };
    }
    return this.last.record;
  }
}

/** Bytes on either side of a record that are looked at. */
const AROUND_BYTES = 4096;

/** Gives what stands on a record's line before and behind it. */
export function aroundIn(source: FileSource, utf8: Utf8): NonNullable<HandleTexts["around"]> {
  return async ({ start, end }) => {
    const from = Math.max(0, start - AROUND_BYTES);
    const [before, after] = await Promise.all([source.read(from, start), source.read(end, end + AROUND_BYTES)]);
    const head = utf8.decode(before).text;
    const tail = utf8.decode(after).text;
    const stop = tail.indexOf("\n");
    return { before: head.slice(head.lastIndexOf("\n") + 1), after: stop < 0 ? tail : tail.slice(0, stop) };
  };
}
